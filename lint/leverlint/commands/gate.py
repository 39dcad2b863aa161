"""Which findings count in a project that has many: those beyond a baseline, those on changed lines."""

import argparse
import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from leverlint import packs, selection
from leverlint.commands.output import note
from leverlint.config import COMMAND_LINE, Config, relative_to
from leverlint.diagnostics import Diagnostic
from leverlint.errors import LeverlintError
from leverlint.report import Report
from leverlint.sources import Sources

if TYPE_CHECKING:
    from leverlint.baseline import Baseline, Entry, Renewal

_MOST_SHOWN = 10


def add_gate(parser: argparse.ArgumentParser) -> None:
    gate = parser.add_argument_group("only what is new")
    gate.add_argument("--baseline", metavar="FILE", help="leave out the findings that FILE holds")
    gate.add_argument(
        "--write-baseline",
        action="store_true",
        help="put the findings into the baseline (default: leverlint-baseline.json in the project)",
    )
    gate.add_argument(
        "--since",
        metavar="REV",
        help="only findings on lines changed since the branch left REV, or not committed yet (git)",
    )


class Gate:
    """Lets through the findings that count, as the options say."""

    def __init__(self, arguments: argparse.Namespace, settings: Config, paths: Sequence[str]) -> None:
        self._settings = settings
        self._quiet: bool = arguments.quiet
        self._paths = [relative_to(path, settings.root) for path in paths]
        self._file: str | None = arguments.baseline
        self._writes: bool = arguments.write_baseline
        self._since: str | None = arguments.since
        if self._writes and self._since is not None:
            raise LeverlintError(
                "`--write-baseline` and `--since` exclude each other",
                "a baseline holds all findings, whichever lines they are on",
            )
        if self._writes and (arguments.fix or arguments.diff):
            raise LeverlintError("`--write-baseline` and fixes exclude each other", "fix first, then write")
        if self._writes and (arguments.stdin_filename is not None or "-" in arguments.paths):
            raise LeverlintError("`--write-baseline` takes files, not standard input")

    @property
    def needs_elsewhere(self) -> bool:
        """Say whether the report must hold the findings in all files."""
        return self._file is not None or self._writes

    def let_through(self, report: Report, sources: Sources) -> Report:
        if self._writes:
            report = self._with_new_baseline(report, sources)
        elif self._file is not None:
            report = self._beyond_baseline(report, sources, self._file)
        if self._since is not None:
            from leverlint.changed_lines import changes_since, only_changed

            report = only_changed(report, changes_since(self._settings.root, self._since), sources)
        return report

    def _beyond_baseline(self, report: Report, sources: Sources, path: str) -> Report:
        from leverlint import baseline, baseline_file

        outcome = baseline.apply(report, baseline_file.read(path), sources)
        if outcome.stale and not self._quiet:
            looked_at = self._looked_at(report)
            _say_what_is_stale(path, sum(count for entry, count in outcome.stale.items() if looked_at(entry)))
        return outcome.report

    def _with_new_baseline(self, report: Report, sources: Sources) -> Report:
        from leverlint import baseline, baseline_file

        path = self._file
        if path is None:
            path = os.path.relpath(os.path.join(self._settings.root, baseline_file.NAME))
        old = baseline_file.read(path) if os.path.exists(path) else {}
        renewal = baseline.renew(report, old, sources, self._looked_at(report))
        baseline_file.write(path, renewal.baseline)
        if not self._quiet:
            _say_what_was_written(path, renewal, is_new=not old)
        return baseline.apply(report, renewal.baseline, sources).report

    def _looked_at(self, report: Report) -> "Callable[[Entry], bool]":
        """Give the question whether this run would have found what an entry stands for."""
        settings = self._settings
        rules = {rule.name: rule for rule in packs.rules()}
        skipped = {each.path for each in report.skipped}
        origin = settings.sources.get("prefixes")
        # The prefixes of a file hold for good, those of the command line or none leave levers out for once.
        stated = origin is not None and origin.path != COMMAND_LINE
        here = ("",) if stated else (*settings.prefixes, *settings.names)

        def looked_at(entry: "Entry") -> bool:
            rule = rules.get(entry.rule)
            return (
                rule is not None
                and selection.is_selected(rule, entry.path, settings.for_path(entry.path))
                and (not entry.lever or entry.lever.startswith(here))
                and entry.path not in skipped
                and (self._is_asked(entry.path) or self._is_gone(entry.path))
            )

        return looked_at

    def _is_asked(self, path: str) -> bool:
        return not self._paths or any(
            asked in ("", path) or path.startswith(f"{asked}/") for asked in self._paths
        )

    def _is_gone(self, path: str) -> bool:
        return not os.path.exists(os.path.join(self._settings.root, path))


def hiding(everything: Report, shown: Report) -> Callable[[Report], Report]:
    """Give what leaves out of later reports on changed files the findings that were left out of this one.

    What a fix does to lines and functions is no reason for any of them to turn up.
    """
    left_out = Counter(map(_kind, everything.findings)) - Counter(map(_kind, shown.findings))

    def hide(report: Report) -> Report:
        left = left_out.copy()
        found = []
        for finding in report.findings:
            if left[_kind(finding)] > 0:
                left[_kind(finding)] -= 1
            else:
                found.append(finding)
        return report._replace(findings=tuple(found), baselined=shown.baselined)

    return hide


def _kind(finding: Diagnostic) -> tuple[str, str, str | None, str]:
    return finding.path, finding.code, finding.lever, finding.within


def _say_what_is_stale(path: str, count: int) -> None:
    if count:
        entries = "1 entry stands" if count == 1 else f"{count} entries stand"
        note("note", f"in {path}, {entries} for what is not found any more")
        note("hint", f"`--baseline {path} --write-baseline` takes out what is gone")


def _say_what_was_written(path: str, renewal: "Renewal", is_new: bool) -> None:
    holds, added, removed = (sum(each.values()) for each in renewal)
    findings = "1 finding" if holds == 1 else f"{holds} findings"
    note("note", f"{path} holds {findings}: {added} added, {removed} removed")
    if not is_new:
        _list("added", renewal.added)
        _list("removed", renewal.removed)


def _list(verb: str, entries: "Baseline") -> None:
    for entry, count in sorted(entries.items())[:_MOST_SHOWN]:
        lever = f" `{entry.lever}`" if entry.lever else ""
        where = f"{entry.path}, in `{entry.function}`" if entry.function else entry.path
        times = f" ({count} times)" if count > 1 else ""
        note(verb, f"{entry.rule}{lever} in {where}{times}")
    if len(entries) > _MOST_SHOWN:
        note(verb, f"{len(entries) - _MOST_SHOWN} more")
