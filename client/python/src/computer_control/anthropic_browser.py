"""The browser toolset of the package `anthropic`, performed by the service.

`client.beta.messages.tool_runner(tools=[BrowserToolset(computer)], ...)`
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from anthropic.tools.browser import (
    BetaAbstractBrowserToolset20260801,
    BetaAsyncAbstractBrowserToolset20260801,
    BetaBrowserMemberResult,
    BetaBrowserState,
    BetaDialogDismissed,
    BetaToolsetCallContext,
)

from . import AsyncComputerControl, ComputerControl, ComputerControlError
from ._anthropic_members import read, to_calls, to_download, to_fields, to_tab

__all__ = ["AsyncBrowserToolset", "BrowserToolset"]


class BrowserToolset(BetaAbstractBrowserToolset20260801):
    """For `Anthropic`. Nearly every member is one request; `javascript_exec` needs a service with
    `--browser-evaluate`.

    options: Those of the package's own class: `confirm`, `configs`, `url_policy`, `file_policy`.
    """

    def __init__(self, computer: ComputerControl, **options: Any) -> None:
        super().__init__(**options)
        self._browser = computer.browser
        self._changes = _Changes()

    def execute(
        self, context: BetaToolsetCallContext, name: Any, input: Any
    ) -> BetaBrowserMemberResult:
        """Perform one member."""
        fields = to_fields(input)
        if name == "wait":
            time.sleep(fields["duration"])
            return None
        answer: Any = None
        for method, arguments in to_calls(name, fields):
            answer = getattr(self._browser, method)(**arguments)
        return read(name, answer)

    def _browser_state(self, context: BetaToolsetCallContext) -> BetaBrowserState:
        dialogs = self._browser.dialogs()
        for dialog in dialogs:
            try:
                self._browser.dialog(False, tab_id=dialog["tab"])
            except ComputerControlError:
                pass  # a person has answered it meanwhile
        return self._changes.take(self._browser.tabs(), self._browser.downloads(), dialogs)


class AsyncBrowserToolset(BetaAsyncAbstractBrowserToolset20260801):
    """For `AsyncAnthropic`; arguments as those of `BrowserToolset`.

    When the task that runs it is cancelled, what it does stops at once.
    """

    def __init__(self, computer: AsyncComputerControl, **options: Any) -> None:
        super().__init__(**options)
        self._browser = computer.browser
        self._changes = _Changes()

    async def execute(
        self, context: BetaToolsetCallContext, name: Any, input: Any
    ) -> BetaBrowserMemberResult:
        """Perform one member."""
        fields = to_fields(input)
        if name == "wait":
            await asyncio.sleep(fields["duration"])
            return None
        answer: Any = None
        for method, arguments in to_calls(name, fields):
            answer = await getattr(self._browser, method)(**arguments)
        return read(name, answer)

    async def _browser_state(self, context: BetaToolsetCallContext) -> BetaBrowserState:
        dialogs = await self._browser.dialogs()
        for dialog in dialogs:
            try:
                await self._browser.dialog(False, tab_id=dialog["tab"])
            except ComputerControlError:
                pass  # a person has answered it meanwhile
        tabs, downloads = await self._browser.tabs(), await self._browser.downloads()
        return self._changes.take(tabs, downloads, dialogs)


class _Changes:
    """What has changed in the browser between two looks."""

    def __init__(self) -> None:
        self._tabs: set[str] | None = None
        self._downloads: dict[str, str] = {}

    def take(self, tabs: Any, downloads: Any, dialogs: Any) -> BetaBrowserState:
        known, self._tabs = self._tabs, {tab["id"] for tab in tabs}
        before, self._downloads = self._downloads, {each["id"]: each["state"] for each in downloads}
        opened = [] if known is None else [tab["id"] for tab in tabs if tab["id"] not in known]
        changes: list[Any] = [{"type": "tab_opened", "tab_id": tab_id} for tab_id in opened]
        for dialog in dialogs:
            changes.append(BetaDialogDismissed(kind=dialog["kind"], message=dialog["message"]))
        for each in downloads:
            if before.get(each["id"]) != each["state"]:
                changes.append(to_download(each))
        return BetaBrowserState(tabs=[to_tab(tab) for tab in tabs], state_changes=changes)
