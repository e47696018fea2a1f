"""The drivers of `openai.lib.browser`, performed by the service.

`BrowserToolset(BrowserDriver(computer), confirm=confirm, url_policy=url_policy)`
"""

from __future__ import annotations

from typing import Any, Awaitable, Callable, Mapping

from openai.lib.browser import BrowserError, BrowserState

from . import AsyncComputerControl, ComputerControl, ComputerControlError
from ._picture import Picture

__all__ = ["AsyncBrowserDriver", "BrowserDriver"]

_MAX_NOTCHES = 1_000
_Action = Mapping[str, Any]
_Plan = tuple[str, dict[str, Any]]


class BrowserDriver:
    """For `BrowserToolset`. Every member is one request; `run_script` needs a service with
    `--browser-evaluate`.
    """

    def __init__(self, computer: ComputerControl) -> None:
        self._browser = computer.browser

    def state(self) -> BrowserState:
        """The open tabs; open dialogs of pages are dismissed, for nobody else would answer them."""
        for dialog in self._browser.dialogs():
            try:
                self._browser.dialog(False, tab_id=dialog["tab"])
            except ComputerControlError:
                pass  # a person has answered it meanwhile
        return _read_state(self._browser.tabs())

    def _perform(self, name: str, action: _Action) -> Any:
        plan = _plan(name, action)
        if plan is None:
            return None
        method, arguments = plan
        try:
            answer = getattr(self._browser, method)(**arguments)
        except ComputerControlError as error:
            raise BrowserError(str(error)) from error
        return _read(name, answer)


class AsyncBrowserDriver:
    """For `AsyncBrowserToolset`; as `BrowserDriver`.

    When the task that runs it is cancelled, what it does stops at once.
    """

    def __init__(self, computer: AsyncComputerControl) -> None:
        self._browser = computer.browser

    async def state(self) -> BrowserState:
        """The open tabs; open dialogs of pages are dismissed, for nobody else would answer them."""
        for dialog in await self._browser.dialogs():
            try:
                await self._browser.dialog(False, tab_id=dialog["tab"])
            except ComputerControlError:
                pass  # a person has answered it meanwhile
        return _read_state(await self._browser.tabs())

    async def _perform(self, name: str, action: _Action) -> Any:
        plan = _plan(name, action)
        if plan is None:
            return None
        method, arguments = plan
        try:
            answer = await getattr(self._browser, method)(**arguments)
        except ComputerControlError as error:
            raise BrowserError(str(error)) from error
        return _read(name, answer)


def _scroll(action: _Action) -> _Plan | None:
    notches = min(action["amount"], _MAX_NOTCHES)
    direction = action["direction"]
    across = direction in ("left", "right")
    sign = 1 if direction in ("up", "right") else -1
    turned = {"horizontal_clicks" if across else "clicks": sign * notches}
    return ("scroll", turned) if notches > 0 else None


def _zoom(action: _Action) -> _Plan:
    x, y, right, bottom = action["region"]
    return "screenshot", {"x": x, "y": y, "width": right - x, "height": bottom - y}


def _type(action: _Action) -> _Plan:
    if action["target"] is None:
        return "type", {"text": action["text"]}
    return "fill", {"ref": action["target"], "value": action["text"]}


_PLANS: dict[str, Callable[[_Action], _Plan | None]] = {
    "navigate": lambda action: ("navigate", {"url": action["url"]}),
    "read_page": lambda action: ("snapshot", {"filter": action["filter"]}),
    "read_diagnostics": lambda action: (action["source"], {"max": action["limit"]}),
    "run_script": lambda action: (
        "evaluate",
        {"expression": action["source"], "timeout_ms": action["timeout_ms"]},
    ),
    "get_page_text": lambda action: ("text", {}),
    "find": lambda action: ("find", {"query": action["query"]}),
    "click": lambda action: ("click", {"ref": action["target"]}),
    "click_at": lambda action: (
        "click",
        {
            **{name: action[name] for name in ("x", "y", "button", "click_count")},
            "modifiers": action["keys"],
        },
    ),
    "drag_path": lambda action: ("drag", {"path": action["path"], "modifiers": action["keys"]}),
    "hold_keys": lambda action: (
        "key",
        {"key": "+".join(action["keys"]), "duration_ms": action["duration_ms"]},
    ),
    "type": _type,
    "key": lambda action: ("key", {"key": "+".join(action["keys"])}),
    "scroll": _scroll,
    "scroll_to": lambda action: ("scroll", {"ref": action["target"]}),
    "wait_for": lambda action: (
        "wait",
        {"text": action["text"], "timeout_ms": action["timeout_ms"]},
    ),
    "select_option": lambda action: ("fill", {"ref": action["target"], "value": action["values"]}),
    "hover": lambda action: ("pointer", {"action": "move", "ref": action["target"]}),
    "hover_at": lambda action: ("pointer", {"action": "move", "x": action["x"], "y": action["y"]}),
    "set_checked": lambda action: ("fill", {"ref": action["target"], "value": action["checked"]}),
    "screenshot": lambda action: ("screenshot", {}),
    "zoom": _zoom,
    "new_tab": lambda action: ("open", {"url": action["url"]}),
    "switch_tab": lambda action: ("activate", {"tab_id": action["tab_id"]}),
    "close_tab": lambda action: ("close", {"tab_id": action["tab_id"]}),
}
# an element is in the tab of its snapshot
_WITHOUT_TAB = ("fill", "open", "activate", "close")


def _plan(name: str, action: _Action) -> _Plan | None:
    plan = _PLANS[name](action)
    if plan is None or plan[0] in _WITHOUT_TAB or "ref" in plan[1]:
        return plan
    return plan[0], {**plan[1], "tab_id": action.get("tab_id")}


def _read(name: str, answer: Any) -> Any:
    """What the model reads."""
    if name in ("read_page", "get_page_text", "find"):
        return answer["text"]
    if name in ("screenshot", "zoom"):
        return _to_image(answer)
    if name == "read_diagnostics":
        text = "\n".join(map(_entry_line, answer["entries"]))
        return {"version": 1, "text": text, "elements": [], "omitted": []}
    if name == "run_script":
        if answer["threw"]:
            raise BrowserError(answer["text"])
        return answer["text"]
    if name == "wait_for" and answer["status"] == "timeout":
        raise BrowserError("The page did not show that text in time.")
    if isinstance(answer, dict) and answer.get("result") == "unverified":
        return answer["reason"]
    return None


def _entry_line(entry: Mapping[str, Any]) -> str:
    if "level" in entry:
        return f"[{entry['level']}] {entry['text']}"
    return f"{entry['method']} {entry['url']} {entry['error'] or entry['status']}"


def _to_image(picture: Picture) -> dict[str, str]:
    return {"type": "input_image", "detail": "auto", "image_url": picture.to_data_url()}


def _read_state(tabs: Any) -> BrowserState:
    return {"tabs": [{name: tab[name] for name in ("id", "title", "url", "active")} for tab in tabs]}  # type: ignore[misc]


def _member(name: str) -> Callable[[BrowserDriver, _Action], Any]:
    def perform(self: BrowserDriver, action: _Action) -> Any:
        return self._perform(name, action)

    return perform


def _async_member(name: str) -> Callable[[AsyncBrowserDriver, _Action], Awaitable[Any]]:
    async def perform(self: AsyncBrowserDriver, action: _Action) -> Any:
        return await self._perform(name, action)

    return perform


# the toolset offers the model the members that a driver has
for _name in _PLANS:
    setattr(BrowserDriver, _name, _member(_name))
    setattr(AsyncBrowserDriver, _name, _async_member(_name))
