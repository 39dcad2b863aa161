"""`leverlint server`: the language server, on standard input and output."""

import argparse
import sys

from leverlint.errors import LeverlintError


def configure(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run)
    parser.add_argument("--stdio", action="store_true", help="talk on standard input and output (always so)")


def run(arguments: argparse.Namespace) -> int:
    try:
        from leverlint.lsp.features import register
        from leverlint.lsp.protocol import Messages
        from leverlint.lsp.server import LeverlintServer
    except ImportError as error:
        if error.name and error.name.partition(".")[0] in ("pygls", "lsprotocol"):
            raise LeverlintError(
                "the language server needs pygls, which is not installed", "pip install 'leverlint[lsp]'"
            ) from None
        raise
    server = LeverlintServer()
    register(server)
    # All that it takes of a stream is there.
    server.start_io(Messages(sys.stdin.buffer))  # type: ignore[arg-type]
    return 0 if server.protocol.was_shut_down else 1
