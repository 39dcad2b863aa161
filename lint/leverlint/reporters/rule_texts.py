"""A rule's page taken apart: reports that carry rules want a headline, a paragraph and the whole."""

from typing import NamedTuple

_LONGEST = 1000
"""Characters that GitHub shows of a description."""


class RuleTexts(NamedTuple):
    short: str
    full: str
    """Why the rule is there."""
    page: str


def rule_texts(page: str) -> RuleTexts | None:
    """Read a page as `leverlint.packs.documentation` gives it; none when there is none (`python -OO`)."""
    paragraphs = [paragraph for part in page.split("\n\n") if (paragraph := " ".join(part.split()))]
    if not paragraphs:
        return None
    why = next((part for part in paragraphs if part.startswith("Why: ")), paragraphs[0]).removeprefix("Why: ")
    return RuleTexts(paragraphs[0], _shortened(why[0].upper() + why[1:]), page)


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return text[: text.rindex(" ", 0, _LONGEST - 1)] + " …"
