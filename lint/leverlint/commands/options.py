"""The options that commands share: which project, with which settings, and how to work on it."""

import argparse
import os
from collections.abc import Sequence

from leverlint import config, packs, selection
from leverlint.config import CACHE_DIRECTORY, Config
from leverlint.config_keys import TESTS


# Groups of arguments have no public name to annotate them with.
def add_settings(parser: argparse.ArgumentParser) -> "argparse._ArgumentGroup":
    settings = parser.add_argument_group("settings, in place of those of the configuration")
    settings.add_argument(
        "--prefix", action="append", metavar="PREFIX", help="prefix of levers; may be repeated"
    )
    settings.add_argument(
        "--resolver", action="append", metavar="GLOB", help="files in which reading is right"
    )
    settings.add_argument("--tests", choices=TESTS, help="what to do with test code")
    settings.add_argument("--config", metavar="FILE", help="use this configuration file and no other")
    settings.add_argument("--isolated", action="store_true", help="use no configuration file")
    return settings


def add_color(group: "argparse._ArgumentGroup") -> None:
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def add_work(parser: argparse.ArgumentParser) -> "argparse._ArgumentGroup":
    work = parser.add_argument_group("how to work")
    add_jobs(work)
    work.add_argument("--no-cache", action="store_true", help="neither use nor write the cache")
    work.add_argument("--cache-dir", metavar="DIR", help=f"(default: {CACHE_DIRECTORY} in the project)")
    return work


def add_jobs(group: "argparse._ActionsContainer") -> None:
    group.add_argument(
        "-j", "--jobs", type=_count, default=0, metavar="N", help="processes (default: as fits)"
    )


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"`{text}` is no number of processes")
    return int(text)


_OVERRIDES = (
    ("prefixes", "prefix", True),
    ("resolvers", "resolver", False),
    ("hot", "hot", False),
    ("select", "select", True),
    ("extend_select", "extend_select", True),
    ("ignore", "ignore", True),
)
"""Settings, the options that override them where a command has those, and whether commas separate."""


def load(arguments: argparse.Namespace, paths: Sequence[str]) -> Config:
    """Give the settings of the project around `paths`, as the options change them."""
    overrides: dict[str, object] = {}
    for name, option, separated in _OVERRIDES:
        given = getattr(arguments, option, None)
        if given is not None:
            overrides[name] = _words(given, separated)
    if arguments.tests is not None:
        overrides["tests"] = arguments.tests
    return config.load(
        start_directory(paths, arguments.isolated),
        arguments.config,
        arguments.isolated,
        overrides,
        lambda: selection.known_selectors(packs.rules()),
    )


def _words(given: Sequence[str], separated: bool) -> tuple[str, ...]:
    """Give the values of an option; an empty one (`--resolver ""`) says that there are none."""
    parts = [part for text in given for part in (text.split(",") if separated else (text,))]
    return tuple(word for part in parts if (word := part.strip()))


def start_directory(paths: Sequence[str], isolated: bool = False) -> str:
    """Give the directory around which to look for the project.

    That is where the paths are. Where no repository and no configuration says what belongs
    together, it is the one directory that was asked about, or else this one: nobody wants to
    have all of `/tmp` read for the sake of two files in it. An isolated run asks no file.
    """
    here = os.getcwd()
    absolute = [os.path.abspath(path) for path in paths]
    directories = [path if os.path.isdir(path) else os.path.dirname(path) for path in absolute]
    try:
        shared = os.path.commonpath(directories or [here])
    except ValueError:  # different drives
        return here
    if isolated:
        return here if os.path.commonpath((here, shared)) == here else shared
    return shared if shared in absolute or config.in_project(shared) else here


def asked(settings: Config, paths: Sequence[str]) -> Sequence[str]:
    """Give what the engine is to report on; the project's own directory means everything."""
    return paths or ([] if os.getcwd() == settings.root else [os.curdir])


def cache_directory(arguments: argparse.Namespace, settings: Config) -> str | None:
    if arguments.no_cache:
        return None
    return str(arguments.cache_dir or os.path.join(settings.root, CACHE_DIRECTORY))
