"""Fixes made real: what a rule asks for as an intent, languages turn into edits of one file.

Nothing of this is imported by a plain check: rewriting Python takes LibCST.
"""

from leverlint.diagnostics import Diagnostic, Edit
from leverlint.sources import Sources


def edits(finding: Diagnostic, sources: Sources) -> tuple[Edit, ...]:
    """Give the edits of one finding's fix, sorted and apart; none when it has none, or it cannot be made."""
    return ()
