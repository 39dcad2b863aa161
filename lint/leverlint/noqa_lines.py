"""The lines that one `# noqa` comment covers, as flake8 counts them.

Usually that is its own line. Text in triple quotes and lines joined by a backslash are one
line to flake8, so that the comment behind them covers all of them.
"""

from collections.abc import Callable
from functools import lru_cache


def noqa_lines(content: bytes, line: int, bounds: Callable[[int], tuple[int, int]]) -> frozenset[int]:
    """Give the numbers of the lines that a comment on `line` covers.

    `bounds` gives the start and end of a line in `content`.
    """
    if _may_be_joined(content, line, bounds):
        for first, last in _joined(content):
            if first <= line <= last:
                return frozenset(range(first, last + 1))
    return frozenset((line,))


def _may_be_joined(content: bytes, line: int, bounds: Callable[[int], tuple[int, int]]) -> bool:
    """Spare most comments Python's slow tokenizer: nothing ends on their line that began before."""
    start, end = bounds(line)
    if content.find(b'"""', start, end) >= 0 or content.find(b"'''", start, end) >= 0:
        return True
    start, end = bounds(line - 1)
    return content[start:end].endswith(b"\\")


@lru_cache(maxsize=4)
def _joined(content: bytes) -> tuple[tuple[int, int], ...]:
    """Give the first and last line of each run of lines that flake8 takes as one."""
    import io
    import tokenize

    runs = []
    first, last = 0, 0
    try:
        for token in tokenize.tokenize(io.BytesIO(content).readline):
            if token.type in (tokenize.ENCODING, tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            first = min(first or token.start[0], token.start[0])
            last = max(last, token.end[0])
            if token.type in (tokenize.NL, tokenize.NEWLINE):
                if last > first:
                    runs.append((first, last))
                first, last = 0, 0
    except (tokenize.TokenError, SyntaxError):
        # flake8 gives up on the whole file then.
        return ()
    return tuple(runs)
