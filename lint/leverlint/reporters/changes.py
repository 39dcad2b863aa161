"""What the fix of a finding changes, where a reader finds it."""

from typing import NamedTuple

from leverlint.diagnostics import Diagnostic, Edit
from leverlint.reporters import Style
from leverlint.reporters.places import Place, place
from leverlint.sources import Sources


class Change(NamedTuple):
    place: Place
    edit: Edit


def changes(finding: Diagnostic, sources: Sources, style: Style) -> list[Change]:
    """Give the changes that belong together; none when there is no fix, or it cannot be made."""
    if finding.fix is None:
        return []
    from leverlint import fixes  # rewriting takes more than most reports need

    return [
        Change(place(edit.path, edit.span, sources, style), edit) for edit in fixes.edits(finding, sources)
    ]
