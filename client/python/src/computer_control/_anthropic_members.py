"""The members of Anthropic's browser toolset as calls of the service."""

from __future__ import annotations

import re
from typing import Any, Callable, Mapping

from anthropic.tools.browser import (
    BetaBrowserMemberResult,
    BetaBrowserNavigateResult,
    BetaScreenshotResult,
)

_Input = Mapping[str, Any]
_Call = tuple[str, dict[str, Any]]


def to_fields(input: Any) -> dict[str, Any]:
    """The input of a member, whose package may have parsed it."""
    return input.model_dump(exclude_none=True) if hasattr(input, "model_dump") else dict(input)


def to_calls(name: str, fields: _Input) -> list[_Call]:
    """What a member asks of `computer.browser`: methods and their arguments."""
    return _CALLS[name](fields)


def _in_tab(fields: _Input) -> dict[str, Any]:
    return {"tab_id": fields["tab_id"]} if fields.get("tab_id") else {}


def _place(fields: _Input) -> dict[str, Any]:
    target = fields["target"]
    if target["type"] == "ref":
        return {"ref": target["ref"]}
    return {"x": target["x"], "y": target["y"], **_in_tab(fields)}


def _navigate(fields: _Input) -> list[_Call]:
    url = fields["url"].strip()
    if url.lower() in ("back", "forward", "reload"):
        return [("navigate", {"history": url.lower(), **_in_tab(fields)})]
    # `example.org` means `https://example.org`
    whole = url if re.match(r"[a-z][a-z0-9+.-]*:(?!\d)", url, re.IGNORECASE) else f"https://{url}"
    return [("navigate", {"url": whole, **_in_tab(fields)})]


def _zoom(fields: _Input) -> list[_Call]:
    x, y, right, bottom = fields["region"]
    region = {"x": x, "y": y, "width": right - x, "height": bottom - y}
    return [("screenshot", {**region, **_in_tab(fields)})]


def _click(button: str, count: int) -> Callable[[_Input], list[_Call]]:
    def call(fields: _Input) -> list[_Call]:
        modifiers = fields["modifiers"].split("+") if fields.get("modifiers") else []
        how = {"button": button, "click_count": count, "modifiers": modifiers}
        return [("click", {**_place(fields), **how})]

    return call


def _pointer(action: str) -> Callable[[_Input], list[_Call]]:
    return lambda fields: [("pointer", {"action": action, **_place(fields)})]


def _drag(fields: _Input) -> list[_Call]:
    start = fields.get("from") or fields["from_"]
    path = [{"x": point["x"], "y": point["y"]} for point in (start, fields["target"])]
    return [("drag", {"path": path, **_in_tab(fields)})]


def _scroll(fields: _Input) -> list[_Call]:
    direction = fields["scroll_direction"]
    notches = fields.get("scroll_amount", 3) * (1 if direction in ("up", "right") else -1)
    field = "clicks" if direction in ("up", "down") else "horizontal_clicks"
    return [("scroll", {**_place(fields), field: notches})]


def _key(fields: _Input) -> list[_Call]:
    how = {"repeat": fields.get("repeat", 1), **_in_tab(fields)}
    return [("key", {"key": key, **how}) for key in fields["text"].split() or [fields["text"]]]


def _hold_key(fields: _Input) -> list[_Call]:
    how = {"duration_ms": round(fields["duration"] * 1000), **_in_tab(fields)}
    return [("key", {"key": fields["text"], **how})]


def _read_page(fields: _Input) -> list[_Call]:
    how = {"filter": fields.get("filter", "visible"), "max_depth": fields.get("depth", 15)}
    part = {"ref": fields["ref"]} if fields.get("ref") else {}
    return [("snapshot", {**how, **part, **_in_tab(fields)})]


def _file_upload(fields: _Input) -> list[_Call]:
    if fields.get("document_ids"):
        raise RuntimeError("Only files of the computer can be uploaded")
    return [("upload", {"ref": fields["target"]["ref"], "paths": list(fields.get("paths", []))})]


_CALLS: dict[str, Callable[[_Input], list[_Call]]] = {
    "navigate": _navigate,
    "screenshot": lambda fields: [("screenshot", _in_tab(fields))],
    "zoom": _zoom,
    "left_click": _click("left", 1),
    "right_click": _click("right", 1),
    "middle_click": _click("middle", 1),
    "double_click": _click("left", 2),
    "triple_click": _click("left", 3),
    "hover": _pointer("move"),
    "mouse_move": _pointer("move"),
    "left_mouse_down": _pointer("down"),
    "left_mouse_up": _pointer("up"),
    "left_click_drag": _drag,
    "scroll": _scroll,
    "scroll_to": lambda fields: [("scroll", {"ref": fields["target"]["ref"]})],
    "type": lambda fields: [("type", {"text": fields["text"], **_in_tab(fields)})],
    "key": _key,
    "hold_key": _hold_key,
    "form_input": lambda fields: [
        ("fill", {"ref": fields["target"]["ref"], "value": fields["value"]})
    ],
    "read_page": _read_page,
    "find": lambda fields: [("find", {"query": fields["query"], **_in_tab(fields)})],
    "get_page_text": lambda fields: [("text", _in_tab(fields))],
    "file_upload": _file_upload,
    "read_console": lambda fields: [("console", _in_tab(fields))],
    "read_network": lambda fields: [("network", _in_tab(fields))],
    "javascript_exec": lambda fields: [
        ("evaluate", {"expression": fields["text"], **_in_tab(fields)})
    ],
    "new_tab": lambda fields: [("open", {})],
    "list_tabs": lambda fields: [("tabs", {})],
    "switch_tab": lambda fields: [("activate", {"tab_id": fields["tab_id"]})],
    "close_tab": lambda fields: [("close", {"tab_id": fields["tab_id"]})],
}


def read(name: str, answer: Any) -> BetaBrowserMemberResult:
    """What the model reads."""
    reader = _READERS.get(name)
    return None if reader is None else reader(answer)


def _read_navigation(answer: Any) -> BetaBrowserNavigateResult:
    tab = answer["tab"]
    return BetaBrowserNavigateResult(
        url=tab["url"], title=tab["title"], status=answer["http_status"]
    )


def _read_snapshot(answer: Any) -> str:
    if not answer["truncated"]:
        return str(answer["text"])
    return f"{answer['text']}\n(More is left out: {', '.join(answer['truncated'])})"


def _read_script(answer: Any) -> str:
    if answer["threw"]:
        raise RuntimeError(answer["text"])
    return str(answer["text"])


def _read_network(answer: Any) -> str:
    lines = [
        f"{each['method']} {each['url']} {each['error'] or each['status'] or '(no answer yet)'}"
        for each in answer["entries"]
    ]
    return "\n".join(lines) or "No requests."


def _read_console(answer: Any) -> str:
    lines = [f"[{each['level']}] {each['text']}" for each in answer["entries"]]
    return "\n".join(lines) or "No messages."


def _read_filled(answer: Any) -> str | None:
    return None if answer["result"] == "confirmed" else str(answer["reason"])


def _read_picture(answer: Any) -> BetaScreenshotResult:
    return BetaScreenshotResult(data=answer.to_base64())


def to_tab(tab: Mapping[str, Any]) -> Any:
    """A tab as the package has it."""
    return {**{name: tab[name] for name in ("title", "url", "active")}, "tab_id": tab["id"]}


def to_download(each: Mapping[str, Any]) -> Any:
    """A download as the package has it."""
    common = {"download_id": each["id"], "url": each["url"]}
    if each["state"] == "running":
        return {"type": "download_started", **common}
    if each["state"] == "failed":
        return {"type": "download_failed", **common}
    size = {"path": each["path"], "size_bytes": each["bytes"]}
    return {"type": "download_completed", **common, **size}


_READERS: dict[str, Callable[[Any], BetaBrowserMemberResult]] = {
    "navigate": _read_navigation,
    "screenshot": _read_picture,
    "zoom": _read_picture,
    "form_input": _read_filled,
    "file_upload": _read_filled,
    "read_page": _read_snapshot,
    "find": lambda answer: answer["text"] if answer["elements"] else "No element was found.",
    "get_page_text": lambda answer: answer["text"] or "The page has no text.",
    "read_console": _read_console,
    "read_network": _read_network,
    "javascript_exec": _read_script,
    "new_tab": lambda answer: to_tab(answer["tab"]),
    "list_tabs": lambda answer: [to_tab(tab) for tab in answer],
    "switch_tab": to_tab,
}
