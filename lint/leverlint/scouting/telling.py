"""What was seen in a tree, and what is made of it, in words."""

from collections import Counter
from collections.abc import Iterable, Iterator

from leverlint.scouting import Scouted
from leverlint.scouting.families import Family

_MOST_FAMILIES = 8
_MOST_FILES = 5
_MOST_LEVERS = 3


def told(scouted: Scouted) -> Iterator[str]:
    """Give the lines of the account."""
    yield f"{_counted(scouted.files, 'file')} looked at"
    yield from ("", "Variables that are read, by the beginning of their names (* the levers):")
    yield from _table(
        (
            "*" if family.prefix in scouted.prefixes else " ",
            family.prefix,
            _counted(family.names, "name"),
            _counted(family.reads, "read"),
            f"in {_counted(family.files, 'file')}",
            family.why,
        )
        for family in _shown_families(scouted)
    )
    if not scouted.prefixes:
        return
    yield from ("", "Resolvers, files in which reading levers is right:")
    yield from _table((f"* {each.path}", ", ".join(each.reasons)) for each in scouted.resolvers)
    if not scouted.resolvers:
        yield "  none stands out; name them in `resolvers`, or make one"
    if scouted.hot:
        yield from ("", "Functions that look hot and read levers (left to you to switch on, in `hot`):")
        yield from _table((f"  {each.entry}", _some(each.levers)) for each in scouted.hot)
    yield from ("", f"With this configuration: {_counted(len(scouted.report.findings), 'finding')}")
    counts = Counter(f"{finding.code} {finding.rule}" for finding in scouted.report.findings)
    yield from _table((f"{count:>6}", rule) for rule, count in counts.most_common())
    files = Counter(finding.path for finding in scouted.report.findings).most_common(_MOST_FILES)
    if files:
        yield "  most of them in"
        yield from _table((f"{count:>6}", path) for path, count in files)
    yield ""


def _shown_families(scouted: Scouted) -> list[Family]:
    chosen = [family for family in scouted.families if family.prefix in scouted.prefixes]
    others = [family for family in scouted.families if family.prefix not in scouted.prefixes]
    return [*chosen, *others[: max(0, _MOST_FAMILIES - len(chosen))]]


def _table(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _some(levers: tuple[str, ...]) -> str:
    more = len(levers) - _MOST_LEVERS
    return ", ".join(levers[:_MOST_LEVERS]) + (f" and {more} more" if more > 0 else "")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"
