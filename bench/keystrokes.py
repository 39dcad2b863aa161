"""Measure what somebody waits for who types in a big file while the whole project is watched.

    python bench/keystrokes.py TREE PREFIX FILE... [--lines N] [--strokes N] [--seed N]

The text that is typed in is that of the FILEs (relative to TREE), one behind the other and over
again until there are N lines; it stands in the editor in place of the first FILE, and nothing in
TREE is changed but `.leverlint_cache`. Half of the typing is near a finding, the rest anywhere; a
third leaves syntax broken. Prints times until the server is ready, from `didChange` to
`publishDiagnostics` (or to the certainty that there is nothing new to publish), and from
`Session.edit` to a report.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from typing import IO, Any, NamedTuple

_BROKEN = (b"abc", b"f((", b'"ab')


class Edit(NamedTuple):
    """One stroke: bytes from `start` to `end` are replaced."""

    start: int
    end: int
    text: bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree")
    parser.add_argument("prefix")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--strokes", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tree, path = os.path.abspath(arguments.tree), arguments.files[0]
    text = _grown(tree, arguments.files, arguments.lines)
    print(f"{path}: {len(text.splitlines())} lines, {len(text)} bytes")

    def typing(spans: Sequence[int]) -> Iterator[tuple[Edit, bytes]]:
        return _typing(text, path, spans, arguments.strokes, random.Random(arguments.seed))

    spans = _session(tree, arguments.prefix, path, text, typing)
    shutil.rmtree(os.path.join(tree, ".leverlint_cache"), ignore_errors=True)
    for state in ("cold", "warm"):
        editor = Editor(tree, arguments.prefix)
        print(f"server, {state}: ready after {editor.open(path) - editor.started:.2f} s")
        if state == "warm":
            editor.replace(text)
            _server(editor, typing(spans))
        editor.close()


def _grown(tree: str, files: Sequence[str], lines: int) -> bytes:
    """Give the texts of files until there are enough lines."""
    text = b""
    for path in cycle(files):
        with open(os.path.join(tree, path), "rb") as file:
            more = file.read()
        if text and (text + more).count(b"\n") > lines:
            return text
        text += more
    return text


def _typing(
    text: bytes, path: str, spans: Sequence[int], strokes: int, chance: random.Random
) -> Iterator[tuple[Edit, bytes]]:
    """Give strokes, and the text after each: three signs at a place, which are then deleted."""
    comment = b"# " if path.endswith(".py") else b"// "
    for _ in range(strokes // 4):
        near = spans and chance.random() < 0.5
        at = chance.choice(spans) + chance.randrange(-400, 400) if near else chance.randrange(len(text))
        at = max(0, min(at, len(text) - 1))
        if chance.random() < 1 / 3:
            typed = chance.choice(_BROKEN)
        else:
            typed = chance.choice((b"   ", comment, b"abc"))
            # A longer name is as good as any; all else goes to the end of a line.
            at = _end_of_word(text, at) if typed == b"abc" else text.find(b"\n", at)
        for position, sign in enumerate(typed):
            edit = Edit(at + position, at + position, bytes([sign]))
            text = text[: edit.start] + edit.text + text[edit.end :]
            yield edit, text
        edit = Edit(at, at + len(typed), b"")
        text = text[: edit.start] + text[edit.end :]
        yield edit, text


def _end_of_word(text: bytes, at: int) -> int:
    while at < len(text) and not text[at : at + 1].isalpha():
        at += 1
    while at < len(text) and text[at : at + 1].isalnum():
        at += 1
    return at


def _print(what: str, seconds: Sequence[float]) -> None:
    if seconds:
        ordered = sorted(1000 * each for each in seconds)
        p90, p99 = (ordered[int(len(ordered) * share)] for share in (0.9, 0.99))
        median = statistics.median(ordered)
        print(
            f"{what:28} median {median:6.1f} ms   p90 {p90:6.1f}   p99 {p99:6.1f}   most {ordered[-1]:6.1f}"
        )


# --- The session alone ---------------------------------------------------------------------------


def _session(
    tree: str,
    prefix: str,
    path: str,
    text: bytes,
    typing: Callable[[Sequence[int]], Iterator[tuple[Edit, bytes]]],
) -> list[int]:
    """Measure a session in this process; give where the text has findings."""
    from leverlint import config
    from leverlint.session import Session

    session = Session(config.load(tree, isolated=True, overrides={"prefixes": (prefix,)}))
    session.edit(path, text)
    spans = [finding.span.start for finding in session.report().findings if finding.path == path]
    waited, worked = [], []
    for _, content in typing(spans):
        clock, processor = time.perf_counter(), time.process_time()
        session.edit(path, content)
        session.report()
        waited.append(time.perf_counter() - clock)
        worked.append(time.process_time() - processor)
    _print("session", waited)
    _print("  of it the processor", worked)
    return spans


# --- The server --------------------------------------------------------------------------------------


class Editor:
    """A client that is sent diagnostics."""

    def __init__(self, tree: str, prefix: str) -> None:
        self.started = time.perf_counter()
        server = [os.path.join(os.path.dirname(sys.executable), "leverlint"), "server"]
        self.process = subprocess.Popen(server, cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._tree = tree
        self._requests = 0
        self._published = 0
        root = f"file://{tree}"
        given = {
            "processId": os.getpid(),
            "rootUri": root,
            "capabilities": {"general": {"positionEncodings": ["utf-8"]}},
            "workspaceFolders": [{"uri": root, "name": "tree"}],
            "initializationOptions": {"prefixes": [prefix]},
        }
        self.ask("initialize", given)
        self.tell("initialized", {})

    def open(self, path: str) -> float:
        """Open a file; give the time when its diagnostics have come."""
        self._uri = f"file://{self._tree}/{path}"
        with open(os.path.join(self._tree, path), "rb") as file:
            text = file.read().decode()
        document = {"uri": self._uri, "languageId": "any", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self.settled()

    def replace(self, text: bytes) -> None:
        document = {"uri": self._uri, "version": 1}
        change = {"textDocument": document, "contentChanges": [{"text": text.decode()}]}
        self.tell("textDocument/didChange", change)
        self.settled()

    def type(self, version: int, edit: Edit, before: bytes) -> None:
        ends = (_position(before, edit.start), _position(before, edit.end))
        change = {"range": dict(zip(("start", "end"), ends, strict=True)), "text": edit.text.decode()}
        document = {"uri": self._uri, "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def settled(self) -> float:
        """Give the time when diagnostics came, or the answer to a question that is answered behind them."""
        published, came = self._published, 0.0
        self._requests += 1
        question = {"textDocument": {"uri": self._uri}, "position": {"line": 0, "character": 0}}
        self._send({"id": self._requests, "method": "textDocument/completion", "params": question})
        while self._receive().get("id") != self._requests:
            if not came and self._published != published:
                came = time.perf_counter()
        return came or time.perf_counter()

    def processor(self) -> float:
        """Give the seconds that the server has worked so far, where the system tells (Linux)."""
        tasks = f"/proc/{self.process.pid}/task"
        total = 0
        for task in os.listdir(tasks) if os.path.isdir(tasks) else ():
            with open(os.path.join(tasks, task, "schedstat"), encoding="ascii") as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def memory(self) -> str:
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
                most = next(line for line in file if line.startswith("VmHWM"))
            return f"{int(most.split()[1]) / 1024:.0f} MB"
        except (OSError, StopIteration):
            return "unknown"

    def close(self) -> None:
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.wait(10)

    def ask(self, method: str, given: object) -> None:
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": given})
        while self._receive().get("id") != self._requests:
            pass

    def tell(self, method: str, given: object) -> None:
        self._send({"method": method, "params": given})

    def _send(self, message: dict[str, object]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream: IO[bytes] = self.process.stdin  # type: ignore[assignment]
        stream.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        stream.flush()

    def _receive(self) -> dict[str, Any]:
        """Take one message; a request of the server gets an empty answer."""
        stream: IO[bytes] = self.process.stdout  # type: ignore[assignment]
        size = 0
        while (line := stream.readline()) != b"\r\n":
            if not line:
                raise SystemExit("the server has gone")
            name, _, value = line.partition(b":")
            size = int(value) if name.lower() == b"content-length" else size
        message: dict[str, Any] = json.loads(stream.read(size))
        if "method" in message and "id" in message:
            self._send({"id": message["id"], "result": None})
            return {}
        if message.get("method") == "textDocument/publishDiagnostics":
            self._published += message["params"]["uri"] == self._uri
        return message


def _position(text: bytes, at: int) -> dict[str, int]:
    return {"line": text.count(b"\n", 0, at), "character": at - (text.rfind(b"\n", 0, at) + 1)}


def _server(editor: Editor, typing: Iterator[tuple[Edit, bytes]]) -> None:
    waited, worked = [], []
    for version, (edit, after) in enumerate(typing, start=2):
        before = after[: edit.start] + b" " * (edit.end - edit.start) + after[edit.start + len(edit.text) :]
        processor = editor.processor()
        clock = time.perf_counter()
        editor.type(version, edit, before)
        waited.append(editor.settled() - clock)
        worked.append(editor.processor() - processor)
    _print("server", waited)
    _print("  of it the processor", worked)
    print(f"server: {editor.memory()} at most")


if __name__ == "__main__":
    main()
