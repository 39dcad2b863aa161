"""What `levers` and `explain` look at: the catalogue of the project around the paths."""

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from typing import NamedTuple

from leverlint import engine
from leverlint.catalogue import Row, catalogue
from leverlint.commands.options import asked, cache_directory, load
from leverlint.commands.output import note, progress
from leverlint.config import Config
from leverlint.discovery import Discovery, discover
from leverlint.documentation import passages
from leverlint.listings import View
from leverlint.reporters import Style
from leverlint.reporters.color import wants_color
from leverlint.sources import Sources


class Survey(NamedTuple):
    settings: Config
    found: Discovery
    sources: Sources
    rows: tuple[Row, ...]
    """Of the whole project, whatever was asked about."""


def survey(arguments: argparse.Namespace) -> Survey:
    settings = load(arguments, arguments.paths)
    found = discover(settings.root, asked(settings, arguments.paths), settings, documentation=True)
    index = engine.index(
        settings,
        found,
        jobs=arguments.jobs,
        cache_dir=cache_directory(arguments, settings),
        progress=progress(),
    )
    sources = Sources(settings.root)
    documentation = passages(sources, found.documentation, {use.lever for use in index.reads})
    return Survey(settings, found, sources, catalogue(index, settings, documentation))


def view(looked_at: Survey, color: str) -> View:
    """Show things as standard output and the options want them."""
    root = looked_at.settings.root
    style = Style(color=wants_color(color, sys.stdout, os.environ), root=root, here=os.getcwd())
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    return View(looked_at.sources, style, width)


def say_why_nothing(looked_at: Survey, paths: Sequence[str]) -> None:
    settings, found = looked_at.settings, looked_at.found
    where = ", ".join(f"`{path}`" for path in paths) or "this directory"
    if not any(map(found.is_asked, found.files)):
        ignored = " and ignore files" if settings.respect_gitignore else ""
        note("warning", f"no Python or Rust file in {where} that `exclude`{ignored} leave")
    elif looked_at.rows:
        elsewhere = "one is" if len(looked_at.rows) == 1 else f"{len(looked_at.rows)} are"
        note("note", f"no lever is read in {where}, though {elsewhere} elsewhere in the project")
    else:
        levers = ", ".join(f"`{prefix}`" for prefix in (*settings.prefixes, *settings.names)) or "none at all"
        note("note", f"no lever is read in {where}; levers start with {levers}")
        note("hint", "name your own with `--prefix` or `prefixes` in leverlint.toml")
