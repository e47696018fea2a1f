"""The computer toolset of the package `anthropic`, performed by the service.

`client.beta.messages.tool_runner(tools=[ComputerToolset(computer, confirm=confirm)], ...)`
"""

from __future__ import annotations

import re
from typing import Any, Mapping

from anthropic.tools import (
    BetaAbstractComputerToolset20260801,
    BetaAsyncAbstractComputerToolset20260801,
    BetaComputerCursorPositionResult,
    BetaComputerMemberResult,
    BetaScreenshotResult,
    BetaToolsetCallContext,
)

from . import AsyncComputerControl, ComputerControl
from .types import AnswerAnthropicResponse

__all__ = ["AsyncComputerToolset", "ComputerToolset"]

_MEMBERS_WITH_PICTURES = ("screenshot", "zoom")


class ComputerToolset(BetaAbstractComputerToolset20260801):
    """For `Anthropic`. Every member is one request.

    pictures: How pictures are made, and of which display: the fields of
        `computer.agents.anthropic` from `display_num` to `settle_ms`.
    options: Those of the package's own class: `confirm`, `configs`, `tool_configs`.
    """

    def __init__(
        self, computer: ComputerControl, *, pictures: Mapping[str, Any] | None = None, **options: Any
    ) -> None:
        super().__init__(**options)
        self._computer = computer
        self._pictures = dict(pictures or {})
        self._acted = False

    def execute(
        self, context: BetaToolsetCallContext, name: Any, input: Any
    ) -> BetaComputerMemberResult:
        """Perform one member."""
        acted, self._acted = self._acted, name not in _MEMBERS_WITH_PICTURES
        answer = self._computer.agents.anthropic(
            [_to_call(name, input)], then_screenshot=False, after_action=acted, **self._pictures
        )
        return _read_result(name, answer)


class AsyncComputerToolset(BetaAsyncAbstractComputerToolset20260801):
    """For `AsyncAnthropic`; arguments as those of `ComputerToolset`.

    When the task that runs it is cancelled, what it does stops at once.
    """

    def __init__(
        self,
        computer: AsyncComputerControl,
        *,
        pictures: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._computer = computer
        self._pictures = dict(pictures or {})
        self._acted = False

    async def execute(
        self, context: BetaToolsetCallContext, name: Any, input: Any
    ) -> BetaComputerMemberResult:
        """Perform one member."""
        acted, self._acted = self._acted, name not in _MEMBERS_WITH_PICTURES
        answer = await self._computer.agents.anthropic(
            [_to_call(name, input)], then_screenshot=False, after_action=acted, **self._pictures
        )
        return _read_result(name, answer)


def _to_call(name: str, input: Any) -> dict[str, Any]:
    fields = input.model_dump(exclude_none=True) if hasattr(input, "model_dump") else dict(input)
    call = {"type": "tool_use", "id": "call", "name": name, "toolset_name": "computer"}
    return {**call, "input": fields}


def _read_result(name: str, answer: AnswerAnthropicResponse) -> BetaComputerMemberResult:
    result: Mapping[str, Any] = answer["content"][0]
    parts = result["content"]
    text = "\n".join(part["text"] for part in parts if part["type"] == "text")
    if result.get("is_error"):
        raise RuntimeError(text)
    if name in _MEMBERS_WITH_PICTURES:
        source = next(part["source"] for part in parts if part["type"] == "image")
        return BetaScreenshotResult(data=source["data"], media_type=source["media_type"])
    if name != "cursor_position":
        return None
    x, y = (int(number) for number in re.findall(r"-?\d+", text))
    return BetaComputerCursorPositionResult(x=x, y=y)
