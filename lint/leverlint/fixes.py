"""Fixes made real: what a rule asks for as an intent, languages turn into edits of files.

Works on content, wherever that comes from; nothing here touches the disk. Nothing of this is
imported by a plain check: rewriting Python takes LibCST.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from leverlint import fingerprints, languages, sources
from leverlint.diagnostics import Diagnostic, Edit
from leverlint.facts import Span
from leverlint.languages import Substitution
from leverlint.report import Report
from leverlint.sources import Sources, Unreadable

_ROUNDS = 10
"""What is fixed may show what else can be; no two fixes go back and forth."""

Check = Callable[[Mapping[str, bytes]], Report]
"""Checks the project with contents in place of files, by their paths."""


class Fixed(NamedTuple):
    contents: dict[str, bytes]
    """The bytes that changed files are to have."""
    originals: dict[str, bytes]
    """Those that they had."""
    report: Report
    """What remains then."""
    counts: dict[str, int]
    """How many findings of each file are gone by it."""
    stale: tuple[str, ...] = ()
    """Files that are no longer what was checked; they are left as they are."""


def edits(finding: Diagnostic, sources: Sources) -> tuple[Edit, ...]:
    """Give the edits of one finding's fix, sorted and apart; none when it has none, or it cannot be made."""
    return edits_of_all([finding], finding.path, sources)


def edits_of_all(findings: Iterable[Diagnostic], path: str, sources: Sources) -> tuple[Edit, ...]:
    """Give the edits that make all fixes of findings in one file at once; of two that overlap, the first."""
    content = sources.content_or_nothing(path)
    new = _rewritten(path, content, _by_path(findings, unsafe=True).get(path, []))
    return () if new is None else differences(path, content, new)


def differences(path: str, old: bytes, new: bytes) -> tuple[Edit, ...]:
    """Give the edits that make one content of another, as small as whole characters allow."""
    lines, new_lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = _starts(lines)
    found = []
    for tag, first, last, new_first, new_last in SequenceMatcher(None, lines, new_lines, False).get_opcodes():
        if tag != "equal":
            before, after = b"".join(lines[first:last]), b"".join(new_lines[new_first:new_last])
            found.append(_trimmed(path, starts[first], before.decode(), after.decode()))
    return tuple(found)


def fix_all(report: Report, root: str, overlays: Mapping[str, bytes], check: Check, unsafe: bool) -> Fixed:
    """Make all fixes that may be made, and those that show then, until there are none.

    A file in which a fix does not do away with its finding, or brings up another one, is left as it was.
    """
    contents: dict[str, bytes] = {}
    originals: dict[str, bytes] = {}
    stale = _stale(report, Sources(root, overlays))
    given_up = set(stale)
    counts: dict[str, int] = {}
    for _ in range(_ROUNDS):
        current = Sources(root, {**overlays, **contents})
        wanted = {
            path: findings
            for path, findings in _by_path(report.findings, unsafe).items()
            if path not in given_up
        }
        changes = {path: _changed(path, findings, current) for path, findings in wanted.items()}
        tried = {path: new for path, (_, new) in changes.items() if new is not None}
        given_up |= wanted.keys() - tried.keys()
        if not tried:
            break
        after = check({**overlays, **contents, **tried})
        worse = {path for path in tried if not _is_better(path, report, after, unsafe)}
        given_up |= worse
        kept = {path: data for path, data in tried.items() if path not in worse}
        originals = {path: changes[path][0] for path in kept} | originals
        contents.update(kept)
        if worse:
            after = check({**overlays, **contents})
        for path in kept:
            counts[path] = counts.get(path, 0) + len(wanted[path])
        report = after
    return Fixed(contents, originals, report._replace(fixed=sum(counts.values())), counts, stale)


def _stale(report: Report, current: Sources) -> tuple[str, ...]:
    """Give the files in which findings are no longer where they were found."""
    fixable = (finding for finding in report.findings if finding.fix is not None)
    moved = (finding.path for finding in fixable if not fingerprints.is_in_place(finding, current))
    return tuple(dict.fromkeys(moved))


def _by_path(findings: Iterable[Diagnostic], unsafe: bool) -> dict[str, list[Diagnostic]]:
    """Give the findings that can be fixed at once: of two that overlap, the first."""
    found: dict[str, list[Diagnostic]] = {}
    for finding in sorted(findings, key=_start):
        ours = found.setdefault(finding.path, []) if finding.is_fixable(unsafe) else None
        if ours is not None and (not ours or _start(finding) >= _end(ours[-1])):
            ours.append(finding)
    return found


def _start(finding: Diagnostic) -> int:
    return finding.fix.intent.span.start if finding.fix is not None else 0


def _end(finding: Diagnostic) -> int:
    return finding.fix.intent.span.end if finding.fix is not None else 0


def _changed(path: str, findings: Sequence[Diagnostic], current: Sources) -> tuple[bytes, bytes | None]:
    """Give the bytes of a file, and those with its findings fixed, in the encoding that it has."""
    try:
        data = current.data(path)
        content = sources.check(path, data)
    except Unreadable:
        return b"", None
    new = _rewritten(path, content, findings)
    return data, None if new is None else sources.encode(new, data, path)


def _rewritten(path: str, content: bytes, findings: Sequence[Diagnostic]) -> bytes | None:
    name = languages.name_for(path)
    wanted = [Substitution(*finding.fix.intent) for finding in findings if finding.fix is not None]
    if name is None or not wanted or not content:
        return None
    return languages.language(name).rewritten(path, content, wanted)


def _is_better(path: str, before: Report, after: Report, unsafe: bool) -> bool:
    """Say whether the findings of a file that were to go have gone, and no other has come."""
    old, new = _counted(path, before), _counted(path, after)
    gone = Counter(_kind(finding) for finding in _by_path(before.findings, unsafe)[path])
    return not new - old and all(new[kind] <= old[kind] - number for kind, number in gone.items())


def _counted(path: str, report: Report) -> Counter[tuple[str, str | None]]:
    return Counter(_kind(finding) for finding in report.findings if finding.path == path)


def _kind(finding: Diagnostic) -> tuple[str, str | None]:
    return finding.code, finding.lever


def _starts(lines: Sequence[bytes]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts


def _trimmed(path: str, start: int, old: str, new: str) -> Edit:
    """Leave out what both texts begin and end with, up to whole words."""
    limit = min(len(old), len(new))
    same = next((at for at in range(limit) if old[at] != new[at]), limit)
    while same and _is_word(old[same - 1]):
        same -= 1
    limit -= same
    tail = next((at for at in range(limit) if old[-1 - at] != new[-1 - at]), limit)
    while tail and _is_word(old[-tail]):
        tail -= 1
    end = len(old) - tail
    begin = start + len(old[:same].encode())
    return Edit(path, Span(begin, begin + len(old[same:end].encode())), new[same : len(new) - tail])


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
