"""A rule's page taken apart: reports that carry rules want a headline, a paragraph and the whole."""

from typing import NamedTuple

_LONGEST = 1000
"""Characters that GitHub shows of a description."""


class RuleTexts(NamedTuple):
    short: str
    full: str
    """Why the rule is there."""
    page: str


def rule_texts(name: str, page: str) -> RuleTexts:
    """Read a page of `leverlint.packs.documentation`; without one (`python -OO`) the name has to do."""
    page = page or f"{name.replace('-', ' ').capitalize()}."
    paragraphs = [paragraph for part in page.split("\n\n") if (paragraph := " ".join(part.split()))]
    why = next((part for part in paragraphs if part.startswith("Why: ")), paragraphs[0]).removeprefix("Why: ")
    return RuleTexts(paragraphs[0], _shortened(why[0].upper() + why[1:]), page)


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return text[: text.rindex(" ", 0, _LONGEST - 1)] + " …"
