"""Which lines have changed since a revision, asked of git, and a report about these alone.

What counts is the working tree against the commit at which the branch left the revision (their
merge base), so that what others have done since does not. Git is called as scripts should: with
plumbing commands, and with every setting overruled that would change their output.
"""

import ast
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from leverlint.errors import LeverlintError
from leverlint.facts import Span
from leverlint.report import Report
from leverlint.sources import Sources

# fmt: off
_DIFF = (
    "diff-index", "--relative", "--unified=0", "--inter-hunk-context=0", "--find-renames", "--text",
    "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/",
    "--submodule=short", "--ignore-submodules=all",
)
_LOCATION = frozenset((
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIFF_OPTS", "GIT_DIR", "GIT_EXTERNAL_DIFF",
    "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_WORK_TREE",
))
"""What a hook of git finds in its environment: it is about the place where git was called."""
# fmt: on

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")

_DEEPEN = "this clone is shallow: `git fetch --unshallow`, or `fetch-depth: 0` in GitHub's checkout action"

Lines = tuple[int, int]
"""The first and the last of lines that follow each other."""


class Changes(NamedTuple):
    tracked: frozenset[str]
    """Files that git knows, relative to the root with `/`; all others are new."""
    lines: dict[str, list[Lines]]
    """What has changed in files that git knows."""
    new: tuple[str, ...]
    """Directories in which everything counts as new, with a closing `/`."""

    def touch(self, path: str, lines: Lines) -> bool:
        """Say whether any of these lines of a file has changed."""
        if path not in self.tracked or path.startswith(self.new):
            return True
        first, last = lines
        return any(start <= last and first <= end for start, end in self.lines.get(path, ()))


def only_changed(report: Report, changes: Changes, sources: Sources) -> Report:
    """Leave out the findings on lines that have not changed."""
    kept = tuple(
        finding
        for finding in report.findings
        if changes.touch(finding.path, _lines(finding.span, sources.content_or_nothing(finding.path)))
    )
    return report._replace(findings=kept, unchanged=len(report.findings) - len(kept))


def _lines(span: Span, content: bytes) -> Lines:
    """Give the lines of a span as git counts them: nothing but a line feed ends one."""
    first = content.count(b"\n", 0, span.start) + 1
    return first, first + content.count(b"\n", span.start, max(span.start, span.end - 1))


def changes_since(root: str, revision: str) -> Changes:
    """Ask git what has changed in a directory, and in the submodules in it."""
    _git(root, "rev-parse", "--show-toplevel", problem=f"`{root}` is in no git repository that can be read")
    tracked: set[str] = set()
    lines: dict[str, list[Lines]] = {}
    new: list[str] = []
    pending = [("", _base(root, revision))]
    while pending:
        prefix, base = pending.pop()
        directory = os.path.join(root, prefix)
        files, submodules = _tracked(directory)
        tracked.update(prefix + path for path in files)
        for path, changed in _changed(directory, base):
            lines.setdefault(prefix + path, []).append(changed)
        for path in submodules:
            inner = os.path.join(directory, path)
            if not os.path.exists(os.path.join(inner, ".git")):
                continue
            recorded = _commit(directory, f"{base}:./{path}", "")
            if recorded and _commit(inner, recorded):
                pending.append((f"{prefix}{path}/", recorded))
            else:
                # It is new, or its history does not reach back: rather too much than too little.
                new.append(f"{prefix}{path}/")
    return Changes(frozenset(tracked), lines, tuple(new))


def _base(root: str, revision: str) -> str:
    """Give the commit at which the branch left a revision."""
    commit = _commit(root, revision)
    if not commit:
        hint = _DEEPEN if _is_shallow(root) else "is it a branch that has not been fetched?"
        raise LeverlintError(f"--since: git knows no revision `{revision}`", hint)
    base = _answer(root, "merge-base", commit, "HEAD")
    if not base and _is_shallow(root):
        raise LeverlintError(f"--since: the history does not reach back to `{revision}`", _DEEPEN)
    # Histories that have nothing in common differ in everything.
    return base or commit


def _commit(directory: str, revision: str, kind: str = "^{commit}") -> str:
    """Give the name of the commit that a revision means, or nothing; never take it for an option."""
    if not revision or revision.startswith("-"):
        return ""
    return _answer(directory, "rev-parse", "--verify", "--quiet", revision + kind)


def _is_shallow(root: str) -> bool:
    return _answer(root, "rev-parse", "--is-shallow-repository") == "true"


def _tracked(directory: str) -> tuple[list[str], list[str]]:
    """Give the files and the submodules that git knows below a directory."""
    files: list[str] = []
    submodules: list[str] = []
    for entry in _git(directory, "ls-files", "--stage", "-z").split(b"\0")[:-1]:
        head, _, path = entry.partition(b"\t")
        (submodules if head.startswith(b"160000") else files).append(os.fsdecode(path))
    return files, submodules


def _changed(directory: str, base: str) -> Iterator[tuple[str, Lines]]:
    """Give changed lines with the file that they are in."""
    path = ""
    output = iter(_git(directory, *_DIFF, base).split(b"\n"))
    for line in output:
        if line.startswith(b"+++ "):
            path = _unquoted(line.removeprefix(b"+++ ")).removeprefix("b/")
        elif hunk := _HUNK.match(line):
            removed, start, added = map(int, hunk.groups(b"1"))
            if added:
                yield path, (start, start + added - 1)
            _pass(output, removed + added)


def _pass(output: Iterator[bytes], count: int) -> None:
    """Step over the lines of a hunk: what they say may look like anything."""
    while count:
        # `\\ No newline at end of file` may stand among them.
        count -= not next(output, b"").startswith(b"\\")


def _unquoted(name: bytes) -> str:
    """Give a path from the way that a diff spells it."""
    # Behind a name with spaces stands a tab, so that `patch` sees where it ends.
    name = name.removesuffix(b"\t")
    if name.startswith(b'"'):
        # With `core.quotePath` everything but ASCII is escaped, in a way that Python shares.
        name = ast.literal_eval(f"b{name.decode('ascii')}")
    return os.fsdecode(name)


def _answer(directory: str, *arguments: str) -> str:
    """Give what git says, or nothing when it says no."""
    result = _run(directory, arguments)
    return os.fsdecode(result.stdout).strip() if result.returncode == 0 else ""


def _git(directory: str, *arguments: str, problem: str = "git has failed") -> bytes:
    result = _run(directory, arguments)
    if result.returncode != 0:
        said = result.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise LeverlintError(f"--since: {problem}", f"git says: {said}" if said else "")
    return result.stdout


def _run(directory: str, arguments: Sequence[str]) -> "subprocess.CompletedProcess[bytes]":
    environment = {name: value for name, value in os.environ.items() if name not in _LOCATION}
    environment.update(GIT_OPTIONAL_LOCKS="0", LC_ALL="C")
    command = ["git", "-c", "core.quotePath=true", *arguments]
    try:
        return subprocess.run(command, cwd=directory, env=environment, capture_output=True, check=False)
    except FileNotFoundError:
        raise LeverlintError("--since: git is not installed", "install it, or use `--baseline`") from None
    except OSError as error:
        raise LeverlintError(
            f"--since: git cannot be run: {(error.strerror or str(error)).lower()}"
        ) from None
