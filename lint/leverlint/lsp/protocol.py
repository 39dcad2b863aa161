"""The protocol, towards clients that do not keep to it: each request is answered, nothing ends the server.

pygls logs most of what is wrong with a message and goes on; a client then waits for ever.
"""

import json
import re
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

_HEADER = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,9})[ \t]*\r?\n", re.IGNORECASE)
_NAME = re.compile(rb"(?:^|\})content-length[ \t]*:", re.IGNORECASE)
_LARGEST = 2**31 - 1
"""Of the protocol's unsigned integers."""

_HANDLED = object()
"""In the place of a message that has been answered."""


class Messages:
    """A stream of messages: one with a wrong length costs itself and, at worst, the one behind it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._senseless = False

    def readline(self) -> bytes:
        if self._senseless:
            return b"\r\n"
        line = self._stream.readline()
        # What is left of the message before may stand in front.
        if (found := _HEADER.search(line)) and int(found[1]):
            return b"Content-Length: %d\r\n" % int(found[1])
        if _NAME.search(line):
            self._senseless = True
            return b"Content-Length: 1\r\n"
        return line

    def read(self, count: int) -> bytes:
        if self._senseless:
            self._senseless = False
            return b"!"  # which is answered as what cannot be read
        return self._stream.read(count)


class Protocol(LanguageServerProtocol):
    @property
    def was_shut_down(self) -> bool:
        """Whether the client has said that it is about to end."""
        return self._shutdown

    def structure_message(self, data: dict[str, Any]) -> Any:
        if "jsonrpc" not in data:
            return data
        try:
            self._check(data)
            return super().structure_message(data)
        except JsonRpcException as error:
            # What is no request has no answer.
            if "method" in data and isinstance(identity := data.get("id"), int | str):
                self._send_response(identity, error=error.to_response_error())
            return _HANDLED

    def _check(self, data: dict[str, Any]) -> None:
        if "method" not in data:
            return
        method = data["method"]
        if "id" in data and not isinstance(data["id"], int | str):
            raise JsonRpcInvalidRequest("`id` must be a number or a string")
        if not isinstance(method, str) or data["jsonrpc"] != self.VERSION:
            raise JsonRpcInvalidRequest("`method` must be a string and `jsonrpc` must be 2.0")
        if self._shutdown and method != types.EXIT:
            raise JsonRpcInvalidRequest("the server has been shut down")
        if self._workspace is None and method not in (types.INITIALIZE, types.EXIT):
            raise JsonRpcServerNotInitialized("the server has not been initialized")
        if self._workspace is not None and method == types.INITIALIZE:
            raise JsonRpcInvalidRequest("the server has been initialized already")
        if "id" in data and self.get_message_type(method) is None:
            raise JsonRpcMethodNotFound.of(method)
        if _has_impossible_position(data.get("params")):
            raise JsonRpcInvalidParams("a position has a number that is negative or too large")

    def handle_message(self, message: Any) -> None:
        if message is _HANDLED:
            return
        if not hasattr(message, "jsonrpc"):
            raise JsonRpcInvalidRequest("not a message: it has no `jsonrpc`")
        super().handle_message(message)

    def answer_nobody(self, error: Exception) -> None:
        """Tell of a message that cannot be read, or whose sender cannot be told."""
        if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError):
            error = JsonRpcParseError(str(error))
        if isinstance(error, JsonRpcException):
            told = {"code": error.code, "message": error.message}
            self._send_data({"jsonrpc": self.VERSION, "id": None, "error": told})


def _has_impossible_position(value: object) -> bool:
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending.extend(value)
        elif isinstance(value, dict):
            for key, inner in value.items():
                if key in ("line", "character") and isinstance(inner, int) and not 0 <= inner <= _LARGEST:
                    return True
                pending.append(inner)
    return False
