"""Names for findings that outlive edits elsewhere in the file: baselines are kept by them."""

from collections.abc import Iterable

from leverlint.diagnostics import Diagnostic
from leverlint.sources import Sources


def assign(findings: Iterable[Diagnostic], sources: Sources) -> tuple[Diagnostic, ...]:
    """Give the findings, in their order, with fingerprints.

    A fingerprint holds rule, lever, path and the text of the line, and tells equal ones
    apart by counting them; line numbers, messages and indentation are free to change.
    """
    from hashlib import blake2b  # only a run with findings pays for it

    seen: dict[str, int] = {}
    marked = []
    for finding in findings:
        line, _ = sources.position(finding.path, finding.span.start)
        text = " ".join(sources.line_text(finding.path, line).split())
        identity = "\0".join((finding.rule, finding.lever or "", finding.path, text))
        ordinal = seen[identity] = seen.get(identity, -1) + 1
        digest = blake2b(f"{identity}\0{ordinal}".encode("utf-8", "surrogateescape"), digest_size=16)
        marked.append(finding._replace(fingerprint=digest.hexdigest()))
    return tuple(marked)
