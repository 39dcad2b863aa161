"""For programs. The keys are a contract: they are added to, never renamed."""

import json
import math
from collections.abc import Sequence

from leverlint.catalogue import Reader, Row
from leverlint.decoding import NOT_UTF8, PROBES, RAISES, UNTOLD, Outcome
from leverlint.listings import View
from leverlint.listings.words import passage_place
from leverlint.operands import Wrapped
from leverlint.reporters.places import shown


def render(rows: Sequence[Row], view: View) -> str:
    """One line a lever: catalogues compare well."""
    lines = ",\n".join(json.dumps(_row(row, view)) for row in rows)
    return f"[\n{lines}\n]\n" if lines else "[]\n"


def _row(row: Row, view: View) -> dict[str, object]:
    return {
        "lever": row.lever,
        "readers": [_reader(reader, view) for reader in row.readers],
        "fields": list(dict.fromkeys(map(str, row.fields))),
        "documented": [passage_place(passage, view) for passage in row.documented],
    }


def _reader(reader: Reader, view: View) -> dict[str, object]:
    line, _ = view.sources.position(reader.path, reader.span.start)
    outcomes = zip(PROBES, reader.outcomes, strict=True)
    return {
        "path": shown(reader.path, view.style),
        "line": line,
        "decoding": reader.decoding,
        "default": _outcome(reader.default),
        "outcomes": {_key(probe): _outcome(outcome) for probe, outcome in outcomes},
        "test": reader.test,
    }


def _key(probe: str | None) -> str:
    if probe is None:
        return "unset"
    return "<not UTF-8>" if probe == NOT_UTF8 else probe


def _outcome(outcome: Outcome) -> object:
    if outcome is RAISES:
        return {"raises": True}
    if outcome is UNTOLD:
        return {"untold": True}
    if isinstance(outcome, Wrapped):
        return _outcome(outcome.payload) if outcome.holds else None
    if isinstance(outcome, tuple):
        return [_outcome(item) for item in outcome]
    if isinstance(outcome, float) and not math.isfinite(outcome):
        # JSON has no such numbers.
        return str(outcome)
    return outcome
