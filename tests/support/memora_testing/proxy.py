"""A TCP proxy that cuts the line when it is told to."""

import asyncio
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit


class CuttingProxy:
    """Passes bytes on to ``target`` until ``cut_after`` bytes of an answer went through."""

    def __init__(self, target, cut_after):
        parts = urlsplit(target)
        self._address = (parts.hostname, parts.port)
        self._left = cut_after
        self._tasks = set()

    async def connected(self, reader, writer):
        self._tasks.add(asyncio.current_task())
        upstream_reader, upstream_writer = await asyncio.open_connection(*self._address)
        sending = asyncio.create_task(self._send(reader, upstream_writer))
        with suppress(ConnectionError):
            while self._left > 0 and (piece := await upstream_reader.read(self._left)):
                self._left -= len(piece)
                writer.write(piece)
                await writer.drain()
        sending.cancel()
        for end in (writer, upstream_writer):
            end.transport.abort()
        await asyncio.gather(sending, return_exceptions=True)

    async def _send(self, reader, writer):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()

    async def finish(self):
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def cutting_proxy(target, *, cut_after):
    """Yield the address of a proxy in front of ``target``."""
    proxy = CuttingProxy(target, cut_after)
    server = await asyncio.start_server(proxy.connected, "127.0.0.1", 0)
    try:
        host, port = server.sockets[0].getsockname()
        yield f"http://{host}:{port}"
    finally:
        server.close()
        await proxy.finish()
