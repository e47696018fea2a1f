"""The shapes that operations take and answer."""

# This file is generated from openapi.json: `deno task clients`
from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, TypedDict


class GetScreenSizeResponse(TypedDict):
    width: int
    """The size, in pixels."""
    height: int
    """The size, in pixels."""


class ListDisplaysResponseItem(TypedDict):
    display_num: int
    name: str
    """The system's name of the display, for example `:1`."""
    width: int
    """The size, in pixels."""
    height: int
    """The size, in pixels."""
    scale: float
    """The number of picture pixels per unit of the coordinates."""
    primary: bool


class LocateImageRegion(TypedDict):
    x: int
    """The left edge, in pixels."""
    y: int
    """The top edge, in pixels."""
    width: int
    """The size, in pixels."""
    height: int
    """The size, in pixels."""


class LocateImageResponse(TypedDict):
    x: int
    """The X coordinate, in pixels from the left edge of the display."""
    y: int
    """The Y coordinate, in pixels from the top edge of the display."""
    width: int
    height: int
    confidence: float
    """The similarity of the match; 1 means identical."""


class LocateImageResponseItem(TypedDict):
    x: int
    """The X coordinate, in pixels from the left edge of the display."""
    y: int
    """The Y coordinate, in pixels from the top edge of the display."""
    width: int
    height: int
    confidence: float
    """The similarity of the match; 1 means identical."""


class WaitForDisplayUntil2(TypedDict):
    pixel: WaitForDisplayUntil2Pixel


class WaitForDisplayUntil2Pixel(TypedDict):
    x: int
    """The X coordinate, in pixels from the left edge of the display."""
    y: int
    """The Y coordinate, in pixels from the top edge of the display."""
    rgb: List[int]
    """Red, green and blue, each from 0 to 255."""
    tolerance: NotRequired[int]
    """The maximum difference in each of the three channels."""


class WaitForDisplayUntil3(TypedDict):
    image: str
    """The path of a PNG, JPEG or WebP file: absolute, `~/...`, or relative to the home folder."""
    confidence: NotRequired[float]
    """The minimum similarity: 1 accepts only identical pixels, 0.9 forgives small differences."""


class WaitForDisplayUntil4(TypedDict):
    file: WaitForDisplayUntil4File


class WaitForDisplayUntil4File(TypedDict):
    path: str
    """The path of the file or folder: absolute, `~/...`, or relative to the home of the service's user."""
    state: NotRequired[Literal["exists", "gone"]]
    """With `exists` it waits until something has this path, with `gone` until nothing has. What is so for less than 25 ms can be missed."""
    contains: NotRequired[str]
    """With `exists` it waits until the file also holds this text, as UTF-8; with `gone` until the file holds it no longer, or is gone itself. Files up to 64 MiB are searched."""


class WaitForDisplayUntil5(TypedDict):
    process: WaitForDisplayUntil5Process1 | WaitForDisplayUntil5Process2


class WaitForDisplayUntil5Process1(TypedDict):
    pid: int
    """The process that has this id when the wait begins, of whatever user: it waits until it has ended. Another one that gets the same id later does not count."""


class WaitForDisplayUntil5Process2(TypedDict):
    name: str
    """The file name of a program, such as `mousepad`, on Windows with or without `.exe`: it waits until a process of it runs, of whatever user; with `gone` until none does. What runs for less than 100 ms can be missed. On Linux a program that has renamed itself has both names, and a script has its own name; elsewhere it has that of its interpreter."""


class WaitForDisplayUntil6(TypedDict):
    element: WaitForDisplayUntil6Element


class WaitForDisplayUntil6Element(TypedDict):
    role: NotRequired[str]
    """The role: `button`, `textbox`, `menuitem`."""
    name: NotRequired[str]
    """A part of the name, in any case; with `exact` the whole name."""
    text: NotRequired[str]
    """A part of the name, the value or the description, in any case."""
    states: NotRequired[List[Literal["focused", "checked", "mixed", "selected", "expanded", "collapsed", "pressed", "disabled", "readonly", "editable", "focusable", "modal", "multiline", "required", "invalid", "protected", "offscreen", "active"]]]
    """States that the element is in, all of them."""
    exact: NotRequired[bool]
    """If true, `name` and `text` are whole and in the same case."""
    window: NotRequired[str]
    """The window that shows it: `all`, `focused`, or the id of a window."""
    ref: NotRequired[str]
    """The ref of an element: it waits for that very one, until it has a state, for example."""


class WaitForDisplayUntil7(TypedDict):
    text: str
    """A part of what any element that shows has as its name, value or description, in any case."""


class WaitForDisplayUntil8(TypedDict):
    window: WaitForDisplayUntil8Window


class WaitForDisplayUntil8Window(TypedDict):
    title: NotRequired[str]
    """A part of the title, in any case; with `exact` the whole title."""
    app: NotRequired[str]
    """A part of the name of the program, in any case; with `exact` the whole name."""
    id: NotRequired[str]
    """Identifies the window for as long as it is open: `0x3a00007` on X11, as `wmctrl` and `xdotool` take it."""
    pid: NotRequired[int]
    """The process of its program."""
    states: NotRequired[List[Literal["active", "minimized", "maximized", "fullscreen", "above", "modal", "attention", "hidden"]]]
    """States that the window is in, all of them: `active`, for example."""
    exact: NotRequired[bool]
    """If true, `title` and `app` are whole and in the same case."""


class WaitForDisplayUntil9(TypedDict):
    gone: WaitForDisplayUntil9Gone1 | WaitForDisplayUntil9Gone2 | WaitForDisplayUntil9Gone3 | WaitForDisplayUntil9Gone4 | WaitForDisplayUntil9Gone5 | WaitForDisplayUntil9Gone6 | WaitForDisplayUntil9Gone7
    """It waits until this does not hold, or no longer."""


class WaitForDisplayUntil9Gone1(TypedDict):
    pixel: WaitForDisplayUntil9Gone1Pixel


class WaitForDisplayUntil9Gone1Pixel(TypedDict):
    x: int
    """The X coordinate, in pixels from the left edge of the display."""
    y: int
    """The Y coordinate, in pixels from the top edge of the display."""
    rgb: List[int]
    """Red, green and blue, each from 0 to 255."""
    tolerance: NotRequired[int]
    """The maximum difference in each of the three channels."""


class WaitForDisplayUntil9Gone2(TypedDict):
    image: str
    """The path of a PNG, JPEG or WebP file: absolute, `~/...`, or relative to the home folder."""
    confidence: NotRequired[float]
    """The minimum similarity: 1 accepts only identical pixels, 0.9 forgives small differences."""


class WaitForDisplayUntil9Gone3(TypedDict):
    file: WaitForDisplayUntil9Gone3File


class WaitForDisplayUntil9Gone3File(TypedDict):
    path: str
    """The path of the file or folder: absolute, `~/...`, or relative to the home of the service's user."""
    contains: NotRequired[str]
    """It waits until the file does not hold this text."""


class WaitForDisplayUntil9Gone4(TypedDict):
    process: WaitForDisplayUntil9Gone4Process1 | WaitForDisplayUntil9Gone4Process2


class WaitForDisplayUntil9Gone4Process1(TypedDict):
    pid: int
    """The process that has this id when the wait begins, of whatever user: it waits until it has ended. Another one that gets the same id later does not count."""


class WaitForDisplayUntil9Gone4Process2(TypedDict):
    name: str
    """The file name of a program, such as `mousepad`, on Windows with or without `.exe`: it waits until a process of it runs, of whatever user; with `gone` until none does. What runs for less than 100 ms can be missed. On Linux a program that has renamed itself has both names, and a script has its own name; elsewhere it has that of its interpreter."""


class WaitForDisplayUntil9Gone5(TypedDict):
    element: WaitForDisplayUntil9Gone5Element


class WaitForDisplayUntil9Gone5Element(TypedDict):
    role: NotRequired[str]
    """The role: `button`, `textbox`, `menuitem`."""
    name: NotRequired[str]
    """A part of the name, in any case; with `exact` the whole name."""
    text: NotRequired[str]
    """A part of the name, the value or the description, in any case."""
    states: NotRequired[List[Literal["focused", "checked", "mixed", "selected", "expanded", "collapsed", "pressed", "disabled", "readonly", "editable", "focusable", "modal", "multiline", "required", "invalid", "protected", "offscreen", "active"]]]
    """States that the element is in, all of them."""
    exact: NotRequired[bool]
    """If true, `name` and `text` are whole and in the same case."""
    window: NotRequired[str]
    """The window that shows it: `all`, `focused`, or the id of a window."""
    ref: NotRequired[str]
    """The ref of an element: it waits for that very one, until it has a state, for example."""


class WaitForDisplayUntil9Gone6(TypedDict):
    text: str
    """A part of what any element that shows has as its name, value or description, in any case."""


class WaitForDisplayUntil9Gone7(TypedDict):
    window: WaitForDisplayUntil9Gone7Window


class WaitForDisplayUntil9Gone7Window(TypedDict):
    title: NotRequired[str]
    """A part of the title, in any case; with `exact` the whole title."""
    app: NotRequired[str]
    """A part of the name of the program, in any case; with `exact` the whole name."""
    id: NotRequired[str]
    """Identifies the window for as long as it is open: `0x3a00007` on X11, as `wmctrl` and `xdotool` take it."""
    pid: NotRequired[int]
    """The process of its program."""
    states: NotRequired[List[Literal["active", "minimized", "maximized", "fullscreen", "above", "modal", "attention", "hidden"]]]
    """States that the window is in, all of them: `active`, for example."""
    exact: NotRequired[bool]
    """If true, `title` and `app` are whole and in the same case."""


class WaitForDisplayRegion(TypedDict):
    x: int
    """The left edge, in pixels."""
    y: int
    """The top edge, in pixels."""
    width: int
    """The size, in pixels."""
    height: int
    """The size, in pixels."""


class WaitForDisplayIgnoreArea(TypedDict):
    x: int
    """The left edge, in pixels."""
    y: int
    """The top edge, in pixels."""
    width: int
    """The size, in pixels."""
    height: int
    """The size, in pixels."""


class WaitForDisplayIgnoreAreaItem(TypedDict):
    x: int
    """The left edge, in pixels."""
    y: int
    """The top edge, in pixels."""
    width: int
    """The size, in pixels."""
    height: int
    """The size, in pixels."""


class WaitForDisplayResponse(TypedDict):
    status: Literal["changed", "stable", "found", "gone", "ended", "timeout"]
    """`found` means that the pixel has the colour, that the image, the element, the text or the window is shown, that the file exists and holds the text, or that a process of the name runs; `gone` means the opposite. `ended` is said of a process."""
    elapsed_ms: int
    element: NotRequired[WaitForDisplayResponseElement]
    """The first element that fits; operations take its `ref`."""
    window: NotRequired[WindowEntry]
    """The first window that fits."""
    pid: NotRequired[int]
    """The process that was waited for by its `name`."""
    match: NotRequired[WaitForDisplayResponseMatch]
    """The position of the image."""


class WaitForDisplayResponseElement(TypedDict):
    ref: str
    """Operations that act on an element take it as `ref`."""
    role: str
    """A role of WAI-ARIA where there is one (`button`, `textbox`, `menuitem`), else the system's own."""
    name: str
    """The label; empty if there is none."""
    value: NotRequired[str]
    """The text or the number that it holds; never that of a password field."""
    description: NotRequired[str]
    """Its program says this about it besides the name."""
    states: List[Literal["focused", "checked", "mixed", "selected", "expanded", "collapsed", "pressed", "disabled", "readonly", "editable", "focusable", "modal", "multiline", "required", "invalid", "protected", "offscreen", "active"]]
    """The states that it is in."""
    bounds: NotRequired[WaitForDisplayResponseElementBounds]
    """The place of the element, in pixels of the display; parts of it can be out of sight. Missing where its program does not say."""
    window: NotRequired[str]
    """The id of the window, if this is one; window operations take it."""
    abilities: List[Literal["click", "focus", "set value", "select", "scroll to", "expand"]]
    """These actions are possible by its program's own interface, as far as the program says."""
    within: NotRequired[str]
    """The nearest named element around it: `dialog \"Save as\"`."""


class WaitForDisplayResponseElementBounds(TypedDict):
    x: int
    y: int
    width: int
    height: int


class WindowEntry(TypedDict):
    id: str
    """Identifies the window for as long as it is open: `0x3a00007` on X11, as `wmctrl` and `xdotool` take it."""
    title: str
    """The title; empty if it has none."""
    app: str | None
    """The program as the desktop names it: the class of WM_CLASS, the app id, or the window class. `null` if it is not known."""
    pid: int | None
    """The process of its program; `null` if it is not known, as for one on another computer."""
    bounds: WindowEntryBounds | None
    """The content, without the frame that the window manager draws; `null` where the system does not tell."""
    frame: WindowEntryFrame | None
    """The area that shows, with the frame; `null` where the system does not tell. `window/move` and `window/resize` are about this area."""
    desktop: int | None
    """The number of its desktop (workspace), from 0; `null` if it is on all of them or not known."""
    states: List[Literal["active", "minimized", "maximized", "fullscreen", "above", "modal", "attention", "hidden"]]
    """`active`: it has the keyboard. `above`: it stays above others. `attention`: it asks for attention. `hidden`: it does not show and is not minimized, as on another desktop."""


class WindowEntryBounds(TypedDict):
    x: int
    """The left edge, in pixels of the display; negative beyond its left edge."""
    y: int
    """The top edge, in pixels of the display."""
    width: int
    """The size, in pixels."""
    height: int
    """The size, in pixels."""


class WindowEntryFrame(TypedDict):
    x: int
    """The left edge, in pixels of the display; negative beyond its left edge."""
    y: int
    """The top edge, in pixels of the display."""
    width: int
    """The size, in pixels."""
    height: int
    """The size, in pixels."""


class WaitForDisplayResponseMatch(TypedDict):
    x: int
    """The X coordinate, in pixels from the left edge of the display."""
    y: int
    """The Y coordinate, in pixels from the top edge of the display."""
    width: int
    height: int
    confidence: float
    """The similarity of the match; 1 means identical."""


class InputEffect1(TypedDict):
    effect: Literal["confirmed"]
    by: Literal["server", "program"]
    """`program`: the program that got the input says that it has handled it. `server`: the X server, or the system, has done it; whether a program has handled it is not known."""
    reason: str
    """One sentence says why, or what is not known."""
    window: NotRequired[str]
    """The window with this title got the input, or the last of it."""


class InputEffect2(TypedDict):
    effect: Literal["unverified"]
    """The input was sent, and nothing says that it had an effect, or something says that it had none."""
    reason: str
    """One sentence says why, or what is not known."""
    window: NotRequired[str]
    """The window with this title got the input, or the last of it."""


class DragMouseFrom1(TypedDict):
    x: int
    """The X coordinate, in pixels from the left edge of the display."""
    y: int
    """The Y coordinate, in pixels from the top edge of the display."""


class DragMouseFrom2(TypedDict):
    ref: str
    """The ref of an element in a snapshot, such as `e12`: the middle of what shows of it, after it was scrolled into view."""


class DragMousePathItem(TypedDict):
    x: int
    """The X coordinate, in pixels from the left edge of the display."""
    y: int
    """The Y coordinate, in pixels from the top edge of the display."""


class GetMousePositionResponse(TypedDict):
    x: int
    """The X coordinate, in pixels from the left edge of the display."""
    y: int
    """The Y coordinate, in pixels from the top edge of the display."""


class TypeTextSecret(TypedDict):
    service: str
    """The name of the service that the item belongs to, for example `github`."""
    field: str
    """The name of a field of the item, for example `password`."""


class GetClipboardResponse(TypedDict):
    available: List[Literal["text", "html", "png", "files"]]
    """The formats in which the content can be read."""
    types: List[str]
    """The system's names of all formats of the content, such as `text/html`; at most 256."""
    text: NotRequired[str]
    """The text, if it was requested and is there."""
    html: NotRequired[str]
    """The HTML, if it was requested and is there."""
    png: NotRequired[str]
    """The image as PNG in base64, if it was requested and is there."""
    files: NotRequired[List[str]]
    """The paths of copied files, if they were requested and are there."""
    redaction_gap: NotRequired[str]
    """Present only if stored secrets may be in the content, because the keychain could not be read; says why."""


class TakeSnapshotResponse(TypedDict):
    text: NotRequired[str]
    """The snapshot, with the format `text`."""
    elements: NotRequired[List[AccessibleElement]]
    """The snapshot, with the format `json`."""
    xml: NotRequired[str]
    """The snapshot, with the format `xml`."""
    count: int
    """The number of elements in it that have a ref."""
    truncated: List[Literal["characters", "depth", "elements", "size", "time"]]
    """These bounds ended the reading before everything was read; if the list is empty, nothing is missing. `size`: the texts of the elements are longer than 16 MiB."""
    omitted: int
    """The number of elements left out, because of `max_chars`."""
    silent: List[str]
    """Programs that did not answer in time or gave damaged answers, by name or process id."""
    redaction_gap: NotRequired[str]
    """Present only if stored secrets may be shown, because the keychain could not be read; says why."""
    screenshot: NotRequired[TakeSnapshotResponseScreenshot]
    """The picture, if it was requested."""
    elapsed_ms: float
    """The time that it took, in milliseconds."""


class AccessibleElement(TypedDict):
    ref: str
    """Operations that act on an element take it as `ref`."""
    role: str
    """A role of WAI-ARIA where there is one (`button`, `textbox`, `menuitem`), else the system's own."""
    name: str
    """The label; empty if there is none."""
    value: NotRequired[str]
    """The text or the number that it holds; never that of a password field."""
    description: NotRequired[str]
    """Its program says this about it besides the name."""
    states: List[Literal["focused", "checked", "mixed", "selected", "expanded", "collapsed", "pressed", "disabled", "readonly", "editable", "focusable", "modal", "multiline", "required", "invalid", "protected", "offscreen", "active"]]
    """The states that it is in."""
    abilities: List[Literal["click", "focus", "set value", "select", "scroll to", "expand"]]
    """These actions are possible by its program's own interface, as far as the program says."""
    bounds: NotRequired[AccessibleElementBounds]
    """The place of the element, in pixels of the display; parts of it can be out of sight. Missing where its program does not say."""
    window: NotRequired[str]
    """The id of the window, if this is one; window operations take it."""
    child_count: int
    """The number of children that its program says it has."""
    children: NotRequired[List[AccessibleElement]]
    """These elements are shown inside it."""


class AccessibleElementBounds(TypedDict):
    x: int
    y: int
    width: int
    height: int


class TakeSnapshotResponseScreenshot(TypedDict):
    media_type: str
    """For example `image/png`."""
    data: str
    """The file is in Base64."""
    width: int
    """The size is in pixels of the picture."""
    height: int
    frame: str
    """Operations that take coordinates also take this `frame`."""
    scale: float
    """The number of picture pixels per pixel of the screen."""
    display_num: int
    """The picture shows this display."""
    region: NotRequired[TakeSnapshotResponseScreenshotRegion]
    """With `since`, this is where the part belongs in the older picture."""
    changes: NotRequired[List[List[int]]]
    """With `since`, these are the boxes that have changed: `[x, y, width, height]`."""


class TakeSnapshotResponseScreenshotRegion(TypedDict):
    x: int
    y: int
    width: int
    height: int


class FindElementsResponse(TypedDict):
    elements: List[FindElementsResponseElementsItem]
    """The elements are in the order in which their program lists them."""
    total: int
    """The number of elements that match, also those not returned."""
    truncated: List[Literal["characters", "depth", "elements", "size", "time"]]
    """These bounds ended the reading before everything was read; if the list is empty, nothing is missing. `size`: the texts of the elements are longer than 16 MiB."""
    silent: List[str]
    """Programs that did not answer in time or gave damaged answers, by name or process id."""
    redaction_gap: NotRequired[str]
    """Present only if stored secrets may be shown, because the keychain could not be read; says why."""


class FindElementsResponseElementsItem(TypedDict):
    ref: str
    """Operations that act on an element take it as `ref`."""
    role: str
    """A role of WAI-ARIA where there is one (`button`, `textbox`, `menuitem`), else the system's own."""
    name: str
    """The label; empty if there is none."""
    value: NotRequired[str]
    """The text or the number that it holds; never that of a password field."""
    description: NotRequired[str]
    """Its program says this about it besides the name."""
    states: List[Literal["focused", "checked", "mixed", "selected", "expanded", "collapsed", "pressed", "disabled", "readonly", "editable", "focusable", "modal", "multiline", "required", "invalid", "protected", "offscreen", "active"]]
    """The states that it is in."""
    bounds: NotRequired[FindElementsResponseElementsItemBounds]
    """The place of the element, in pixels of the display; parts of it can be out of sight. Missing where its program does not say."""
    window: NotRequired[str]
    """The id of the window, if this is one; window operations take it."""
    abilities: List[Literal["click", "focus", "set value", "select", "scroll to", "expand"]]
    """These actions are possible by its program's own interface, as far as the program says."""
    within: NotRequired[str]
    """The nearest named element around it: `dialog \"Save as\"`."""


class FindElementsResponseElementsItemBounds(TypedDict):
    x: int
    y: int
    width: int
    height: int


class GetElementValueResponse(TypedDict):
    role: str
    """A role of WAI-ARIA where there is one (`button`, `textbox`, `menuitem`), else the system's own."""
    name: str
    value: str | None
    """The text or the number that it holds now; `null` if it holds none, or is a password field."""
    truncated: bool
    """If true, the value is longer than the part that was returned."""
    description: NotRequired[str]
    states: List[Literal["focused", "checked", "mixed", "selected", "expanded", "collapsed", "pressed", "disabled", "readonly", "editable", "focusable", "modal", "multiline", "required", "invalid", "protected", "offscreen", "active"]]
    abilities: List[Literal["click", "focus", "set value", "select", "scroll to", "expand"]]
    """These actions are possible by its program's own interface, as far as the program says."""
    bounds: NotRequired[GetElementValueResponseBounds]
    """The place of the element, in pixels of the display; parts of it can be out of sight. Missing where its program does not say."""
    redaction_gap: NotRequired[str]
    """Present only if stored secrets may be shown, because the keychain could not be read; says why."""


class GetElementValueResponseBounds(TypedDict):
    x: int
    y: int
    width: int
    height: int


class ActOnElementResponse(TypedDict):
    result: Literal["confirmed", "unverified"]
    """`confirmed`: the effect was read back. `unverified`: nothing shows that it had an effect; look before you do it again."""
    by: Literal["program", "input"]
    """This says who did it: the program by its accessibility interface, or real mouse and keys."""
    reason: str
    """One sentence says what was read back, or what is not known."""
    value: NotRequired[str]
    """Its value now, if it has one that may be read."""
    states: NotRequired[List[Literal["focused", "checked", "mixed", "selected", "expanded", "collapsed", "pressed", "disabled", "readonly", "editable", "focusable", "modal", "multiline", "required", "invalid", "protected", "offscreen", "active"]]]
    """Its states now, if it is still there."""


class FocusWindowResponse(TypedDict):
    result: Literal["confirmed", "adjusted", "unverified"]
    """`confirmed`: the window is as it was asked to be. `adjusted`: its place or size has changed, to another one than asked, as terminals only take sizes of whole lines. `unverified`: it was asked, and this system does not tell whether anything happened."""
    window: WindowEntry | None
    """The window as it is now; `null` once it has closed."""


class MoveWindowResponse(TypedDict):
    result: Literal["confirmed", "adjusted", "unverified"]
    """`confirmed`: the window is as it was asked to be. `adjusted`: its place or size has changed, to another one than asked, as terminals only take sizes of whole lines. `unverified`: it was asked, and this system does not tell whether anything happened."""
    window: WindowEntry | None
    """The window as it is now; `null` once it has closed."""


class ResizeWindowResponse(TypedDict):
    result: Literal["confirmed", "adjusted", "unverified"]
    """`confirmed`: the window is as it was asked to be. `adjusted`: its place or size has changed, to another one than asked, as terminals only take sizes of whole lines. `unverified`: it was asked, and this system does not tell whether anything happened."""
    window: WindowEntry | None
    """The window as it is now; `null` once it has closed."""


class MinimizeWindowResponse(TypedDict):
    result: Literal["confirmed", "adjusted", "unverified"]
    """`confirmed`: the window is as it was asked to be. `adjusted`: its place or size has changed, to another one than asked, as terminals only take sizes of whole lines. `unverified`: it was asked, and this system does not tell whether anything happened."""
    window: WindowEntry | None
    """The window as it is now; `null` once it has closed."""


class MaximizeWindowResponse(TypedDict):
    result: Literal["confirmed", "adjusted", "unverified"]
    """`confirmed`: the window is as it was asked to be. `adjusted`: its place or size has changed, to another one than asked, as terminals only take sizes of whole lines. `unverified`: it was asked, and this system does not tell whether anything happened."""
    window: WindowEntry | None
    """The window as it is now; `null` once it has closed."""


class RestoreWindowResponse(TypedDict):
    result: Literal["confirmed", "adjusted", "unverified"]
    """`confirmed`: the window is as it was asked to be. `adjusted`: its place or size has changed, to another one than asked, as terminals only take sizes of whole lines. `unverified`: it was asked, and this system does not tell whether anything happened."""
    window: WindowEntry | None
    """The window as it is now; `null` once it has closed."""


class CloseWindowResponse(TypedDict):
    result: Literal["confirmed", "adjusted", "unverified"]
    """`confirmed`: the window is as it was asked to be. `adjusted`: its place or size has changed, to another one than asked, as terminals only take sizes of whole lines. `unverified`: it was asked, and this system does not tell whether anything happened."""
    window: WindowEntry | None
    """The window as it is now; `null` once it has closed."""


class OpenWindowResponse(TypedDict):
    process_id: int
    """The process that was started."""
    window: WindowEntry | None
    """Its window; `null` if none has opened in time, as when a running program shows the file in a window that it has, or if it was not waited for."""
    active: bool
    """`true` if the window has the keyboard: what is typed next goes to it."""
    reason: NotRequired[str]
    """Present only if `active` is false: why it has not, and what gives it to it."""


class StartRecordingResponse(TypedDict):
    id: str
    """Names the recording."""
    display_num: int
    """The number of the recorded display."""
    state: Literal["recording", "finishing", "finished", "failed"]
    """`recording`; `finishing`: its file is being completed; `finished`; `failed`: no picture was recorded."""
    ended_by: Literal["stop", "time_limit", "size_limit", "disk_full", "display_gone", "encoder_failed", "service_ended", "error"] | None
    """The reason of its end. `stop`: as requested; `time_limit` and `size_limit`: of the recording; `disk_full`; `display_gone`: the display ended; `encoder_failed`: ffmpeg ended; `service_ended`: the service stopped or was killed; `error`: another reason, which `detail` gives. `null` while it records."""
    detail: str | None
    """More about the end, or what is missing; else `null`."""
    format: Literal["webm", "mp4", "webp"]
    """`webm` (VP8), `mp4` (H.264), or `webp`: one HTML page that plays a sequence of WebP pictures."""
    media_type: str
    """The media type of the file."""
    playable: bool
    """`true` if the file has at least one picture."""
    started_at: str
    """The time of its start, in UTC: `2026-01-31T12:00:00.000Z`."""
    duration_ms: int
    """The length so far, in milliseconds."""
    frames: int
    """Different pictures so far."""
    bytes: int
    """The size of the file so far."""
    width: int
    """The width of the display at the start, in pixels."""
    height: int
    """The height of the display at the start, in pixels."""
    resizes: int
    """The number of times that the display got another size; its picture is then made to fit."""
    max_fps: float
    """The most pictures per second."""
    blacked_out: int
    """Areas that are black because stored secrets were filled in there."""
    chapter_count: int
    """The number of chapters."""
    chapters: NotRequired[List[StartRecordingResponseChaptersItem]]
    """The operations that ran meanwhile and changed something, at most 1000; present when one recording was asked for."""


class StartRecordingResponseChaptersItem(TypedDict):
    at_ms: int
    """When it began, in milliseconds from the start."""
    title: str
    """The operation: `mouse.left-click`."""


class StopRecordingResponse(TypedDict):
    id: str
    """Names the recording."""
    display_num: int
    """The number of the recorded display."""
    state: Literal["recording", "finishing", "finished", "failed"]
    """`recording`; `finishing`: its file is being completed; `finished`; `failed`: no picture was recorded."""
    ended_by: Literal["stop", "time_limit", "size_limit", "disk_full", "display_gone", "encoder_failed", "service_ended", "error"] | None
    """The reason of its end. `stop`: as requested; `time_limit` and `size_limit`: of the recording; `disk_full`; `display_gone`: the display ended; `encoder_failed`: ffmpeg ended; `service_ended`: the service stopped or was killed; `error`: another reason, which `detail` gives. `null` while it records."""
    detail: str | None
    """More about the end, or what is missing; else `null`."""
    format: Literal["webm", "mp4", "webp"]
    """`webm` (VP8), `mp4` (H.264), or `webp`: one HTML page that plays a sequence of WebP pictures."""
    media_type: str
    """The media type of the file."""
    playable: bool
    """`true` if the file has at least one picture."""
    started_at: str
    """The time of its start, in UTC: `2026-01-31T12:00:00.000Z`."""
    duration_ms: int
    """The length so far, in milliseconds."""
    frames: int
    """Different pictures so far."""
    bytes: int
    """The size of the file so far."""
    width: int
    """The width of the display at the start, in pixels."""
    height: int
    """The height of the display at the start, in pixels."""
    resizes: int
    """The number of times that the display got another size; its picture is then made to fit."""
    max_fps: float
    """The most pictures per second."""
    blacked_out: int
    """Areas that are black because stored secrets were filled in there."""
    chapter_count: int
    """The number of chapters."""
    chapters: NotRequired[List[StopRecordingResponseChaptersItem]]
    """The operations that ran meanwhile and changed something, at most 1000; present when one recording was asked for."""


class StopRecordingResponseChaptersItem(TypedDict):
    at_ms: int
    """When it began, in milliseconds from the start."""
    title: str
    """The operation: `mouse.left-click`."""


class ListRecordingsResponseItem(TypedDict):
    id: str
    """Names the recording."""
    display_num: int
    """The number of the recorded display."""
    state: Literal["recording", "finishing", "finished", "failed"]
    """`recording`; `finishing`: its file is being completed; `finished`; `failed`: no picture was recorded."""
    ended_by: Literal["stop", "time_limit", "size_limit", "disk_full", "display_gone", "encoder_failed", "service_ended", "error"] | None
    """The reason of its end. `stop`: as requested; `time_limit` and `size_limit`: of the recording; `disk_full`; `display_gone`: the display ended; `encoder_failed`: ffmpeg ended; `service_ended`: the service stopped or was killed; `error`: another reason, which `detail` gives. `null` while it records."""
    detail: str | None
    """More about the end, or what is missing; else `null`."""
    format: Literal["webm", "mp4", "webp"]
    """`webm` (VP8), `mp4` (H.264), or `webp`: one HTML page that plays a sequence of WebP pictures."""
    media_type: str
    """The media type of the file."""
    playable: bool
    """`true` if the file has at least one picture."""
    started_at: str
    """The time of its start, in UTC: `2026-01-31T12:00:00.000Z`."""
    duration_ms: int
    """The length so far, in milliseconds."""
    frames: int
    """Different pictures so far."""
    bytes: int
    """The size of the file so far."""
    width: int
    """The width of the display at the start, in pixels."""
    height: int
    """The height of the display at the start, in pixels."""
    resizes: int
    """The number of times that the display got another size; its picture is then made to fit."""
    max_fps: float
    """The most pictures per second."""
    blacked_out: int
    """Areas that are black because stored secrets were filled in there."""
    chapter_count: int
    """The number of chapters."""
    chapters: NotRequired[List[ListRecordingsResponseItemChaptersItem]]
    """The operations that ran meanwhile and changed something, at most 1000; present when one recording was asked for."""


class ListRecordingsResponseItemChaptersItem(TypedDict):
    at_ms: int
    """When it began, in milliseconds from the start."""
    title: str
    """The operation: `mouse.left-click`."""


class FilesystemEntry(TypedDict):
    name: str
    path: str
    """The full path."""
    type: Literal["file", "directory"]
    """The type; a symbolic link counts as its target, and broken links, FIFOs, sockets and devices count as files."""
    size: int
    """The size, in bytes."""
    modified_time: str
    """Local time without a zone, `YYYY-MM-DDTHH:MM:SS[.ffffff]`."""
    is_hidden: bool
    """If true, the name starts with a dot, or on Windows the file has the hidden attribute."""
    extension: str | None
    """The extension, without the dot; `null` for folders and files without one."""


class DirectoryTreeNode(TypedDict):
    name: str
    type: Literal["file", "directory"]
    children: NotRequired[List[DirectoryTreeNode]]
    """Only folders have children."""
    truncated: NotRequired[Literal[True]]
    """If true, children are missing, because the folder is too deep, cannot be read, or has too many entries."""


class ReadFileResponse(TypedDict):
    content: str
    encoding: Literal["text", "base64"]
    size: int
    """The size of the whole file, in bytes."""
    next_offset: int
    """The offset for the next read, in bytes; equal to `size` at the end."""


class ExecuteCommandEnvSecretsValue(TypedDict):
    service: str
    """The name of the service that the item belongs to, for example `github`."""
    field: str
    """The name of a field of the item, for example `password`."""


class ExecuteCommandResponse(TypedDict):
    output: str
    """Standard output and standard error, in the order of arrival; bytes that are not UTF-8 become U+FFFD."""
    status: Literal["completed", "background"]
    process_id: int | None
    """The process id; `null` if the command has completed."""
    exit_code: int | None
    """0 to 255, or 128 + n if signal n ended the shell; on Windows any 32-bit number. `null` while the process runs."""
    truncated: bool
    """If true, a part of `output` is missing, or output after it was not read."""
    redaction_gap: NotRequired[str]
    """Present only if stored secrets may be in `output`, because the keychain could not be read; says why."""


class GetProcessOutputResponse(TypedDict):
    output: str
    process_id: int
    status: Literal["completed", "background"]
    exit_code: int | None
    """0 to 255, or 128 + n if signal n ended the shell; on Windows any 32-bit number. `null` while the process runs."""
    truncated: bool
    """If true, a part of `output` is missing, or output after it was not read."""
    redaction_gap: NotRequired[str]
    """Present only if stored secrets may be in `output`, because the keychain could not be read; says why."""
    next_offset: int
    """The offset for the next read; never inside a character."""


class ListManagedProcessesResponseItem(TypedDict):
    pid: int
    command: str
    """The command; one longer than 1024 characters is cut and ends in \"…\"."""
    status: Literal["running", "completed"]
    output: str
    """The last 16384 bytes of its output; fewer if many processes are listed, 1048576 bytes in all."""
    started_at: str
    """When the process was started, in UTC."""
    exit_code: int | None
    """0 to 255, or 128 + n if signal n ended the shell; on Windows any 32-bit number. `null` while the process runs."""
    output_bytes: int
    """The number of bytes that it has written."""
    truncated: bool
    """If true, `output` is only a part of it."""
    redaction_gap: NotRequired[str]
    """Present only if stored secrets may be in `output`, because the keychain could not be read; says why."""


class ListTabsResponseItem(TypedDict):
    id: str
    """The name of the tab, which no other one ever gets."""
    title: str
    url: str
    active: bool
    """It is true for the tab that shows."""


class OpenTabResponse(TypedDict):
    tab: OpenTabResponseTab
    loaded: bool
    """If false, the page is there, but parts of it had not come in time."""
    http_status: int | None
    """The HTTP status of the page; null where it has none."""
    download: NotRequired[OpenTabResponseDownload]
    """The file that came in place of a page: the tab shows what it showed before, and `loaded` says whether all of the file has come."""


class OpenTabResponseTab(TypedDict):
    id: str
    """The name of the tab, which no other one ever gets."""
    title: str
    url: str
    active: bool
    """It is true for the tab that shows."""


class OpenTabResponseDownload(TypedDict):
    id: str
    url: str
    name: str
    """The file name that the page suggests."""
    state: Literal["running", "completed", "failed"]
    path: str | None
    """The path of the file, once it is completed."""
    bytes: float
    """The bytes that have come so far."""


class ActivateTabResponse(TypedDict):
    id: str
    """The name of the tab, which no other one ever gets."""
    title: str
    url: str
    active: bool
    """It is true for the tab that shows."""


class NavigateTabResponse(TypedDict):
    tab: NavigateTabResponseTab
    loaded: bool
    """If false, the page is there, but parts of it had not come in time."""
    http_status: int | None
    """The HTTP status of the page; null where it has none."""
    download: NotRequired[NavigateTabResponseDownload]
    """The file that came in place of a page: the tab shows what it showed before, and `loaded` says whether all of the file has come."""


class NavigateTabResponseTab(TypedDict):
    id: str
    """The name of the tab, which no other one ever gets."""
    title: str
    url: str
    active: bool
    """It is true for the tab that shows."""


class NavigateTabResponseDownload(TypedDict):
    id: str
    url: str
    name: str
    """The file name that the page suggests."""
    state: Literal["running", "completed", "failed"]
    path: str | None
    """The path of the file, once it is completed."""
    bytes: float
    """The bytes that have come so far."""


class SnapshotPageResponse(TypedDict):
    tab: SnapshotPageResponseTab
    text: str
    """One line per element, indented by its depth: `- button \"Save\" [ref=e12] [disabled]`, then its value."""
    elements: int
    """The number of elements in the text."""
    truncated: List[Literal["elements", "characters", "depth", "size"]]
    """The bounds that left something out; empty if the text is complete. `size`: names and values of the page together have more than 16 MiB."""


class SnapshotPageResponseTab(TypedDict):
    id: str
    """The name of the tab, which no other one ever gets."""
    title: str
    url: str
    active: bool
    """It is true for the tab that shows."""


class FindOnPageResponse(TypedDict):
    tab: FindOnPageResponseTab
    text: str
    """One line per element, indented by its depth: `- button \"Save\" [ref=e12] [disabled]`, then its value."""
    elements: int
    """The number of elements in the text."""
    truncated: List[Literal["elements", "characters", "depth", "size"]]
    """The bounds that left something out; empty if the text is complete. `size`: names and values of the page together have more than 16 MiB."""
    matches: List[FindOnPageResponseMatchesItem]
    """The same elements as a list, the best ones first."""


class FindOnPageResponseTab(TypedDict):
    id: str
    """The name of the tab, which no other one ever gets."""
    title: str
    url: str
    active: bool
    """It is true for the tab that shows."""


class FindOnPageResponseMatchesItem(TypedDict):
    ref: str
    role: str
    name: str
    """The name, shortened to 200 characters."""


class GetPageTextResponse(TypedDict):
    tab: GetPageTextResponseTab
    text: str
    truncated: bool
    """If true, the page has more text."""


class GetPageTextResponseTab(TypedDict):
    id: str
    """The name of the tab, which no other one ever gets."""
    title: str
    url: str
    active: bool
    """It is true for the tab that shows."""


class WaitForPageResponse(TypedDict):
    status: Literal["met", "timeout"]
    elapsed_ms: int
    """The time that has passed, in milliseconds."""


class FillFieldResponse(TypedDict):
    result: Literal["confirmed", "unverified"]
    """`confirmed` if the field holds what was filled in, when it was read again."""
    reason: str
    """The reason for the result."""


class UploadFilesResponse(TypedDict):
    result: Literal["confirmed", "unverified"]
    """`confirmed` if the field holds what was filled in, when it was read again."""
    reason: str
    """The reason for the result."""


class DragOnPagePathItem(TypedDict):
    x: float
    y: float


class ReadConsoleResponse(TypedDict):
    entries: List[ReadConsoleResponseEntriesItem]
    dropped: int
    """The entries after `since` that are not kept any more."""


class ReadConsoleResponseEntriesItem(TypedDict):
    number: int
    """The entry's number in its tab."""
    time: str
    """The time in UTC, as ISO 8601 has it."""
    level: str
    """The kind of entry, such as `log`, `warning` or `error`."""
    text: str
    source: str
    """The address of the script."""


class ReadNetworkResponse(TypedDict):
    entries: List[ReadNetworkResponseEntriesItem]
    dropped: int
    """The entries after `since` that are not kept any more."""


class ReadNetworkResponseEntriesItem(TypedDict):
    number: int
    """The entry's number in its tab."""
    time: str
    """The time in UTC, as ISO 8601 has it."""
    method: str
    url: str
    type: str
    """The purpose, such as `Document`, `Script` or `Fetch`."""
    status: int | None
    """The HTTP status; null until there is an answer."""
    error: str | None
    """The reason why it failed, if it did."""


class ListDialogsResponseItem(TypedDict):
    tab: str
    """The tab whose page is blocked."""
    kind: Literal["alert", "confirm", "prompt", "beforeunload"]
    message: str


class AnswerDialogResponse(TypedDict):
    tab: str
    """The tab whose page is blocked."""
    kind: Literal["alert", "confirm", "prompt", "beforeunload"]
    message: str


class ListDownloadsResponseItem(TypedDict):
    id: str
    url: str
    name: str
    """The file name that the page suggests."""
    state: Literal["running", "completed", "failed"]
    path: str | None
    """The path of the file, once it is completed."""
    bytes: float
    """The bytes that have come so far."""


class EvaluateScriptResponse(TypedDict):
    text: str
    """The value as JSON, or what was thrown."""
    threw: bool
    """If true, the script has thrown."""
    truncated: bool
    """If true, the text was cut to 200,000 characters."""


class AnswerAnthropicResponse(TypedDict):
    content: List[AnswerAnthropicResponseContentItem]
    """The `content` of your next message, whose role is `user`."""
    unhandled: List[str]
    """The ids of the calls of your own tools, which you answer yourself."""


class AnswerAnthropicResponseContentItem(TypedDict):
    type: Literal["tool_result"]
    tool_use_id: str
    toolset_name: NotRequired[str]
    """The `toolset_name` of the call, if it had one."""
    content: List[AnswerAnthropicResponseContentItemContentItem1 | AnswerAnthropicResponseContentItemContentItem2]
    """An error has text only."""
    is_error: NotRequired[Literal[True]]


class AnswerAnthropicResponseContentItemContentItem1(TypedDict):
    type: Literal["text"]
    text: str


class AnswerAnthropicResponseContentItemContentItem2(TypedDict):
    type: Literal["image"]
    source: AnswerAnthropicResponseContentItemContentItem2Source


class AnswerAnthropicResponseContentItemContentItem2Source(TypedDict):
    type: Literal["base64"]
    media_type: str
    """One of `image/png`, `image/jpeg` and `image/webp`."""
    data: str
    """The file of the picture in Base64."""


class AnswerOpenaiResponse(TypedDict):
    input: List[Dict[str, Any]]
    """Append these items to the `input` of the next request, behind the model's own."""
    pending_safety_checks: List[AnswerOpenaiResponsePendingSafetyChecksItem]
    """Somebody must agree to these first: nothing was performed. Ask a person, and send the same request with them in `acknowledged_safety_checks`."""
    frame: str | None
    """The `X-Frame` of the last picture."""


class AnswerOpenaiResponsePendingSafetyChecksItem(TypedDict):
    call_id: str
    id: str
    code: str | None
    message: str | None


class AnswerGeminiResponse(TypedDict):
    parts: List[Dict[str, Any]]
    """The `parts` of your next content, whose role is `user`."""
    steps: List[Dict[str, Any]]
    """The steps of your next input, for calls that came as steps."""
    confirmations: List[AnswerGeminiResponseConfirmationsItem]
    """Somebody must agree to these calls first: nothing was performed. Ask a person, and send the same request with their ids or numbers in `acknowledged`."""
    frame: str | None
    """The `X-Frame` of the last picture."""


class AnswerGeminiResponseConfirmationsItem(TypedDict):
    index: int
    """The number of the call in the request, from 0."""
    id: str | None
    name: str
    decision: str
    explanation: str | None


class AnswerUiTarsResponse(TypedDict):
    messages: List[Dict[str, Any]]
    """Append these chat messages behind the model's own: what went wrong, and the next picture."""
    results: List[AnswerUiTarsResponseResultsItem]
    """The results of the actions, in their order."""
    end: AnswerUiTarsResponseEnd | None
    """The way in which the model ended its task; `null` while it goes on."""
    frame: str | None
    """The `X-Frame` of the picture."""


class AnswerUiTarsResponseResultsItem(TypedDict):
    action: str
    status: Literal["done", "failed", "not_run"]
    error: str | None


class AnswerUiTarsResponseEnd(TypedDict):
    kind: Literal["finished", "call_user", "answer", "terminate"]
    status: Literal["success", "failure"] | None
    content: str | None


class AnswerQwenResponse(TypedDict):
    messages: List[Dict[str, Any]]
    """Append these chat messages behind the model's own: an answer for each call, and the next picture."""
    results: List[AnswerQwenResponseResultsItem]
    """The results of the actions, in their order."""
    end: AnswerQwenResponseEnd | None
    """The way in which the model ended its task; `null` while it goes on."""
    frame: str | None
    """The `X-Frame` of the picture."""


class AnswerQwenResponseResultsItem(TypedDict):
    action: str
    status: Literal["done", "failed", "not_run"]
    error: str | None


class AnswerQwenResponseEnd(TypedDict):
    kind: Literal["finished", "call_user", "answer", "terminate"]
    status: Literal["success", "failure"] | None
    content: str | None


class GetHealthResponse(TypedDict):
    status: Literal["ok"]


class GetReadinessResponse(TypedDict):
    ready: bool
    display: GetReadinessResponseDisplay
    keychain: GetReadinessResponseKeychain


class GetReadinessResponseDisplay(TypedDict):
    ready: bool
    reason: str
    """The reason, in one sentence."""


class GetReadinessResponseKeychain(TypedDict):
    ready: bool
    reason: str
    """The reason, in one sentence."""


class GetSystemInfoResponse(TypedDict):
    version: str
    name: str | None
    """The computer's name in the base address, or `null`."""
    system: Literal["linux", "macos", "windows"]
    backends: List[GetSystemInfoResponseBackendsItem]
    redaction: GetSystemInfoResponseRedaction
    """The state of the removal of stored secrets from the output of commands."""
    pictures: List[GetSystemInfoResponsePicturesItem]
    """The way in which pictures are read, for each X display that one was taken of."""
    disabled_groups: List[Literal["display", "mouse", "keyboard", "clipboard", "accessibility", "window", "recording", "editor", "filesystem", "bash", "keychain", "browser", "batch", "agents", "system"]]
    read_only: bool
    limits: GetSystemInfoResponseLimits
    """All limits; each has a flag."""


class GetSystemInfoResponseBackendsItem(TypedDict):
    job: Literal["display", "input", "keychain"]
    chosen: str | None
    """The backend in use."""
    reason: str
    """The reason why this one was chosen, and the others were not."""


class GetSystemInfoResponseRedaction(TypedDict):
    state: Literal["on", "incomplete", "off"]
    reason: str
    """The reason, in one sentence."""


class GetSystemInfoResponsePicturesItem(TypedDict):
    display: str
    """The system's name of the display, for example `:1`."""
    way: Literal["shared_memory", "socket"]
    """`shared_memory`: the X server writes pictures into the service's memory; otherwise it sends them, which takes longer."""
    reason: str
    """The reason why this way was chosen."""


class GetSystemInfoResponseLimits(TypedDict):
    max_body_bytes: float
    """Set by `--max-body`: largest body of a request."""
    max_batch_steps: float
    """Set by `--max-batch-steps`: steps of one batch."""
    max_batch_bytes: float
    """Set by `--max-batch-answer`: largest answer of a batch; values and pictures beyond it are left out."""
    max_connections: float
    """Set by `--max-connections`: open connections; the oldest idle one is closed for a new one."""
    max_connections_per_address: float
    """Set by `--max-connections-per-address`: open connections of one address."""
    header_timeout_ms: float
    """Set by `--header-timeout`: time for the head of the first request to arrive."""
    body_timeout_ms: float
    """Set by `--body-timeout`: time for the body of a request to arrive."""
    write_timeout_ms: float
    """Set by `--write-timeout`: time in which a client must take something of a large answer."""
    idle_timeout_ms: float
    """Set by `--idle-timeout`: time between two requests of a connection."""
    shutdown_grace_ms: float
    """Set by `--shutdown-grace`: how long running requests may go on after a signal to stop."""
    max_clipboard_bytes: float
    """Set by `--max-clipboard`: largest content of one format that is read from the clipboard or put there."""
    max_text_length: float
    """Set by `--max-text`: longest text that one request may type."""
    max_typing_delay_ms: float
    """Set by `--max-typing-delay`: longest pause between two keystrokes."""
    max_duration_ms: float
    """Set by `--max-duration`: longest duration_ms of a movement or a key press."""
    max_waiting_input: float
    """Set by `--max-waiting`: input operations of one display that may wait for their turn."""
    max_hold_ms: float
    """Set by `--max-hold`: how long a held key or button stays down."""
    keymap_settle_ms: float
    """Set by `--keymap-settle`: pause before a spare keycode is given to another character."""
    modifier_wait_ms: float
    """Set by `--modifier-wait`: how long to wait for a modifier that a person holds down."""
    max_frames: float
    """Set by `--max-frames`: pictures that requests can name as frame or since; older ones are forgotten."""
    max_image_bytes: float
    """Set by `--max-image`: largest image file that display/locate takes."""
    max_image_pixels: float
    """Set by `--max-image-pixels`: most pixels of an image that display/locate takes."""
    max_recordings: float
    """Set by `--max-recordings`: recordings that run at the same time."""
    max_recording_ms: float
    """Set by `--max-recording-time`: longest time that one recording runs."""
    max_recording_fps: float
    """Set by `--max-recording-fps`: most pictures per second of a recording."""
    max_recording_bytes: float
    """Set by `--max-recording-size`: largest file of one recording."""
    max_recordings_bytes: float
    """Set by `--max-recordings-size`: room for the files of all recordings; the oldest are removed for new ones."""
    max_commands: float
    """Set by `--max-commands`: commands that run at the same time, background ones included."""
    max_waiting_commands: float
    """Set by `--max-waiting-commands`: commands that may wait until another one ends."""
    command_wait_ms: float
    """Set by `--command-wait`: longest time that a command waits for another one to end."""
    max_command_timeout_ms: float
    """Set by `--max-command-timeout`: largest timeout that a request may ask for."""
    kept_head_bytes: float
    """Set by `--keep-output-head`: output kept from the start of each process."""
    kept_tail_bytes: float
    """Set by `--keep-output-tail`: output kept from the end of each process."""
    max_ended_processes: float
    """Set by `--max-ended`: ended processes whose output can still be read."""
    max_ended_bytes: float
    """Set by `--max-ended-bytes`: memory for the output of ended processes; the oldest lose theirs first."""
    keep_ended_ms: float
    """Set by `--keep-ended`: how long the output of an ended process can be read."""
    drain_ms: float
    """Set by `--drain`: how long output is still read after the shell has ended."""
    kill_after_ms: float
    """Set by `--kill-after`: how long a process may take to end before it is killed."""
    command_nice: float
    """Set by `--command-nice`: how far the priority of commands is lowered, in steps of nice (Linux, macOS)."""
    max_edit_bytes: float
    """Set by `--max-edit`: largest file that the editor changes."""
    max_view_bytes: float
    """Set by `--max-view`: largest text that one editor/view returns."""
    max_replacements: float
    """Set by `--max-replacements`: occurrences that one editor/str-replace may replace."""
    max_undo_bytes: float
    """Set by `--max-undo`: memory for the undo history of all files together."""
    max_read_bytes: float
    """Set by `--max-read`: largest part of a file that one filesystem/read returns."""
    max_search_results: float
    """Set by `--max-search-results`: largest max_results of filesystem/search."""
    max_tree_entries: float
    """Set by `--max-tree-entries`: largest max_entries of filesystem/tree."""
    max_walks: float
    """Set by `--max-walks`: lists, searches and trees that run at the same time."""
    max_walk_ms: float
    """Set by `--max-walk`: how long one list, search or tree may take."""
    focus_wait_ms: float
    """Set by `--focus-wait`: how long keys wait for a click to be delivered, and secrets for the clicked window to get the keyboard."""
    max_secret_bytes: float
    """Set by `--max-secret`: longest value of a keychain item."""
    max_wrong_tries: float
    """Set by `--wrong-tries`: wrong answers of authenticate for one service before further tries are delayed."""
    wrong_try_delay_ms: float
    """Set by `--wrong-try-delay`: first delay after too many wrong answers; each further one is twice as long."""
    max_wrong_try_delay_ms: float
    """Set by `--max-wrong-try-delay`: longest delay after too many wrong answers."""
    keychain_timeout_ms: float
    """Set by `--keychain-timeout`: longest time that one call of the system's keychain may take."""


class RunBatchStepsItem(TypedDict):
    operation: str
    """The name is the group and what follows in the path (`mouse.left-click`, `bash.command`); the path (`mouse/left-click`) and the `operationId` are taken too."""
    input: NotRequired[Dict[str, Any]]
    """The fields of the operation, whether they are in its body, its query or its path. An unknown field is refused."""
    until: NotRequired[str | Dict[str, Any]]
    """The condition that the step brings about, as `until` of `display/wait` without `change`: the next step runs when it holds, and if it does not come the step fails with `timed_out`."""
    timeout_ms: NotRequired[int]
    """The maximum time to wait for `until` after the step, in milliseconds; by default that of `display/wait`."""


class RunBatchThenScreenshot(TypedDict):
    x: NotRequired[int]
    """The left edge of the region, in pixels; 0 by default."""
    y: NotRequired[int]
    """The top edge of the region, in pixels; 0 by default."""
    width: NotRequired[int]
    """The width of the region, in pixels; up to the right edge by default."""
    height: NotRequired[int]
    """The height of the region, in pixels; down to the bottom edge by default."""
    max_width: NotRequired[int]
    """The maximum width of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio."""
    max_height: NotRequired[int]
    """The maximum height of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio."""
    max_edge: NotRequired[int]
    """The maximum length of either side, in pixels; a larger picture is scaled down, keeping its aspect ratio: `2000` is what Claude takes when a request has more than 20 pictures."""
    enlarge: NotRequired[bool]
    """If true, a region that is smaller than `max_width`, `max_height` or `max_edge` is enlarged to them, to at most 4096x4096 pixels in all: for models that read small pictures badly."""
    fit: NotRequired[str]
    """The picture is scaled down, the ratio kept, to the largest size that its reader takes as it is. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` makes a file of at most n bytes, n from 1000."""
    cursor: NotRequired[bool]
    """If true, the cursor is drawn into the picture."""
    format: NotRequired[Literal["png", "jpeg", "webp"]]
    """The format of the picture."""
    quality: NotRequired[int]
    """The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best)."""
    frame: NotRequired[str]
    """The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again."""
    since: NotRequired[str]
    """The `X-Frame` of an older picture: the answer then contains only what has changed since. Region and scale are those of the older picture and cannot be given."""
    display_num: NotRequired[int]
    """The number of the display. Display 1 is the one bound at start; others are opened on demand."""


class RunBatchResponse(TypedDict):
    status: Literal["completed", "failed"]
    """`failed` if a step has failed."""
    results: List[RunBatchResponseResultsItem1 | RunBatchResponseResultsItem2 | RunBatchResponseResultsItem3]
    """One result for each step."""
    screenshot: NotRequired[RunBatchResponseScreenshot | None]
    """The picture, if `then_screenshot` asks for one; `null` if nothing has changed `since`."""
    screenshot_omitted: NotRequired[Literal[True]]
    """It was left out, because the whole answer would be too large: ask for less, or in a batch of its own."""
    screenshot_error: NotRequired[RunBatchResponseScreenshotError]
    """The picture could not be taken."""
    elapsed_ms: float
    """It took this long, in milliseconds."""


class RunBatchResponseResultsItem1(TypedDict):
    status: Literal["done"]
    value: NotRequired[Any]
    """The answer of the operation, where it has one; a picture is an object with `media_type` and `data`."""
    value_omitted: NotRequired[Literal[True]]
    """It was left out, because the whole answer would be too large: ask for less, or in a batch of its own."""
    waited: NotRequired[Any]
    """The answer of `display/wait`, if the step has `until`."""
    elapsed_ms: float
    """It took this long, in milliseconds."""


class RunBatchResponseResultsItem2(TypedDict):
    status: Literal["failed"]
    error: RunBatchResponseResultsItem2Error
    elapsed_ms: float
    """It took this long, in milliseconds."""


class RunBatchResponseResultsItem2Error(TypedDict):
    code: Literal["already_exists", "not_a_directory", "is_a_directory", "not_a_file", "not_empty", "unauthorized", "forbidden", "permission_denied", "not_found", "method_not_allowed", "request_timeout", "conflict", "too_large", "invalid", "too_many_requests", "internal", "unsupported", "unavailable", "timed_out"]
    """This word says what went wrong, as in every error: `not_found`, `conflict`."""
    status: int
    """The operation alone would answer with this status."""
    detail: str | List[RunBatchResponseResultsItem2ErrorDetailItem]
    """One sentence, or the list of faults where the input is not valid."""


class RunBatchResponseResultsItem2ErrorDetailItem(TypedDict):
    loc: List[str | int]
    msg: str
    type: str


class RunBatchResponseResultsItem3(TypedDict):
    status: Literal["not_run"]


class RunBatchResponseScreenshot(TypedDict):
    media_type: str
    """For example `image/png`."""
    data: str
    """The file is in Base64."""
    width: int
    """The size is in pixels of the picture."""
    height: int
    frame: str
    """Operations that take coordinates also take this `frame`."""
    scale: float
    """The number of picture pixels per pixel of the screen."""
    display_num: int
    """The picture shows this display."""
    region: NotRequired[RunBatchResponseScreenshotRegion]
    """With `since`, this is where the part belongs in the older picture."""
    changes: NotRequired[List[List[int]]]
    """With `since`, these are the boxes that have changed: `[x, y, width, height]`."""


class RunBatchResponseScreenshotRegion(TypedDict):
    x: int
    y: int
    width: int
    height: int


class RunBatchResponseScreenshotError(TypedDict):
    code: Literal["already_exists", "not_a_directory", "is_a_directory", "not_a_file", "not_empty", "unauthorized", "forbidden", "permission_denied", "not_found", "method_not_allowed", "request_timeout", "conflict", "too_large", "invalid", "too_many_requests", "internal", "unsupported", "unavailable", "timed_out"]
    """This word says what went wrong, as in every error: `not_found`, `conflict`."""
    status: int
    """The operation alone would answer with this status."""
    detail: str | List[RunBatchResponseScreenshotErrorDetailItem]
    """One sentence, or the list of faults where the input is not valid."""


class RunBatchResponseScreenshotErrorDetailItem(TypedDict):
    loc: List[str | int]
    msg: str
    type: str
