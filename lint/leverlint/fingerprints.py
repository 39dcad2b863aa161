"""Names for findings that outlive edits elsewhere in the file, for services that track them."""

from collections.abc import Iterable

from leverlint.diagnostics import Diagnostic
from leverlint.digests import digest
from leverlint.sources import Sources


def assign(findings: Iterable[Diagnostic], sources: Sources) -> tuple[Diagnostic, ...]:
    """Give the findings, in their order, with fingerprints.

    A fingerprint holds rule, lever, path and the text of the line, and tells equal ones
    apart by counting them; line numbers, messages and indentation are free to change.
    """
    seen: dict[tuple[str, ...], int] = {}
    marked = []
    for finding in findings:
        line, _ = sources.position(finding.path, finding.span.start)
        text = " ".join(sources.line_text(finding.path, line).split())
        identity = (finding.rule, finding.lever or "", finding.path, text)
        ordinal = seen[identity] = seen.get(identity, -1) + 1
        marked.append(finding._replace(fingerprint=digest((*identity, str(ordinal)))))
    return tuple(marked)
