"""What a person said of single findings, in a file that lives with the project."""

import csv
import os
from typing import NamedTuple

RIGHT, WRONG, UNCLEAR = "right", "wrong", "unclear"
READ, NO_READ = "read", "no read"
"""Of a place that leverlint is silent about: it should not be, or there is nothing to report."""
VERDICTS = (RIGHT, WRONG, UNCLEAR, READ, NO_READ)

_FILE = os.path.join(os.path.dirname(__file__), "verdicts.tsv")


class Subject(NamedTuple):
    """What is judged: a finding of a rule, or a place that the naive scan took for a read."""

    tree: str
    rule: str
    place: str
    """`path:line` at the time of judging, for people: it may move."""

    lever: str
    fingerprint: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.tree, self.rule, self.fingerprint


class Verdict(NamedTuple):
    subject: Subject
    said: str
    reason: str


def load() -> dict[tuple[str, str, str], Verdict]:
    """All verdicts by what they are about.

    Raises `SystemExit` with the line where the file says something else than a verdict.
    """
    verdicts: dict[tuple[str, str, str], Verdict] = {}
    if not os.path.exists(_FILE):
        return verdicts
    with open(_FILE, encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        for number, row in enumerate(rows, start=1):
            if number == 1:
                continue
            if len(row) != 7 or row[5] not in VERDICTS or not row[6]:
                raise SystemExit(
                    f"{_FILE}:{number}: needs 7 columns, one of {', '.join(VERDICTS)}, and a reason"
                )
            subject = Subject(*row[:5])
            verdicts[subject.key] = Verdict(subject, row[5], row[6])
    return verdicts


def save(verdicts: dict[tuple[str, str, str], Verdict]) -> None:
    header = "\t".join((*Subject._fields, "verdict", "reason"))
    rows = ("\t".join((*verdict.subject, verdict.said, verdict.reason)) for verdict in verdicts.values())
    with open(_FILE, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join([header, *sorted(rows)]) + "\n")
