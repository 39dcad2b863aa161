"""What build scripts supply: variables that a package is compiled with, out of nobody's environment."""

import fnmatch
from collections.abc import Iterable

from leverlint.accesses import Access
from leverlint.languages import Tree


class Supplies:
    def __init__(self, accesses: Iterable[Access], tree: Tree) -> None:
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
        if not access.api.compile_time or not self._patterns:
            return False
        patterns = self._patterns.get(self._package(access.file), ())
        return any(fnmatch.fnmatchcase(access.template.pattern, pattern) for pattern in patterns)

    def _package(self, path: str) -> str:
        """Give the directory of the package that a file belongs to."""
        directories = (d for d in self._packages if not d or path.startswith(d + "/"))
        return next(directories, "")
