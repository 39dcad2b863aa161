"""What calling a path of Rust does to the environment, and the bytes that betray such calls."""

import re
from collections.abc import Iterator
from functools import cache

from leverlint.facts import Api, Path, Vocabulary
from leverlint.languages.rust.source import words
from leverlint.languages.syntax import occurrences

NAME = "rust"
SUFFIXES = (".rs",)
COMMENT_SIGN = "//"
IMPORTS_BIND_VALUES = False
CLOSURES_RUN_LATER = False
MEMBERS_ARE_ASKED_FOR = True

RESULT = "()"
"""Behind the path of a function: the path of what it returns."""

WALKS: dict[Path, Path] = {("std", "env", walk): ("std", "env", walk, RESULT) for walk in ("vars", "vars_os")}
"""Functions to what they return, which stands for everything that holds the whole environment."""

WALK_LOOKUPS = ("get", "contains_key", "remove", "get_key_value")
"""Methods that look a name up in what a walk over the environment was collected into."""

_BUILT = Api("read", deferred=True, builds=True)
_LOGGING: dict[Path, Api] = {
    ("env_logger", "init_from_env"): Api("read"),
    ("env_logger", "try_init_from_env"): Api("read"),
    ("pretty_env_logger", "init_custom_env"): Api("read"),
    ("pretty_env_logger", "try_init_custom_env"): Api("read"),
    ("env_logger", "Env", "from"): Api("read", deferred=True),
    **{
        ("env_logger", "Env", name): _BUILT
        for name in ("filter", "filter_or", "write_style", "write_style_or")
    },
    **{
        (*builder, name): api
        for builder in (
            ("env_logger", "Builder"),
            ("env_logger", "filter", "Builder"),
            ("env_filter", "Builder"),
        )
        for name, api in (("from_env", Api("read")), ("parse_env", _BUILT))
    },
    **{
        (*path, name): api
        for path in (
            ("tracing_subscriber", "EnvFilter"),
            ("tracing_subscriber", "filter", "EnvFilter"),
            ("tracing_subscriber", "filter", "Builder"),
        )
        for name, api in (
            ("from_env", Api("read")),
            ("try_from_env", Api("read")),
            ("with_env_var", _BUILT),
        )
    },
}

API: dict[Path, Api] = {
    ("std", "env", "var"): Api("read", answer="var"),
    ("std", "env", "var_os"): Api("read", answer="var_os"),
    ("std", "env", "vars"): Api("walk", -1, lossy="panics"),
    ("std", "env", "vars_os"): Api("walk", -1),
    **{
        ("std", "env", walk, RESULT, how): Api("read", lossy=lossy)
        for walk, lossy in (("vars", "panics"), ("vars_os", ""))
        for how in (*WALK_LOOKUPS, "key")
    },
    ("std", "env", "set_var"): Api("write"),
    ("std", "env", "remove_var"): Api("write"),
    ("std", "env!"): Api("read", compile_time=True, answer="item"),
    ("std", "option_env!"): Api("read", compile_time=True, answer="var_os"),
    ("core", "env!"): Api("read", compile_time=True, answer="item"),
    ("core", "option_env!"): Api("read", compile_time=True, answer="var_os"),
    ("libc", "getenv"): Api("read"),
    ("libc", "secure_getenv"): Api("read"),
    ("libc", "setenv"): Api("write"),
    ("libc", "unsetenv"): Api("write"),
    ("dotenvy", "var"): Api("read", answer="var"),
    ("dotenvy", "vars"): Api("walk", -1, lossy="panics"),
    ("dotenvy_macro", "dotenv!"): Api("read", compile_time=True),
    ("dotenv", "var"): Api("read", answer="var"),
    ("dotenv", "vars"): Api("walk", -1, lossy="panics"),
    ("dotenv_codegen", "dotenv!"): Api("read", compile_time=True),
    ("clap", "env"): Api("read", deferred=True, answer="raw"),
    ("clap", "Arg", "env"): Api("read", deferred=True, answer="raw", builds=True),
    ("confique", "env"): Api("read", deferred=True),
    ("bpaf", "env"): Api("read", deferred=True),
    ("envconfig", "from"): Api("read", deferred=True, answer="raw"),
    ("envy", "prefixed"): Api("walk", -1),
    ("figment", "providers", "Env", "prefixed"): Api("walk", -1),
    ("figment", "providers", "Env", "var"): Api("read"),
    ("figment", "providers", "Env", "var_or"): Api("read"),
    ("config", "Environment", "with_prefix"): Api("walk", -1),
    ("config", "Environment", "with_convention"): Api("walk", -1),
    ("config", "Environment", "prefix"): Api("walk", -1, builds=True),
    **_LOGGING,
    ("cargo", "rerun-if-env-changed"): Api("rerun"),
    ("build_rs", "output", "rerun_if_env_changed"): Api("rerun"),
    ("cargo", "rustc-env"): Api("supply", variadic=True),
    ("build_rs", "output", "rustc_env"): Api("supply"),
}

ENVIRONMENT = ("std", "env")
ENVIRONMENT_FUNCTIONS = ("var", "var_os", "vars", "vars_os", "set_var", "remove_var")

UTF8_READS = frozenset({("std", "env", "var"), ("dotenvy", "var"), ("dotenv", "var")})
"""Reads that answer with an error when the value is not UTF-8."""

PREFIXED: dict[Path, str] = {
    ("envy", "prefixed"): "",
    ("figment", "providers", "Env", "prefixed"): "",
    **{("config", "Environment", name): "_" for name in ("with_prefix", "with_convention", "prefix")},
}
"""Walks that are given their prefix, and what they put behind it."""

ANY_CASE = frozenset({"config", "figment"})
"""Crates that compare prefixes without regard to case."""

BUILTIN_MACROS = frozenset({"env!", "option_env!"})

EXTERNAL_CRATES = frozenset(
    {"std", "core", "alloc", *(path[0] for path in API if path[0] not in ("cargo", "std", "core"))}
)

FILE_CRATES = frozenset({"fs_err", "tempfile", "tokio", "async_fs", "async_std", "walkdir", "fs_extra"})
"""Crates that take text for the path of a file, and decode none."""

# What the letters `env` are part of, when it matters.
_ENV_WORDS = b"""env option_env getenv secure_getenv setenv unsetenv dotenv dotenvy dotenv_codegen
    dotenvy_macro dotenv_vars envy envconfig from_env try_from_env init_from_env env_logger
    try_init_from_env with_env_var parse_env init_custom_env try_init_custom_env
    rerun_if_env_changed rustc_env""".split()
# Patterns begin with letters and look back from there: that is how `re` searches fast.
_ENV = re.compile(
    b"env(?:(?<=-env)|"
    + b"|".join(rb"(?<=\b%senv)%s\b" % tuple(word.split(b"env")) for word in _ENV_WORDS)
    + b")"
)
_OTHER_WORDS = ("with_prefix", "prefixed", "Env")
_LOGGER_METHODS = re.compile(rb"\.\s*(filter(?:_or)?|write_style(?:_or)?)\s*\(")
_FUNCTION_PATHS = (b"::var", b"::set_var", b"::remove_var")
_FUNCTIONS = re.compile(rb"(?:vars?(?:_os)?|(?:set|remove)_var)\b")
# `env` may stand far behind the opening of its attribute, after lists and texts with brackets.
_LIST = rb"\[(?:[^\[\]]|\[[^\[\]]*\])*\]"
ATTRIBUTES = re.compile(
    rb"#\s*\[(?:[^\[\]\"]|\"(?:[^\"\\]|\\.)*\"|" + _LIST + rb")*?\b(?:env|envconfig)\b", re.DOTALL
)

_MARKERS = (b"leverlint:", b"noqa", b"include!(")
# Most files that say `env` ask for arguments or directories, start a child, or read a variable that
# is spelt out and no lever.
_ENV_ACCESSES = re.compile(
    rb"env(?:(?<=getenv)|(?<=setenv)|(?<=dotenv)|(?<=from_env)|(?<=rustc[-_]env)|config|y|[-_]changed|_logger|_var\s*\(|(?<=parse_env)|(?<=custom_env)|!(?!\s*\(\s*\"))"
)
_VAR_ACCESSES = re.compile(rb"var(?:(?<!\wvar)s?(?:_os)?|(?<=\bset_var)|(?<=\bremove_var))\b(?!\s*\(\s*&?\")")
_ENV_TYPE = re.compile(rb"Env\b(?<=\bEnv)")
_ATTRIBUTE_USERS = (b"#[arg", b"#[clap", b"#[command", b" arg(", b" clap(", b"\targ(", b"(arg(")


def seeds(source: bytes) -> Iterator[int]:
    """Give the places of every word that may lead to the environment."""
    shows_builders = b"Arg" in source or b"arg!" in source
    for found in _ENV.finditer(source) if b"env" in source else ():
        at = found.start()
        # `.env(` is `Command::env` and friends: a child's environment, or a builder that `Arg` shows.
        if shows_builders or found[0] != b"env" or source[at - 1 : at] != b".":
            yield at
    for word in _OTHER_WORDS if b"prefix" in source or b"Env" in source else ():
        yield from words(source, word, 0, len(source))
    if b"Environment::" in source:
        yield from words(source, "prefix", 0, len(source))
    if b"env_logger" in source:
        yield from (found.start(1) for found in _LOGGER_METHODS.finditer(source))
    for path in _FUNCTION_PATHS if b"var" in source else ():
        for at in occurrences(source, path):
            if _FUNCTIONS.match(source, at + 2):
                yield at + 2


def lever_texts(source: bytes, vocabulary: Vocabulary) -> list[int]:
    """Give the first bytes of string literals that may name a lever."""
    starts = {b'"' + start.encode() for start in (*vocabulary.prefixes, *vocabulary.names)}
    return sorted({at + 1 for start in starts for at in occurrences(source, start)})


@cache
def _wrapper_calls(wrappers: tuple[str, ...]) -> re.Pattern[bytes]:
    if not wrappers:
        return re.compile(rb"(?!)")
    # A macro's name ends with `!`, behind which there is no word boundary.
    patterns = (re.escape(name.encode()) + (b"" if name.endswith("!") else rb"\b") for name in wrappers)
    return re.compile(rb"\b(?:" + b"|".join(patterns) + b")")


def wrapper_calls(vocabulary: Vocabulary) -> re.Pattern[bytes]:
    return _wrapper_calls(vocabulary.wrappers)


def concerns(source: bytes, vocabulary: Vocabulary) -> bool:
    """Say whether a file may hold facts that are worth a parse."""
    if any(b'"' + start.encode() in source for start in (*vocabulary.prefixes, *vocabulary.names)):
        return True
    if any(marker in source for marker in _MARKERS):
        return True
    called = any(name.encode() in source for name in vocabulary.wrappers)
    if called and wrapper_calls(vocabulary).search(source):
        return True
    if not any(True for _ in seeds(source)):
        return False
    return any(user in source for user in _ATTRIBUTE_USERS) or _accesses(source)


def _accesses(source: bytes) -> bool:
    return (
        _VAR_ACCESSES.search(source) is not None
        or _ENV_ACCESSES.search(source) is not None
        or b"with_prefix" in source
        or b"prefixed" in source
        or b"Environment::" in source
        or _ENV_TYPE.search(source) is not None
    )
