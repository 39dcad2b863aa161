"""Which rules run, on which files they count, and how severe their findings are.

A selector is a rule's code or name, the beginning of codes (`LVR1`), or `ALL`. Where two
selectors disagree the more exact one wins; between equals `ignore` beats `select`.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from leverlint import globs
from leverlint.config import Config
from leverlint.rule import Rule

ALL = "ALL"


def known_selectors(rules: Iterable[Rule]) -> frozenset[str]:
    """Give every word that selects at least one of the rules."""
    known = {ALL}
    for rule in rules:
        known.add(rule.name)
        known.update(rule.code[:length] for length in range(3, len(rule.code) + 1))
    return frozenset(known)


def exactness(selector: str, rule: Rule) -> int:
    """Say how exactly a selector means a rule; 0 when it does not."""
    if selector in (rule.name, rule.code):
        return 100
    if selector == ALL:
        return 1
    return 1 + len(selector) if selector.isupper() and rule.code.startswith(selector) else 0


def is_selected(rule: Rule, path: str, config: Config) -> bool:
    """Say whether the findings of a rule count in a file, by the configuration of that file."""
    return is_on(rule, config) and not _is_ignored(rule, path, config)


def is_on(rule: Rule, config: Config) -> bool:
    """Say whether a configuration selects a rule, in whichever file."""
    if config.select is None:
        # The vaguest `ignore` outdoes being on by default.
        wanted = 1 if rule.default else 0
        selectors: Sequence[str] = config.extend_select
    else:
        wanted, selectors = 0, (*config.select, *config.extend_select)
    wanted = max(wanted, _best(selectors, rule))
    return wanted > _best(config.ignore, rule)


def _is_ignored(rule: Rule, path: str, config: Config) -> bool:
    entries = config.per_file_ignores
    return bool(entries) and globs.matches(_ignoring(rule, tuple(entries.items())), path)


@lru_cache(maxsize=256)
def _ignoring(rule: Rule, entries: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[str, ...]:
    """Give the patterns of the files in which a rule does not count."""
    return tuple(glob for glob, selectors in entries if _best(selectors, rule) > 0)


def _best(selectors: Iterable[str], rule: Rule) -> int:
    return max((exactness(selector, rule) for selector in selectors), default=0)


def severity(rule: Rule, config: Config) -> str:
    """Give the severity of a rule's findings, as configured."""
    if not config.severity:
        return rule.severity
    exact, word = max((exactness(selector, rule), word) for selector, word in config.severity.items())
    return word if exact else rule.severity
