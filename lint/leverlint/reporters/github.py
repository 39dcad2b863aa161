"""Workflow commands of GitHub Actions: what a job prints this way is shown at the lines of a pull request.

GitHub shows ten errors and ten warnings of a step; the log has all of them.
"""

from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.reporters.cells import HARMFUL, harmless
from leverlint.reporters.places import Place, Placed, placed
from leverlint.reporters.unicode import well_formed
from leverlint.sources import Sources

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice", "hint": "notice"}

_IN_DATA = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_IN_PROPERTY = {**dict.fromkeys(HARMFUL, "\ufffd"), **_IN_DATA, ord(":"): "%3A", ord(","): "%2C"}


def render(report: Report, sources: Sources, style: Style) -> str:
    return well_formed("".join(_command(one) + "\n" for one in placed(report, sources, style)))


def _command(one: Placed) -> str:
    at, finding = one
    properties = {
        "title": f"leverlint {finding.rule} ({finding.code})",
        "file": at.path,
        "line": str(at.line),
        "endLine": str(at.end_line),
        **_columns(at),
    }
    listed = ",".join(f"{name}={value.translate(_IN_PROPERTY)}" for name, value in properties.items())
    # The log shows nothing but the message, so that has to say where it is.
    lines = [f"{at.path}:{at.line}:{at.column}: {finding.code} {finding.message}"]
    if finding.help:
        lines.append(f"help: {finding.help}")
    text = "\n".join(map(harmless, lines))
    return f"::{_COMMANDS[finding.severity]} {listed}::{text.translate(_IN_DATA)}"


def _columns(at: Place) -> dict[str, str]:
    """GitHub refuses columns when there are several lines."""
    if at.line != at.end_line:
        return {}
    return {"col": str(at.column), "endColumn": str(at.end_column)}
