"""The harness for rules and languages: ours and those of third-party packs.

A case is a folder of real files. A comment on the line of a finding says what must be reported
there: `# error: raw-read[ATLAS_X]` (`//` in Rust); what is not announced must not be reported,
and a case without markers must be silent. `expected.txt` in the folder is the whole report as
text, `fixed/` has the files that `--fix` changes, and `fixed-unsafe/` those that change with
`--unsafe-fixes`; all are written by `bless`. `fixtures/README.md` has the grammar.
"""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from leverlint import config as configuration
from leverlint import engine, fixes, packs, reporters
from leverlint.facts_text import facts_text
from leverlint.report import Report
from leverlint.rule import Rule
from leverlint.sources import Sources, Unreadable, read

__all__ = [
    "Announced",
    "Outcome",
    "check_case",
    "check_examples",
    "examples",
    "facts_text",
    "run_case",
]

_MARKER = re.compile(r"(?:#|//|<!--)\s*error(\^*):\s*(.*?)\s*(?:-->)?$")
_ITEM = re.compile(r"([a-z][a-z-]*)(?:\[([^\]]*)\])?")
_HOT = "forward_block"
_CONFIGURATIONS = ("leverlint.toml", "pyproject.toml", "Cargo.toml")


_FIXED = ("fixed", "fixed-unsafe")
"""Folders of a case with what fixes make of its files, without and with unsafe ones."""


class Announced(NamedTuple):
    """A finding that a marker announces, or one that was reported."""

    path: str
    line: int
    rule: str
    lever: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}[{self.lever}]"


class Outcome(NamedTuple):
    missing: tuple[Announced, ...]
    unexpected: tuple[Announced, ...]
    text: str
    """The report as text, without colour."""
    fixed: dict[str, bytes]
    """What fixes make of files, by their paths under `fixed/` or `fixed-unsafe/`."""


def run_case(folder: str, rules: Sequence[str]) -> Outcome:
    """Check a folder and compare with its markers.

    The rules are those named here and in the markers, unless the folder's configuration selects.
    """
    stated = next(filter(os.path.exists, (os.path.join(folder, name) for name in _CONFIGURATIONS)), None)
    overrides = {"exclude": ("expected.txt", *_FIXED)}
    settings = configuration.load(folder, stated, isolated=stated is None, overrides=overrides)
    if "select" not in settings.sources:
        announced = {marker.rule for marker in _markers(folder)}
        settings = settings._replace(select=(*rules, *sorted(announced)))
    report = engine.check(settings, [], jobs=1)
    assert not report.skipped, report.skipped
    sources = Sources(settings.root)
    expected = sorted(_markers(folder))
    found = sorted(_found(report, sources))
    missing, unexpected = list(expected), []
    for one in found:
        if one in missing:
            missing.remove(one)
        else:
            unexpected.append(one)
    return Outcome(tuple(missing), tuple(unexpected), _text(report, sources), _fixes(report, settings))


def _fixes(report: Report, settings: configuration.Config) -> dict[str, bytes]:
    def check(overlays: Mapping[str, bytes]) -> Report:
        return engine.check(settings, [], jobs=1, overlays=overlays)

    found: dict[str, bytes] = {}
    for folder, unsafe in zip(_FIXED, (False, True), strict=True):
        # Unsafe fixes are of interest where there are any.
        if any(
            finding.fix and (finding.fix.applicability == "safe") is not unsafe for finding in report.findings
        ):
            fixed = fixes.fix_all(report, settings.root, {}, check, unsafe)
            assert not fixes.fix_all(fixed.report, settings.root, fixed.contents, check, unsafe).contents
            found |= {f"{folder}/{path}": data for path, data in fixed.contents.items()}
    return found


def check_case(folder: str, rules: Sequence[str], *, bless: bool = False) -> None:
    """Fail with a list of differences when a case is not reported as its markers say.

    With `bless`, the text report is written to `expected.txt` and what fixes make of files to
    `fixed/`; otherwise they must be the same.
    """
    outcome = run_case(folder, rules)
    lines = [f"missing     {one}" for one in outcome.missing]
    lines += [f"unexpected  {one}" for one in outcome.unexpected]
    assert not lines, "\n".join([folder, *lines, "", outcome.text])
    _check_fixed(folder, outcome.fixed, bless=bless)
    path = os.path.join(folder, "expected.txt")
    silent = not any(_markers(folder))
    if bless and not silent:
        with open(path, "w", encoding="utf-8") as file:
            file.write(outcome.text)
    if os.path.exists(path) or not silent:
        assert os.path.exists(path), f"{path} is missing: bless it"
        with open(path, encoding="utf-8") as file:
            assert outcome.text == file.read(), f"{path} is out of date: read the difference, then bless it"


def _check_fixed(folder: str, fixed: Mapping[str, bytes], *, bless: bool) -> None:
    known = {
        path: data for path, data in _files(folder) if path.startswith(tuple(f"{one}/" for one in _FIXED))
    }
    if bless:
        for path in known.keys() - fixed.keys():
            os.unlink(os.path.join(folder, path))
        for path, data in fixed.items():
            os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
            with open(os.path.join(folder, path), "wb") as file:
                file.write(data)
        return
    for path in sorted({*known, *fixed}):
        assert known.get(path) == fixed.get(path), f"{folder}/{path} is not what fixes make of it: bless it"


def _files(folder: str) -> Iterator[tuple[str, bytes]]:
    for directory, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(directory, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, folder).replace(os.sep, "/"), file.read()


def examples(rule: Rule) -> dict[str, list[tuple[str, str]]]:
    """Give the code fences of a rule's documentation as (language, text), under `Bad` and `Good`."""
    found: dict[str, list[tuple[str, str]]] = {"Bad": [], "Good": []}
    heading = ""
    for part in re.split(r"(^```\w+\n.*?^```$)", packs.documentation(rule), flags=re.DOTALL | re.MULTILINE):
        if part.startswith("```"):
            language, _, text = part[3:-3].partition("\n")
            if heading in found:
                found[heading].append((language, text))
        elif headings := re.findall(r"^([A-Z]\w+):", part, re.MULTILINE):
            heading = headings[-1]
    return found


def check_examples(rule: Rule) -> None:
    """Fail unless every bad example of a rule's documentation is reported and no good one is.

    In examples of code, the function `forward_block` is hot.
    """
    for heading, fences in examples(rule).items():
        assert fences, f"{rule.name}: no example under `{heading}`"
        for language, text in fences:
            found = _check_text(rule, language, text)
            names = [finding.rule for finding in found.findings]
            wanted = heading == "Bad"
            assert (rule.name in names) == wanted, f"{rule.name}: {heading} {language} example gives {names}"


def _check_text(rule: Rule, language: str, text: str) -> Report:
    named = re.match(r"(?://|#) (\S+\.\w+)\n", text)
    name = {"python": "example.py", "rust": "example.rs", "toml": "pyproject.toml"}.get(language, "example")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, named.group(1) if named else name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if language == "toml":
            with open(os.path.join(folder, "levers.py"), "w", encoding="utf-8") as file:
                file.write('import os\n\nTRACE = os.environ.get("ATLAS_TRACE")\n')
        settings = configuration.load(
            folder,
            path if language == "toml" else None,
            isolated=language != "toml",
            overrides={"select": ("ALL",), "hot": (_HOT,)} if language != "toml" else {"select": ("ALL",)},
        )
        return engine.check(settings, [], jobs=1)


def _markers(folder: str) -> Iterator[Announced]:
    for directory, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if each not in _FIXED]
        for name in sorted(names):
            path = os.path.join(directory, name)
            relative = os.path.relpath(path, folder).replace(os.sep, "/")
            if name == "expected.txt":
                continue
            try:
                text = read(path).decode()
            except Unreadable:
                continue
            for number, line in enumerate(re.split(r"\r\n|\n|\r", text), 1):
                if marker := _MARKER.search(line):
                    above = len(marker.group(1))
                    for rule, lever in _ITEM.findall(marker.group(2)):
                        yield Announced(relative, number - above, rule, lever)


def _found(report: Report, sources: Sources) -> Iterator[Announced]:
    for finding in report.findings:
        line, _ = sources.position(finding.path, finding.span.start)
        yield Announced(finding.path, line, finding.rule, finding.lever or "")


def _text(report: Report, sources: Sources) -> str:
    return reporters.get("text").render(report, sources, reporters.PLAIN)
