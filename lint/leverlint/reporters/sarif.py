"""SARIF 2.1.0, for code scanning and the viewers of editors.

The same findings give the same bytes on every machine: there is no time and no absolute path.
Paths count from `%SRCROOT%`, the repository, which whoever takes the report in knows.
"""

import os
import re
from collections.abc import Iterable
from urllib.parse import quote_from_bytes

from leverlint import __version__, packs
from leverlint.diagnostics import SEVERITIES, Diagnostic, Related
from leverlint.facts import Span
from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.reporters.changes import changes
from leverlint.reporters.places import Place, Placed, place, placed, shown
from leverlint.reporters.rule_texts import rule_texts
from leverlint.reporters.unicode import json_text, well_formed
from leverlint.rule import Rule
from leverlint.sources import Sources

MOST_RESULTS = 25_000
"""GitHub refuses a report with more."""

MOST_RELATED = 1_000

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVELS = {"error": "error", "warning": "warning", "info": "note", "hint": "note"}
_PROBLEMS = {"error": "error", "warning": "warning", "info": "recommendation", "hint": "recommendation"}

# `[text](1)` in a message would be a link to a related place.
_LINK = r"\[([^\[\]]*)\]\("


def render(report: Report, sources: Sources, style: Style) -> str:
    found = placed(report, sources, style)
    kept = _most_severe(found)
    codes = sorted({one.finding.code for one in kept})
    indexes = {code: index for index, code in enumerate(codes)}
    results = [_result(one, indexes[one.finding.code], sources, style) for one in kept]
    run = {
        "tool": {"driver": _driver(codes, kept)},
        "invocations": [_invocation(report, len(found) - len(kept))],
        # Reports of several projects of a repository stand side by side.
        "automationDetails": {"id": "/".join(("leverlint", *_project(style), ""))},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
    }
    listed = "[\n" + ",\n".join(map(json_text, results)) + "\n]" if results else "[]"
    head = f'{{"$schema": "{_SCHEMA}",\n"version": "2.1.0",\n"runs": ['
    return well_formed(f'{head}{json_text(run)[:-1]},\n"results": {listed}}}]}}\n')


def _most_severe(found: list[Placed]) -> list[Placed]:
    """Leave out the least severe findings where there are too many."""
    if len(found) <= MOST_RESULTS:
        return found
    order = sorted(range(len(found)), key=lambda index: SEVERITIES.index(found[index].finding.severity))
    return [found[index] for index in sorted(order[:MOST_RESULTS])]


def _project(style: Style) -> list[str]:
    """Give the directories from the repository to the project."""
    path = shown("", style).strip("/")
    return [part for part in path.split("/") if part not in ("", ".", "..")]


def _driver(codes: Iterable[str], found: Iterable[Placed]) -> dict[str, object]:
    rules = {rule.code: rule for rule in packs.rules()}
    reported = {one.finding.code: one.finding for one in found}
    return {
        "name": "leverlint",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(reported[code], rules.get(code)) for code in codes],
    }


def _rule(finding: Diagnostic, rule: Rule | None) -> dict[str, object]:
    severity = rule.severity if rule else finding.severity
    texts = rule_texts(finding.rule, packs.documentation(rule) if rule else "")
    return {
        "id": finding.code,
        "name": "".join(word.capitalize() for word in finding.rule.split("-")),
        "shortDescription": {"text": texts.short},
        "fullDescription": {"text": texts.full},
        "help": {"text": texts.page, "markdown": texts.page},
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {
            "tags": ["environment variables", "maintainability"],
            "precision": "high",
            "problem.severity": _PROBLEMS[severity],
        },
    }


def _invocation(report: Report, left_out: int) -> dict[str, object]:
    notes = [f"{skipped.path} {skipped.why}; skipped" for skipped in report.skipped]
    if left_out:
        notes.append(
            f"the {left_out} least severe of {left_out + MOST_RESULTS} findings are left out: "
            "code scanning takes no more"
        )
    notifications = [{"level": "warning", "message": {"text": _sentence(note)}} for note in notes]
    # Where something was asked about and nothing could be read, no findings mean nothing.
    invocation: dict[str, object] = {"executionSuccessful": bool(report.files or not report.skipped)}
    return invocation | ({"toolExecutionNotifications": notifications} if notifications else {})


def _result(one: Placed, rule_index: int, sources: Sources, style: Style) -> dict[str, object]:
    at, finding = one
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [_location(at, finding.path, finding.span, sources)],
    }
    if finding.fingerprint:
        result["partialFingerprints"] = {"leverlint/v1": finding.fingerprint}
    if finding.related:
        result["relatedLocations"] = [
            _related(number, related, sources, style)
            for number, related in enumerate(finding.related[:MOST_RELATED], start=1)
        ]
    if fix := _fix(finding, sources, style):
        result["fixes"] = [fix]
    return result


def _message(finding: Diagnostic) -> str:
    """What stands before the first full stop is what GitHub shows in lists."""
    text = _sentence(finding.message)
    return f"{text}\nHelp: {_sentence(finding.help)}" if finding.help else text


def _sentence(text: str) -> str:
    text = re.sub(_LINK, r"\\[\1\\](", text)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _related(number: int, related: Related, sources: Sources, style: Style) -> dict[str, object]:
    at = place(related.path, related.span, sources, style)
    return {
        "id": number,
        "message": {"text": _sentence(related.message)},
        **_location(at, related.path, related.span, sources),
    }


def _fix(finding: Diagnostic, sources: Sources, style: Style) -> dict[str, object]:
    by_path: dict[str, list[dict[str, object]]] = {}
    for at, edit in changes(finding, sources, style):
        replacement = {"deletedRegion": _region(at), "insertedContent": {"text": edit.text}}
        by_path.setdefault(at.path, []).append(replacement)
    if finding.fix is None or not by_path:
        return {}
    unsafe = "" if finding.fix.applicability == "safe" else " (unsafe: the meaning of some value changes)"
    return {
        "description": {"text": _sentence(f"{finding.fix.title}{unsafe}")},
        "artifactChanges": [
            {"artifactLocation": _artifact(path), "replacements": replacements}
            for path, replacements in by_path.items()
        ],
    }


def _location(at: Place, path: str, span: Span, sources: Sources) -> dict[str, object]:
    text = sources.content_or_nothing(path)[span.start : span.end].decode("utf-8", "replace")
    region = _region(at) | ({"snippet": {"text": text}} if text else {})
    return {"physicalLocation": {"artifactLocation": _artifact(at.path), "region": region}}


def _artifact(path: str) -> dict[str, object]:
    return {"uri": quote_from_bytes(os.fsencode(path)), "uriBaseId": _ROOT}


def _region(at: Place) -> dict[str, object]:
    return {
        "startLine": at.line,
        "startColumn": at.column,
        "endLine": at.end_line,
        "endColumn": at.end_column,
    }
