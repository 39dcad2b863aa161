"""From an index to a report: rules, suppressions, what was asked for, fingerprints."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from leverlint import config_files, fingerprints, packs, selection, suppressions
from leverlint.config import COMMAND_LINE, Config
from leverlint.consumption import Consumption
from leverlint.diagnostics import Diagnostic
from leverlint.discovery import Discovery
from leverlint.facts import FileFacts, Span
from leverlint.index import Index
from leverlint.project import Place, Project
from leverlint.report import Report, Skipped, in_order
from leverlint.rule import Rule
from leverlint.sources import Sources

Failures = list[Skipped]
"""Rules that failed, as what was left out."""


def configs(config: Config, found: Discovery) -> list[Config]:
    """Give the configuration of the root and those that nested files make of it."""
    return [config, *map(config.for_path, found.configs)]


class Judging:
    """Judges one project, as its files and settings are; the index may be another each time."""

    def __init__(
        self,
        config: Config,
        found: Discovery,
        sources: Sources,
        consumption: Consumption | None = None,
        elsewhere: bool = False,
    ) -> None:
        """`elsewhere` has the report hold what is found in files that were not asked about, too."""
        self._config = config
        self._found = found
        self._sources = sources
        self._consumption = consumption
        self._elsewhere = elsewhere
        self.read: set[str] = set()
        """Files of which more than facts was looked at for the last findings."""
        self._rules = packs.rules()
        stated = configs(config, found)
        self._running = [rule for rule in self._rules if any(selection.is_on(rule, each) for each in stated)]

    def report(self, index: Index, skipped: Mapping[str, str]) -> Report:
        failed: Failures = []
        findings = self.findings(index, failed)
        report = self.sifted(findings, index, index.facts, failed, skipped)
        return report._replace(findings=fingerprints.assign(report.findings, self._sources))

    def findings(self, index: Index, failed: Failures) -> list[Diagnostic]:
        """Give what the rules find, before anything is suppressed."""
        self.read.clear()
        project = self._project(index, (), self._consumption)
        rules = [rule for rule in self._running if not rule.after_suppressions]
        return [
            each._replace(within=index.function_around(each.path, each.span))
            for each in _run(rules, project, failed)
            if self._elsewhere or self._found.is_asked(each.path)
        ]

    def sifted(
        self,
        findings: Sequence[Diagnostic],
        index: Index,
        facts: Mapping[str, FileFacts],
        failed: Failures,
        skipped: Mapping[str, str],
    ) -> Report:
        """Give the report, but for fingerprints, that suppressions leave of findings.

        `facts` are of the files as they are; those that the index was built from may be older.
        """
        asked = self._found.is_asked
        kept, _, unused = suppressions.apply(findings, facts, self._sources, self._config, self._rules)
        suppressed = sum(asked(each.path) for each in findings) - sum(asked(each.path) for each in kept)
        late = [rule for rule in self._running if rule.after_suppressions]
        kept = [*kept, *_run(late, self._project(index, unused), failed)]
        left_out = [Skipped(path, why) for path, why in skipped.items() if asked(path)]
        return Report(
            findings=in_order(finding for finding in kept if asked(finding.path)),
            files=sum(map(asked, self._found.files)) - len(left_out),
            suppressed=suppressed,
            skipped=(*self._found.skipped, *left_out, *failed),
            levers=len({use.lever for use in index.uses}),
            elsewhere=in_order(each for each in kept if not asked(each.path)) if self._elsewhere else (),
        )

    def _project(
        self,
        index: Index,
        unused: Collection[suppressions.Unused],
        consumption: Consumption | None = None,
    ) -> Project:
        stated = _places(self._config, self._sources)
        files = self._found.files
        return Project(index, self._config, files, stated, tuple(unused), consumption, self._glance)

    def _glance(self, path: str) -> bytes:
        self.read.add(path)
        return self._sources.glance(path)


def _run(rules: Iterable[Rule], project: Project, failed: Failures) -> list[Diagnostic]:
    """Run rules; one that fails is noted in `failed` and does not stop the others."""
    findings: dict[Diagnostic, None] = {}
    for rule in rules:
        try:
            findings.update(dict.fromkeys(_selected(rule, project)))
        except Exception as error:
            failed.append(Skipped(f"the rule `{rule.name}`", f"has failed, please report it: {error!r}"))
    return list(findings)


def _selected(rule: Rule, project: Project) -> Iterator[Diagnostic]:
    for finding in rule.check(project):
        config = project.config.for_path(finding.path)
        if selection.is_selected(rule, finding.path, config):
            yield finding._replace(severity=selection.severity(rule, config))


def _places(config: Config, sources: Sources) -> Callable[[str, str], Place | None]:
    def place(key: str, entry: str) -> Place | None:
        origin = config.sources.get(key)
        if origin is None or origin.path == COMMAND_LINE:
            return None
        content = sources.content(origin.path)
        return origin.path, config_files.locate_text(content, Span(*origin.span), entry)

    return place
