"""One method for each operation, by group."""

# This file is generated from openapi.json: `deno task clients`

from __future__ import annotations

from typing import Any, Dict, List, Literal, overload

from . import types
from ._connection import Connection
from ._group import Group
from ._picture import Picture


class Display(Group):
    def pixel_color(
        self,
        x: int,
        y: int,
        *,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> List[int]:
        """The colour of a pixel.

        x: The X coordinate is in pixels from the left edge of the display.
        y: The Y coordinate is in pixels from the top edge of the display.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: List[int] = self._ask("POST", "/api/display/pixel_color", {
            "x": x,
            "y": y,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    @overload
    def screenshot(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        width: int | None = None,
        height: int | None = None,
        max_width: int | None = None,
        max_height: int | None = None,
        max_edge: int | None = None,
        enlarge: bool | None = None,
        fit: str | None = None,
        cursor: bool | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> Picture: ...

    @overload
    def screenshot(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        width: int | None = None,
        height: int | None = None,
        max_width: int | None = None,
        max_height: int | None = None,
        max_edge: int | None = None,
        enlarge: bool | None = None,
        fit: str | None = None,
        cursor: bool | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        frame: str | None = None,
        since: str,
        display_num: int | None = None,
    ) -> Picture | None: ...

    def screenshot(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        width: int | None = None,
        height: int | None = None,
        max_width: int | None = None,
        max_height: int | None = None,
        max_edge: int | None = None,
        enlarge: bool | None = None,
        fit: str | None = None,
        cursor: bool | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        frame: str | None = None,
        since: str | None = None,
        display_num: int | None = None,
    ) -> Picture | None:
        """A picture of the display, of a region, or of what has changed.

        The answer says in `X-Frame` which picture it is (operations that take coordinates also take that `frame`), in `X-Scale` how many of its pixels are one of the screen, and in `X-Display` which display it shows. Its `ETag` stays the same until something changes on the display: with `If-None-Match` the answer is then 304, and nothing is captured. With `since` it is the smallest part of an older picture, at its scale, that holds everything that has changed after it: `X-Region` says where it belongs there (`x,y,width,height`), `X-Changes` lists the changed boxes. When nothing has changed, the answer is 204.

        x: The left edge of the region is here, in pixels; without it at 0.
        y: The top edge of the region is here, in pixels; without it at 0.
        width: The region is this wide, in pixels; without it, it ends at the right edge.
        height: The region is this high, in pixels; without it, it ends at the bottom.
        max_width: The picture is scaled down to this width at most, in pixels, the ratio kept.
        max_height: The picture is scaled down to this height at most, in pixels, the ratio kept.
        max_edge: Neither side of the picture is longer than this, in pixels, the ratio kept: `2000` is what Claude takes when a request has more than 20 pictures.
        enlarge: When true, a region that is smaller than `max_width`, `max_height` or `max_edge` is enlarged to them, to at most 4096x4096 pixels in all: for models that read small pictures badly.
        fit: The picture is scaled down, the ratio kept, to the largest size that its reader takes as it is. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` makes a file of at most n bytes, n from 1000.
        cursor: When true, the cursor is drawn into the picture.
        format: This is the format of the picture.
        quality: The quality of JPEG and WebP goes from 1 (small) to 100 (good).
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        since: With the `X-Frame` of an older picture, the answer holds only what has changed after it. No region and no scaling can be given: both are those of the older picture.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        return self._look("GET", "/api/display/screenshot", {
            "x": x,
            "y": y,
            "width": width,
            "height": height,
            "max_width": max_width,
            "max_height": max_height,
            "max_edge": max_edge,
            "enlarge": enlarge,
            "fit": fit,
            "cursor": cursor,
            "format": format,
            "quality": quality,
            "frame": frame,
            "since": since,
            "display_num": display_num,
        })

    def screen_size(self, *, display_num: int | None = None) -> types.GetScreenSizeResponse:
        """The size of a display.

        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.GetScreenSizeResponse = self._ask("GET", "/api/display/screen_size", {"display_num": display_num})
        return value

    def list(self) -> List[types.ListDisplaysResponseItem]:
        """The displays that can be reached."""
        value: List[types.ListDisplaysResponseItem] = self._ask("GET", "/api/display/list", {})
        return value

    def wait(
        self,
        *,
        until: Literal["change", "stable"] | types.WaitForDisplayUntil2 | types.WaitForDisplayUntil3 | types.WaitForDisplayUntil4 | types.WaitForDisplayUntil5 | None = None,
        timeout_ms: int | None = None,
        stable_ms: int | None = None,
        region: types.WaitForDisplayRegion | None = None,
        ignore_area: int | types.WaitForDisplayIgnoreArea | List[types.WaitForDisplayIgnoreAreaItem] | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.WaitForDisplayResponse:
        """Wait until the display changes, is stable, or shows something; for a file or a process.

        It follows the display's own change events, so that it needs no CPU while nothing changes. What is drawn again as it was is no change. Files and processes need no display: they are looked at every 25 ms.

        until: With `change` it waits until something looks different, with `stable` until nothing has changed for `stable_ms`. It can also wait for a pixel that has a colour, for an image that is shown, and, without a look at any display, for a file or for the end of a process.
        timeout_ms: It waits at most this long, in milliseconds.
        stable_ms: Nothing must change for this long, in milliseconds.
        region: Only this part of the display counts; without it, all of it does.
        ignore_area: This does not count for `change` and `stable`. A number ignores changes of less than this many pixels (width times height), until they add up; without it 100 are ignored for `stable`, so that a blinking text cursor does not matter, and 0 for `change`. A region, or a list of up to 100, ignores changes there, such as those of a clock or a video.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.WaitForDisplayResponse = self._ask("POST", "/api/display/wait", {
            "until": until,
            "timeout_ms": timeout_ms,
            "stable_ms": stable_ms,
            "region": region,
            "ignore_area": ignore_area,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    def locate(
        self,
        image_path: str,
        *,
        confidence: float | None = None,
        all: bool | None = None,
        region: types.LocateImageRegion | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.LocateImageResponse | List[types.LocateImageResponseItem] | None:
        """Find an image on the display.

        Finds the image by normalised correlation, which tolerates small differences of colour and brightness but not of size. With the `frame` of a scaled picture the image may be cut from that picture. Transparent pixels of the image fit anything.

        image_path: This is the path of a PNG, JPEG or WebP file: absolute, or `~/...`, or relative to the home.
        confidence: It must be at least this alike: 1 is the very same, 0.9 forgives small differences.
        all: When true, the answer has every match, at most 1,000.
        region: It searches only here; without it, everywhere.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.LocateImageResponse | List[types.LocateImageResponseItem] | None = self._ask("POST", "/api/display/locate", {
            "image_path": image_path,
            "confidence": confidence,
            "all": all,
            "region": region,
            "frame": frame,
            "display_num": display_num,
        })
        return value


class Mouse(Group):
    def move(
        self,
        x: int,
        y: int,
        *,
        duration_ms: int | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Move the cursor.

        A point off the screen, or off the picture, means the nearest point on it.

        x: The X coordinate is in pixels from the left edge of the display.
        y: The Y coordinate is in pixels from the top edge of the display.
        duration_ms: The movement takes this long, in milliseconds; 0 means at once.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/mouse/move", {
            "x": x,
            "y": y,
            "duration_ms": duration_ms,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    def left_click(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
        click_count: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Left click.

        Clicks at the cursor, or at `x`, `y` (both or neither).

        x: The X coordinate is in pixels from the left edge of the display.
        y: The Y coordinate is in pixels from the top edge of the display.
        modifiers: These keys are held down during the click, for example `["ctrl"]`.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        click_count: 1 is a click, 2 a double click, 3 a triple click.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/mouse/left-click", {
            "x": x,
            "y": y,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
            "click_count": click_count,
        })
        return value

    def right_click(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
        click_count: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Right click.

        Clicks at the cursor, or at `x`, `y` (both or neither).

        x: The X coordinate is in pixels from the left edge of the display.
        y: The Y coordinate is in pixels from the top edge of the display.
        modifiers: These keys are held down during the click, for example `["ctrl"]`.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        click_count: 1 is a click, 2 a double click, 3 a triple click.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/mouse/right-click", {
            "x": x,
            "y": y,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
            "click_count": click_count,
        })
        return value

    def middle_click(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
        click_count: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Middle click.

        Clicks at the cursor, or at `x`, `y` (both or neither).

        x: The X coordinate is in pixels from the left edge of the display.
        y: The Y coordinate is in pixels from the top edge of the display.
        modifiers: These keys are held down during the click, for example `["ctrl"]`.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        click_count: 1 is a click, 2 a double click, 3 a triple click.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/mouse/middle-click", {
            "x": x,
            "y": y,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
            "click_count": click_count,
        })
        return value

    def double_click(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Double left click.

        Presses the button inside the double-click time of every toolkit, with no motion between the presses, and each with a time of its own. Right after another click at the same place it waits until that click is too old to count.

        x: The X coordinate is in pixels from the left edge of the display.
        y: The Y coordinate is in pixels from the top edge of the display.
        modifiers: These keys are held down during the click, for example `["ctrl"]`.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/mouse/double-click", {
            "x": x,
            "y": y,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    def triple_click(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Triple left click.

        Presses the button inside the double-click time of every toolkit, with no motion between the presses, and each with a time of its own. Right after another click at the same place it waits until that click is too old to count.

        x: The X coordinate is in pixels from the left edge of the display.
        y: The Y coordinate is in pixels from the top edge of the display.
        modifiers: These keys are held down during the click, for example `["ctrl"]`.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/mouse/triple-click", {
            "x": x,
            "y": y,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    def scroll(
        self,
        clicks: int,
        *,
        horizontal_clicks: int | None = None,
        unit: Literal["notches", "pixels"] | None = None,
        x: int | None = None,
        y: int | None = None,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Turn the wheel.

        Notches follow each other at a pace at which programs count every one (15 ms).

        clicks: The wheel turns by this many notches: positive scrolls up, negative down.
        horizontal_clicks: The horizontal wheel turns by this many notches: positive scrolls right, negative left.
        unit: This is what `clicks` and `horizontal_clicks` count. Pixels work on macOS, and on Windows as browsers measure them (100 for a notch); X11 answers 501, because its wheel turns by whole notches.
        x: The X coordinate is in pixels from the left edge of the display.
        y: The Y coordinate is in pixels from the top edge of the display.
        modifiers: These keys are held down during the scrolling, for example `["ctrl"]`.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/mouse/scroll", {
            "clicks": clicks,
            "horizontal_clicks": horizontal_clicks,
            "unit": unit,
            "x": x,
            "y": y,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    def drag(
        self,
        x: int,
        y: int,
        *,
        from_: types.DragMouseFrom | None = None,
        path: List[types.DragMousePathItem] | None = None,
        button: Literal["left", "middle", "right", "back", "forward"] | None = None,
        modifiers: List[str] | None = None,
        duration_ms: int | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Drag to a point.

        Presses the button at the cursor or at `from`, moves over the points of `path` to `x`, `y` at constant speed, rests, and releases it exactly there. Without `duration_ms` it takes as long as drag and drop between windows and in web pages needs; with 0 it goes at once and without a rest, which is enough for selections and sliders, but not for drag and drop.

        x: The X coordinate is in pixels from the left edge of the display.
        y: The Y coordinate is in pixels from the top edge of the display.
        from_: The drag begins here; without it, at the cursor.
        path: The cursor passes these points on the way, in this order.
        button: This button is held down.
        modifiers: These keys are held down during the drag, for example `["ctrl"]`.
        duration_ms: The movement takes this long, in milliseconds; 0 means at once, without a rest.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/mouse/drag", {
            "x": x,
            "y": y,
            "from": from_,
            "path": path,
            "button": button,
            "modifiers": modifiers,
            "duration_ms": duration_ms,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    def down(
        self,
        *,
        button: Literal["left", "middle", "right", "back", "forward"] | None = None,
        x: int | None = None,
        y: int | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Press a button and hold it.

        Presses at the cursor, or at `x`, `y`. The button is held until `up`, release-all, 600 seconds or the end of the service.

        button: This is the button.
        x: The X coordinate is in pixels from the left edge of the display.
        y: The Y coordinate is in pixels from the top edge of the display.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/mouse/down", {
            "button": button,
            "x": x,
            "y": y,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    def up(
        self,
        *,
        button: Literal["left", "middle", "right", "back", "forward"] | None = None,
        x: int | None = None,
        y: int | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Release a button held by `down`.

        Releases at the cursor, or at `x`, `y`: the cursor moves there first. A button that is not held is left alone.

        button: This is the button.
        x: The X coordinate is in pixels from the left edge of the display.
        y: The Y coordinate is in pixels from the top edge of the display.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/mouse/up", {
            "button": button,
            "x": x,
            "y": y,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    def position(self, *, display_num: int | None = None) -> types.GetMousePositionResponse:
        """Where the cursor is.

        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.GetMousePositionResponse = self._ask("GET", "/api/mouse/position", {"display_num": display_num})
        return value


class Keyboard(Group):
    def type(
        self,
        text: str | None = None,
        *,
        secret: types.TypeTextSecret | None = None,
        typing_delay: int | None = None,
        typing_group_size: int | None = None,
        clear: bool | None = None,
        effect: bool | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Type a text.

        Types any Unicode text on any keyboard layout. `\\n`, `\\r\\n` and `\\r` are one Enter, `\\t` is Tab; other control characters are refused. `secret` names a value of the keychain, which is typed and never shown. A text with a character that cannot be typed is refused as a whole. With `clear` the field that has the focus is emptied first; an empty text then only empties it.

        text: This is the text to type; exactly one of `text` and `secret` is given.
        secret: This value of the keychain is used, and never shown.
        typing_delay: This much time is between two keystrokes, in milliseconds.
        typing_group_size: This many characters are sent as one batch; between batches (and at least every 50 characters) the service looks whether the client is still there.
        clear: When true, the field is emptied first: everything in it is selected and deleted. A terminal has no selection to delete: leave it `false` there, and send `ctrl+u`.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/keyboard/type", {
            "text": text,
            "secret": secret,
            "typing_delay": typing_delay,
            "typing_group_size": typing_group_size,
            "clear": clear,
            "effect": effect,
            "display_num": display_num,
        })
        return value

    def key(
        self,
        key: str,
        *,
        duration_ms: int | None = None,
        repeat: int | None = None,
        effect: bool | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Press a key or a combination.

        A combination is written `ctrl+shift+t`; the plus key is `+`, also after a final `+` (`ctrl++`). In a combination ASCII letters are taken lower-case: list `shift` where it is meant. A shortcut such as `ctrl+a` works on every layout, also on one without Latin letters. With `repeat` the whole combination is pressed and released so many times.

        key: It is a key name, or several joined by `+`: `enter`, `ctrl+shift+t`, `ctrl++`.
        duration_ms: Each time the key is held down for this long, in milliseconds; 0 means at once.
        repeat: It is pressed and released this many times, one after the other.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/keyboard/key", {
            "key": key,
            "duration_ms": duration_ms,
            "repeat": repeat,
            "effect": effect,
            "display_num": display_num,
        })
        return value

    def hotkey(
        self,
        keys: List[str],
        *,
        repeat: int | None = None,
        effect: bool | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Press keys together.

        Presses the keys in the order of the list and releases them in reverse, `repeat` times.

        keys: These are key names, the first pressed first.
        repeat: It is pressed and released this many times, one after the other.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/keyboard/hotkey", {
            "keys": keys,
            "repeat": repeat,
            "effect": effect,
            "display_num": display_num,
        })
        return value

    def hold(
        self,
        key: str,
        *,
        effect: bool | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Press a key and hold it.

        The key is held until `release`, release-all, 600 seconds or the end of the service.

        key: The name of a key is a word (`enter`, `f5`, `ctrl`), an X keysym name (`Page_Down`) or a single character.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/keyboard/hold", {
            "key": key,
            "effect": effect,
            "display_num": display_num,
        })
        return value

    def release(
        self,
        key: str,
        *,
        effect: bool | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Release a key held by `hold`.

        A key that is not held is left alone.

        key: The name of a key is a word (`enter`, `f5`, `ctrl`), an X keysym name (`Page_Down`) or a single character.
        effect: When true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = self._ask("POST", "/api/keyboard/release", {
            "key": key,
            "effect": effect,
            "display_num": display_num,
        })
        return value

    def held(self, *, display_num: int | None = None) -> List[str]:
        """Keys held by `hold`.

        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: List[str] = self._ask("GET", "/api/keyboard/held", {"display_num": display_num})
        return value


class Keychain(Group):
    def set_item(self, service: str, item: Dict[str, Any]) -> None:
        """Store the item of a service.

        It replaces the item that the service has. No operation returns a stored value. That keeps secrets out of transcripts; it is no boundary against a caller who can run commands or see the screen.

        service: This is the name of the service that the item is for, for example `github`.
        item: These are the values by name. `null` means that there is no such field. Names other than these are stored, too.
        """
        self._send("POST", "/api/keychain/set-item", {"service": service, "item": item})

    def authenticate(
        self,
        authElements: List[Any],
        service: str,
        *,
        frame: str | None = None,
        clear: bool | None = None,
        display_num: int | None = None,
    ) -> bool:
        """Check values against the stored item, or fill stored values in.

        An element with `value` is compared with the stored field. One with `coordinates` is filled in: a click there, then the field is emptied (`clear`) and the stored value is typed. Values are checked first. The answer is `true` when all were right and all were typed; it is `false`, with nothing clicked or typed, when a value is wrong or a field is not stored. After 5 wrong answers for a service name each further one waits, from 1000 ms up to 30000 ms, until right values for the fields that were wrong, or ten minutes without a wrong one. No operation returns a stored value. That keeps secrets out of transcripts; it is no boundary against a caller who can run commands or see the screen.

        authElements: These elements are checked or filled in, in this order.
        service: This is the name of the service that the item is for, for example `github`.
        frame: With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        clear: When true, the field is emptied first: everything in it is selected and deleted. A terminal has no selection to delete: leave it `false` there, and send `ctrl+u`.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        """
        value: bool = self._ask("POST", "/api/keychain/authenticate", {
            "authElements": authElements,
            "service": service,
            "frame": frame,
            "clear": clear,
            "display_num": display_num,
        })
        return value

    def list_services(self) -> List[str]:
        """Names of the services that have an item."""
        value: List[str] = self._ask("GET", "/api/keychain/list-services", {})
        return value

    def delete_item(self, service: str) -> None:
        """Forget the item of a service.

        A service without an item is left alone.

        service: This is the name of the service that the item is for, for example `github`.
        """
        self._send("POST", "/api/keychain/delete-item", {"service": service})


class Editor(Group):
    def view(
        self,
        path: str,
        *,
        view_range: List[int] | None = None,
    ) -> str:
        """Read a text file, or some of its lines.

        Lines come as they are in the file, with their line breaks and with a byte order mark, so that ranges put together give the file. Bytes that are not UTF-8 become U+FFFD. A last line beyond the end means the end; a first line beyond it is refused.

        path: This is the path of the file: absolute, `~/...`, or relative to the home of the service's user.
        view_range: These are the first and the last line, from 1; a last of -1 is the end of the file.
        """
        value: str = self._ask("POST", "/api/editor/view", {"path": path, "view_range": view_range})
        return value

    def create(self, path: str, *, file_text: str | None = None) -> None:
        """Create a text file.

        Missing folders above it are made. A file that exists is never replaced.

        path: This is the path of the file: absolute, `~/...`, or relative to the home of the service's user.
        file_text: The file holds this text; `null` makes it empty.
        """
        self._send("POST", "/api/editor/create", {"path": path, "file_text": file_text})

    def str_replace(
        self,
        path: str,
        old_str: str,
        new_str: str,
        *,
        unique: bool | None = None,
    ) -> None:
        """Replace a text everywhere in a file.

        Replaces all occurrences, from left to right; everything else keeps its bytes. At most 10000000 are replaced at once. A crash at any moment leaves the old file or the new one; mode, owner, extended attributes and symbolic links are kept. Edits of one file wait for each other.

        path: This is the path of the file: absolute, `~/...`, or relative to the home of the service's user.
        old_str: This text is replaced; it must be exactly as it is in the file.
        new_str: This comes in its place; it may be empty.
        unique: When true, a text that occurs more than once is refused, and nothing is replaced.
        """
        self._send("POST", "/api/editor/str-replace", {
            "path": path,
            "old_str": old_str,
            "new_str": new_str,
            "unique": unique,
        })

    def insert(
        self,
        path: str,
        text: str,
        *,
        insert_line: int | None = None,
    ) -> None:
        """Insert a text as a line of a file.

        A line break of the file's own kind is added where the text lacks one. A text that is appended to a file without a last line break gets one before it and none after. A byte order mark stays first. A crash at any moment leaves the old file or the new one; mode, owner, extended attributes and symbolic links are kept. Edits of one file wait for each other.

        path: This is the path of the file: absolute, `~/...`, or relative to the home of the service's user.
        text: The text is one line or several.
        insert_line: The text becomes this line: 0 and 1 are the top, `null` appends.
        """
        self._send("POST", "/api/editor/insert", {
            "path": path,
            "text": text,
            "insert_line": insert_line,
        })

    def apply_patch(self, path: str, diff: str) -> None:
        """Apply a diff to a file.

        Takes the V4A format of OpenAI's `apply_patch`, for one file: sections that begin with `@@` and an optional anchor (a line of the file above the change), of lines that begin with a space (kept), `-` (removed) or `+` (added); `*** End of File` ends a section at the end of the file. Headings of unified diffs are understood too. Lines are compared exactly, else without blanks at their ends. All sections are placed before anything is changed: a section whose lines are not there, or are there several times without an anchor that is there once, is refused. Line breaks and a missing last one stay as they are. A crash at any moment leaves the old file or the new one; mode, owner, extended attributes and symbolic links are kept. Edits of one file wait for each other.

        path: This is the path of the file: absolute, `~/...`, or relative to the home of the service's user.
        diff: These are the sections.
        """
        self._send("POST", "/api/editor/apply-patch", {"path": path, "diff": diff})

    def undo_edit(self, path: str) -> None:
        """Undo the last edit of a file.

        Undoes the last create, str-replace, insert or apply-patch through this service since it started; call it again for the one before. Undoing a create removes the file. The history of all files together takes at most 67108864 bytes of memory; the oldest edits are forgotten first.

        path: This is the path of the file: absolute, `~/...`, or relative to the home of the service's user.
        """
        self._send("POST", "/api/editor/undo-edit", {"path": path})


class Filesystem(Group):
    def list(
        self,
        path: str,
        *,
        include_hidden: bool | None = None,
        pattern: str | None = None,
    ) -> List[types.FilesystemEntry]:
        """List a folder.

        Folders come first, then files, each by name.

        path: This is the path of the folder: absolute, `~/...`, or relative to the home of the service's user.
        include_hidden: When true, names that start with a dot are included.
        pattern: The answer has only names that match. The glob knows `* ** ? [a-z] [!a-z] {a,b}`, and `\\` before a character that is meant as it is.
        """
        value: List[types.FilesystemEntry] = self._ask("POST", "/api/filesystem/list", {
            "path": path,
            "include_hidden": include_hidden,
            "pattern": pattern,
        })
        return value

    def search(
        self,
        root_path: str,
        pattern: str,
        *,
        max_results: int | None = None,
        include_hidden: bool | None = None,
    ) -> List[types.FilesystemEntry]:
        """Search a tree for names.

        It goes depth first in the order of names and stops at `max_results`, so that the same call gives the same answer. Folders come first, each by path. Folders that cannot be read are skipped, links to folders are not followed.

        root_path: This is the path of the folder to begin at: absolute, `~/...`, or relative to the home of the service's user.
        pattern: The glob knows `* ** ? [a-z] [!a-z] {a,b}`, and `\\` before a character that is meant as it is. It matches at any depth; one with `/` is compared with the path below the root.
        max_results: The answer has at most this many files and folders.
        include_hidden: When true, names that start with a dot are included.
        """
        value: List[types.FilesystemEntry] = self._ask("POST", "/api/filesystem/search", {
            "root_path": root_path,
            "pattern": pattern,
            "max_results": max_results,
            "include_hidden": include_hidden,
        })
        return value

    def tree(
        self,
        path: str,
        *,
        max_depth: int | None = None,
        include_hidden: bool | None = None,
        pattern: str | None = None,
        max_entries: int | None = None,
    ) -> types.DirectoryTreeNode:
        """Show a tree of folders and files.

        Folders come first, then files, each by name. A folder that was not entered has no children and is `truncated`; of a root with more than `max_entries` the first ones come. A link to a folder has no children and is not truncated. A large answer is sent while it is made.

        path: This is the path of the folder: absolute, `~/...`, or relative to the home of the service's user.
        max_depth: 1 is the folder and its entries.
        include_hidden: When true, names that start with a dot are included.
        pattern: The answer has only files that match; folders stay if something below them does. The glob knows `* ** ? [a-z] [!a-z] {a,b}`, and `\\` before a character that is meant as it is.
        max_entries: The answer has at most this many files and folders.
        """
        value: types.DirectoryTreeNode = self._ask("POST", "/api/filesystem/tree", {
            "path": path,
            "max_depth": max_depth,
            "include_hidden": include_hidden,
            "pattern": pattern,
            "max_entries": max_entries,
        })
        return value

    def info(self, path: str) -> types.FilesystemEntry:
        """Look at one file or folder.

        The path is percent-encoded (`info/%2Fetc%2Fhosts`), or plain (`info//etc/hosts`), or relative to the home (`info/notes.txt`). It is decoded once: a percent sign is `%25`.

        path: This is the path of the file or folder: absolute, `~/...`, or relative to the home of the service's user.
        """
        value: types.FilesystemEntry = self._ask("GET", "/api/filesystem/info/{path}", {"path": path})
        return value

    def read(
        self,
        path: str,
        *,
        encoding: Literal["text", "base64"] | None = None,
        offset: int | None = None,
        length: int | None = None,
    ) -> types.ReadFileResponse:
        """Read a file, or a part of it.

        Text is cut between characters, so that `next_offset` may be a little less than `offset + length`; bytes that are not UTF-8 become U+FFFD.

        path: This is the path of the file: absolute, `~/...`, or relative to the home of the service's user.
        encoding: The bytes come as text or as Base64.
        offset: It begins here, in bytes.
        length: It reads at most this much, in bytes.
        """
        value: types.ReadFileResponse = self._ask("POST", "/api/filesystem/read", {
            "path": path,
            "encoding": encoding,
            "offset": offset,
            "length": length,
        })
        return value

    def write(
        self,
        path: str,
        content: str,
        *,
        encoding: Literal["text", "base64"] | None = None,
        overwrite: bool | None = None,
    ) -> None:
        """Write a whole file.

        Missing folders above it are made. The file appears whole or not at all; one that is replaced keeps its mode, owner and links.

        path: This is the path of the file: absolute, `~/...`, or relative to the home of the service's user.
        content: The file holds this then.
        encoding: `content` is text or Base64.
        overwrite: When true, a file may be replaced.
        """
        self._send("POST", "/api/filesystem/write", {
            "path": path,
            "content": content,
            "encoding": encoding,
            "overwrite": overwrite,
        })

    def mkdir(self, path: str) -> None:
        """Make a folder.

        The folders above it are made, too. A folder that exists is fine.

        path: This is the path of the folder: absolute, `~/...`, or relative to the home of the service's user.
        """
        self._send("POST", "/api/filesystem/mkdir", {"path": path})

    def move(
        self,
        source: str,
        destination: str,
        *,
        overwrite: bool | None = None,
    ) -> None:
        """Move or rename a file or folder.

        A link is moved itself. To another file system it is copied, then deleted: whole, or not at all. The root, the home and the folders above it are never moved.

        source: This is the path of the file or folder: absolute, `~/...`, or relative to the home of the service's user.
        destination: This is the new path, above which missing folders are made: absolute, `~/...`, or relative to the home of the service's user.
        overwrite: When true, a file may replace a file, and a folder an empty folder.
        """
        self._send("POST", "/api/filesystem/move", {
            "source": source,
            "destination": destination,
            "overwrite": overwrite,
        })

    def copy(
        self,
        source: str,
        destination: str,
        *,
        overwrite: bool | None = None,
    ) -> None:
        """Copy a file or folder.

        It appears whole or not at all. A link that is named is followed; links inside a folder are copied as links. Holes stay holes; setuid and setgid are kept only where the copy has the same owner. A folder with FIFOs, sockets or devices is refused.

        source: This is the path of the file or folder: absolute, `~/...`, or relative to the home of the service's user.
        destination: This is the new path, above which missing folders are made: absolute, `~/...`, or relative to the home of the service's user.
        overwrite: When true, a file may replace a file, and a folder an empty folder.
        """
        self._send("POST", "/api/filesystem/copy", {
            "source": source,
            "destination": destination,
            "overwrite": overwrite,
        })

    def delete(
        self,
        path: str,
        *,
        recursive: bool | None = None,
    ) -> None:
        """Delete a file or folder.

        A link is deleted itself, never what it leads to. The root, the home and the folders above it are never deleted.

        path: This is the path of the file or folder: absolute, `~/...`, or relative to the home of the service's user.
        recursive: When true, a folder may hold something.
        """
        self._send("POST", "/api/filesystem/delete", {"path": path, "recursive": recursive})


class Bash(Group):
    def command(
        self,
        command: str,
        *,
        timeout: float | None = None,
        max_runtime: float | None = None,
        cwd: str | None = None,
        env: Dict[str, str] | None = None,
        env_secrets: Dict[str, types.ExecuteCommandEnvSecretsValue] | None = None,
        stdin: str | None = None,
        stdin_open: bool | None = None,
    ) -> types.ExecuteCommandResponse:
        """Run a shell command.

        A command that ends within `timeout` is `completed`; a failing one is a result like any other. One that does not is `background`: it goes on, and `process_id` reads, feeds and ends it. What the command leaves running (`xterm &`) does not hold up the answer for more than 300 ms and is listed by `processes/managed`. At most 64 run at once, background ones included; others wait for a place, at most 60 s. When the client leaves, a command that runs goes on in the background.

        command: The shell runs this; it is less than 128 KiB of UTF-8.
        timeout: It waits this many seconds for the end; 0 means background at once.
        max_runtime: The command is ended after this many seconds, wherever it runs; without it, it may run on.
        cwd: The command runs in this folder: absolute, `~/...` or relative to the home, which is the default.
        env: These variables are added to the environment, each less than 128 KiB of UTF-8. Those that the shell sets itself are refused (`IFS`, `PPID`, `LINENO` and their like), but for `PWD`, `OLDPWD`, `SHLVL` and `_`, of which it takes its own: use `cwd` for the folder.
        env_secrets: The values of these variables come from the keychain: they are in the environment of this command alone.
        stdin: The command reads this; without it there is nothing to read.
        stdin_open: When true, its input stays open for `process/{pid}/input` after `stdin`.
        """
        value: types.ExecuteCommandResponse = self._ask("POST", "/api/bash/command", {
            "command": command,
            "timeout": timeout,
            "max_runtime": max_runtime,
            "cwd": cwd,
            "env": env,
            "env_secrets": env_secrets,
            "stdin": stdin,
            "stdin_open": stdin_open,
        })
        return value

    def get_process_output(
        self,
        pid: int,
        *,
        offset: int | None = None,
        wait_ms: int | None = None,
    ) -> types.GetProcessOutputResponse:
        """Read what a process has written.

        It can be read as often as you like, and after the end of the process for 3600 s (the last 1000 that ended). When all ended ones take more than 134217728 bytes, the oldest lose their output, which is `truncated` then, and are forgotten at last. Of a long output the first 65536 and the last 1048576 bytes are kept.

        pid: This is the number of the process.
        offset: It starts here, in bytes of the whole output: at the `next_offset` of an earlier answer. In a part that is gone it means the next byte that is kept.
        wait_ms: It waits this many milliseconds for output after `offset` (without it: after what there is now) or the end of the process; 0 answers at once.
        """
        value: types.GetProcessOutputResponse = self._ask("GET", "/api/bash/process/{pid}/output", {"pid": pid, "offset": offset, "wait_ms": wait_ms})
        return value

    def write_process_input(
        self,
        pid: int,
        text: str,
        *,
        eof: bool | None = None,
    ) -> None:
        """Write to the input of a process.

        Texts are handed over in order, as fast as the process reads.

        pid: This is the number of the process.
        text: The process reads this.
        eof: When true, its input ends after the text.
        """
        self._send("POST", "/api/bash/process/{pid}/input", {"pid": pid, "text": text, "eof": eof})

    def terminate_process(self, pid: int) -> None:
        """End a process and all that it started.

        It asks the whole group to end, kills it after 3 s, and answers when it is gone. The output stays readable.

        pid: This is the number of the process.
        """
        self._send("DELETE", "/api/bash/process/{pid}", {"pid": pid})

    def list_managed_processes(self, *, all: bool | None = None) -> List[types.ListManagedProcessesResponseItem]:
        """The processes of this service.

        all: When true, those are listed too that have ended and can still be read.
        """
        value: List[types.ListManagedProcessesResponseItem] = self._ask("GET", "/api/bash/processes/managed", {"all": all})
        return value

    def restart(self) -> None:
        """End every process of this service and forget it.

        Commands that wait for a place are dropped (they answer 409). It does not restart the computer.
        """
        self._send("POST", "/api/bash/restart", {})


class Agents(Group):
    def anthropic(
        self,
        content: List[Dict[str, Any]],
        *,
        tools: List[Dict[str, Any]] | None = None,
        display_num: int | None = None,
        fit: str | None = None,
        max_edge: int | None = None,
        frame: str | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        cursor: bool | None = None,
        settle_ms: int | None = None,
        after_action: bool | None = None,
        then_screenshot: bool | None = None,
        shell: str | None = None,
        bash_timeout: float | None = None,
        memory_dir: str | None = None,
    ) -> types.AnswerAnthropicResponse:
        """Perform what a Claude model asks for.

        Takes the `content` of the model's message as it is, performs its `tool_use` blocks in their order, and answers with the `tool_result` blocks of the next message. It knows `computer_toolset_20260801`, `computer_20251124`, `computer_20250124`, `bash_20250124`, `text_editor_20250728`, `text_editor_20250429`, `text_editor_20250124` and `memory_20250818`. What fails is a result with `is_error`; computer actions after it are not executed. When the client leaves, the action stops, and what the turn has pressed is released.

        content: This is the `content` of the model's message, as the API gave it.
        tools: These are the `tools` of your request, as you sent them: they say which versions of the tools the model knows. Without them the newest versions are assumed.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        fit: Pictures are made to fit the model, as by the `fit` of a screenshot; without it, `claude`, or for the older tools the display size that they declare.
        max_edge: Neither side of a picture is longer than this, in pixels.
        frame: With the `X-Frame` of a picture that the model was shown, its coordinates are pixels of that picture; without it, of the pictures that this operation makes.
        format: This is the format of the pictures.
        quality: The quality of JPEG and WebP goes from 1 (small) to 100 (good).
        cursor: When true, the cursor is drawn into pictures.
        settle_ms: A picture after an action waits until the display is still, at most this many milliseconds; 0 does not wait.
        after_action: When true, an action of an earlier request may still be changing the display: the first picture waits for it, too.
        then_screenshot: When true, the last result has a picture of the display after the actions, if it has none yet.
        shell: This is the name of the shell that the `bash` tool uses: each name has one of its own.
        bash_timeout: A command of the `bash` tool that takes more seconds is ended with its shell.
        memory_dir: This is the folder that is `/memories` for the `memory` tool: absolute, `~/...`, or relative to the home of the service's user.
        """
        value: types.AnswerAnthropicResponse = self._ask("POST", "/api/agents/anthropic", {
            "content": content,
            "tools": tools,
            "display_num": display_num,
            "fit": fit,
            "max_edge": max_edge,
            "frame": frame,
            "format": format,
            "quality": quality,
            "cursor": cursor,
            "settle_ms": settle_ms,
            "after_action": after_action,
            "then_screenshot": then_screenshot,
            "shell": shell,
            "bash_timeout": bash_timeout,
            "memory_dir": memory_dir,
        })
        return value

    def openai(
        self,
        output: List[Dict[str, Any]],
        *,
        acknowledged_safety_checks: List[Dict[str, Any]] | None = None,
        workspace: str | None = None,
        display_num: int | None = None,
        fit: str | None = None,
        max_edge: int | None = None,
        frame: str | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        cursor: bool | None = None,
        settle_ms: int | None = None,
        after_action: bool | None = None,
        then_screenshot: bool | None = None,
    ) -> types.AnswerOpenaiResponse:
        """Perform what an OpenAI model asks for.

        Takes the `output` of the model's response as it is, performs its calls in their order, and answers with the items for the `input` of the next request. It knows `computer` (`actions` and held `keys`), `computer_use_preview` (one `action`), `apply_patch`, `shell` and `local_shell`. A computer call is answered with one picture after all its actions; one that fails is `incomplete`, has a message behind it that says why, and computer calls after it are not performed. A patch that does not fit and a command that fails are results like any other. While a safety check is not acknowledged nothing is performed. When the client leaves, the action stops, and what the turn has pressed is released.

        output: This is the `output` of the model's response, as the API gave it.
        acknowledged_safety_checks: These are the `pending_safety_checks` of the calls that a person has agreed to.
        workspace: This is the folder that `apply_patch` works in: absolute, `~/...`, or relative to the home of the service's user.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        fit: Pictures are made to fit the model, as by the `fit` of a screenshot; without it, `openai`.
        max_edge: Neither side of a picture is longer than this, in pixels.
        frame: With the `X-Frame` of a picture that the model was shown, its coordinates are pixels of that picture; without it, of the pictures that this operation makes.
        format: This is the format of the pictures.
        quality: The quality of JPEG and WebP goes from 1 (small) to 100 (good).
        cursor: When true, the cursor is drawn into pictures.
        settle_ms: A picture after an action waits until the display is still, at most this many milliseconds; 0 does not wait.
        after_action: When true, an action of an earlier request may still be changing the display: the first picture waits for it, too.
        then_screenshot: When false, computer calls are answered only where they fail, by the message: for drivers of the vendor's classes, which take the picture by a request of its own.
        """
        value: types.AnswerOpenaiResponse = self._ask("POST", "/api/agents/openai", {
            "output": output,
            "acknowledged_safety_checks": acknowledged_safety_checks,
            "workspace": workspace,
            "display_num": display_num,
            "fit": fit,
            "max_edge": max_edge,
            "frame": frame,
            "format": format,
            "quality": quality,
            "cursor": cursor,
            "settle_ms": settle_ms,
            "after_action": after_action,
            "then_screenshot": then_screenshot,
        })
        return value

    def gemini(
        self,
        *,
        parts: List[Dict[str, Any]] | None = None,
        steps: List[Dict[str, Any]] | None = None,
        acknowledged: List[str | int] | None = None,
        display_num: int | None = None,
        fit: str | None = None,
        max_edge: int | None = None,
        frame: str | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        cursor: bool | None = None,
        settle_ms: int | None = None,
        after_action: bool | None = None,
        then_screenshot: bool | None = None,
    ) -> types.AnswerGeminiResponse:
        """Perform what a Gemini model asks for.

        Takes the `parts` of the model's content (or the steps of an interaction) as they are, performs the functions of the computer use tool's desktop environment in their order, and answers each. Coordinates go from 0 to 999 in both directions. What fails is a result with `error`; functions after it are not performed. While a call whose `safety_decision` asks for a confirmation is not acknowledged nothing is performed. When the client leaves, the action stops, and what the turn has pressed is released.

        parts: These are the `parts` of the model's content, as `generateContent` gave them; those without a `functionCall` are left out.
        steps: These are the steps of an interaction instead, as the Interactions API gave them; those of other types than `function_call` are left out.
        acknowledged: These are the ids, or the numbers from 0, of the calls that a person has agreed to.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        fit: Pictures are made to fit the model, as by the `fit` of a screenshot; without it, `gemini`.
        max_edge: Neither side of a picture is longer than this, in pixels.
        frame: With the `X-Frame` of a picture that the model was shown, its coordinates are pixels of that picture; without it, of the pictures that this operation makes.
        format: This is the format of the pictures.
        quality: The quality of JPEG and WebP goes from 1 (small) to 100 (good).
        cursor: When true, the cursor is drawn into pictures.
        settle_ms: A picture after an action waits until the display is still, at most this many milliseconds; 0 does not wait.
        after_action: When true, an action of an earlier request may still be changing the display: the first picture waits for it, too.
        then_screenshot: When true, the last result has a picture of the display after the actions, if it has none yet.
        """
        value: types.AnswerGeminiResponse = self._ask("POST", "/api/agents/gemini", {
            "parts": parts,
            "steps": steps,
            "acknowledged": acknowledged,
            "display_num": display_num,
            "fit": fit,
            "max_edge": max_edge,
            "frame": frame,
            "format": format,
            "quality": quality,
            "cursor": cursor,
            "settle_ms": settle_ms,
            "after_action": after_action,
            "then_screenshot": then_screenshot,
        })
        return value

    def ui_tars(
        self,
        text: str,
        *,
        coordinates: Literal["0..1000", "pixels", "resized"] | None = None,
        min_pixels: int | None = None,
        max_pixels: int | None = None,
        display_num: int | None = None,
        fit: str | None = None,
        max_edge: int | None = None,
        frame: str | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        cursor: bool | None = None,
        settle_ms: int | None = None,
        after_action: bool | None = None,
        then_screenshot: bool | None = None,
    ) -> types.AnswerUiTarsResponse:
        """Perform what a UI-TARS model asks for.

        Takes the text of the model as it is (`Thought: ...`, `Action: click(start_box='(500,300)')`), performs its actions in their order, and answers with the next chat message. The first that fails ends the turn, and the message says why; so does a text without an action that can be read. `finished` and `call_user` end the task. When the client leaves, the action stops, and what the turn has pressed is released.

        text: This is the content of the model's message.
        coordinates: This is what the model's coordinates count: thousandths of the picture (UI-TARS 1.0 and 2, Doubao, Qwen3-VL), its pixels, or the pixels of the size to which the model scales it (UI-TARS 1.5, Qwen2.5-VL: both sides become multiples of 28).
        min_pixels: With `resized`: the smallest area in pixels that the model is served with.
        max_pixels: With `resized`: the largest area in pixels that the model is served with.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        fit: Pictures are made to fit the model, as by the `fit` of a screenshot; without it, the display in its own pixels.
        max_edge: Neither side of a picture is longer than this, in pixels.
        frame: With the `X-Frame` of a picture that the model was shown, its coordinates are pixels of that picture; without it, of the pictures that this operation makes.
        format: This is the format of the pictures.
        quality: The quality of JPEG and WebP goes from 1 (small) to 100 (good).
        cursor: When true, the cursor is drawn into pictures.
        settle_ms: A picture after an action waits until the display is still, at most this many milliseconds; 0 does not wait.
        after_action: When true, an action of an earlier request may still be changing the display: the first picture waits for it, too.
        then_screenshot: When true, the last result has a picture of the display after the actions, if it has none yet.
        """
        value: types.AnswerUiTarsResponse = self._ask("POST", "/api/agents/ui-tars", {
            "text": text,
            "coordinates": coordinates,
            "min_pixels": min_pixels,
            "max_pixels": max_pixels,
            "display_num": display_num,
            "fit": fit,
            "max_edge": max_edge,
            "frame": frame,
            "format": format,
            "quality": quality,
            "cursor": cursor,
            "settle_ms": settle_ms,
            "after_action": after_action,
            "then_screenshot": then_screenshot,
        })
        return value

    def qwen(
        self,
        message: Dict[str, Any],
        *,
        coordinates: Literal["0..1000", "pixels", "resized"] | None = None,
        min_pixels: int | None = None,
        max_pixels: int | None = None,
        display_num: int | None = None,
        fit: str | None = None,
        max_edge: int | None = None,
        frame: str | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        cursor: bool | None = None,
        settle_ms: int | None = None,
        after_action: bool | None = None,
        then_screenshot: bool | None = None,
    ) -> types.AnswerQwenResponse:
        """Perform what a Qwen model asks for.

        Takes the message of a Qwen2.5-VL or Qwen3-VL model as it is, performs the calls of its function `computer_use` in their order, and answers with the next chat messages. The first that fails ends the turn, and its answer says why; calls of other functions are left to you. `terminate` and `answer` end the task. When the client leaves, the action stops, and what the turn has pressed is released.

        message: This is the model's message, as the server gave it; without `tool_calls` they are looked for in the text of `content`.
        coordinates: This is what the model's coordinates count: thousandths of the picture (UI-TARS 1.0 and 2, Doubao, Qwen3-VL), its pixels, or the pixels of the size to which the model scales it (UI-TARS 1.5, Qwen2.5-VL: both sides become multiples of 28).
        min_pixels: With `resized`: the smallest area in pixels that the model is served with.
        max_pixels: With `resized`: the largest area in pixels that the model is served with.
        display_num: This is the display to use. Number 1 is the one bound at start; others are opened on demand.
        fit: Pictures are made to fit the model, as by the `fit` of a screenshot; without it, the display in its own pixels.
        max_edge: Neither side of a picture is longer than this, in pixels.
        frame: With the `X-Frame` of a picture that the model was shown, its coordinates are pixels of that picture; without it, of the pictures that this operation makes.
        format: This is the format of the pictures.
        quality: The quality of JPEG and WebP goes from 1 (small) to 100 (good).
        cursor: When true, the cursor is drawn into pictures.
        settle_ms: A picture after an action waits until the display is still, at most this many milliseconds; 0 does not wait.
        after_action: When true, an action of an earlier request may still be changing the display: the first picture waits for it, too.
        then_screenshot: When true, the last result has a picture of the display after the actions, if it has none yet.
        """
        value: types.AnswerQwenResponse = self._ask("POST", "/api/agents/qwen", {
            "message": message,
            "coordinates": coordinates,
            "min_pixels": min_pixels,
            "max_pixels": max_pixels,
            "display_num": display_num,
            "fit": fit,
            "max_edge": max_edge,
            "frame": frame,
            "format": format,
            "quality": quality,
            "cursor": cursor,
            "settle_ms": settle_ms,
            "after_action": after_action,
            "then_screenshot": then_screenshot,
        })
        return value


class System(Group):
    def healthz(self) -> types.GetHealthResponse:
        """Whether the service is alive.

        It needs no token.
        """
        value: types.GetHealthResponse = self._ask("GET", "/healthz", {})
        return value

    def readyz(self) -> types.GetReadinessResponse:
        """Whether the display and the keychain can be used now.

        Without the display the service is not ready. Without the keychain it is, because only the keychain operations answer 503 then.
        """
        value: types.GetReadinessResponse = self._ask("GET", "/readyz", {})
        return value

    def info(self) -> types.GetSystemInfoResponse:
        """Version, system, chosen backends and limits."""
        value: types.GetSystemInfoResponse = self._ask("GET", "/api/system/info", {})
        return value

    def release_all(self) -> None:
        """Release every key and button at once.

        It overtakes all others: it ends the running input operation, drops the waiting ones (they answer 409), and releases everything that is down on every display in use.
        """
        self._send("POST", "/api/system/release-all", {})


class Operations(Group):
    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.display = Display(connection)
        self.mouse = Mouse(connection)
        self.keyboard = Keyboard(connection)
        self.keychain = Keychain(connection)
        self.editor = Editor(connection)
        self.filesystem = Filesystem(connection)
        self.bash = Bash(connection)
        self.agents = Agents(connection)
        self.system = System(connection)

    def batch(
        self,
        steps: List[types.RunBatchStepsItem],
        *,
        then_screenshot: types.RunBatchThenScreenshot | None = None,
    ) -> types.RunBatchResponse:
        """Run several operations one after the other.

        All steps are checked before the first one runs: when one of them is wrong, nothing runs. It stops at the first step that fails, and says what became of each. Keys and buttons that its steps left pressed are released at its end, those that others hold are not. When the client leaves, the running step stops and everything is released; release-all ends it too. The values and the picture of an answer have at most 12582912 bytes together: a value that does not fit is left out, and the answer says so; for the picture, the last values are.

        steps: They run one after the other, until one fails. A `display.wait` between two steps waits for what the first one brings about.
        then_screenshot: This picture is taken at the end, also when a step has failed. The fields are those of a screenshot.
        """
        value: types.RunBatchResponse = self._ask("POST", "/api/batch", {
            "steps": steps,
            "then_screenshot": then_screenshot,
        })
        return value
