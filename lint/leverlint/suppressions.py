"""Comments that silence findings: `# noqa`, `leverlint: allow(...)` and `leverlint: allow-file(...)`.

`# noqa` means what it means to flake8 7, to the letter; flake8 users must not see two truths.
Only comments count, and only those that are nothing but a marker.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from leverlint import selection
from leverlint.config import Config
from leverlint.diagnostics import Diagnostic
from leverlint.errors import did_you_mean
from leverlint.facts import Comment, FileFacts, Span
from leverlint.noqa_lines import noqa_lines
from leverlint.rule import Rule
from leverlint.sources import Sources, Unreadable

# Patterns are left to be compiled, and kept, by `re` when there are comments to read.

# As in flake8/defaults.py; `codes` is split and compared as in flake8/violation.py.
_NOQA = r"(?i)# noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?"
_NOQA_CODE = r"[^,\s]+"
_NOQA_REASON = r"\s*--\s*\S"

# Comments of other tools may stand in front: `# type: ignore  # leverlint: allow(...)`.
_OTHER_TOOL = r"(?:(?:type:\s*ignore|noqa|pragma:|pylint:|pyright:|ty:|nosec|fmt:|isort:)[^#]*#)*"
_MARKER = (
    rf"(?s)(?:#|//)\s*{_OTHER_TOOL}\s*leverlint:\s*(?P<kind>allow|allow-file)\((?P<names>[^()]*)\)\s*"
    r"(?P<reason>--.*\S.*)?(?:#.*)?"
)
_NAME = r"[^,\s](?:[^,]*[^,\s])?"

_PYTHON_TOP = (
    rb"(?s)(?>\s++|\\\r?\n|#[^\r\n]*+"
    rb'|[rRuU]?(?>"""(?>\\.|[^\\])*?"""|\'\'\'(?>\\.|[^\\])*?\'\'\'|"(?>\\.|[^\\"\n])*"|\'(?>\\.|[^\\\'\n])*\')'
    rb"|\xef\xbb\xbf|;)*+"
)
_RUST_TOP = rb"(?s)(?>\s++|//[^\r\n]*+|/\*.*?\*/|#!\[[^\]]*+\]|#![^\[\r\n][^\r\n]*+|\xef\xbb\xbf)*+"


class Unused(NamedTuple):
    """A suppression, or one rule in it, that does nothing."""

    path: str
    span: Span
    text: str
    """The code, name or marker as written."""
    why: str
    """A phrase that follows the text: `suppresses nothing`."""


class Outcome(NamedTuple):
    kept: list[Diagnostic]
    suppressed: int
    unused: tuple[Unused, ...]


class _Target(NamedTuple):
    """One rule of a marker."""

    written: str
    span: Span
    codes: frozenset[str]
    """Of all rules that it means."""


class _Marker(NamedTuple):
    lines: frozenset[int] | None
    """The lines whose findings it silences; `None` for the whole file."""
    targets: tuple[_Target, ...]
    """Empty: every rule."""


class _File:
    """The markers of one file, and which of their rules have silenced something."""

    def __init__(self) -> None:
        self.markers: list[_Marker] = []
        self.unused: list[Unused] = []
        self.used: set[_Target] = set()

    def silences(self, code: str, line: int) -> bool:
        silent = False
        for marker in self.markers:
            if marker.lines is not None and line not in marker.lines:
                continue
            hits = [target for target in marker.targets if code in target.codes]
            self.used.update(hits)
            silent = silent or bool(hits) or not marker.targets
        return silent


def apply(
    findings: Iterable[Diagnostic],
    facts: Mapping[str, FileFacts],
    sources: Sources,
    config: Config,
    rules: Sequence[Rule],
) -> Outcome:
    """Take out what is suppressed, and say which suppressions did nothing.

    `rules` are all rules that there are. Nothing is said about suppressions of rules that
    do not run on a file: they might have found something.
    """
    reader = _Reader(sources, {rule.name: rule.code for rule in rules})
    files = {
        path: reader.file(file, config.for_path(path).require_reason)
        for path, file in facts.items()
        if file.comments
    }
    kept = []
    suppressed = 0
    for finding in findings:
        file = files.get(finding.path)
        if file and file.silences(finding.code, sources.position(finding.path, finding.span.start)[0]):
            suppressed += 1
        else:
            kept.append(finding)
    unused = []
    for path, file in sorted(files.items()):
        here = config.for_path(path)
        ran = frozenset(rule.code for rule in rules if selection.is_selected(rule, path, here))
        unused += _unused(path, file, ran)
    return Outcome(kept, suppressed, tuple(unused))


def _unused(path: str, file: _File, ran: frozenset[str]) -> list[Unused]:
    idle = [
        Unused(path, target.span, target.written, "suppresses nothing")
        for marker in file.markers
        for target in marker.targets
        if target.codes <= ran and target not in file.used
    ]
    return sorted((*file.unused, *idle), key=lambda entry: entry.span)


class _Reader:
    """Reads the markers of files."""

    def __init__(self, sources: Sources, known: Mapping[str, str]) -> None:
        self._sources = sources
        self._known = known
        self._codes = frozenset(known.values())

    def file(self, facts: FileFacts, require_reason: bool) -> _File:
        file = _File()
        try:
            content = self._sources.content(facts.path)
        except Unreadable:
            return file
        comment_lines = self._lines_of_comments(facts)
        for comment in facts.comments:
            written = content[comment.span.start : comment.span.end].decode("utf-8", "replace")
            if facts.language == "python":
                self._add_noqa(file, facts.path, comment, written, content, require_reason)
            sign = "#" if facts.language == "python" else "//"
            match = re.fullmatch(_MARKER, written) if written.startswith(sign) else None
            if match is not None:
                self._add_marker(file, facts, comment, match, content, comment_lines, require_reason)
        return file

    def _lines_of_comments(self, facts: FileFacts) -> frozenset[int]:
        return frozenset(
            self._sources.position(facts.path, comment.span.start)[0]
            for comment in facts.comments
            if comment.alone
        )

    def _add_noqa(
        self, file: _File, path: str, comment: Comment, written: str, content: bytes, require_reason: bool
    ) -> None:
        match = re.search(_NOQA, written)
        if match is None:
            return
        if match["codes"] is None:
            file.markers.append(_Marker(self._noqa_lines(path, comment, content), ()))
            return
        targets = []
        for code in re.finditer(_NOQA_CODE, match["codes"]):
            start = match.start("codes") + code.start()
            span = _part(comment.span, written, start, start + len(code[0]))
            # flake8 compares the beginnings of codes, upper and lower case apart.
            codes = frozenset(known for known in self._codes if known.startswith(code[0]))
            if codes:
                targets.append(_Target(code[0], span, codes))
            elif code[0].startswith("LVR"):
                file.unused.append(Unused(path, span, code[0], "is the code of no rule"))
        if targets and require_reason and not re.match(_NOQA_REASON, written[match.end() :]):
            file.unused.extend(Unused(path, target.span, target.written, _NO_REASON) for target in targets)
        elif targets:
            file.markers.append(_Marker(self._noqa_lines(path, comment, content), tuple(targets)))

    def _noqa_lines(self, path: str, comment: Comment, content: bytes) -> frozenset[int]:
        line, _ = self._sources.position(path, comment.span.start)
        return noqa_lines(content, line, lambda number: self._sources.line_bounds(path, number))

    def _add_marker(
        self,
        file: _File,
        facts: FileFacts,
        comment: Comment,
        match: re.Match[str],
        content: bytes,
        comment_lines: frozenset[int],
        require_reason: bool,
    ) -> None:
        path, written = facts.path, match.string
        why = ""
        if not match["names"].strip():
            why = "names no rule"
        elif require_reason and not match["reason"]:
            why = _NO_REASON
        elif match["kind"] == "allow-file" and not _at_top(facts.language, content, comment):
            why = "must stand at the top of the file, before any code"
        if why:
            marker = _part(comment.span, written, match.start("kind"), match.end("names") + 1)
            file.unused.append(Unused(path, marker, f"{match['kind']}({match['names'].strip()})", why))
            return
        targets = []
        for name in re.finditer(_NAME, match["names"]):
            start = match.start("names") + name.start()
            span = _part(comment.span, written, start, start + len(name[0]))
            code = self._known.get(name[0], name[0])
            if code in self._codes:
                targets.append(_Target(name[0], span, frozenset((code,))))
            else:
                hint = did_you_mean(name[0], (*self._known, *self._codes))
                why = "is the name of no rule" + (f"; {hint}" if hint else "")
                file.unused.append(Unused(path, span, name[0], why))
        if targets:
            lines = None
            if match["kind"] == "allow":
                line = self._sources.position(path, comment.span.start)[0]
                lines = _lines_below(line, comment_lines) if comment.alone else frozenset((line,))
            file.markers.append(_Marker(lines, tuple(targets)))


_NO_REASON = "gives no reason, as `require-reason` asks for: `-- why`"


def _lines_below(line: int, comment_lines: frozenset[int]) -> frozenset[int]:
    """Give the line that a lone comment speaks about, past comments that go on below it."""
    below = line + 1
    while below in comment_lines:
        below += 1
    return frozenset((line, below))


def _at_top(language: str, content: bytes, comment: Comment) -> bool:
    top = _PYTHON_TOP if language == "python" else _RUST_TOP
    return re.fullmatch(top, content[: comment.span.start]) is not None


def _part(span: Span, written: str, start: int, end: int) -> Span:
    """Give the span of a part of a comment's text."""
    return Span(
        span.start + len(written[:start].encode()),
        span.start + len(written[:end].encode()),
    )
