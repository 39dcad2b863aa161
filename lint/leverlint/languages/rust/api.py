"""What calling a path of Rust does to the environment, and the bytes that betray such calls."""

import re
from functools import cache

from leverlint.facts import Api, Path, Vocabulary

NAME = "rust"
SUFFIXES = (".rs",)
IMPORTS_BIND_VALUES = False

API: dict[Path, Api] = {
    ("std", "env", "var"): Api("read"),
    ("std", "env", "var_os"): Api("read"),
    ("std", "env", "vars"): Api("walk", -1, lossy="panics"),
    ("std", "env", "vars_os"): Api("walk", -1),
    ("std", "env", "set_var"): Api("write"),
    ("std", "env", "remove_var"): Api("write"),
    ("std", "env!"): Api("read", compile_time=True),
    ("std", "option_env!"): Api("read", compile_time=True),
    ("core", "env!"): Api("read", compile_time=True),
    ("core", "option_env!"): Api("read", compile_time=True),
    ("libc", "getenv"): Api("read"),
    ("libc", "secure_getenv"): Api("read"),
    ("libc", "setenv"): Api("write"),
    ("libc", "unsetenv"): Api("write"),
    ("dotenvy", "var"): Api("read"),
    ("dotenvy", "vars"): Api("walk", -1, lossy="panics"),
    ("dotenvy_macro", "dotenv!"): Api("read", compile_time=True),
    ("dotenv", "var"): Api("read"),
    ("dotenv", "vars"): Api("walk", -1, lossy="panics"),
    ("dotenv_codegen", "dotenv!"): Api("read", compile_time=True),
    ("clap", "env"): Api("read"),
    ("envconfig", "from"): Api("read"),
    ("envy", "prefixed"): Api("walk", -1),
    ("figment", "providers", "Env", "prefixed"): Api("walk", -1),
    ("figment", "providers", "Env", "var"): Api("read"),
    ("config", "Environment", "with_prefix"): Api("walk", -1),
    ("env_logger", "init_from_env"): Api("read"),
    ("env_logger", "Builder", "from_env"): Api("read"),
    ("env_logger", "Env", "filter"): Api("read"),
    ("tracing_subscriber", "EnvFilter", "from_env"): Api("read"),
    ("tracing_subscriber", "EnvFilter", "try_from_env"): Api("read"),
    ("cargo", "rerun-if-env-changed"): Api("rerun"),
    ("build_rs", "output", "rerun_if_env_changed"): Api("rerun"),
}

ENVIRONMENT = ("std", "env")
ENVIRONMENT_FUNCTIONS = ("var", "var_os", "vars", "vars_os", "set_var", "remove_var")

UTF8_READS = frozenset({("std", "env", "var"), ("dotenvy", "var"), ("dotenv", "var")})
"""Reads that answer with an error when the value is not UTF-8."""

PREFIXED = {
    ("envy", "prefixed"): "",
    ("figment", "providers", "Env", "prefixed"): "",
    ("config", "Environment", "with_prefix"): "_",
}
"""Walks that are given their prefix, and what they put behind it."""

BUILTIN_MACROS = frozenset({"env!", "option_env!"})

EXTERNAL_CRATES = frozenset(
    {"std", "core", "alloc", *(path[0] for path in API if path[0] not in ("cargo", "std", "core"))}
)

# `.env(` is `Command::env` and friends: a child's environment, or a builder that ATTRIBUTES knows.
_SEEDS = re.compile(
    rb"(?<![\w.])env\b|\boption_env\b|\bgetenv\b|\bsecure_getenv\b|(?<![\w.])(?:un)?setenv\b"
    rb"|::\s*(?:var|var_os|vars|vars_os|set_var|remove_var)\b"
    rb"|\bdotenvy?\b|\bdotenvy_macro\b|\bdotenv_codegen\b|\benvy\b"
    rb"|\bwith_prefix\b|\bprefixed\b|\bfrom_env\b|\btry_from_env\b|\binit_from_env\b"
    rb"|\bEnv\b|rerun-if-env-changed|\brerun_if_env_changed\b"
)
# `env` may stand far behind the opening of its attribute.
ATTRIBUTES = re.compile(rb"#\s*\[[^\]]*?\b(?:env|envconfig)\b")

_SUBMODULES = re.compile(
    rb"\binclude!|#\s*\[\s*path\b|#\s*!?\s*\[\s*cfg[^\n]*\btest\b[^\n]*\][^{};]*\bmod\s+\w+\s*;"
)
_SUPPRESSIONS = (b"leverlint:", b"noqa")


def seeds() -> re.Pattern[bytes]:
    return _SEEDS


@cache
def lever_text(vocabulary: Vocabulary) -> re.Pattern[bytes]:
    """Match the beginning of a string literal that may name a lever."""
    starts = [*vocabulary.prefixes, *vocabulary.names]
    if not starts:
        return re.compile(rb"(?!)")
    return re.compile(b'"(?:' + b"|".join(re.escape(start.encode()) for start in starts) + b")")


@cache
def _wrapper_calls(wrappers: tuple[str, ...]) -> re.Pattern[bytes]:
    if not wrappers:
        return re.compile(rb"(?!)")
    # A macro's name ends with `!`, behind which there is no word boundary.
    words = (re.escape(name.encode()) + (b"" if name.endswith("!") else rb"\b") for name in wrappers)
    return re.compile(rb"\b(?:" + b"|".join(words) + b")")


def wrapper_calls(vocabulary: Vocabulary) -> re.Pattern[bytes]:
    return _wrapper_calls(vocabulary.wrappers)


def concerns(source: bytes, vocabulary: Vocabulary) -> bool:
    """Say whether a file may hold facts that are worth a parse."""
    if lever_text(vocabulary).search(source) or (b"env" in source and _reads(source)):
        return True
    if vocabulary.wrappers and wrapper_calls(vocabulary).search(source):
        return True
    if any(marker in source for marker in _SUPPRESSIONS):
        return True
    if b"_prefix" in source and b"with_prefix" in source:
        return True
    if b"prefixed" in source and b"Env" in source:
        return True
    return bool(_SUBMODULES.search(source))


def _reads(source: bytes) -> bool:
    return bool(_SEEDS.search(source))
