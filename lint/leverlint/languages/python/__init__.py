"""Python: the environment API of its standard library, its scopes and its modules."""

from leverlint.languages.python.api import API
from leverlint.languages.python.extraction import extract
from leverlint.languages.python.modules import locate, parents, pulled_in
from leverlint.languages.python.seeds import concerns

__all__ = [
    "API",
    "CLOSURES_RUN_LATER",
    "IMPORTS_BIND_VALUES",
    "NAME",
    "SUFFIXES",
    "concerns",
    "extract",
    "locate",
    "parents",
    "pulled_in",
]

NAME = "python"
SUFFIXES = (".py", ".pyi")
IMPORTS_BIND_VALUES = True
CLOSURES_RUN_LATER = True
