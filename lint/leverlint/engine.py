"""One run: discover, extract, index, rules, suppressions, report. Prints nothing.

Every front door comes through here, over the whole project; paths only filter the report.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from leverlint import globs, languages, packs
from leverlint.assembly import Assembler
from leverlint.cache import Cache, Known
from leverlint.config import Config
from leverlint.consumption import Consumption
from leverlint.discovery import Discovery, discover
from leverlint.extraction import Extraction
from leverlint.facts import FileFacts, Function, Vocabulary
from leverlint.hot_paths import is_named
from leverlint.index import Index, Levers
from leverlint.judging import Judging, configs
from leverlint.languages import Tree
from leverlint.report import Report
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
    elsewhere: bool = False,
    known: Known | None = None,
) -> Report:
    """Check the project that `config` belongs to; `paths` (none: all) filter the findings.

    `overlays` give content in place of files, by path relative to the root. `jobs` 0 chooses.
    With `elsewhere`, the report also holds what is found in files that were not asked about.
    `known` is what a survey has found out about the files, and is not put into the cache.
    """
    overlays = overlays or {}
    found = discover(config.root, paths, config, force_exclude=force_exclude, extra=tuple(overlays))
    cache = None
    # Content from elsewhere has no stamp: nothing that it leads to is remembered.
    if cache_dir is not None and not overlays:
        cache = open_cache(config, found, cache_dir, elsewhere)
        if report := cache.report():
            return report
    rounds = assembler(config, found, overlays, jobs, progress)
    if cache is not None:
        rounds.recall(cache.known())
    if known is not None:
        rounds.recall(known)
    assembly = rounds.run()
    sources = Sources(config.root, overlays)
    judging = Judging(config, found, sources, Consumption(found.files, sources.glance), elsewhere)
    report = judging.report(assembly.index, assembly.skipped)
    if cache is not None:
        cache.store(report, rounds.outcomes, rounds.searched)
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
    rounds = assembler(config, found, {}, jobs, progress, decode_all=True)
    if cache_dir is not None:
        rounds.recall(open_cache(config, found, cache_dir).known())
    return rounds.run().index


def survey(
    config: Config,
    found: Discovery,
    beginnings: Sequence[str],
    *,
    jobs: int = 0,
    progress: Progress | None = None,
) -> tuple[Index, Known]:
    """Build an index in which every variable is a lever, for a project that has named no prefix.

    Names that begin with one of `beginnings` are found wherever they are spelt, others where
    they are read.
    """
    everything = Levers(("",), (), ())
    config = config._replace(prefixes=tuple(beginnings))
    rounds = assembler(config, found, {}, jobs, progress, levers_of=lambda path: everything)
    index = rounds.run().index
    return index, Known(rounds.outcomes, frozenset(rounds.searched))


def open_cache(config: Config, found: Discovery, directory: str, elsewhere: bool = False) -> Cache:
    """Give what the last run over these files, with these settings, has left in a directory."""
    request = _request(found, elsewhere)
    return Cache(directory, config.root, _settings(config, found), found.files, request)


def assembler(
    config: Config,
    found: Discovery,
    overlays: Mapping[str, bytes],
    jobs: int,
    progress: Progress | None = None,
    decode_all: bool = False,
    levers_of: Callable[[str], Levers] | None = None,
) -> Assembler:
    """Give what takes the files of a project to an index; `overlays` may change between its runs."""
    tree = Tree(frozenset(found.files), found.crates, {})
    levers_of = levers_of or _levers_by_path(config)
    extraction = Extraction(config.root, overlays, _vocabulary(config, found))
    # perf: rules ask it of every use.
    is_resolver = lru_cache(None)(lambda path: config.for_path(path).is_resolver(path))

    def make_index(facts: Mapping[str, FileFacts]) -> Index:
        return Index(
            facts,
            tree,
            languages.LANGUAGES,
            levers_of,
            config.wrappers,
            is_resolver,
            _hot_functions(config, found),
        )

    return Assembler(found.files, tree, extraction, make_index, jobs, progress, decode_all)


def _settings(config: Config, found: Discovery) -> str:
    """Describe everything but the files that facts depend on."""
    stated = {path: config.for_path(path).settings() for path in ("", *found.configs)}
    return repr((stated, found.skipped, sorted(found.crates.items()), packs.stamps()))


def _request(found: Discovery, elsewhere: bool) -> str:
    """Describe what the run is to report on."""
    return "" if found.asked is None else repr((sorted(found.asked), elsewhere))


def _hot_functions(config: Config, found: Discovery) -> Callable[[str, Function], bool] | None:
    """Give the question whether a function is hot; `None` when nothing is."""
    if not any(each.hot for each in configs(config, found)):
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
    settings = configs(config, found)
    wrappers = [name.replace("::", ".").rpartition(".")[2] for one in settings for name in one.wrappers]
    return Vocabulary(
        tuple(dict.fromkeys(prefix for one in settings for prefix in one.prefixes)),
        tuple(dict.fromkeys(name for one in settings for name in one.names)),
        tuple(dict.fromkeys(wrappers)),
    )
