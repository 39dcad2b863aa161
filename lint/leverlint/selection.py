"""Which rules run, on which files they count, and how severe their findings are.

A selector is a rule's code or name, the beginning of codes (`LVR1`), or `ALL`. Where two
selectors disagree the more exact one wins; between equals `ignore` beats `select`.
"""

from collections.abc import Iterable, Sequence

from leverlint import globs
from leverlint.config import Config
from leverlint.diagnostics import Diagnostic
from leverlint.rule import Rule

ALL = "ALL"


def known_selectors(rules: Iterable[Rule]) -> frozenset[str]:
    """Give every word that selects at least one of the rules."""
    known = {ALL}
    for rule in rules:
        known.add(rule.name)
        known.update(rule.code[:length] for length in range(3, len(rule.code) + 1))
    return frozenset(known)


def exactness(selector: str, code: str, name: str) -> int:
    """Say how exactly a selector means a rule; 0 when it does not."""
    if selector in (name, code):
        return 100
    if selector == ALL:
        return 1
    return 1 + len(selector) if selector.isupper() and code.startswith(selector) else 0


def selected(rules: Iterable[Rule], config: Config) -> tuple[Rule, ...]:
    """Give the rules that a configuration turns on."""
    return tuple(rule for rule in rules if _is_selected(rule, config))


def _is_selected(rule: Rule, config: Config) -> bool:
    if config.select is None:
        # What is on by default is outdone by the vaguest `ignore`.
        wanted = 1 if rule.default else 0
        selectors: Sequence[str] = config.extend_select
    else:
        wanted, selectors = 0, (*config.select, *config.extend_select)
    wanted = max(wanted, _best(selectors, rule.code, rule.name))
    return wanted > _best(config.ignore, rule.code, rule.name)


def _best(selectors: Iterable[str], code: str, name: str) -> int:
    return max((exactness(selector, code, name) for selector in selectors), default=0)


def adjusted(findings: Iterable[Diagnostic], rules: Sequence[Rule], config: Config) -> list[Diagnostic]:
    """Drop what is not selected or ignored where it was found; set severities as configured.

    Nested configurations may differ from the one that chose which rules run.
    """
    codes: dict[int, frozenset[str]] = {}
    kept = []
    for finding in findings:
        here = config.for_path(finding.path)
        selection = codes.get(id(here))
        if selection is None:
            selection = codes[id(here)] = frozenset(rule.code for rule in selected(rules, here))
        if finding.code in selection and not _is_ignored(finding, here):
            kept.append(finding._replace(severity=_severity(finding, here)))
    return kept


def _is_ignored(finding: Diagnostic, config: Config) -> bool:
    return any(
        globs.matches((glob,), finding.path) and _best(selectors, finding.code, finding.rule) > 0
        for glob, selectors in config.per_file_ignores.items()
    )


def _severity(finding: Diagnostic, config: Config) -> str:
    if not config.severity:
        return finding.severity
    exact, severity = max(
        (exactness(selector, finding.code, finding.rule), severity)
        for selector, severity in config.severity.items()
    )
    return severity if exact else finding.severity
