"""The bar that an editor shows while a project is read."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from leverlint import workers


@contextlib.asynccontextmanager
async def shown(server: LanguageServer, title: str) -> AsyncIterator[workers.Progress | None]:
    """Give what may be called in any thread to move the bar; `None` where the client has none."""
    window = server.client_capabilities.window
    token = str(uuid4())
    try:
        if window and window.work_done_progress:
            await server.work_done_progress.create_async(token)
        else:
            token = ""
    except JsonRpcException:
        token = ""
    if not token:
        yield None
        return
    bar, loop = server.work_done_progress, asyncio.get_running_loop()
    bar.begin(token, types.WorkDoneProgressBegin(title, cancellable=False, percentage=0))
    last = 0

    def move(done: int, of: int) -> None:
        nonlocal last
        percentage = 100 * done // max(of, 1)
        if percentage > last:
            last = percentage
            loop.call_soon_threadsafe(bar.report, token, types.WorkDoneProgressReport(percentage=percentage))

    try:
        yield move
    finally:
        bar.end(token, types.WorkDoneProgressEnd())
