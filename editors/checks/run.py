#!/usr/bin/env python3
"""Drives real editors against `leverlint server`, and prints what they saw: run.py CLIENT…

Run by hand, with the editors of the README installed and the leverlint to be tried on PATH.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import project

CHECKS = Path(__file__).resolve().parent
README = CHECKS.parent / "README.md"
VSIX = CHECKS.parent / "vscode" / "leverlint.vsix"

POISON = ["LVR101", 'flag("DEMO_POISON")']
TOKENS = ["LVR101", 'os.environ.get("DEMO_TOKENS", "4")']


class Step(NamedTuple):
    name: str
    expected: str
    holds: Callable[[object], bool]


STEPS = [
    Step("findings", "the two reads of decode.py, marked exactly", lambda seen: seen == [POISON, TOKENS]),
    Step("hover", "the lever and what its values do", lambda seen: has(seen, "DEMO_POISON", "`1`", "unset")),
    Step("definition", "the resolver's field", lambda seen: has(seen, "engine/levers.py")),
    Step("references", "both readers", lambda seen: has(seen, "engine/levers.py", "engine/decode.py")),
    Step("hints", "a hint at each read", lambda seen: isinstance(seen, list) and len(seen) >= 2),
    Step("typed", "a read that was just typed", lambda seen: ["LVR101", 'flag("DEMO_TRACE")'] in rows(seen)),
    Step("typed and removed", "as before", lambda seen: seen == [POISON, TOKENS]),
    Step("wrapper edited", "no finding through a wrapper that reads no more", lambda seen: seen == [TOKENS]),
    Step("actions", "an offer to suppress", lambda seen: has(seen, "uppress")),
    Step("suppressed", "a comment with a reason, in its place", lambda seen: is_suppressed(seen)),
    Step("left", "the other finding alone", lambda seen: seen == [POISON]),
    Step(
        "fixed", "the resolver's field in place of the read", lambda seen: has(seen, "= Levers.get().poison")
    ),
    Step("rust", "the read of lib.rs", lambda seen: [row[0] for row in rows(seen)] == ["LVR101"]),
    Step("settings", "nothing, once raw-read is ignored", lambda seen: seen == []),
]

VSCODE_STEPS = (
    Step("clean", "no finding in decode.py any more", lambda seen: seen == []),
    Step("restarted", "the read of lib.rs again", lambda seen: len(rows(seen)) == 1),
    Step("configuration", "where each value comes from", lambda seen: has(seen, "DEMO_", "leverlint.toml:1")),
    Step("without leverlint", "no findings", lambda seen: seen == []),
    Step("found again", "the read of lib.rs again", lambda seen: len(rows(seen)) == 1),
)


def has(seen: object, *words: str) -> bool:
    text = json.dumps(seen, ensure_ascii=False)
    return all(word in text for word in words)


def rows(seen: object) -> list[list[str]]:
    return seen if isinstance(seen, list) else []


def is_suppressed(seen: object) -> bool:
    """Whether the comment stands behind the statement or above it, and nothing else has changed."""
    statement = re.escape('    return batch[: int(os.environ.get("DEMO_TOKENS", "4"))]')
    comment = r"# leverlint: allow\(raw-read\) -- .+"
    behind, above = f"{statement}  {comment}", f"    {comment}\n{statement}"
    return bool(re.search(f"(?m)^({behind}|{above})$", str(seen)))


class Client(NamedTuple):
    snippet: str
    """Of the README: what is configured; nothing where the extension does that."""
    suffix: str
    command: Callable[[Mapping[str, str]], list[str]]
    lacks: frozenset[str] = frozenset()
    """Steps that the client cannot take."""
    plain: bool = False
    """Whether it miscounts columns behind other than ASCII characters, so that there are to be none."""
    more: tuple[Step, ...] = ()


def neovim(program: str) -> Callable[[Mapping[str, str]], list[str]]:
    script = str(CHECKS / "neovim.lua")
    return lambda given: [
        program.format(tools=given["CHECK_TOOLS"]),
        *("--headless", "-u", given["CHECK_SNIPPET"], "-S", script),
    ]


def emacs(script: str) -> Callable[[Mapping[str, str]], list[str]]:
    return lambda given: ["emacs", "--batch", "-l", str(CHECKS / script)]


def vim(script: str) -> Callable[[Mapping[str, str]], list[str]]:
    # Vim wants a terminal, which `script` pretends to be.
    vim_command = f"vim -N -u {CHECKS / script}"
    return lambda given: ["script", "--quiet", "--return", "--command", vim_command, "/dev/null"]


CLIENTS = {
    "neovim-0.7": Client("neovim-0.7", ".lua", neovim("nvim"), frozenset({"hints"})),
    "neovim-0.11": Client("neovim-0.11", ".lua", neovim("{tools}/neovim/bin/nvim")),
    "eglot": Client("eglot", ".el", emacs("eglot.el"), frozenset({"hints"})),
    "lsp-mode": Client("lsp-mode", ".el", emacs("lsp_mode.el"), frozenset({"hints", "settings"}), plain=True),
    "ale": Client("ale", ".vim", vim("ale.vim"), frozenset({"hints", "settings"}), plain=True),
    "vscode": Client("", "", lambda given: ["node", str(CHECKS / "vscode/drive.mjs")], more=VSCODE_STEPS),
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Drive real editors against `leverlint server`.")
    parser.add_argument("clients", nargs="+", choices=[*CLIENTS, "all"], metavar="CLIENT")
    parser.add_argument("--tools", default="tools", metavar="DIR", help="what install_tools.sh has filled")
    parser.add_argument("--pictures", default="pictures", metavar="DIR", help="where screenshots go")
    parser.add_argument("--vsix", default=VSIX, metavar="FILE", help="the extension")
    arguments = parser.parse_args()
    names = list(CLIENTS) if "all" in arguments.clients else arguments.clients
    given = {
        "CHECK_TOOLS": str(Path(arguments.tools).resolve()),
        "CHECK_PICTURES": str(Path(arguments.pictures).resolve()),
        "CHECK_VSIX": str(Path(arguments.vsix).resolve()),
    }
    failed = sum(check(name, CLIENTS[name], given) for name in names)
    return 1 if failed else 0


def check(name: str, client: Client, places: Mapping[str, str]) -> int:
    """Run one client; give the number of steps that failed."""
    with tempfile.TemporaryDirectory(prefix="leverlint-check-") as folder:
        given = {**places, **prepare(Path(folder), client)}
        command = client.command(given)
        print(f"== {name}: {' '.join(command)}")
        environment = {**os.environ, **given}
        try:
            ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
        except (FileNotFoundError, subprocess.TimeoutExpired) as error:
            print(f"FAIL  {error}")
            return 1
        seen = dict(reported(Path(given["CHECK_REPORT"])))
    failed = 0
    for step in (*STEPS, *client.more):
        if step.name in client.lacks:
            continue
        passed = step.name in seen and step.holds(seen[step.name])
        failed += not passed
        print(f"{'PASS' if passed else 'FAIL'}  {step.name}: {step.expected}")
        print(f"      {json.dumps(seen.get(step.name, 'nothing'), ensure_ascii=False)}")
    if "error" in seen:
        print(f"      {seen['error']}")
    if failed:
        print((ended.stdout + ended.stderr)[-3000:])
    return failed


def prepare(folder: Path, client: Client) -> dict[str, str]:
    project.write(folder / "project", client.plain)
    snippet = folder / f"snippet{client.suffix}"
    if client.snippet:
        snippet.write_text(snippet_of(client.snippet), encoding="utf-8")
    return {
        "CHECK_PROJECT": str(folder / "project"),
        "CHECK_SNIPPET": str(snippet),
        "CHECK_REPORT": str(folder / "report.jsonl"),
        "HOME": str(folder),
    }


def snippet_of(name: str) -> str:
    found = re.search(rf"<!-- {re.escape(name)} -->\n```\w+\n(.*?)```", README.read_text(), re.DOTALL)
    if not found:
        raise SystemExit(f"{README} has no snippet {name}")
    return found[1]


def reported(file: Path) -> Iterator[tuple[str, object]]:
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            yield entry["step"], entry["value"]


if __name__ == "__main__":
    sys.exit(main())
