"""What cargo and build scripts supply: variables that come out of nobody's environment."""

import fnmatch
from collections.abc import Collection, Iterable

from leverlint.accesses import Access
from leverlint.languages import Tree

_BY_CARGO = (
    "CARGO_BIN_EXE_*",
    "CARGO_BIN_NAME",
    "CARGO_CRATE_NAME",
    "CARGO_MANIFEST_*",
    "CARGO_PKG_*",
    "CARGO_PRIMARY_PACKAGE",
    "CARGO_TARGET_TMPDIR",
    "OUT_DIR",
)
"""What cargo itself sets for crates that it compiles."""

_TO_BUILD_SCRIPTS = (
    *("CARGO_CFG_*", "CARGO_ENCODED_RUSTFLAGS", "CARGO_FEATURE_*", "CARGO_MAKEFLAGS"),
    *("CARGO_MANIFEST_*", "CARGO_PKG_*", "DEBUG", "DEP_*", "HOST", "NUM_JOBS", "OPT_LEVEL"),
    *("OUT_DIR", "PROFILE", "TARGET"),
)
"""What it sets for build scripts that it runs."""


class Supplies:
    def __init__(self, accesses: Iterable[Access], tree: Tree, build_scripts: Collection[str] = ()) -> None:
        self._build_scripts = build_scripts
        self._packages = sorted(set(tree.crates.values()), key=len, reverse=True)
        self._patterns: dict[str, set[str]] = {}
        """Names or patterns, by the directory of the package that is compiled with them."""
        for access in accesses:
            if access.api.kind == "supply":
                package = self._package(access.file)
                # Sources of a package may print such lines for the build scripts of others.
                if not access.file.startswith(f"{package}/src/" if package else "src/"):
                    name = access.template.pattern.partition("=")[0]
                    self._patterns.setdefault(package, set()).add(name)

    def concern(self, access: Access) -> bool:
        """Say whether an access declares such a variable, or finds one when its package is compiled."""
        if access.api.kind == "supply":
            return True
        name = access.template.pattern
        if access.file in self._build_scripts and _matches(name, _TO_BUILD_SCRIPTS):
            return True
        if not access.api.compile_time:
            return False
        own = self._patterns.get(self._package(access.file), ()) if self._patterns else ()
        return _matches(name, _BY_CARGO) or _matches(name, own)

    def _package(self, path: str) -> str:
        """Give the directory of the package that a file belongs to."""
        directories = (d for d in self._packages if not d or path.startswith(d + "/"))
        return next(directories, "")


def _matches(name: str, patterns: Collection[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
