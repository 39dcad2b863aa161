"""One run: discover, extract, index, rules, suppressions, report. Prints nothing.

Every front door comes through here, over the whole project; paths only filter the report.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from leverlint import config_files, fingerprints, globs, languages, packs, selection, suppressions
from leverlint.assembly import Assembler, Assembly
from leverlint.cache import Cache
from leverlint.config import COMMAND_LINE, Config
from leverlint.consumption import Consumption
from leverlint.diagnostics import Diagnostic
from leverlint.discovery import Discovery, discover
from leverlint.extraction import Extraction
from leverlint.facts import FileFacts, Function, Span, Vocabulary
from leverlint.hot_paths import is_named
from leverlint.index import Index, Levers
from leverlint.languages import Tree
from leverlint.project import Place, Project
from leverlint.report import Report, Skipped, in_order
from leverlint.rule import Rule
from leverlint.sources import Sources
from leverlint.workers import Progress


def check(
    config: Config,
    paths: Sequence[str],
    *,
    overlays: Mapping[str, bytes] | None = None,
    jobs: int = 0,
    cache_dir: str | None = None,
    progress: Progress | None = None,
    force_exclude: bool = False,
) -> Report:
    """Check the project that `config` belongs to; `paths` (none: all) filter the findings.

    `overlays` give content in place of files, by path relative to the root. `jobs` 0 chooses.
    """
    overlays = overlays or {}
    found = discover(config.root, paths, config, force_exclude=force_exclude, extra=tuple(overlays))
    cache = None
    # Content from elsewhere has no stamp: nothing that it leads to is remembered.
    if cache_dir is not None and not overlays:
        cache = Cache(cache_dir, config.root, _settings(config, found), found.files)
        if report := cache.report():
            return report
    assembler = _assembler(config, found, overlays, jobs, progress)
    if cache is not None:
        assembler.recall(cache.known())
    report = _report(config, found, assembler.run(), Sources(config.root, overlays))
    if cache is not None:
        cache.store(report, assembler.outcomes, assembler.searched)
    return report


def index(
    config: Config,
    found: Discovery,
    *,
    jobs: int = 0,
    cache_dir: str | None = None,
    progress: Progress | None = None,
) -> Index:
    """Build the index of a project without running rules.

    Facts are taken from the cache that a check has left; there is no report to leave one.
    """
    assembler = _assembler(config, found, {}, jobs, progress, decode_all=True)
    if cache_dir is not None:
        assembler.recall(Cache(cache_dir, config.root, _settings(config, found), found.files).known())
    return assembler.run().index


def _assembler(
    config: Config,
    found: Discovery,
    overlays: Mapping[str, bytes],
    jobs: int,
    progress: Progress | None,
    decode_all: bool = False,
) -> Assembler:
    tree = Tree(frozenset(found.files), found.crates, {})
    levers_of = _levers_by_path(config)
    extraction = Extraction(config.root, dict(overlays), _vocabulary(config, found))

    def make_index(facts: Mapping[str, FileFacts]) -> Index:
        return Index(
            facts,
            tree,
            languages.LANGUAGES,
            levers_of,
            config.wrappers,
            lambda path: config.for_path(path).is_resolver(path),
            _hot_functions(config, found),
        )

    return Assembler(found.files, tree, extraction, make_index, jobs, progress, decode_all)


def _report(config: Config, found: Discovery, assembly: Assembly, sources: Sources) -> Report:
    rules = packs.rules()
    consumption = Consumption(found.files, sources.glance)
    places = _places(config, sources)
    project = Project(assembly.index, config, found.files, places, (), consumption, sources.glance)
    failed: list[Skipped] = []
    configs = _configs(config, found)
    running = [rule for rule in rules if any(selection.is_on(rule, each) for each in configs)]
    findings = _run([rule for rule in running if not rule.after_suppressions], project, failed)
    findings = [finding for finding in findings if found.is_asked(finding.path)]
    kept, suppressed, unused = suppressions.apply(findings, assembly.index.facts, sources, config, rules)
    late = Project(project.index, config, found.files, project.stated, unused)
    kept = [*kept, *_run([rule for rule in running if rule.after_suppressions], late, failed)]
    asked = in_order(finding for finding in kept if found.is_asked(finding.path))
    skipped = [Skipped(path, why) for path, why in assembly.skipped.items() if found.is_asked(path)]
    return Report(
        findings=fingerprints.assign(asked, sources),
        files=sum(map(found.is_asked, found.files)) - len(skipped),
        suppressed=suppressed,
        skipped=(*found.skipped, *skipped, *failed),
        levers=len({use.lever for use in assembly.index.uses}),
    )


def _run(rules: Iterable[Rule], project: Project, failed: list[Skipped]) -> list[Diagnostic]:
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


def _configs(config: Config, found: Discovery) -> list[Config]:
    """Give the configuration of the root and those that nested files make of it."""
    return [config, *map(config.for_path, found.configs)]


def _settings(config: Config, found: Discovery) -> str:
    """Describe everything but the files that a report depends on."""
    stated = {path: config.for_path(path).settings() for path in ("", *found.configs)}
    asked = None if found.asked is None else sorted(found.asked)
    return repr((stated, asked, found.skipped, sorted(found.crates.items()), packs.stamps()))


def _places(config: Config, sources: Sources) -> Callable[[str, str], Place | None]:
    def place(key: str, entry: str) -> Place | None:
        origin = config.sources.get(key)
        if origin is None or origin.path == COMMAND_LINE:
            return None
        content = sources.content(origin.path)
        return origin.path, config_files.locate_text(content, Span(*origin.span), entry)

    return place


def _hot_functions(config: Config, found: Discovery) -> Callable[[str, Function], bool] | None:
    """Give the question whether a function is hot; `None` when nothing is."""
    if not any(each.hot for each in _configs(config, found)):
        return None

    def is_hot(path: str, function: Function) -> bool:
        return any(
            globs.matches((entry,), path) if globs.is_file_glob(entry) else is_named(path, function, entry)
            for entry in config.for_path(path).hot
        )

    return is_hot


def _levers_by_path(config: Config) -> Callable[[str], Levers]:
    known: dict[int, Levers] = {}

    def levers_of(path: str) -> Levers:
        settings = config.for_path(path)
        if id(settings) not in known:
            known[id(settings)] = Levers(settings.prefixes, settings.names, settings.allow_names)
        return known[id(settings)]

    return levers_of


def _vocabulary(config: Config, found: Discovery) -> Vocabulary:
    """Look for the levers of every configuration in every file: wrappers cross their borders."""
    settings = _configs(config, found)
    wrappers = [name.replace("::", ".").rpartition(".")[2] for one in settings for name in one.wrappers]
    return Vocabulary(
        tuple(dict.fromkeys(prefix for one in settings for prefix in one.prefixes)),
        tuple(dict.fromkeys(name for one in settings for name in one.names)),
        tuple(dict.fromkeys(wrappers)),
    )
