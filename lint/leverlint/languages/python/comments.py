"""The comments that may suppress findings."""

from bisect import bisect_right
from itertools import accumulate

from leverlint.facts import Comment, Span
from leverlint.languages.python.scopes import Scopes
from leverlint.languages.python.seeds import MARKERS
from leverlint.languages.syntax import occurrences

_ANYBODYS = (b"noqa", b"NOQA")


def suppressing(scopes: Scopes, spans: list[Span]) -> tuple[Comment, ...]:
    """Give our comments wherever they are, and plain `noqa` on the lines of facts."""
    source = scopes.source
    offsets = [at for marker in MARKERS for at in occurrences(source, marker)]
    blanket = [at for marker in _ANYBODYS for at in occurrences(source, marker)]
    if blanket:
        ordered = sorted(spans)
        starts = [span.start for span in ordered]
        reach = list(accumulate((span.end for span in ordered), max))
        offsets.extend(at for at in blanket if _on_a_line_of(source, at, starts, reach))
    found = {}
    for offset in offsets:
        leaf = scopes.chain(offset)[-1]
        content = source[leaf.start_byte : leaf.end_byte].rstrip() if leaf.type == "comment" else b""
        if b"leverlint:" in content or b"noqa" in content.lower():
            start = source.rfind(b"\n", 0, leaf.start_byte) + 1
            alone = not source[start : leaf.start_byte].strip(b" \t\f\xef\xbb\xbf")
            where = Span(leaf.start_byte, leaf.start_byte + len(content))
            found[leaf.start_byte] = Comment(where, content[1:].decode("utf-8", "replace"), alone)
    return tuple(found[start] for start in sorted(found))


def _on_a_line_of(source: bytes, offset: int, starts: list[int], reach: list[int]) -> bool:
    """Say whether a fact has a part on the line of an offset."""
    end = source.find(b"\n", offset)
    before = bisect_right(starts, end if end >= 0 else len(source))
    return before > 0 and reach[before - 1] > source.rfind(b"\n", 0, offset)
