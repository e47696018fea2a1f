"""The drivers of `openai.lib.computer`, performed by the service.

`ComputerToolset(ComputerDriver(computer)).run(client, {"model": ..., "input": ...})`
"""

from __future__ import annotations

from typing import Any, Mapping

from openai.lib.computer import Screenshot

from . import AsyncComputerControl, ComputerControl
from ._openai_actions import AsyncOpenAIActions, OpenAIActions, to_fields

__all__ = ["AsyncComputerDriver", "ComputerDriver"]


class ComputerDriver:
    """For `ComputerToolset`. Every action is one request.

    pictures: How pictures are made, and of which display: the fields of `computer.agents.openai`
        from `display_num` to `settle_ms`.
    """

    def __init__(
        self, computer: ComputerControl, *, pictures: Mapping[str, Any] | None = None
    ) -> None:
        self._actions = OpenAIActions(computer, pictures)

    def _perform(self, action: Any) -> None:
        self._actions.perform(to_fields(action))

    click = double_click = drag = keypress = move = scroll = type = wait = _perform

    def screenshot(self) -> Screenshot:
        """A picture that the model takes as it is."""
        return {"type": "computer_screenshot", "image_url": self._actions.screenshot()}


class AsyncComputerDriver:
    """For `AsyncComputerToolset`; arguments as those of `ComputerDriver`.

    When the task that runs it is cancelled, what it does stops at once.
    """

    def __init__(
        self, computer: AsyncComputerControl, *, pictures: Mapping[str, Any] | None = None
    ) -> None:
        self._actions = AsyncOpenAIActions(computer, pictures)

    async def _perform(self, action: Any) -> None:
        await self._actions.perform(to_fields(action))

    click = double_click = drag = keypress = move = scroll = type = wait = _perform

    async def screenshot(self) -> Screenshot:
        """A picture that the model takes as it is."""
        return {"type": "computer_screenshot", "image_url": await self._actions.screenshot()}
