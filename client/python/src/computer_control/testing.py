"""Desks for tests: a desk is a desktop of its own, and `expect` waits for what it should show.

Under pytest the fixture `desk` is one, made and deleted for each test (`pytest_plugin.py`).
`with new_desk(computer) as desk:` makes one anywhere.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Mapping, overload

import httpx

from . import ComputerControl, ComputerControlError, types
from ._connection import Connection
from ._operations import Browser, Operations

__all__ = ["Desk", "Elements", "expect", "new_desk"]

__tracebackhide__ = True  # of pytest: a failure is shown where the test waits
_TIMEOUT_MS = 10_000
_POLL_INTERVAL_S = 0.1
_MAX_SHOWN = 4_000  # characters of what was there instead


@contextmanager
def new_desk(computer: ComputerControl, **fields: Any) -> Iterator[Desk]:
    """A desk with a random name, deleted at the end; its fields are those of `desk/create`."""
    entry = computer.desk.create(name=f"test-{secrets.token_hex(6)}", **fields)
    try:
        yield Desk(computer, entry)
    finally:
        try:
            computer.desk.delete(name=entry["name"])
        except ComputerControlError as error:
            if error.code != "not_found":  # the test may have deleted it
                raise


class Desk(Operations):
    """The operations of a service, each on this desk: `desk.mouse.left_click(x=10, y=20)`.

    name: By which operations name it.
    folder: The home of its programs, on the computer of the service.
    """

    def __init__(self, computer: ComputerControl, entry: types.CreateDeskResponse) -> None:
        super().__init__(_DeskConnection(computer._connection, entry["name"]))
        self.name = entry["name"]
        self.folder = entry["folder"]
        self.screenshot = self.display.screenshot

    def open(self, program: str, *args: str) -> types.OpenWindowResponse:
        """Start a program, and wait for its window."""
        return self.window.open(program=program, args=list(args))

    def find(self, name: str | None = None, **criteria: Any) -> Elements:
        """The visible elements that match `name`, `role`, `text`, `states` and `exact`.

        These are the fields of `accessibility/find`. Each use looks for the elements anew.
        """
        return Elements(self, criteria if name is None else {"name": name, **criteria})

    def read_file(self, path: str) -> bytes:
        """A file of the service's computer; a relative path is one in the folder of the desk."""
        absolute = path if path.startswith("/") else f"{self.folder}/{path}"
        return self._connection.request("GET", "/v1/files/{path}", {"path": absolute}).content


class _DeskConnection(Connection):
    """Names the desk in each operation that can run on one."""

    def __init__(self, inner: Connection, desk: str) -> None:
        self._inner = inner
        self._desk = desk

    def request(self, method: str, path: str, fields: Mapping[str, Any]) -> httpx.Response:
        if fields.get("desk", "") is None:
            fields = {**fields, "desk": self._desk}
        return self._inner.request(method, path, fields)


class Elements:
    """The elements of a desk that match, those with exactly this name first."""

    def __init__(self, desk: Operations, criteria: Mapping[str, Any]) -> None:
        self.desk = desk
        self.criteria = criteria

    def __str__(self) -> str:
        return f"element {' '.join(f'{key}={_quote(each)}' for key, each in self.criteria.items())}"

    def all(self, *, include_hidden: bool = False) -> list[Any]:
        """Those that are there now, without waiting."""
        fields: Any = {**self.criteria, "window": "all", "include_hidden": include_hidden}
        return list(self.desk.accessibility.find(**fields)["elements"])

    def get(self, *, timeout_ms: int = _TIMEOUT_MS) -> Any:
        """Wait for the first one, which has a `ref`."""
        expect(self).to_be_visible(timeout_ms=timeout_ms)
        for element in self.all():
            return element
        raise AssertionError(f"The {self} was visible, and is gone again")

    def click(self, **fields: Any) -> None:
        """Wait for the first one, and click it; `fields` are those of `mouse/left-click`."""
        self.desk.mouse.left_click(ref=self.get()["ref"], **fields)


@overload
def expect(target: Elements) -> ElementExpectation: ...
@overload
def expect(target: Browser) -> PageExpectation: ...
@overload
def expect(target: Operations) -> DeskExpectation: ...
def expect(target: Elements | Browser | Operations) -> Any:
    """What should be so of a desk, of `desk.find(...)`, or of the page in `desk.browser`.

    Each method waits for it, and raises an `AssertionError` that says what was there instead.
    """
    if isinstance(target, Elements):
        return ElementExpectation(target)
    return PageExpectation(target) if isinstance(target, Browser) else DeskExpectation(target)


class DeskExpectation:
    """What should be so of a desk. Titles and texts are parts, ignoring case."""

    def __init__(self, desk: Operations) -> None:
        self._desk = desk

    def to_show_text(self, text: str, *, timeout_ms: int = _TIMEOUT_MS) -> None:
        """Wait until a visible element has it in its name, value or description."""
        self._wait({"text": text}, f"the text {_quote(text)}", timeout_ms)

    def not_to_show_text(self, text: str, *, timeout_ms: int = _TIMEOUT_MS) -> None:
        """Wait until no visible element has it."""
        self._wait({"gone": {"text": text}}, f"no text {_quote(text)}", timeout_ms)

    def to_have_window(self, title: str, *, timeout_ms: int = _TIMEOUT_MS) -> None:
        """Wait until a window with this title is open."""
        self._wait({"window": {"title": title}}, f"a window {_quote(title)}", timeout_ms)

    def not_to_have_window(self, title: str, *, timeout_ms: int = _TIMEOUT_MS) -> None:
        """Wait until none is open."""
        self._wait({"gone": {"window": {"title": title}}}, f"no window {_quote(title)}", timeout_ms)

    def _wait(self, until: Any, expected: str, timeout_ms: int) -> None:
        answer = self._desk.display.wait(until=until, timeout_ms=timeout_ms)
        if answer["status"] == "timeout":
            raise _failure(expected, timeout_ms, self._describe)

    def _describe(self) -> str:
        titles = ", ".join(_quote(each["title"]) for each in self._desk.window.list())
        snapshot = self._desk.accessibility.snapshot(window="all", max_chars=_MAX_SHOWN)
        return f"windows: {titles or 'none'}; elements:\n{snapshot.get('text') or 'none'}"


class ElementExpectation(DeskExpectation):
    """What should be so of elements."""

    def __init__(self, elements: Elements) -> None:
        super().__init__(elements.desk)
        self._elements = elements

    def to_be_visible(self, *, timeout_ms: int = _TIMEOUT_MS) -> None:
        """Wait until one of them is visible."""
        until = {"element": self._elements.criteria}
        self._wait(until, f"{self._elements} to be visible", timeout_ms)

    def not_to_be_visible(self, *, timeout_ms: int = _TIMEOUT_MS) -> None:
        """Wait until none of them is visible."""
        until = {"gone": {"element": self._elements.criteria}}
        self._wait(until, f"{self._elements} not to be visible", timeout_ms)

    def to_have_value(self, value: str | re.Pattern[str], *, timeout_ms: int = _TIMEOUT_MS) -> None:
        """Wait until the first of them has this value, or one in which the pattern is found."""
        end = time.monotonic() + timeout_ms / 1_000
        while not _matches(self._read_value(), value):
            if time.monotonic() >= end:
                wanted = _quote(value) if isinstance(value, str) else repr(value)
                expected = f"{self._elements} to have the value {wanted}"
                raise _failure(expected, timeout_ms, self._describe)
            time.sleep(_POLL_INTERVAL_S)

    def _read_value(self) -> str | None:
        """`None`: it has no value, or there is no such element."""
        for element in self._elements.all():
            try:
                return self._desk.accessibility.value(ref=element["ref"])["value"]
            except ComputerControlError as error:
                if error.code != "conflict":  # it has gone since
                    raise
        return None

    def _describe(self) -> str:
        for element in self._elements.all():
            value = f", value {_quote(element['value'])}" if "value" in element else ""
            within = f", in {element['within']}" if "within" in element else ""
            return f"{element['role']} {_quote(element['name'])}{value}{within}"
        hidden = self._elements.all(include_hidden=True)
        return ("it, but not visible; " if hidden else "") + super()._describe()


class PageExpectation:
    """What should be so of the page in the active tab of the browser."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def to_show_text(self, text: str, *, timeout_ms: int = _TIMEOUT_MS) -> None:
        """Wait until the page shows it."""
        self._wait(f"the page to show {_quote(text)}", timeout_ms, text=text)

    def not_to_show_text(self, text: str, *, timeout_ms: int = _TIMEOUT_MS) -> None:
        """Wait until the page does not show it."""
        self._wait(f"the page not to show {_quote(text)}", timeout_ms, text_gone=text)

    def to_have_url(self, url: str, *, timeout_ms: int = _TIMEOUT_MS) -> None:
        """Wait until its address has this part."""
        self._wait(f"the page to have the address {_quote(url)}", timeout_ms, url=url)

    def _wait(self, expected: str, timeout_ms: int, **until: Any) -> None:
        if self._browser.wait(**until, timeout_ms=timeout_ms)["status"] == "timeout":
            raise _failure(expected, timeout_ms, self._describe)

    def _describe(self) -> str:
        read = self._browser.text(max_characters=_MAX_SHOWN)
        return f"{_quote(read['tab']['title'])} at {read['tab']['url']}\n{read['text']}"


def _matches(found: str | None, wanted: str | re.Pattern[str]) -> bool:
    if isinstance(wanted, str) or found is None:
        return found == wanted
    return wanted.search(found) is not None


def _failure(expected: str, timeout_ms: int, describe: Callable[[], str]) -> AssertionError:
    try:
        there = describe()
    except ComputerControlError as error:
        there = f"(it cannot be read: {error})"
    return AssertionError(f"Expected {expected} within {timeout_ms} ms. There was instead: {there}")


def _quote(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
