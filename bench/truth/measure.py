"""How often leverlint is right, and how often it is silent about a read: said by people, on trees of others.

    python bench/truth/measure.py obtain FOLDER [TREE...]
    python bench/truth/measure.py pending FOLDER [TREE...]
    python bench/truth/measure.py judge FILE
    python bench/truth/measure.py report FOLDER [TREE...]

`obtain` puts the trees of trees.toml into FOLDER. `pending` prints what of the sample nobody has
judged yet, each with its lines. Put a verdict in the place of `?` and a reason in the place of the
message, and `judge` takes them into verdicts.tsv. `report` runs leverlint anew and tells the
precision of each rule, the recall beside the naive scan, and which verdicts no longer hold.

The sample is drawn by a hash of each finding: what joins or leaves the findings moves nothing else
in it. Without TREE, all trees that nobody tuned leverlint on.
"""

import argparse
import hashlib
import math
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeVar

import naive
import trees
import verdicts
from trees import Tree
from verdicts import NO_READ, READ, RIGHT, UNCLEAR, WRONG, Subject, Verdict

Said = TypeVar("Said")

NAIVE = "naive-scan"
"""The rule under which places of the naive scan are judged that leverlint is silent about."""

_NEAR = 12
"""Lines between a name and the finding that is about it."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=["obtain", "pending", "judge", "report"])
    parser.add_argument("folder", metavar="FOLDER|FILE")
    parser.add_argument("trees", nargs="*", metavar="TREE")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--each", type=int, default=8, help="findings per rule and tree (default 8)")
    parser.add_argument(
        "--reads", type=int, default=25, help="candidates of the naive scan per tree (default 25)"
    )
    options = parser.parse_args()
    if options.command == "judge":
        return judge(options.folder)
    chosen = trees.listed(options.trees)
    if options.command == "obtain":
        for tree in chosen:
            trees.obtain(tree, options.folder)
    elif options.command == "pending":
        for tree in chosen:
            pending(tree, options)
    else:
        report(chosen, options)


def pending(tree: Tree, options: argparse.Namespace) -> None:
    known = verdicts.load()
    for subject, message in sample(tree, options):
        if subject.key not in known:
            print("\t".join(("?", *subject, message)))
            print(excerpt(os.path.join(options.folder, tree.name), subject.place))


def judge(path: str) -> None:
    """Take the lines of `pending` that have a verdict, a subject and a reason; excerpts are indented."""
    known = verdicts.load()
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if line.startswith((" ", "?", "\n")):
                continue
            said, *rest = line.rstrip("\n").split("\t")
            if said not in verdicts.VERDICTS or len(rest) != 6:
                raise SystemExit(
                    f"{path}:{number}: a verdict, five columns of its subject and a reason, by tabs"
                )
            subject = Subject(*rest[:5])
            known[subject.key] = Verdict(subject, said, rest[5])
    verdicts.save(known)


def report(chosen: list[Tree], options: argparse.Namespace) -> None:
    known = verdicts.load()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    reads: Counter[str] = Counter()
    for tree in chosen:
        found = {subject.key for subject, _ in findings(tree, options)}
        for key, (subject, said, _) in known.items():
            if subject.tree != tree.name or subject.rule == NAIVE:
                continue
            if key in found:
                counts[subject.rule][said] += 1
            elif said == RIGHT:
                counts[subject.rule]["lost"] += 1
                print(f"was right and is gone: {tree.name}/{subject.place} {subject.rule} {subject.lever}")
            elif said == WRONG:
                counts[subject.rule]["mended"] += 1
        for subject, reported in drawn(scan(tree, options), options.reads, options.seed):
            reads[
                "reported" if reported else known[subject.key].said if subject.key in known else "not judged"
            ] += 1
    print(table(counts))
    total = reads["reported"] + reads[READ]
    print(
        f"\nnaive scan: {reads['reported']} of {total} reads reported ({share(reads['reported'], total)});",
        end=" ",
    )
    print(f"{reads[NO_READ]} places read nothing, {reads['not judged']} not judged")


def table(counts: dict[str, Counter[str]]) -> str:
    columns = (RIGHT, WRONG, UNCLEAR, "lost", "mended")
    rows: list[tuple[str, ...]] = [("rule", *columns, "right of judged", "at least (95 %)")]
    total: Counter[str] = sum(counts.values(), Counter())
    for rule, count in [*sorted(counts.items()), ("all", total)]:
        right, judged = count[RIGHT], count[RIGHT] + count[WRONG]
        bound = f"{100 * lower_bound(right, judged):.1f} %"
        rows.append((rule, *(str(count[each]) for each in columns), share(right, judged), bound))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def lower_bound(right: int, judged: int) -> float:
    """The lower end of the Wilson interval: what a sample of this size allows to say."""
    if not judged:
        return 0.0
    part, z = right / judged, 1.96
    middle = part + z * z / (2 * judged)
    spread = z * math.sqrt(part * (1 - part) / judged + z * z / (4 * judged * judged))
    return (middle - spread) / (1 + z * z / judged)


def sample(tree: Tree, options: argparse.Namespace) -> Iterator[tuple[Subject, str]]:
    by_rule: dict[str, list[tuple[Subject, str]]] = defaultdict(list)
    for subject, message in findings(tree, options):
        by_rule[subject.rule].append((subject, message))
    for rule in sorted(by_rule):
        yield from drawn(by_rule[rule], options.each, options.seed)
    for subject, reported in drawn(scan(tree, options), options.reads, options.seed):
        if not reported:
            yield subject, "not reported"


def drawn(subjects: Iterable[tuple[Subject, Said]], count: int, seed: str) -> list[tuple[Subject, Said]]:
    def lot(item: tuple[Subject, Said]) -> bytes:
        return hashlib.sha256("\0".join((seed, *item[0].key)).encode()).digest()

    return sorted(subjects, key=lot)[:count]


def findings(tree: Tree, options: argparse.Namespace) -> Iterator[tuple[Subject, str]]:
    for finding in trees.findings(tree, options.folder, tests="allow"):
        place = f"{finding['path']}:{finding['line']}"
        subject = Subject(tree.name, finding["rule"], place, finding["lever"] or "", finding["fingerprint"])
        related = "; ".join(f"{each['path']}:{each['line']} {each['message']}" for each in finding["related"])
        yield subject, f"{finding['message']} ({related})"


def scan(tree: Tree, options: argparse.Namespace) -> Iterator[tuple[Subject, bool]]:
    """Candidates of the naive scan, and whether some finding is about that name at that place."""
    reported = defaultdict(set)
    for finding in trees.findings(tree, options.folder, tests="check"):
        for place in (finding, *finding["related"]):
            reported[place["path"], finding["lever"]].add(place["line"])
    seen: dict[tuple[str, str], int] = defaultdict(int)
    for candidate in naive.candidates(os.path.join(options.folder, tree.name), tree.prefixes):
        seen[candidate.path, candidate.text] += 1
        identity = f"{candidate.path}\0{candidate.text}\0{seen[candidate.path, candidate.text]}"
        fingerprint = hashlib.sha256(identity.encode()).hexdigest()[:16]
        place = f"{candidate.path}:{candidate.line}"
        lines = reported[candidate.path, candidate.lever]
        near = any(abs(line - candidate.line) <= _NEAR for line in lines)
        yield Subject(tree.name, NAIVE, place, candidate.lever, fingerprint), near


def excerpt(root: str, place: str) -> str:
    path, _, line = place.rpartition(":")
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    first, last = max(0, int(line) - 6), int(line) + 6
    return "\n".join(f"    {number + 1:5} {lines[number]}" for number in range(first, min(last, len(lines))))


if __name__ == "__main__":
    main()
