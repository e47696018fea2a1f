"""How requests reach the service, with and without `await`."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Iterator, Mapping
from urllib.parse import quote

import httpx

from ._errors import ComputerControlError, read_error

_DEFAULT_URL = "http://127.0.0.1:4242"
# an operation says itself how long it may take
_TIMEOUT = httpx.Timeout(None, connect=10)

_key: ContextVar[str | None] = ContextVar("idempotency_key", default=None)


@contextmanager
def idempotency_key(key: str) -> Iterator[None]:
    """Give the one call inside a key, any text that no other call has, such as a UUID.

    A call that is repeated with its key within ten minutes gets the first answer, and does nothing.
    """
    before = _key.set(key)
    try:
        yield
    finally:
        _key.reset(before)


class _Address:
    def __init__(self, url: str | None, token: str | None) -> None:
        if token is None and url is None:
            token = os.environ.get("COMPUTER_CONTROL_TOKEN") or None
        self.base = (url or os.environ.get("COMPUTER_CONTROL_URL") or _DEFAULT_URL).rstrip("/")
        self.headers = {} if token is None else {"authorization": f"Bearer {token}"}

    def request(self, method: str, path: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        rest = {name: value for name, value in fields.items() if value is not None}
        filled = re.sub(r"\{(\w+)\}", lambda part: quote(str(rest.pop(part[1])), safe=""), path)
        request: dict[str, Any] = {"method": method, "url": self.base + filled}
        key = _key.get()
        if key is not None:
            request["headers"] = {"idempotency-key": key}
        if method == "POST":
            request["json"] = rest
        elif rest:
            request["params"] = rest
        return request

    def unreachable(self) -> ComputerControlError:
        message = f"No answer came from {self.base}: is the service running?"
        return ComputerControlError("unreachable", message)


class Connection:
    """Requests that wait for their answer."""

    def __init__(self, url: str | None = None, token: str | None = None) -> None:
        self._address = _Address(url, token)
        # no proxy of the environment stands between us and a service of this computer
        self._http = httpx.Client(
            headers=self._address.headers, timeout=_TIMEOUT, trust_env=False
        )

    def request(self, method: str, path: str, fields: Mapping[str, Any]) -> httpx.Response:
        """The answer of an operation, or a `ComputerControlError`."""
        try:
            response = self._http.request(**self._address.request(method, path, fields))
        except httpx.TransportError as error:
            raise self._address.unreachable() from error
        if not response.is_success:
            raise read_error(response)
        return response

    def close(self) -> None:
        """Close the connections that are kept open."""
        self._http.close()


class AsyncConnection:
    """Requests for `await`; a task that is cancelled ends its operation."""

    def __init__(self, url: str | None = None, token: str | None = None) -> None:
        self._address = _Address(url, token)
        self._http = httpx.AsyncClient(
            headers=self._address.headers, timeout=_TIMEOUT, trust_env=False
        )

    async def request(self, method: str, path: str, fields: Mapping[str, Any]) -> httpx.Response:
        """The answer of an operation, or a `ComputerControlError`."""
        try:
            response = await self._http.request(**self._address.request(method, path, fields))
        except httpx.TransportError as error:
            raise self._address.unreachable() from error
        if not response.is_success:
            raise read_error(response)
        return response

    async def close(self) -> None:
        """Close the connections that are kept open."""
        await self._http.aclose()
