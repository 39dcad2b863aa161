"""`leverlint levers`: every lever that is read, and what each value of it does."""

import argparse

from leverlint import listings
from leverlint.catalogue import Row
from leverlint.commands.options import add_color, add_settings, add_work
from leverlint.commands.output import to_stdout
from leverlint.commands.survey import Survey, say_why_nothing, survey, view
from leverlint.listings import FORMATS


def configure(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run)
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="list only what is read in these; the whole project is looked at all the same (default: .)",
    )
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=FORMATS, default="table", help="(default: table)")
    add_color(output)
    add_settings(parser)
    add_work(parser)


def run(arguments: argparse.Namespace) -> int:
    looked_at = survey(arguments)
    rows = _asked(looked_at)
    if not rows:
        say_why_nothing(looked_at, arguments.paths)
    if rows or arguments.format == "json":
        color = arguments.color if arguments.format == "table" else "never"
        text = listings.get(arguments.format).render(rows, view(looked_at, color))
        to_stdout(text, "" if arguments.format == "table" else "utf-8")
    return 0


def _asked(looked_at: Survey) -> list[Row]:
    """Give the levers that are read in the files that were asked about, with those readers."""
    if looked_at.found.asked is None:
        return list(looked_at.rows)
    rows = []
    for row in looked_at.rows:
        readers = tuple(reader for reader in row.readers if looked_at.found.is_asked(reader.path))
        if readers:
            rows.append(row._replace(readers=readers))
    return rows
