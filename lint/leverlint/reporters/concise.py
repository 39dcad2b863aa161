"""One line a finding, for editors and pipes: `path:line:column: CODE message`."""

from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.reporters.cells import harmless
from leverlint.reporters.color import BOLD, SEVERITY, painted
from leverlint.reporters.places import Placed, placed
from leverlint.sources import Sources


def render(report: Report, sources: Sources, style: Style) -> str:
    return "".join(_line(one, style) + "\n" for one in placed(report, sources, style))


def _line(one: Placed, style: Style) -> str:
    place, finding = one
    shown = harmless(place.path)
    # At the beginning of a line, GitHub would take it for a command.
    path = painted(f"./{shown}" if shown.lstrip().startswith("::") else shown, BOLD, style.color)
    code = painted(finding.code, SEVERITY[finding.severity], style.color)
    return f"{path}:{place.line}:{place.column}: {code} {harmless(finding.message)}"
