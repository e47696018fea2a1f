"""Actions of OpenAI's models, performed by the service one at a time."""

from __future__ import annotations

from typing import Any, Mapping

from . import AsyncComputerControl, ComputerControl
from .types import AnswerOpenaiResponse

_SCREENSHOT = {"type": "screenshot"}


class OpenAIActions:
    """For drivers that wait."""

    def __init__(self, computer: ComputerControl, pictures: Mapping[str, Any] | None) -> None:
        self._computer = computer
        self._pictures = dict(pictures or {})
        self._acted = False

    def perform(self, action: Mapping[str, Any]) -> None:
        """Perform it, or raise an error with the text that the model is answered."""
        self._acted = True
        _read(
            self._computer.agents.openai(_to_output(action), then_screenshot=False, **self._pictures)
        )

    def screenshot(self) -> str:
        """A data URL."""
        acted, self._acted = self._acted, False
        return _read_picture(
            self._computer.agents.openai(
                _to_output(_SCREENSHOT), after_action=acted, **self._pictures
            )
        )


class AsyncOpenAIActions:
    """For drivers with `await`."""

    def __init__(self, computer: AsyncComputerControl, pictures: Mapping[str, Any] | None) -> None:
        self._computer = computer
        self._pictures = dict(pictures or {})
        self._acted = False

    async def perform(self, action: Mapping[str, Any]) -> None:
        """Perform it, or raise an error with the text that the model is answered."""
        self._acted = True
        _read(
            await self._computer.agents.openai(
                _to_output(action), then_screenshot=False, **self._pictures
            )
        )

    async def screenshot(self) -> str:
        """A data URL."""
        acted, self._acted = self._acted, False
        return _read_picture(
            await self._computer.agents.openai(
                _to_output(_SCREENSHOT), after_action=acted, **self._pictures
            )
        )


def to_fields(action: Any) -> dict[str, Any]:
    """An action of the package `openai` as JSON."""
    fields: dict[str, Any] = action.model_dump(mode="json", exclude_none=True)
    return fields


def _to_output(action: Mapping[str, Any]) -> list[dict[str, Any]]:
    call = {"type": "computer_call", "call_id": "call", "status": "completed"}
    return [{**call, "actions": [dict(action)]}]


def _read(answer: AnswerOpenaiResponse) -> list[dict[str, Any]]:
    items = answer["input"]
    for item in items:
        if item["type"] == "message":
            raise RuntimeError("\n".join(part["text"] for part in item["content"]))
    return items


def _read_picture(answer: AnswerOpenaiResponse) -> str:
    outputs = [item["output"] for item in _read(answer) if item["type"] == "computer_call_output"]
    url: str = outputs[0]["image_url"]
    return url
