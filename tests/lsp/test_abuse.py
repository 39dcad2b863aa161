"""A client that does not keep to the protocol: every request is answered, and nothing ends the server."""

import json
import subprocess
import threading

import pytest

from .conftest import COMMAND, ENGINE

PARSE_ERROR, INVALID_REQUEST, NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED = -32002
URI = "file:///{}"


class Client:
    def __init__(self, root):
        self.root = root
        self.process = subprocess.Popen(
            COMMAND, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        # Whatever waits for an answer that does not come ends by this.
        self.alarm = threading.Timer(300, self.process.kill)
        self.alarm.start()

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send_body(self, body, length=None):
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body) if length is None else length, body))

    def send(self, **message):
        self.send_body(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server has ended"
        return json.loads(self.process.stdout.read(length))

    def answer(self, identity):
        while True:
            message = self.receive()
            if "id" in message and message["id"] == identity and "method" not in message:
                return message

    def error(self, identity=None):
        return self.answer(identity)["error"]["code"]

    def initialize(self):
        parameters = {"capabilities": {}, "processId": None, "rootUri": self.root.as_uri()}
        self.send(id="init", method="initialize", params=parameters)
        self.answer("init")
        self.send(method="initialized", params={})

    def hover(self, identity, **changes):
        position = {"line": 4, "character": 30, **changes}
        document = {"uri": (self.root / "engine.py").as_uri()}
        self.send(
            id=identity, method="textDocument/hover", params={"textDocument": document, "position": position}
        )

    def is_alive(self):
        self.hover("alive")
        return "ATLAS_KV_POISON" in json.dumps(self.answer("alive")["result"])

    def leave(self, *methods):
        for number, method in enumerate(methods):
            self.send(**({"id": f"end{number}"} if method == "shutdown" else {}), method=method)
            if method == "shutdown":
                self.answer(f"end{number}")
        self.process.stdin.close()
        return self.process.wait(timeout=60)


@pytest.fixture
def raw(project):
    """A client of its own, that has not begun."""
    yield from started(project)


@pytest.fixture
def own(raw):
    raw.initialize()
    return raw


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """One client for all: whatever it does, the server is to be there for the next test."""
    root = tmp_path_factory.mktemp("abuse")
    (root / ".git").mkdir()
    (root / "engine.py").write_text(ENGINE, "utf-8")
    for client in started(root):
        client.initialize()
        yield client


def started(root):
    client = Client(root)
    yield client
    client.alarm.cancel()
    client.process.kill()
    client.process.wait()
    client.process.stdout.close()


@pytest.mark.parametrize(
    "body",
    [b"{", b"nonsense", b"\xff\xfe", b"[" * 100_000, b'{"jsonrpc": "2.0", "id": 1, "method": '],
)
def test_what_cannot_be_read(client, body):
    client.send_body(body)
    assert client.error() == PARSE_ERROR
    assert client.is_alive()


@pytest.mark.parametrize("body", [b"[]", b"1", b'"x"', b"null", b"{}", b'{"id": 7}'])
def test_what_is_no_message(client, body):
    client.send_body(body)
    assert client.error() == INVALID_REQUEST
    assert client.is_alive()


@pytest.mark.parametrize("length", [b"-5", b"many", b"0", b"99999999999999999999", b""])
def test_a_length_that_is_none(client, length):
    client.send_bytes(b"Content-Length: " + length + b"\r\n\r\n")
    assert client.error() == PARSE_ERROR
    assert client.is_alive()


def test_a_length_that_is_too_short(client):
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}'
    client.send_body(body, len(body) - 10)
    assert client.error() == PARSE_ERROR
    assert client.is_alive()


def test_a_length_that_is_too_long(client):
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}'
    client.send_body(body, len(body) + 5)
    client.hover("swallowed")
    assert client.error() == PARSE_ERROR
    assert client.is_alive()


def test_headers_spelt_otherwise(client):
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "no/such"}'
    client.send_bytes(b"content-length:%d\nX-Other: 1\n\n%s" % (len(body), body))
    assert client.error(1) == NOT_FOUND
    assert client.is_alive()


@pytest.mark.parametrize(
    "params",
    [None, [], 3, {}, {"textDocument": 3, "position": {"line": 0, "character": 0}}, {"position": "x"}],
)
@pytest.mark.parametrize(
    "method", ["textDocument/hover", "textDocument/diagnostic", "workspace/executeCommand"]
)
def test_wrong_parameters(client, method, params):
    client.send(id=1, method=method, params=params)
    assert client.error(1) == INVALID_PARAMS
    assert client.is_alive()


@pytest.mark.parametrize("changes", [{"line": -1}, {"character": -1}, {"line": 2**31}, {"line": 10**30}])
def test_impossible_positions(client, changes):
    client.hover(1, **changes)
    assert client.error(1) == INVALID_PARAMS
    assert client.is_alive()


@pytest.mark.parametrize("changes", [{"line": 2**31 - 1}, {"character": 2**31 - 1}])
def test_positions_behind_the_end(client, changes):
    client.hover(1, **changes)
    assert "error" not in client.answer(1)


@pytest.mark.parametrize("identity", [None, [], {}, 1.5, True])
def test_odd_names_of_requests(client, identity):
    client.send(id=identity, method="textDocument/hover", params={})
    assert client.is_alive()


@pytest.mark.parametrize("message", [{"method": 3}, {"method": "x", "jsonrpc": "1.0"}, {"method": None}])
def test_odd_methods(client, message):
    client.send(**{"id": 1, **message})
    assert client.error(1) == INVALID_REQUEST
    assert client.is_alive()


def test_before_initialize(raw):
    raw.hover(1)
    assert raw.error(1) == NOT_INITIALIZED
    raw.send(method="textDocument/didOpen", params={})
    raw.initialize()
    assert raw.is_alive()


def test_initialize_twice(client):
    client.send(id=1, method="initialize", params={"capabilities": {}})
    assert client.error(1) == INVALID_REQUEST
    assert client.is_alive()


def test_after_shutdown(own):
    own.send(id=1, method="shutdown")
    own.answer(1)
    own.hover(2)
    assert own.error(2) == INVALID_REQUEST
    assert own.leave("exit") == 0


@pytest.mark.parametrize(
    ("methods", "code"), [(["shutdown", "exit"], 0), (["exit"], 1), ([], 1), (["shutdown"], 0)]
)
def test_how_it_ends(own, methods, code):
    assert own.leave(*methods) == code


def test_exit_before_anything(raw):
    assert raw.leave("exit") == 1


@pytest.mark.parametrize(
    "uri",
    [
        "file:///%ff%00",
        "file:///a%00b.py",
        "untitled:Untitled-1",
        "",
        "file:",
        "https://example.com/a.py",
        "%%%",
    ],
)
def test_odd_addresses(client, uri):
    document = {"uri": uri, "languageId": "python", "version": 1, "text": 'import os\nos.getenv("ATLAS_X")\n'}
    client.send(method="textDocument/didOpen", params={"textDocument": document})
    client.send(
        id=1,
        method="textDocument/hover",
        params={"textDocument": {"uri": uri}, "position": {"line": 1, "character": 14}},
    )
    assert "error" not in client.answer(1)
    assert client.is_alive()


def test_edits_out_of_order_and_out_of_range(client):
    uri = (client.root / "engine.py").as_uri()
    for version, (first, last) in enumerate([((9, 0), (2, 5)), ((900, 9), (901, 0)), ((0, 900), (0, 901))]):
        edit = {
            "range": {
                "start": {"line": first[0], "character": first[1]},
                "end": {"line": last[0], "character": last[1]},
            },
            "text": "x\ud83d",
        }
        client.send(
            method="textDocument/didChange",
            params={"textDocument": {"uri": uri, "version": version}, "contentChanges": [edit]},
        )
    client.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
    assert client.is_alive()
