"""Findings that a team lives with for now, kept in a file: what goes beyond it is new.

An entry says what was found, in which function and in what code, never on which line; so it
survives edits around it, moved functions and renamed files. Each entry stands for one finding:
a second read of the same lever in the same function is new. An entry belongs to its function;
what stands in another one may take it only when its own is gone from where it was.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from leverlint.diagnostics import Diagnostic
from leverlint.facts import Span
from leverlint.report import Report
from leverlint.sources import Sources

NEVER = frozenset({"syntax-error", "unmatched-config", "unused-suppression"})
"""Rules about the check itself: what they find means that it sees less than it seems to."""

_LONGEST = 160
_LAYOUT = r"(?<=[(\[{]) |,? ?(?=[)\]}])"
"""What a formatter puts into brackets, or takes out, when it breaks a line."""


class Entry(NamedTuple):
    """One or more findings that nothing tells apart, in the order in which the file is sorted."""

    path: str
    function: str
    """Qualified name of the function around it; empty at the top of a file."""
    rule: str
    lever: str
    """Empty for a finding about no lever in particular."""
    text: str
    """The code that is marked, as if it stood on one line; cut off where it is long."""


Baseline = Mapping[Entry, int]
"""Entries, and how many findings each stands for."""


Likeness = Callable[[Entry], object]


class Match(NamedTuple):
    new: tuple[Diagnostic, ...]
    """Findings that no entry stands for."""
    known: tuple[tuple[Diagnostic, Entry], ...]
    stale: Baseline
    """What is left over."""


class Renewal(NamedTuple):
    baseline: Baseline
    added: Baseline
    removed: Baseline


class Outcome(NamedTuple):
    report: Report
    """The findings that are new; the others are counted."""
    stale: Baseline
    """Entries that stand for nothing that is still there."""


def apply(report: Report, baseline: Baseline, sources: Sources) -> Outcome:
    """Take out of a report what its project's baseline holds.

    The report must be one with `elsewhere`: only who knows that a finding is still in its old
    file can tell a moved function from a copied one.
    """
    found = match((*report.findings, *report.elsewhere), baseline, sources)
    known = {finding for finding, _ in found.known}
    new = tuple(finding for finding in report.findings if finding not in known)
    baselined = len(report.findings) - len(new)
    return Outcome(report._replace(findings=new, elsewhere=(), baselined=baselined), found.stale)


def renew(
    report: Report, baseline: Baseline, sources: Sources, looked_at: Callable[[Entry], bool]
) -> Renewal:
    """Make a baseline of what a report finds, and of old entries that it could not find again.

    `looked_at` says of an entry whether the run would have found what it stands for.
    """
    found = match((*report.findings, *report.elsewhere), baseline, sources)
    asked = frozenset(report.findings)
    holds = Counter(entry(finding, sources) for finding in report.findings if finding.rule not in NEVER)
    holds.update(old for finding, old in found.known if finding not in asked)
    removed = {old: count for old, count in found.stale.items() if looked_at(old)}
    holds.update({old: count for old, count in found.stale.items() if old not in removed})
    added = Counter(
        entry(finding, sources) for finding in found.new if finding in asked and finding.rule not in NEVER
    )
    return Renewal(holds, added, removed)


def match(findings: Sequence[Diagnostic], baseline: Baseline, sources: Sources) -> Match:
    """Find an entry for each finding: first one that is the same, then ones that are less and less so."""
    left = {finding: entry(finding, sources) for finding in findings if finding.rule not in NEVER}
    stale = Counter({known: count for known, count in baseline.items() if known.rule not in NEVER})
    known: list[tuple[Diagnostic, Entry]] = []

    def settle(
        likeness: Likeness, free: Iterable[Entry], looked_for: Mapping[Diagnostic, Sequence[Entry]]
    ) -> None:
        pools: dict[object, list[Entry]] = {}
        for each in sorted(free, reverse=True):
            pools.setdefault(likeness(each), []).append(each)
        for finding, entries in looked_for.items():
            pool = next(filter(None, (pools.get(likeness(each)) for each in entries)), None)
            if pool:
                del left[finding]
                known.append((finding, pool[-1]))
                stale[pool[-1]] -= 1
                if not stale[pool[-1]]:
                    del stale[pool.pop()]

    for likeness in (_same, _edited):
        settle(likeness, stale, {finding: (here,) for finding, here in left.items()})
    for likeness in (_function_renamed, _moved, _moved_into_another_class, _moved_and_edited):
        if left and stale:
            gone = [each for each in stale if _is_gone(each, sources)]
            settle(likeness, gone, {finding: (here,) for finding, here in left.items()})
    if left and stale:
        settle(_anywhere, stale, {finding: _peers(finding, sources) for finding in left})
    new = tuple(finding for finding in findings if finding.rule in NEVER or finding in left)
    return Match(new, tuple(known), dict(sorted(stale.items())))


def entry(finding: Diagnostic, sources: Sources) -> Entry:
    """Give the entry that stands for a finding."""
    text = _text(finding.path, finding.span, sources)
    return Entry(finding.path, finding.within, finding.rule, finding.lever or "", text)


def _peers(finding: Diagnostic, sources: Sources) -> list[Entry]:
    """Give the entries of a finding about two places if it were reported at the other one.

    Which one that is depends on the order of paths, and a renamed file may reverse it.
    """
    return [
        Entry(other.path, "", finding.rule, finding.lever or "", _text(other.path, other.span, sources))
        for other in finding.related
    ]


def _text(path: str, span: Span, sources: Sources) -> str:
    code = sources.content_or_nothing(path)[span.start : span.end].decode("utf-8", "replace")
    return re.sub(_LAYOUT, "", " ".join(code.split()))[:_LONGEST]


def _is_gone(entry: Entry, sources: Sources) -> bool:
    """Say whether the function of an entry is no longer where it was; the top of a file cannot be told."""
    *owners, name = entry.function.split(".")
    code = sources.content_or_nothing(entry.path).decode("utf-8", "replace")
    definitions = len(re.findall(rf"\b(?:def|fn)\s+{re.escape(name)}\b", code)) if name else 0
    if not definitions:
        return True
    # Of several methods with one name it may be any that is gone.
    return bool(owners) and (definitions > 1 or not re.search(rf"\b{re.escape(owners[-1])}\b", code))


# What two entries share that are taken for the same, from the most exact on. Never is a lever
# enough: it may be read anew anywhere.


def _same(entry: Entry) -> object:
    return entry


def _edited(entry: Entry) -> object:
    return entry.path, entry.function, entry.rule, entry.lever


def _function_renamed(entry: Entry) -> object:
    return entry.path, bool(entry.function), entry.rule, entry.lever, entry.text


def _moved(entry: Entry) -> object:
    return entry.function, entry.rule, entry.lever, entry.text


def _moved_into_another_class(entry: Entry) -> object:
    return entry.function.rpartition(".")[2], entry.rule, entry.lever, entry.text


def _moved_and_edited(entry: Entry) -> object:
    # The top of one file has nothing to do with the top of another.
    return entry.function or entry.path, entry.rule, entry.lever


def _anywhere(entry: Entry) -> object:
    return entry.rule, entry.lever, entry.text
