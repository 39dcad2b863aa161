"""Python: the environment API of its standard library, its scopes and its modules."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from leverlint.languages.python.api import API
from leverlint.languages.python.extraction import extract
from leverlint.languages.python.modules import locate, parents, pulled_in
from leverlint.languages.python.seeds import concerns

if TYPE_CHECKING:
    from leverlint.languages import Substitution, Tree, Wanted, Way

__all__ = [
    "API",
    "CLOSURES_RUN_LATER",
    "COMMENT_SIGN",
    "IMPORTS_BIND_VALUES",
    "MEMBERS_ARE_ASKED_FOR",
    "NAME",
    "SUFFIXES",
    "concerns",
    "extract",
    "locate",
    "parents",
    "pulled_in",
    "rewritten",
    "text_at",
    "way",
]

NAME = "python"
SUFFIXES = (".py", ".pyi")
COMMENT_SIGN = "#"
IMPORTS_BIND_VALUES = True
CLOSURES_RUN_LATER = True
MEMBERS_ARE_ASKED_FOR = False


def text_at(source: bytes, offset: int) -> str:
    """See `leverlint.languages.Language.text_at`."""
    from leverlint.languages import texts  # only editors ask

    strings = dict.fromkeys(("string_content", "string_start", "string_end", "string"), texts.STRING)
    kinds = {**strings, "comment": texts.COMMENT, "interpolation": texts.CODE}
    return texts.text_at(NAME, kinds, COMMENT_SIGN, source, offset)


def way(wanted: "Wanted", tree: "Tree", read: Callable[[str], bytes]) -> "Way | None":
    # What fixes need is imported when there is something to fix.
    from leverlint.languages.python.ways import way

    return way(wanted, tree, read)


def rewritten(path: str, source: bytes, substitutions: "Sequence[Substitution]") -> bytes | None:
    from leverlint.languages.python.rewriting import rewritten

    return rewritten(path, source, substitutions)
