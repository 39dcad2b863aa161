"""What the environment API of Python, and of its declarative readers, does.

The paths are the ones that values are traced to, whatever the code that uses them calls them.
"""

from leverlint.facts import Api, Path

ENVIRONMENTS: frozenset[Path] = frozenset(
    {("os", "environ"), ("os", "environb"), ("posix", "environ"), ("nt", "environ")}
)
COPY: Path = ("os", "environ()")
"""A snapshot: reading from it is reading the environment, writing to it is not writing."""

MAPPINGS = ENVIRONMENTS | {COPY}

MODULES = frozenset(path[:-1] for path in ENVIRONMENTS)
"""Modules that hold the environment, when they are handed around themselves."""

STAR_NAMES = frozenset({"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv", "path"})
"""What `from os import *` brings along."""

_READ = Api("read", answer="raw")
_GET = Api("read", keyword="key", answer="get")
_DECLARATION = Api("read", deferred=True, answer="raw")
_WALK = Api("walk", name=-1)
_WRITE = Api("write")
_MAPPING: dict[str, Api] = {
    "__getitem__": Api("read", answer="item"),
    "__contains__": Api("read", answer="contains"),
    "get": _GET,
    "pop": Api("read", keyword="key", also_writes=True),
    "setdefault": _GET._replace(also_writes=True),
    "__setitem__": _WRITE,
    "__delitem__": _WRITE,
    "update": _WRITE,
    "clear": Api("write", name=-1),
    "popitem": Api("write", name=-1),
    "__iter__": _WALK,
    "keys": _WALK,
    "items": _WALK,
    "values": _WALK,
    # A walk over all variables that is after one of them.
    "items()": Api("read"),
}
_COPIED = {
    name: api._replace(also_writes=False, if_used=api.also_writes)
    for name, api in _MAPPING.items()
    if api.kind != "write"
}

METHODS = frozenset({*_MAPPING, "getenv", "putenv", "unsetenv"})
"""What may be called on an object that callers hand over, for all that is known."""

# fmt: off
_ENVIRONS = (
    "__call__", "int", "bool", "str", "float", "decimal", "list", "dict", "json", "datetime",
    "date", "time", "timedelta", "path", "log_level", "url", "uuid", "enum", "tuple", "bytes",
    "get_value", "db", "db_url", "cache", "cache_url", "email", "email_url", "search_url",
    "channels", "unicode", "parsed_value", "dj_db_url", "dj_email_url", "dj_cache_url",
)
# fmt: on
_ENVPARSE = ("__call__", "bool", "dict", "float", "int", "json", "list", "set", "str", "tuple", "url")

# The declaration kit of atlas_levers, under both paths that it is imported by.
_KIT = {
    **dict.fromkeys(
        (
            *("opt_in", "opt_out", "kill_switch", "truthy", "truthy_exact", "present"),
            *("kill_present", "tri_state", "choice", "parsed"),
        ),
        Api("read", keyword="aliases", deferred=True, answer="raw"),
    ),
    "any_present": Api("read", variadic=True, deferred=True, answer="raw"),
    "custom": Api("read", variadic=True, deferred=True, answer="raw"),
}

DECLARED: dict[str, Path] = {
    "envvar": ("click", "envvar"),
    "env_var": ("configargparse", "env_var"),
}
"""Keywords by which command-line libraries take the name of a variable."""

PREFIXES: dict[str, Path] = {
    "auto_envvar_prefix": ("click", "auto_envvar_prefix"),
    "auto_env_var_prefix": ("configargparse", "auto_env_var_prefix"),
    "envvar_prefix": ("dynaconf", "envvar_prefix"),
    "from_prefixed_env": ("flask", "Config", "from_prefixed_env"),
}
"""Keywords, and a method, by which libraries are told what all their variables begin with."""

SEPARATED = frozenset(path for path in PREFIXES.values() if path[0] != "configargparse")
"""Those that put `_` behind it."""

SETTINGS_FIELD: Path = ("pydantic_settings", "field")
TEMPLATE: Path = ("string", "Template", "substitute")

API: dict[Path, Api] = {
    **{(*root, name): api for root in ENVIRONMENTS for name, api in _MAPPING.items()},
    **{(*COPY, name): api for name, api in _COPIED.items()},
    ("os", "getenv"): _GET,
    ("os", "getenvb"): _GET,
    ("os", "putenv"): _WRITE,
    ("posix", "putenv"): _WRITE,
    ("nt", "putenv"): _WRITE,
    ("os", "unsetenv"): _WRITE,
    ("posix", "unsetenv"): _WRITE,
    **dict.fromkeys((("pytest", "MonkeyPatch", name) for name in ("setenv", "delenv")), _WRITE),
    ("os", "path", "expandvars"): Api("read", template=True, keyword="path"),
    ("posixpath", "expandvars"): Api("read", template=True, keyword="path"),
    ("ntpath", "expandvars"): Api("read", template=True, keyword="path"),
    TEMPLATE: Api("read", template=True),
    **dict.fromkeys(DECLARED.values(), _DECLARATION),
    **{("atlas_levers", name): api for name, api in _KIT.items()},
    **{("atlas_levers", "declare", name): api for name, api in _KIT.items()},
    **dict.fromkeys(PREFIXES.values(), _WALK),
    SETTINGS_FIELD: _DECLARATION,
    **{("environs", kind, name): _READ for kind in ("Env", "FileAwareEnv", "env") for name in _ENVIRONS},
    ("environs", "env"): _READ,
    **{("envparse", kind, name): _READ for kind in ("Env", "env") for name in _ENVPARSE},
    ("envparse", "env"): _READ,
    **{("environ", kind, name): _READ for kind in ("Env", "FileAwareEnv") for name in _ENVIRONS},
    ("decouple", "config"): _READ,
    ("decouple", "Config", "__call__"): _READ,
    ("decouple", "Config", "get"): _READ,
    ("decouple", "AutoConfig", "__call__"): _READ,
    ("starlette", "config", "Config", "__call__"): _READ,
    ("starlette", "config", "Config", "get"): _READ,
}

LIBRARIES = frozenset(
    path[:length]
    for path in API
    if path[0] in ("environs", "environ", "envparse", "decouple", "starlette")
    for length in range(1, len(path) + 1)
)
"""What importing it from a library, or the library itself, brings readers into a file."""
