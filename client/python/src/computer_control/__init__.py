"""A client of the Computer Control Service.

`ComputerControl(url, token)` has one method for each operation, by group:
`computer.mouse.left_click(x=10, y=20)`. `AsyncComputerControl` is the same for `await`.
"""

from __future__ import annotations

from ._async_operations import AsyncOperations
from ._connection import AsyncConnection, Connection, idempotency_key
from ._errors import ComputerControlError
from ._operations import Operations
from ._picture import Picture

__all__ = [
    "AsyncComputerControl",
    "ComputerControl",
    "ComputerControlError",
    "Picture",
    "idempotency_key",
]


class ComputerControl(Operations):
    """The operations of a service.

    url: Default: `COMPUTER_CONTROL_URL`, else `http://127.0.0.1:4242`. It may end with the name
        of the computer: `http://127.0.0.1:4242/desk-1`.
    token: What the service asks for. Default, where no `url` is given: `COMPUTER_CONTROL_TOKEN`.
    """

    def __init__(self, url: str | None = None, token: str | None = None) -> None:
        super().__init__(Connection(url, token))

    def close(self) -> None:
        """Close the connections that are kept open."""
        self._connection.close()

    def __enter__(self) -> ComputerControl:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncComputerControl(AsyncOperations):
    """The operations of a service for `await`; arguments as those of `ComputerControl`."""

    def __init__(self, url: str | None = None, token: str | None = None) -> None:
        super().__init__(AsyncConnection(url, token))

    async def close(self) -> None:
        """Close the connections that are kept open."""
        await self._connection.close()

    async def __aenter__(self) -> AsyncComputerControl:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
