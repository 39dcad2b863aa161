"""GitLab's Code Quality report, which its merge requests compare with that of the target branch."""

from leverlint.digests import digest
from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.reporters.places import Placed, placed
from leverlint.reporters.unicode import json_text, well_formed
from leverlint.sources import Sources

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info", "hint": "info"}


def render(report: Report, sources: Sources, style: Style) -> str:
    seen: dict[tuple[str, str], int] = {}
    issues = [_issue(one, seen) for one in placed(report, sources, style)]
    listed = ",\n".join(json_text(issue) for issue in issues)
    return well_formed(f"[\n{listed}\n]\n" if listed else "[]\n")


def _issue(one: Placed, seen: dict[tuple[str, str], int]) -> dict[str, object]:
    at, finding = one
    description = f"{finding.rule}: {finding.message}"
    return {
        "description": f"{description}; {finding.help}" if finding.help else description,
        "check_name": finding.code,
        "fingerprint": _fingerprint(one, seen),
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": at.path,
            "positions": {
                "begin": {"line": at.line, "column": at.column},
                "end": {"line": at.end_line, "column": at.end_column},
            },
        },
    }


def _fingerprint(one: Placed, seen: dict[tuple[str, str], int]) -> str:
    """Tell apart what GitLab would take for one: it merges the reports of all projects of a repository."""
    identity = one.place.path, one.finding.fingerprint
    ordinal = seen[identity] = seen.get(identity, -1) + 1
    return digest((*identity, str(ordinal)))
