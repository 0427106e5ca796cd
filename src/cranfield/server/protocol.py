"""HTTP as uvicorn speaks it, with limits for the head of a request: its size and the time it takes.

The parser keeps a head in memory until it is complete, however long it is and takes.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_LONGEST_HEAD = 1 << 16
"""Bytes."""
_PATIENCE = 30.0
"""Seconds for a head, from its first byte or from when somebody connected."""


class LimitedProtocol(HttpToolsProtocol):
    """A connection."""

    _head = 0
    _deadline: asyncio.TimerHandle | None = None
    _in_head = True

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._deadline = self.loop.call_later(_PATIENCE, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_of_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            if self._head > _LONGEST_HEAD:
                self.send_400_response("The head of this request is too long.")
                return
            self._head += len(data)
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head = True, 0
        if self._deadline is None:
            self._deadline = self.loop.call_later(_PATIENCE, self.transport.close)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._end_of_head()
        super().on_headers_complete()

    def _end_of_head(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
