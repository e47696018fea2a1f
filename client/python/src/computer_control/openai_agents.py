"""The `Computer` of the package `openai-agents`, performed by the service.

`Agent(tools=[ComputerTool(AgentsComputer(computer))], ...)`
"""

from __future__ import annotations

from typing import Any, Mapping

from agents import AsyncComputer, Button, Computer

from . import AsyncComputerControl, ComputerControl
from ._openai_actions import AsyncOpenAIActions, OpenAIActions

__all__ = ["AgentsComputer", "AsyncAgentsComputer"]

_Keys = list[str] | None
_Path = list[tuple[int, int]]


class AgentsComputer(Computer):
    """A computer with methods that wait.

    pictures: How pictures are made, and of which display: the fields of `computer.agents.openai`
        from `display_num` to `settle_ms`.
    """

    def __init__(
        self, computer: ComputerControl, *, pictures: Mapping[str, Any] | None = None
    ) -> None:
        self._actions = OpenAIActions(computer, pictures)

    def screenshot(self) -> str:
        """Base64."""
        return self._actions.screenshot().partition(",")[2]

    def click(self, x: int, y: int, button: Button, *, keys: _Keys = None) -> None:
        """Click."""
        self._perform("click", x=x, y=y, button=button, keys=keys)

    def double_click(self, x: int, y: int, *, keys: _Keys = None) -> None:
        """Double-click."""
        self._perform("double_click", x=x, y=y, keys=keys)

    def scroll(
        self, x: int, y: int, scroll_x: int, scroll_y: int, *, keys: _Keys = None
    ) -> None:
        """Scroll by pixels."""
        self._perform("scroll", x=x, y=y, scroll_x=scroll_x, scroll_y=scroll_y, keys=keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self._perform("type", text=text)

    def wait(self) -> None:
        """Wait a second."""
        self._perform("wait")

    def move(self, x: int, y: int, *, keys: _Keys = None) -> None:
        """Move the cursor."""
        self._perform("move", x=x, y=y, keys=keys)

    def keypress(self, keys: list[str]) -> None:
        """Press keys together."""
        self._perform("keypress", keys=keys)

    def drag(self, path: _Path, *, keys: _Keys = None) -> None:
        """Drag along a path."""
        self._perform("drag", path=_to_points(path), keys=keys)

    def _perform(self, type: str, **fields: Any) -> None:
        self._actions.perform(_to_action(type, fields))


class AsyncAgentsComputer(AsyncComputer):
    """A computer for `await`; arguments as those of `AgentsComputer`.

    When the task that runs it is cancelled, what it does stops at once.
    """

    def __init__(
        self, computer: AsyncComputerControl, *, pictures: Mapping[str, Any] | None = None
    ) -> None:
        self._actions = AsyncOpenAIActions(computer, pictures)

    async def screenshot(self) -> str:
        """Base64."""
        return (await self._actions.screenshot()).partition(",")[2]

    async def click(self, x: int, y: int, button: Button, *, keys: _Keys = None) -> None:
        """Click."""
        await self._perform("click", x=x, y=y, button=button, keys=keys)

    async def double_click(self, x: int, y: int, *, keys: _Keys = None) -> None:
        """Double-click."""
        await self._perform("double_click", x=x, y=y, keys=keys)

    async def scroll(
        self, x: int, y: int, scroll_x: int, scroll_y: int, *, keys: _Keys = None
    ) -> None:
        """Scroll by pixels."""
        await self._perform("scroll", x=x, y=y, scroll_x=scroll_x, scroll_y=scroll_y, keys=keys)

    async def type(self, text: str) -> None:
        """Type a text."""
        await self._perform("type", text=text)

    async def wait(self) -> None:
        """Wait a second."""
        await self._perform("wait")

    async def move(self, x: int, y: int, *, keys: _Keys = None) -> None:
        """Move the cursor."""
        await self._perform("move", x=x, y=y, keys=keys)

    async def keypress(self, keys: list[str]) -> None:
        """Press keys together."""
        await self._perform("keypress", keys=keys)

    async def drag(self, path: _Path, *, keys: _Keys = None) -> None:
        """Drag along a path."""
        await self._perform("drag", path=_to_points(path), keys=keys)

    async def _perform(self, type: str, **fields: Any) -> None:
        await self._actions.perform(_to_action(type, fields))


def _to_action(type: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": type, **{name: value for name, value in fields.items() if value is not None}}


def _to_points(path: _Path) -> list[dict[str, int]]:
    return [{"x": x, "y": y} for x, y in path]
