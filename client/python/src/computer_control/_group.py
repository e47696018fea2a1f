"""What all groups of operations share: each method is one request."""

from __future__ import annotations

from typing import Any, Mapping

from ._connection import AsyncConnection, Connection
from ._picture import read_picture

_NOTHING = 204


class Group:
    """Operations that wait for their answer."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _send(self, method: str, path: str, fields: Mapping[str, Any]) -> None:
        self._connection.request(method, path, fields)

    def _ask(self, method: str, path: str, fields: Mapping[str, Any]) -> Any:
        response = self._connection.request(method, path, fields)
        return None if response.status_code == _NOTHING else response.json()

    def _look(self, method: str, path: str, fields: Mapping[str, Any]) -> Any:
        response = self._connection.request(method, path, fields)
        return None if response.status_code == _NOTHING else read_picture(response)


class AsyncGroup:
    """Operations for `await`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def _send(self, method: str, path: str, fields: Mapping[str, Any]) -> None:
        await self._connection.request(method, path, fields)

    async def _ask(self, method: str, path: str, fields: Mapping[str, Any]) -> Any:
        response = await self._connection.request(method, path, fields)
        return None if response.status_code == _NOTHING else response.json()

    async def _look(self, method: str, path: str, fields: Mapping[str, Any]) -> Any:
        response = await self._connection.request(method, path, fields)
        return None if response.status_code == _NOTHING else read_picture(response)
