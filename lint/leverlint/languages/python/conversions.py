"""Which functions, methods and operators of Python turn text into values, and what they are here.

Argument counts matter: `int(raw)` is one conversion, `int(raw, base)` another.
"""

from leverlint.facts import Path

METHODS: dict[tuple[str, int], str] = {
    **{(name, 0): name for name in ("lower", "upper", "strip", "lstrip", "rstrip")},
    **{(name, 0): f"py:{name}" for name in ("casefold", "title", "capitalize", "splitlines", "split")},
    **{(name, 0): f"py:{name}" for name in ("isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum")},
    **{(name, 0): f"py:{name}" for name in ("isspace", "islower", "isupper", "isascii", "swapcase")},
    **{(name, 1): f"py:{name}_chars" for name in ("strip", "lstrip", "rstrip")},
    **{(name, 1): f"py:{name}" for name in ("split", "rsplit", "partition", "rpartition", "count", "find")},
    ("split", 2): "py:split",
    ("rsplit", 2): "py:rsplit",
    ("startswith", 1): "py:startswith",
    ("endswith", 1): "py:endswith",
    ("removeprefix", 1): "remove_prefix",
    ("removesuffix", 1): "remove_suffix",
    ("replace", 2): "replace",
    ("__eq__", 1): "equals",
    ("total_seconds", 0): "py:total_seconds",
}
"""By name and number of arguments; the text itself comes first."""

UNCHANGED = frozenset({"encode", "decode"})
"""Methods that keep the text: bytes are given as their text."""

BUILTINS: dict[tuple[str, int], str] = {
    ("int", 1): "py:int",
    ("int", 2): "py:int",
    ("float", 1): "py:float",
    ("bool", 1): "py:truth",
    ("str", 1): "py:str",
    ("len", 1): "py:len",
    ("abs", 1): "py:abs",
    ("round", 1): "py:round",
    ("callable", 1): "py:callable",
    **{(name, count): f"py:{name}" for name in ("min", "max") for count in (2, 3)},
    **{(name, 1): "py:sequence" for name in ("tuple", "list", "set", "frozenset")},
}
ANY_OR_ALL = frozenset({"any", "all"})
CALLABLE = frozenset({"int", "float", "bool", "str"})
"""Conversions that are handed to wrappers: `env("X", int)`."""

FUNCTIONS: dict[Path, str] = {
    ("json", "loads"): "py:json",
    ("ast", "literal_eval"): "py:literal",
    ("distutils", "util", "strtobool"): "py:strtobool",
    ("setuptools", "_distutils", "util", "strtobool"): "py:strtobool",
    ("setuptools", "distutils", "util", "strtobool"): "py:strtobool",
}
MATCHING = frozenset({"match", "search", "fullmatch"})
"""Functions of `re`, and methods of what it compiles, that ask whether a pattern fits."""
SECONDS = {
    **{"microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1, "minutes": 60, "hours": 3600},
    **{"days": 86400, "weeks": 604800},
}
"""The units of `timedelta`."""
SPAN = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")
"""Their order."""
TYPES = frozenset({"str", "bytes", "int", "float", "bool", "tuple", "list", "set", "frozenset", "dict"})
"""Types that `isinstance` may be asked about."""
SAME: frozenset[Path] = frozenset(
    {
        *(("typing", "cast"), ("typing_extensions", "cast"), ("pathlib", "Path"), ("os", "fspath")),
        *(("os", "path", name) for name in ("expanduser", "abspath", "realpath", "normpath")),
    }
)
"""Functions whose last argument is their result: paths are taken for the text that they are made of."""

ENDS: frozenset[Path] = frozenset({("sys", "exit"), ("os", "_exit"), ("os", "abort")})

ARITHMETIC = {
    **{"+": "py:add", "-": "py:sub", "*": "py:mul", "//": "py:floordiv", "/": "py:truediv"},
    **{"%": "py:mod", "**": "py:power", "<<": "py:lshift", ">>": "py:rshift"},
}
COMPARISONS = {"<": "py:lt", "<=": "py:le", ">": "py:gt", ">=": "py:ge"}

TEXT_MODULES = frozenset(
    {"os", "pathlib", "subprocess", "shutil", "logging", "posixpath", "ntpath", "tempfile", "socket", "sys"}
)
"""Modules whose functions use text as it is: paths, addresses, commands."""

DECODING = (
    *("parse", "bool", "flag", "int", "float", "num", "decode", "convert", "level", "true", "false"),
    *("enable", "to_", "as_", "is_", "valid", "normal", "coerce", "cast", "env", "size", "words"),
)
"""What names of functions that decode text have in them."""

SHOWS = frozenset(
    {"print", "debug", "info", "warning", "warn", "error", "critical", "exception", "log", "warning_once"}
)
"""Functions and methods that show text to a person."""
