"""One method for each operation, by group."""

# This file is generated from openapi.json: `deno task clients`

from __future__ import annotations

from typing import Any, Dict, List, Literal, overload

from . import types
from ._connection import AsyncConnection
from ._group import AsyncGroup
from ._picture import Picture


class AsyncDisplay(AsyncGroup):
    async def pixel_color(
        self,
        x: int,
        y: int,
        *,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> List[int]:
        """Get the colour of a pixel.

        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: List[int] = await self._ask("POST", "/api/display/pixel_color", {
            "x": x,
            "y": y,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    @overload
    async def screenshot(
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
    async def screenshot(
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

    async def screenshot(
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
        """Take a screenshot of the display, a region, or what has changed.

        The response headers describe the picture: `X-Frame` is its id, which operations with coordinates accept as `frame`; `X-Scale` is the number of its pixels per pixel of the screen; `X-Display` is the display that it shows. Its `ETag` stays the same until something changes on the display: a request with `If-None-Match` is then answered with 304, without a capture. With `since` the answer is the smallest part of an older picture, at its scale, that contains everything that has changed since: `X-Region` says where it belongs (`x,y,width,height`), and `X-Changes` lists the changed boxes. If nothing has changed, the answer is 204.

        x: The left edge of the region, in pixels; 0 by default.
        y: The top edge of the region, in pixels; 0 by default.
        width: The width of the region, in pixels; up to the right edge by default.
        height: The height of the region, in pixels; down to the bottom edge by default.
        max_width: The maximum width of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio.
        max_height: The maximum height of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio.
        max_edge: The maximum length of either side, in pixels; a larger picture is scaled down, keeping its aspect ratio: `2000` is what Claude takes when a request has more than 20 pictures.
        enlarge: If true, a region that is smaller than `max_width`, `max_height` or `max_edge` is enlarged to them, to at most 4096x4096 pixels in all: for models that read small pictures badly.
        fit: The picture is scaled down, the ratio kept, to the largest size that its reader takes as it is. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` makes a file of at most n bytes, n from 1000.
        cursor: If true, the cursor is drawn into the picture.
        format: The format of the picture.
        quality: The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best).
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        since: The `X-Frame` of an older picture: the answer then contains only what has changed since. Region and scale are those of the older picture and cannot be given.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        return await self._look("GET", "/api/display/screenshot", {
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

    async def screen_size(self, *, display_num: int | None = None) -> types.GetScreenSizeResponse:
        """Get the size of a display.

        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.GetScreenSizeResponse = await self._ask("GET", "/api/display/screen_size", {"display_num": display_num})
        return value

    async def list(self) -> List[types.ListDisplaysResponseItem]:
        """List the available displays."""
        value: List[types.ListDisplaysResponseItem] = await self._ask("GET", "/api/display/list", {})
        return value

    async def locate(
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

        Finds the image by normalised correlation, which tolerates small differences of colour and brightness but not of size. With the `frame` of a scaled picture the image may be cut from that picture. Transparent pixels of the image match anything.

        image_path: The path of a PNG, JPEG or WebP file: absolute, `~/...`, or relative to the home folder.
        confidence: The minimum similarity: 1 accepts only identical pixels, 0.9 forgives small differences.
        all: If true, every match is returned, at most 1,000, instead of the best one.
        region: The part of the display to search; all of it by default.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.LocateImageResponse | List[types.LocateImageResponseItem] | None = await self._ask("POST", "/api/display/locate", {
            "image_path": image_path,
            "confidence": confidence,
            "all": all,
            "region": region,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    async def wait(
        self,
        *,
        until: Literal["change", "stable"] | types.WaitForDisplayUntil2 | types.WaitForDisplayUntil3 | types.WaitForDisplayUntil4 | types.WaitForDisplayUntil5 | types.WaitForDisplayUntil6 | types.WaitForDisplayUntil7 | types.WaitForDisplayUntil8 | types.WaitForDisplayUntil9 | None = None,
        timeout_ms: int | None = None,
        stable_ms: int | None = None,
        region: types.WaitForDisplayRegion | None = None,
        ignore_area: int | types.WaitForDisplayIgnoreArea | List[types.WaitForDisplayIgnoreAreaItem] | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.WaitForDisplayResponse:
        """Wait until the display changes, is stable or shows something, for an element, a window, a file or a process.

        Driven by the display's own change events, so it uses no CPU while nothing changes. Redrawing the same pixels is not a change. Elements and windows are looked at when programs report a change. Files and processes need no display: they are looked at every 25 ms, programs by their name every 100 ms, more rarely where a look at all processes takes long.

        until: With `change` it waits until something looks different, with `stable` until nothing has changed for `stable_ms`. It can also wait for a pixel that has a colour, for an image that is shown, and, without a look at any display, for a file, for a program to run, or for the end of a process. It can wait for what programs show: an `element`, a `text` anywhere, or a `window`. With `gone` it waits until that is not so.
        timeout_ms: The maximum time to wait, in milliseconds.
        stable_ms: The time without any change that counts as stable, in milliseconds.
        region: The part of the display to watch; all of it by default.
        ignore_area: Changes to ignore for `change` and `stable`. A number ignores changes of fewer pixels (width times height), until they add up; the default is 100 for `stable`, so that a blinking text cursor does not matter, and 0 for `change`. A region, or a list of up to 100, ignores changes there, such as those of a clock or a video.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.WaitForDisplayResponse = await self._ask("POST", "/api/display/wait", {
            "until": until,
            "timeout_ms": timeout_ms,
            "stable_ms": stable_ms,
            "region": region,
            "ignore_area": ignore_area,
            "frame": frame,
            "display_num": display_num,
        })
        return value


class AsyncMouse(AsyncGroup):
    async def move(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        ref: str | None = None,
        duration_ms: int | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Move the cursor.

        A point outside the screen, or outside the picture, is moved to the nearest point inside.

        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        ref: The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.
        duration_ms: The duration of the movement, in milliseconds; 0 means at once.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/mouse/move", {
            "x": x,
            "y": y,
            "ref": ref,
            "duration_ms": duration_ms,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    async def click(
        self,
        *,
        button: Literal["left", "middle", "right"] | None = None,
        x: int | None = None,
        y: int | None = None,
        ref: str | None = None,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
        click_count: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Click.

        Clicks at `x`, `y`, at the element of `ref`, or where the cursor is.

        button: The button to click.
        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        ref: The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.
        modifiers: Keys to hold down during the click, for example `["ctrl"]`.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        click_count: 1 for a click, 2 for a double click, 3 for a triple click.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/mouse/click", {
            "button": button,
            "x": x,
            "y": y,
            "ref": ref,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
            "click_count": click_count,
        })
        return value

    async def left_click(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        ref: str | None = None,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
        click_count: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Left click.

        Clicks at `x`, `y`, at the element of `ref`, or where the cursor is.

        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        ref: The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.
        modifiers: Keys to hold down during the click, for example `["ctrl"]`.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        click_count: 1 for a click, 2 for a double click, 3 for a triple click.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/mouse/left-click", {
            "x": x,
            "y": y,
            "ref": ref,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
            "click_count": click_count,
        })
        return value

    async def right_click(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        ref: str | None = None,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
        click_count: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Right click.

        Clicks at `x`, `y`, at the element of `ref`, or where the cursor is.

        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        ref: The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.
        modifiers: Keys to hold down during the click, for example `["ctrl"]`.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        click_count: 1 for a click, 2 for a double click, 3 for a triple click.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/mouse/right-click", {
            "x": x,
            "y": y,
            "ref": ref,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
            "click_count": click_count,
        })
        return value

    async def middle_click(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        ref: str | None = None,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
        click_count: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Middle click.

        Clicks at `x`, `y`, at the element of `ref`, or where the cursor is.

        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        ref: The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.
        modifiers: Keys to hold down during the click, for example `["ctrl"]`.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        click_count: 1 for a click, 2 for a double click, 3 for a triple click.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/mouse/middle-click", {
            "x": x,
            "y": y,
            "ref": ref,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
            "click_count": click_count,
        })
        return value

    async def double_click(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        ref: str | None = None,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Double left click.

        Presses the button inside the double-click time of every toolkit, with no motion between the presses, and each with a time of its own. Right after another click at the same place it waits until that click is too old to count.

        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        ref: The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.
        modifiers: Keys to hold down during the click, for example `["ctrl"]`.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/mouse/double-click", {
            "x": x,
            "y": y,
            "ref": ref,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    async def triple_click(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        ref: str | None = None,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Triple left click.

        Presses the button inside the double-click time of every toolkit, with no motion between the presses, and each with a time of its own. Right after another click at the same place it waits until that click is too old to count.

        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        ref: The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.
        modifiers: Keys to hold down during the click, for example `["ctrl"]`.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/mouse/triple-click", {
            "x": x,
            "y": y,
            "ref": ref,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    async def scroll(
        self,
        clicks: int,
        *,
        horizontal_clicks: int | None = None,
        unit: Literal["notches", "pixels"] | None = None,
        x: int | None = None,
        y: int | None = None,
        ref: str | None = None,
        modifiers: List[str] | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Scroll.

        Sends one notch every 15 ms, a pace at which programs count every one.

        clicks: The number of notches: positive scrolls up, negative down.
        horizontal_clicks: The number of horizontal notches: positive scrolls right, negative left.
        unit: The unit of `clicks` and `horizontal_clicks`. Pixels work on macOS, and on Windows as browsers measure them (100 for a notch); X11 answers 501, because its wheel turns by whole notches.
        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        ref: The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.
        modifiers: Keys to hold down during the scrolling, for example `["ctrl"]`.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/mouse/scroll", {
            "clicks": clicks,
            "horizontal_clicks": horizontal_clicks,
            "unit": unit,
            "x": x,
            "y": y,
            "ref": ref,
            "modifiers": modifiers,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    async def drag(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        ref: str | None = None,
        from_: types.DragMouseFrom1 | types.DragMouseFrom2 | None = None,
        path: List[types.DragMousePathItem] | None = None,
        button: Literal["left", "middle", "right", "back", "forward"] | None = None,
        modifiers: List[str] | None = None,
        duration_ms: int | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Drag to a point.

        Presses the button at the cursor or at `from`, moves over the points of `path` to `x`, `y`, or to the element of `ref`, at constant speed, rests, and releases it exactly there. Without `duration_ms` it takes as long as drag and drop between windows and in web pages needs; with 0 it goes at once and without a rest, which is enough for selections and sliders, but not for drag and drop.

        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        ref: The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.
        from_: The point or the element where the drag begins; at the cursor by default.
        path: Points that the cursor passes on the way, in this order.
        button: The button to hold down.
        modifiers: Keys to hold down during the drag, for example `["ctrl"]`.
        duration_ms: The duration of the movement, in milliseconds; 0 means at once, without a rest.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/mouse/drag", {
            "x": x,
            "y": y,
            "ref": ref,
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

    async def down(
        self,
        *,
        button: Literal["left", "middle", "right", "back", "forward"] | None = None,
        x: int | None = None,
        y: int | None = None,
        ref: str | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Press a button and hold it.

        Presses at the cursor, at `x`, `y`, or at the element of `ref`. The button is held until `up`, release-all, 600 seconds or the end of the service.

        button: The mouse button.
        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        ref: The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/mouse/down", {
            "button": button,
            "x": x,
            "y": y,
            "ref": ref,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    async def up(
        self,
        *,
        button: Literal["left", "middle", "right", "back", "forward"] | None = None,
        x: int | None = None,
        y: int | None = None,
        ref: str | None = None,
        effect: bool | None = None,
        frame: str | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Release a button held by `down`.

        Releases at the cursor, at `x`, `y`, or at the element of `ref`: the cursor moves there first. A button that is not held is left alone.

        button: The mouse button.
        x: The X coordinate, in pixels from the left edge of the display.
        y: The Y coordinate, in pixels from the top edge of the display.
        ref: The ref of an element in a snapshot, such as `e12`, in place of `x` and `y`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/mouse/up", {
            "button": button,
            "x": x,
            "y": y,
            "ref": ref,
            "effect": effect,
            "frame": frame,
            "display_num": display_num,
        })
        return value

    async def position(self, *, display_num: int | None = None) -> types.GetMousePositionResponse:
        """Get the position of the cursor.

        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.GetMousePositionResponse = await self._ask("GET", "/api/mouse/position", {"display_num": display_num})
        return value


class AsyncKeyboard(AsyncGroup):
    async def type(
        self,
        text: str | None = None,
        *,
        secret: types.TypeTextSecret | None = None,
        typing_delay: int | None = None,
        typing_group_size: int | None = None,
        method: Literal["auto", "keys", "paste"] | None = None,
        clear: bool | None = None,
        ref: str | None = None,
        effect: bool | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Type a text.

        Types any Unicode text on any keyboard layout. `\\n`, `\\r\\n` and `\\r` are one Enter, `\\t` is Tab; other control characters are refused. `secret` names a value of the keychain, which is typed and never shown. If one character cannot be typed, nothing is typed. With `ref` the element gets the focus first. With `clear` the focused field is emptied first; with an empty text it is only emptied.

        text: The text to type. Give exactly one of `text` and `secret`.
        secret: The value in the keychain to use; it is never shown.
        typing_delay: The time between two keystrokes, in milliseconds.
        typing_group_size: The number of characters sent as one batch; between batches (at least every 50 characters) the service checks whether the client is still connected.
        method: `auto`: by keys, and through the clipboard where this desktop has no key for a character. `keys`: never through the clipboard. `paste`: puts the text on the clipboard, presses Ctrl+V (Command+V on macOS), and puts back what was there; fast for long texts, in programs that paste so.
        clear: If true, the field is emptied first, by selecting and deleting everything in it. A terminal has no selection to delete: leave it `false` there and send `ctrl+u`.
        ref: The ref of an element in a snapshot, such as `e12`: it gets the keyboard focus first. Nothing is done when it does not take that.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/keyboard/type", {
            "text": text,
            "secret": secret,
            "typing_delay": typing_delay,
            "typing_group_size": typing_group_size,
            "method": method,
            "clear": clear,
            "ref": ref,
            "effect": effect,
            "display_num": display_num,
        })
        return value

    async def key(
        self,
        key: str,
        *,
        duration_ms: int | None = None,
        repeat: int | None = None,
        effect: bool | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Press a key or a combination.

        A combination is written `ctrl+shift+t`; the plus key is `+`, also after a final `+` (`ctrl++`). In a combination ASCII letters are lower-case: add `shift` if you mean it. A shortcut such as `ctrl+a` works on every layout, even one without Latin letters. With `repeat` the whole combination is pressed and released that many times.

        key: A key name, or several joined by `+`: `enter`, `ctrl+shift+t`, `ctrl++`.
        duration_ms: The time for which the key is held down each time, in milliseconds; 0 means at once.
        repeat: The number of times that it is pressed and released.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/keyboard/key", {
            "key": key,
            "duration_ms": duration_ms,
            "repeat": repeat,
            "effect": effect,
            "display_num": display_num,
        })
        return value

    async def hotkey(
        self,
        keys: List[str],
        *,
        repeat: int | None = None,
        effect: bool | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Press several keys together.

        Presses the keys in the order of the list and releases them in reverse, `repeat` times.

        keys: The key names, in the order in which they are pressed.
        repeat: The number of times that it is pressed and released.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/keyboard/hotkey", {
            "keys": keys,
            "repeat": repeat,
            "effect": effect,
            "display_num": display_num,
        })
        return value

    async def hold(
        self,
        key: str,
        *,
        effect: bool | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Press a key and hold it.

        The key is held until `release`, release-all, 600 seconds or the end of the service.

        key: The name of a key: a word (`enter`, `f5`, `ctrl`), an X keysym name (`Page_Down`) or a single character.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/keyboard/hold", {
            "key": key,
            "effect": effect,
            "display_num": display_num,
        })
        return value

    async def release(
        self,
        key: str,
        *,
        effect: bool | None = None,
        display_num: int | None = None,
    ) -> types.InputEffect1 | types.InputEffect2 | None:
        """Release a key held by `hold`.

        Does nothing if the key is not held.

        key: The name of a key: a word (`enter`, `f5`, `ctrl`), an X keysym name (`Page_Down`) or a single character.
        effect: If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.InputEffect1 | types.InputEffect2 | None = await self._ask("POST", "/api/keyboard/release", {
            "key": key,
            "effect": effect,
            "display_num": display_num,
        })
        return value

    async def held(self, *, display_num: int | None = None) -> List[str]:
        """List the keys held by `hold`.

        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: List[str] = await self._ask("GET", "/api/keyboard/held", {"display_num": display_num})
        return value


class AsyncClipboard(AsyncGroup):
    async def get(
        self,
        *,
        formats: List[Literal["text", "html", "png", "files"]] | None = None,
        timeout_ms: int | None = None,
        display_num: int | None = None,
    ) -> types.GetClipboardResponse:
        """Get what is on the clipboard.

        Reads the requested formats from the program that has put them there. `available` lists all formats that can be read, `types` the system's own names of what there is. Text that is not valid UTF-8 has U+FFFD in place of the faulty bytes. Values of the keychain in `text`, `html` and `files` are replaced, unless the service runs with `--no-redact`.

        formats: The formats to read. Those that are not there are missing in the answer.
        timeout_ms: The longest time for which the program that owns the content may send nothing, in milliseconds.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.GetClipboardResponse = await self._ask("POST", "/api/clipboard/get", {
            "formats": formats,
            "timeout_ms": timeout_ms,
            "display_num": display_num,
        })
        return value

    async def set(
        self,
        text: str | None = None,
        *,
        html: str | None = None,
        png: str | None = None,
        files: List[str] | None = None,
        display_num: int | None = None,
    ) -> None:
        """Put something on the clipboard.

        Replaces the content by one in the given formats; a program that pastes takes the one that it knows best. On Linux the content stays there only while the service runs, unless a clipboard manager takes it over at its end. A large content needs `--max-body`, too.

        text: The content as plain text.
        html: The content as HTML. Give `text`, too, for programs that take only text.
        png: The content as a PNG image, in base64.
        files: The paths of existing files and folders, as if they had been copied in a file manager.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        await self._send("POST", "/api/clipboard/set", {
            "text": text,
            "html": html,
            "png": png,
            "files": files,
            "display_num": display_num,
        })

    async def clear(self, *, display_num: int | None = None) -> None:
        """Clear the clipboard.

        Removes the content, whichever program has put it there.

        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        await self._send("POST", "/api/clipboard/clear", {"display_num": display_num})


class AsyncAccessibility(AsyncGroup):
    async def snapshot(
        self,
        *,
        window: str | None = None,
        ref: str | None = None,
        include_hidden: bool | None = None,
        max_elements: int | None = None,
        max_depth: int | None = None,
        timeout_ms: int | None = None,
        display_num: int | None = None,
        format: Literal["text", "json", "xml"] | None = None,
        max_chars: int | None = None,
        screenshot: bool | None = None,
        boxes: bool | None = None,
        max_edge: int | None = None,
        fit: str | None = None,
        picture_format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
    ) -> types.TakeSnapshotResponse:
        """Get the elements of a window as text with refs, and a picture.

        Reads what programs tell assistive technology: buttons, fields, menus, texts, as far as they show. Each line is an element, such as `- button "Save" [ref=e12] [disabled]`; operations take the ref in place of coordinates. A ref names the same element in later snapshots, and never another one: an element that has gone or changed is 409. Values of the keychain are replaced, unless the service runs with `--no-redact`; the content of password fields is never read.

        window: The window to read: `focused`, `all`, or the id of a window.
        ref: The ref of an element: only that and what is inside it is read, and `window` is not used.
        include_hidden: If true, elements that do not show are read, too: those of closed menus, for example.
        max_elements: The maximum number of elements to read.
        max_depth: The maximum number of levels below a window.
        timeout_ms: The maximum time to read, in milliseconds; the answer has what was read by then.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        format: The format: `text` for models, one line for each element; `json` as nested objects; `xml` with the coordinates of every element.
        max_chars: The maximum number of characters of the snapshot; the last line says how many elements were left out.
        screenshot: If true, the answer also has a picture of the display, taken right after the elements were read.
        boxes: If true, the picture shows the box of each element and its ref; this implies `screenshot`.
        max_edge: The maximum length of either side, in pixels; a larger picture is scaled down, keeping its aspect ratio: `2000` is what Claude takes when a request has more than 20 pictures.
        fit: The picture is scaled down, the ratio kept, to the largest size that its reader takes as it is. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` makes a file of at most n bytes, n from 1000.
        picture_format: The format of the picture.
        quality: The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best).
        """
        value: types.TakeSnapshotResponse = await self._ask("POST", "/api/accessibility/snapshot", {
            "window": window,
            "ref": ref,
            "include_hidden": include_hidden,
            "max_elements": max_elements,
            "max_depth": max_depth,
            "timeout_ms": timeout_ms,
            "display_num": display_num,
            "format": format,
            "max_chars": max_chars,
            "screenshot": screenshot,
            "boxes": boxes,
            "max_edge": max_edge,
            "fit": fit,
            "picture_format": picture_format,
            "quality": quality,
        })
        return value

    async def find(
        self,
        *,
        role: str | None = None,
        name: str | None = None,
        text: str | None = None,
        states: List[Literal["focused", "checked", "mixed", "selected", "expanded", "collapsed", "pressed", "disabled", "readonly", "editable", "focusable", "modal", "multiline", "required", "invalid", "protected", "offscreen", "active"]] | None = None,
        exact: bool | None = None,
        max_results: int | None = None,
        window: str | None = None,
        ref: str | None = None,
        include_hidden: bool | None = None,
        max_elements: int | None = None,
        max_depth: int | None = None,
        timeout_ms: int | None = None,
        display_num: int | None = None,
    ) -> types.FindElementsResponse:
        """Find elements by role, name, text or state.

        Gives the refs of the elements that match everything that is given; at least one of `role`, `name`, `text` and `states` is. Also finds what a snapshot in text leaves out.

        role: The role: `button`, `textbox`, `menuitem`.
        name: A part of the name, in any case; with `exact` the whole name.
        text: A part of the name, the value or the description, in any case.
        states: States that the element is in, all of them.
        exact: If true, `name` and `text` are whole and in the same case.
        max_results: The maximum number of elements to return.
        window: The window to read: `focused`, `all`, or the id of a window.
        ref: The ref of an element: only that and what is inside it is read, and `window` is not used.
        include_hidden: If true, elements that do not show are searched, too; if false, they never are. By default they are where nothing that shows matches: such as what is scrolled away.
        max_elements: The maximum number of elements to read.
        max_depth: The maximum number of levels below a window.
        timeout_ms: The maximum time to read, in milliseconds; the answer has what was read by then.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.FindElementsResponse = await self._ask("POST", "/api/accessibility/find", {
            "role": role,
            "name": name,
            "text": text,
            "states": states,
            "exact": exact,
            "max_results": max_results,
            "window": window,
            "ref": ref,
            "include_hidden": include_hidden,
            "max_elements": max_elements,
            "max_depth": max_depth,
            "timeout_ms": timeout_ms,
            "display_num": display_num,
        })
        return value

    async def value(self, ref: str, *, max_chars: int | None = None) -> types.GetElementValueResponse:
        """Get the value and the state of an element.

        Reads it from its program now, longer than a snapshot shows it. Values of the keychain are replaced, unless the service runs with `--no-redact`; the content of a password field is never read.

        ref: The ref of an element, such as `e12`, from a snapshot or from find. What has gone, has changed its role or name, or does not show any more is 409.
        max_chars: The maximum number of characters of the value.
        """
        value: types.GetElementValueResponse = await self._ask("POST", "/api/accessibility/value", {"ref": ref, "max_chars": max_chars})
        return value

    async def act(
        self,
        action: Literal["click", "focus", "set_value", "select", "unselect", "expand", "collapse", "scroll_to", "menu"],
        *,
        ref: str | None = None,
        value: str | None = None,
        menu_path: List[str] | None = None,
        method: Literal["auto", "program", "input"] | None = None,
        display_num: int | None = None,
    ) -> types.ActOnElementResponse:
        """Act on an element, and read back what came of it.

        Asks the program of the element, or uses the real mouse and keyboard, and looks afterwards: programs say that they did something, and did not. `unverified` is no error: it says that nothing shows the effect. A click counts as confirmed when the element, its window or the windows have changed since; a value, a selection and the focus are read back themselves.

        action: `click` activates; `focus` gives the keyboard; `set_value` replaces the text or the number; `select` and `unselect` are for options, tabs, rows, checkboxes and switches; `expand` and `collapse` for trees and lists that open; `scroll_to` brings it into view; `menu` chooses an item by `menu_path`.
        ref: The ref of an element, such as `e12`, from a snapshot or from find. What has gone, has changed its role or name, or does not show any more is 409. Needed for all actions but `menu`, which takes the menus of the focused window without it.
        value: The new value, for `set_value`: a text, a number such as `20`, or the name of an option of a list that opens.
        menu_path: The names of the menus and of the item, for `menu`: `["File", "Save As..."]`. Case, dots at the end and underlines do not matter.
        method: `program` asks the program by its accessibility interface; `input` uses the real mouse and keyboard; `auto` asks the program, and uses input where it refuses, or where a value has not become what it should.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.ActOnElementResponse = await self._ask("POST", "/api/accessibility/act", {
            "action": action,
            "ref": ref,
            "value": value,
            "menu_path": menu_path,
            "method": method,
            "display_num": display_num,
        })
        return value


class AsyncWindow(AsyncGroup):
    async def list(self, *, display_num: int | None = None) -> List[types.WindowEntry]:
        """List the windows.

        The windows that the window manager has, those of all desktops, topmost first where the order is known; without a window manager, those that show. Menus and tooltips are none. X11 gives the topmost 1,000 at most, and the first 1,024 bytes of a title.

        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: List[types.WindowEntry] = await self._ask("GET", "/api/window/list", {"display_num": display_num})
        return value

    async def active(self, *, display_num: int | None = None) -> types.WindowEntry | None:
        """Get the window that has the keyboard.

        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.WindowEntry | None = await self._ask("GET", "/api/window/active", {"display_num": display_num})
        return value

    async def focus(
        self,
        id: str,
        *,
        timeout_ms: int | None = None,
        display_num: int | None = None,
    ) -> types.FocusWindowResponse:
        """Bring a window to the front.

        Gives it the keyboard, shows it if it was minimized, and goes to its desktop. Waits for its turn among the input operations.

        id: The `id` of the window, from `window/list`.
        timeout_ms: The maximum time to wait for the effect, in milliseconds.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.FocusWindowResponse = await self._ask("POST", "/api/window/focus", {
            "id": id,
            "timeout_ms": timeout_ms,
            "display_num": display_num,
        })
        return value

    async def move(
        self,
        id: str,
        x: int,
        y: int,
        *,
        timeout_ms: int | None = None,
        display_num: int | None = None,
    ) -> types.MoveWindowResponse:
        """Move a window.

        Puts the top left corner of its `frame` at a point.

        id: The `id` of the window, from `window/list`.
        x: The left edge of the `frame`, in pixels of the display.
        y: The top edge of the `frame`, in pixels of the display.
        timeout_ms: The maximum time to wait for the effect, in milliseconds.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.MoveWindowResponse = await self._ask("POST", "/api/window/move", {
            "id": id,
            "x": x,
            "y": y,
            "timeout_ms": timeout_ms,
            "display_num": display_num,
        })
        return value

    async def resize(
        self,
        id: str,
        width: int,
        height: int,
        *,
        timeout_ms: int | None = None,
        display_num: int | None = None,
    ) -> types.ResizeWindowResponse:
        """Resize a window.

        Gives its `frame` a size. Programs can refuse it, or take one that is near: the answer has the size that the window really has.

        id: The `id` of the window, from `window/list`.
        width: The width of the `frame`, in pixels.
        height: The height of the `frame`, in pixels.
        timeout_ms: The maximum time to wait for the effect, in milliseconds.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.ResizeWindowResponse = await self._ask("POST", "/api/window/resize", {
            "id": id,
            "width": width,
            "height": height,
            "timeout_ms": timeout_ms,
            "display_num": display_num,
        })
        return value

    async def minimize(
        self,
        id: str,
        *,
        timeout_ms: int | None = None,
        display_num: int | None = None,
    ) -> types.MinimizeWindowResponse:
        """Minimize a window.

        id: The `id` of the window, from `window/list`.
        timeout_ms: The maximum time to wait for the effect, in milliseconds.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.MinimizeWindowResponse = await self._ask("POST", "/api/window/minimize", {
            "id": id,
            "timeout_ms": timeout_ms,
            "display_num": display_num,
        })
        return value

    async def maximize(
        self,
        id: str,
        *,
        timeout_ms: int | None = None,
        display_num: int | None = None,
    ) -> types.MaximizeWindowResponse:
        """Maximize a window.

        id: The `id` of the window, from `window/list`.
        timeout_ms: The maximum time to wait for the effect, in milliseconds.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.MaximizeWindowResponse = await self._ask("POST", "/api/window/maximize", {
            "id": id,
            "timeout_ms": timeout_ms,
            "display_num": display_num,
        })
        return value

    async def restore(
        self,
        id: str,
        *,
        timeout_ms: int | None = None,
        display_num: int | None = None,
    ) -> types.RestoreWindowResponse:
        """Restore a window.

        Brings a minimized window back as it was before; any other gets the size that it had before it was maximized or filled the screen.

        id: The `id` of the window, from `window/list`.
        timeout_ms: The maximum time to wait for the effect, in milliseconds.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.RestoreWindowResponse = await self._ask("POST", "/api/window/restore", {
            "id": id,
            "timeout_ms": timeout_ms,
            "display_num": display_num,
        })
        return value

    async def close(
        self,
        id: str,
        *,
        timeout_ms: int | None = None,
        display_num: int | None = None,
    ) -> types.CloseWindowResponse:
        """Close a window.

        Asks its program to close it, as its close button does; the program may ask first whether to save. Nothing is ended by force.

        id: The `id` of the window, from `window/list`.
        timeout_ms: The maximum time to wait for the effect, in milliseconds.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.CloseWindowResponse = await self._ask("POST", "/api/window/close", {
            "id": id,
            "timeout_ms": timeout_ms,
            "display_num": display_num,
        })
        return value

    @overload
    async def screenshot(
        self,
        id: str,
        *,
        max_width: int | None = None,
        max_height: int | None = None,
        max_edge: int | None = None,
        enlarge: bool | None = None,
        fit: str | None = None,
        cursor: bool | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        display_num: int | None = None,
    ) -> Picture: ...

    @overload
    async def screenshot(
        self,
        id: str,
        *,
        max_width: int | None = None,
        max_height: int | None = None,
        max_edge: int | None = None,
        enlarge: bool | None = None,
        fit: str | None = None,
        cursor: bool | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        display_num: int | None = None,
    ) -> Picture | None: ...

    async def screenshot(
        self,
        id: str,
        *,
        max_width: int | None = None,
        max_height: int | None = None,
        max_edge: int | None = None,
        enlarge: bool | None = None,
        fit: str | None = None,
        cursor: bool | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        display_num: int | None = None,
    ) -> Picture | None:
        """Take a screenshot of one window.

        The picture shows the part of its `frame` that is on the screen, also where other windows cover it (on X11 with the Composite extension; elsewhere a covered window is 409). `X-Frame` is the id of the picture, which operations with coordinates accept as `frame`: what they click may be covered on the screen.

        id: The `id` of the window, from `window/list`.
        max_width: The maximum width of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio.
        max_height: The maximum height of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio.
        max_edge: The maximum length of either side, in pixels; a larger picture is scaled down, keeping its aspect ratio: `2000` is what Claude takes when a request has more than 20 pictures.
        enlarge: If true, a region that is smaller than `max_width`, `max_height` or `max_edge` is enlarged to them, to at most 4096x4096 pixels in all: for models that read small pictures badly.
        fit: The picture is scaled down, the ratio kept, to the largest size that its reader takes as it is. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` makes a file of at most n bytes, n from 1000.
        cursor: If true, the cursor is drawn into the picture.
        format: The format of the picture.
        quality: The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best).
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        return await self._look("GET", "/api/window/screenshot", {
            "id": id,
            "max_width": max_width,
            "max_height": max_height,
            "max_edge": max_edge,
            "enlarge": enlarge,
            "fit": fit,
            "cursor": cursor,
            "format": format,
            "quality": quality,
            "display_num": display_num,
        })

    async def open(
        self,
        *,
        program: str | None = None,
        args: List[str] | None = None,
        path: str | None = None,
        url: str | None = None,
        wait_for_window: bool | None = None,
        timeout_ms: int | None = None,
        display_num: int | None = None,
    ) -> types.OpenWindowResponse:
        """Start a program, or open a file or a URL.

        `program` runs with `args` as they are, without a shell; `path` and `url` are opened by the program that the desktop has for them (`xdg-open`, `open`, or the Windows shell). The program is one of the service's managed processes: `bash/process/{pid}/output` has its output, `DELETE bash/process/{pid}` ends it, and it ends with the service. The window is the first new one of its processes, or, once the started process has ended, as one does that hands over to a running program, the first new one.

        program: The program: a name that is looked for in PATH, or a path.
        args: The arguments of `program`. On Windows a batch file takes none with `"`, `%` or line breaks.
        path: The path of the file or folder to open: absolute, `~/...`, or relative to the home of the service's user.
        url: The URL to open, such as `https://example.org/`.
        wait_for_window: If false, the answer comes as soon as the program has been started.
        timeout_ms: The maximum time to wait for the window, in milliseconds.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: types.OpenWindowResponse = await self._ask("POST", "/api/window/open", {
            "program": program,
            "args": args,
            "path": path,
            "url": url,
            "wait_for_window": wait_for_window,
            "timeout_ms": timeout_ms,
            "display_num": display_num,
        })
        return value


class AsyncRecording(AsyncGroup):
    async def start(
        self,
        *,
        display_num: int | None = None,
        format: Literal["auto", "webm", "mp4", "webp"] | None = None,
        max_fps: float | None = None,
        max_seconds: float | None = None,
        max_bytes: int | None = None,
        cursor: bool | None = None,
    ) -> types.StartRecordingResponse:
        """Start to record a display.

        Records until `recording/stop`, a limit, or the end of the display or of the service, also when the client has gone. A picture is taken when something changes, and shown for as long as it stayed. Operations that run meanwhile and change something become chapters, by their names only. Fields that `keychain/authenticate` fills in are black, from then on; a value that the screen shows elsewhere, or after the window has moved, is not. With `auto` and without ffmpeg, the recording is an HTML page that plays WebP pictures. The oldest finished recordings are removed when there is no more room.

        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        format: `webm` and `mp4` need ffmpeg with libvpx or libx264; `webp` needs nothing; `auto` is the first of `webm`, `mp4` and `webp` that can be made.
        max_fps: The most pictures per second.
        max_seconds: The recording ends after this time, in seconds.
        max_bytes: The recording ends before its file is larger. For chapters in a video, twice the size of the file must fit.
        cursor: Records the mouse cursor, too.
        """
        value: types.StartRecordingResponse = await self._ask("POST", "/api/recording/start", {
            "display_num": display_num,
            "format": format,
            "max_fps": max_fps,
            "max_seconds": max_seconds,
            "max_bytes": max_bytes,
            "cursor": cursor,
        })
        return value

    async def stop(self, id: str, *, timeout_ms: int | None = None) -> types.StopRecordingResponse:
        """Stop a recording.

        Waits until the file is finished; after `timeout_ms` the state is still `finishing`. For a recording that has ended, it only answers.

        id: The `id` of the recording.
        timeout_ms: The longest time to wait for the file, in milliseconds.
        """
        value: types.StopRecordingResponse = await self._ask("POST", "/api/recording/stop", {"id": id, "timeout_ms": timeout_ms})
        return value

    async def list(self, *, id: str | None = None) -> List[types.ListRecordingsResponseItem]:
        """List recordings.

        The newest first, with those that run. They are kept until they are deleted, or their room is needed for new ones.

        id: Only this recording, with its chapters.
        """
        value: List[types.ListRecordingsResponseItem] = await self._ask("GET", "/api/recording/list", {"id": id})
        return value

    @overload
    async def get(self, id: str) -> Picture: ...

    @overload
    async def get(self, id: str) -> Picture | None: ...

    async def get(self, id: str) -> Picture | None:
        """Get the file of a recording.

        Sends the file, also a part of it (`Range`), and what there is so far of one that runs. The page of format `webp` is sent with a policy by which its scripts cannot call the service.

        id: The `id` of the recording.
        """
        return await self._look("GET", "/api/recording/get", {"id": id})

    async def delete(self, id: str) -> None:
        """Delete a recording.

        id: The `id` of the recording.
        """
        await self._send("POST", "/api/recording/delete", {"id": id})


class AsyncKeychain(AsyncGroup):
    async def set_item(self, service: str, item: Dict[str, Any]) -> None:
        """Store an item for a service.

        Replaces the item that the service already has. Values of fewer than 6 characters, and numbers of fewer than 8 digits, are not replaced in what the service answers. No operation returns a stored value. That keeps secrets out of transcripts; it does not protect them from a caller who can run commands or see the screen.

        service: The name of the service that the item belongs to, for example `github`.
        item: The values by field name. `null` means that there is no such field. Other names are allowed, too.
        """
        await self._send("POST", "/api/keychain/set-item", {"service": service, "item": item})

    async def authenticate(
        self,
        authElements: List[Any],
        service: str,
        *,
        frame: str | None = None,
        clear: bool | None = None,
        display_num: int | None = None,
    ) -> bool:
        """Check values against the stored item, or fill in stored values.

        An element with `value` is compared with the stored field. One with `coordinates` or `ref` is filled in: a click there, or the focus for the element of `ref`, then the field is emptied (`clear`; by default only the field of a `ref`) and the stored value is typed. Typing into an element stops when it loses the keyboard. Values are checked first. The answer is `true` when all were right and all were typed; it is `false`, with nothing clicked or typed, when a value is wrong or a field is not stored. After 5 wrong answers for a service name each further one waits, from 1000 ms up to 30000 ms, until right values for the fields that were wrong, or ten minutes without a wrong one. No operation returns a stored value. That keeps secrets out of transcripts; it does not protect them from a caller who can run commands or see the screen.

        authElements: The elements to check or fill in, in this order.
        service: The name of the service that the item belongs to, for example `github`.
        frame: The `X-Frame` of a picture: coordinates are then pixels of that picture, on the display that it shows. The last 256 pictures are known, until their display gets another size or its server is started again.
        clear: If true, the fields are emptied first, by selecting and deleting everything in them; if false, they are not. By default those of `ref` are, and those of `coordinates` are not. A terminal has no selection to delete, and would get the keys as a part of the value.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        """
        value: bool = await self._ask("POST", "/api/keychain/authenticate", {
            "authElements": authElements,
            "service": service,
            "frame": frame,
            "clear": clear,
            "display_num": display_num,
        })
        return value

    async def list_services(self) -> List[str]:
        """List the services that have an item."""
        value: List[str] = await self._ask("GET", "/api/keychain/list-services", {})
        return value

    async def delete_item(self, service: str) -> None:
        """Delete the item of a service.

        Does nothing if the service has no item.

        service: The name of the service that the item belongs to, for example `github`.
        """
        await self._send("POST", "/api/keychain/delete-item", {"service": service})


class AsyncEditor(AsyncGroup):
    async def view(
        self,
        path: str,
        *,
        view_range: List[int] | None = None,
    ) -> str:
        """Read a text file, or a range of its lines.

        Returns the lines as they are in the file, with their line breaks and the byte order mark, so that consecutive ranges add up to the file. Bytes that are not UTF-8 become U+FFFD. A last line beyond the end means the end; a first line beyond it is an error.

        path: The path of the file: absolute, `~/...`, or relative to the home of the service's user.
        view_range: The first and the last line, counted from 1; a last line of -1 means the end of the file.
        """
        value: str = await self._ask("POST", "/api/editor/view", {"path": path, "view_range": view_range})
        return value

    async def create(self, path: str, *, file_text: str | None = None) -> None:
        """Create a text file.

        Creates missing parent folders. Never replaces an existing file.

        path: The path of the file: absolute, `~/...`, or relative to the home of the service's user.
        file_text: The text of the file; `null` creates an empty one.
        """
        await self._send("POST", "/api/editor/create", {"path": path, "file_text": file_text})

    async def str_replace(
        self,
        path: str,
        old_str: str,
        new_str: str,
        *,
        unique: bool | None = None,
    ) -> None:
        """Replace every occurrence of a text in a file.

        Replaces all occurrences, from left to right; all other bytes stay as they are. At most 10000000 are replaced at once. A crash at any moment leaves the old file or the new one; mode, owner, extended attributes and symbolic links are kept. Edits of one file wait for each other.

        path: The path of the file: absolute, `~/...`, or relative to the home of the service's user.
        old_str: The text to replace, exactly as it is in the file.
        new_str: The new text; may be empty.
        unique: If true, a text that occurs more than once is refused, and nothing is replaced.
        """
        await self._send("POST", "/api/editor/str-replace", {
            "path": path,
            "old_str": old_str,
            "new_str": new_str,
            "unique": unique,
        })

    async def insert(
        self,
        path: str,
        text: str,
        *,
        insert_line: int | None = None,
    ) -> None:
        """Insert lines into a file.

        Adds a line break, of the kind that the file uses, if the text does not end with one. Text appended to a file that does not end with a line break gets one before it and none after. A byte order mark stays first. A crash at any moment leaves the old file or the new one; mode, owner, extended attributes and symbolic links are kept. Edits of one file wait for each other.

        path: The path of the file: absolute, `~/...`, or relative to the home of the service's user.
        text: One or more lines.
        insert_line: The line number that the text gets: 0 and 1 insert at the top, `null` appends.
        """
        await self._send("POST", "/api/editor/insert", {
            "path": path,
            "text": text,
            "insert_line": insert_line,
        })

    async def apply_patch(self, path: str, diff: str) -> None:
        """Apply a diff to a file.

        Takes the V4A format of OpenAI's `apply_patch`, for one file: sections that begin with `@@` and an optional anchor (a line of the file above the change), of lines that begin with a space (kept), `-` (removed) or `+` (added); `*** End of File` ends a section at the end of the file. Headings of unified diffs are understood too. Lines are compared exactly, else without blanks at their ends. All sections are placed before anything is changed: a section whose lines are not there, or are there several times without an anchor that is there once, is refused. Line breaks and a missing last one stay as they are. A crash at any moment leaves the old file or the new one; mode, owner, extended attributes and symbolic links are kept. Edits of one file wait for each other.

        path: The path of the file: absolute, `~/...`, or relative to the home of the service's user.
        diff: The sections of the diff.
        """
        await self._send("POST", "/api/editor/apply-patch", {"path": path, "diff": diff})

    async def undo_edit(self, path: str) -> None:
        """Undo the last edit of a file.

        Undoes the last create, str-replace, insert or apply-patch through this service since it started; call it again for the one before. Undoing a create removes the file. The history of all files together takes at most 67108864 bytes of memory; the oldest edits are forgotten first.

        path: The path of the file: absolute, `~/...`, or relative to the home of the service's user.
        """
        await self._send("POST", "/api/editor/undo-edit", {"path": path})


class AsyncFilesystem(AsyncGroup):
    async def list(
        self,
        path: str,
        *,
        include_hidden: bool | None = None,
        pattern: str | None = None,
    ) -> List[types.FilesystemEntry]:
        """List a folder.

        Lists folders first, then files, each sorted by name.

        path: The path of the folder: absolute, `~/...`, or relative to the home of the service's user.
        include_hidden: If true, hidden files and folders are included.
        pattern: Return only names that match. A glob supports `* ** ? [a-z] [!a-z] {a,b}`, and `\\` before a character that is meant literally.
        """
        value: List[types.FilesystemEntry] = await self._ask("POST", "/api/filesystem/list", {
            "path": path,
            "include_hidden": include_hidden,
            "pattern": pattern,
        })
        return value

    async def search(
        self,
        root_path: str,
        pattern: str,
        *,
        max_results: int | None = None,
        include_hidden: bool | None = None,
    ) -> List[types.FilesystemEntry]:
        """Search a folder tree by name.

        Walks depth-first in the order of names and stops at `max_results`, so the same request gives the same answer. Results are folders first, then files, each sorted by path. Folders that cannot be read are skipped; links to folders are not followed.

        root_path: The path of the folder to start from: absolute, `~/...`, or relative to the home of the service's user.
        pattern: A glob supports `* ** ? [a-z] [!a-z] {a,b}`, and `\\` before a character that is meant literally. A pattern matches names at any depth; one with `/` is compared with the path below the root.
        max_results: The maximum number of files and folders to return.
        include_hidden: If true, hidden files and folders are included.
        """
        value: List[types.FilesystemEntry] = await self._ask("POST", "/api/filesystem/search", {
            "root_path": root_path,
            "pattern": pattern,
            "max_results": max_results,
            "include_hidden": include_hidden,
        })
        return value

    async def tree(
        self,
        path: str,
        *,
        max_depth: int | None = None,
        include_hidden: bool | None = None,
        pattern: str | None = None,
        max_entries: int | None = None,
    ) -> types.DirectoryTreeNode:
        """Get a tree of folders and files.

        Lists folders first, then files, each sorted by name. A folder that was not entered has no children and is `truncated`; of a root with more than `max_entries` entries the first ones are returned. A link to a folder has no children and is not truncated. A large answer is streamed.

        path: The path of the folder: absolute, `~/...`, or relative to the home of the service's user.
        max_depth: The depth of the tree: The depth of the tree: 1 is the folder and its entries.
        include_hidden: If true, hidden files and folders are included.
        pattern: Return only files that match, and the folders that contain them. A glob supports `* ** ? [a-z] [!a-z] {a,b}`, and `\\` before a character that is meant literally.
        max_entries: The maximum number of files and folders to return.
        """
        value: types.DirectoryTreeNode = await self._ask("POST", "/api/filesystem/tree", {
            "path": path,
            "max_depth": max_depth,
            "include_hidden": include_hidden,
            "pattern": pattern,
            "max_entries": max_entries,
        })
        return value

    async def info(self, path: str) -> types.FilesystemEntry:
        """Get information about a file or folder.

        The path is percent-encoded (`info/%2Fetc%2Fhosts`), or plain (`info//etc/hosts`), or relative to the home (`info/notes.txt`). It is decoded once: a percent sign is `%25`.

        path: The path of the file or folder: absolute, `~/...`, or relative to the home of the service's user.
        """
        value: types.FilesystemEntry = await self._ask("GET", "/api/filesystem/info/{path}", {"path": path})
        return value

    async def read(
        self,
        path: str,
        *,
        encoding: Literal["text", "base64"] | None = None,
        offset: int | None = None,
        length: int | None = None,
    ) -> types.ReadFileResponse:
        """Read a file, or part of it.

        Text is split between characters, so `next_offset` may be slightly less than `offset + length`; bytes that are not UTF-8 become U+FFFD.

        path: The path of the file: absolute, `~/...`, or relative to the home of the service's user.
        encoding: The form of the answer: text or Base64.
        offset: The position to start at, in bytes.
        length: The maximum number of bytes to read.
        """
        value: types.ReadFileResponse = await self._ask("POST", "/api/filesystem/read", {
            "path": path,
            "encoding": encoding,
            "offset": offset,
            "length": length,
        })
        return value

    async def write(
        self,
        path: str,
        content: str,
        *,
        encoding: Literal["text", "base64"] | None = None,
        overwrite: bool | None = None,
    ) -> None:
        """Write a whole file.

        Creates missing parent folders. The file appears whole or not at all; one that is replaced keeps its mode, owner and links.

        path: The path of the file: absolute, `~/...`, or relative to the home of the service's user.
        content: The new content.
        encoding: The form of `content`: text or Base64.
        overwrite: If true, an existing file may be replaced.
        """
        await self._send("POST", "/api/filesystem/write", {
            "path": path,
            "content": content,
            "encoding": encoding,
            "overwrite": overwrite,
        })

    async def mkdir(self, path: str) -> None:
        """Create a folder.

        Creates missing parent folders, too. Succeeds if the folder already exists.

        path: The path of the folder: absolute, `~/...`, or relative to the home of the service's user.
        """
        await self._send("POST", "/api/filesystem/mkdir", {"path": path})

    async def move(
        self,
        source: str,
        destination: str,
        *,
        overwrite: bool | None = None,
    ) -> None:
        """Move or rename a file or folder.

        A symbolic link itself is moved, not its target. A move to another file system copies, then deletes: all of it, or nothing. The root, the home folder and the folders above it are never moved.

        source: The path of the file or folder: absolute, `~/...`, or relative to the home of the service's user.
        destination: The new path; missing parent folders are created: absolute, `~/...`, or relative to the home of the service's user.
        overwrite: If true, a file may replace a file, and a folder an empty folder.
        """
        await self._send("POST", "/api/filesystem/move", {
            "source": source,
            "destination": destination,
            "overwrite": overwrite,
        })

    async def copy(
        self,
        source: str,
        destination: str,
        *,
        overwrite: bool | None = None,
    ) -> None:
        """Copy a file or folder.

        The copy appears whole or not at all. If the source is a symbolic link, it is followed; links inside a folder are copied as links. Holes stay holes; setuid and setgid are kept only where the copy has the same owner. A folder with FIFOs, sockets or devices is refused.

        source: The path of the file or folder: absolute, `~/...`, or relative to the home of the service's user.
        destination: The new path; missing parent folders are created: absolute, `~/...`, or relative to the home of the service's user.
        overwrite: If true, a file may replace a file, and a folder an empty folder.
        """
        await self._send("POST", "/api/filesystem/copy", {
            "source": source,
            "destination": destination,
            "overwrite": overwrite,
        })

    async def delete(
        self,
        path: str,
        *,
        recursive: bool | None = None,
    ) -> None:
        """Delete a file or folder.

        A symbolic link itself is deleted, never its target. The root, the home folder and the folders above it are never deleted.

        path: The path of the file or folder: absolute, `~/...`, or relative to the home of the service's user.
        recursive: If true, a folder is deleted with everything in it.
        """
        await self._send("POST", "/api/filesystem/delete", {"path": path, "recursive": recursive})


class AsyncBash(AsyncGroup):
    async def command(
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

        A command that ends within `timeout` is `completed`, even if it failed: its `exit_code` says so. Otherwise it is `background`: it goes on running, and `process_id` identifies it for reading its output, writing to it and ending it. What the command leaves running (`xterm &`) does not delay the answer for more than 300 ms and is listed by `processes/managed`. At most 64 run at once, background ones included; others wait for a place, at most 60 s. When the client leaves, a command that runs goes on in the background.

        command: The command line for the shell, at most 128 KiB of UTF-8.
        timeout: The time to wait for the command to end, in seconds; with 0 it runs in the background at once.
        max_runtime: The time after which the command is ended, in seconds, whether or not it runs in the background; no limit by default.
        cwd: The folder that the command runs in: absolute, `~/...`, or relative to the home folder, which is the default.
        env: Variables to add to the environment, each at most 128 KiB of UTF-8. Those that the shell sets itself (`IFS`, `PPID`, `LINENO` and others) are refused, except `PWD`, `OLDPWD`, `SHLVL` and `_`, for which it uses its own values: set the folder with `cwd`.
        env_secrets: Variables whose values come from the keychain; only this command gets them.
        stdin: The standard input of the command; empty by default.
        stdin_open: If true, its input stays open for `process/{pid}/input` after `stdin`.
        """
        value: types.ExecuteCommandResponse = await self._ask("POST", "/api/bash/command", {
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

    async def get_process_output(
        self,
        pid: int,
        *,
        offset: int | None = None,
        wait_ms: int | None = None,
    ) -> types.GetProcessOutputResponse:
        """Read the output of a process.

        Can be read as often as you like, and after the process has ended for 3600 s (the last 1000 that ended). When all ended ones take more than 134217728 bytes, the oldest lose their output, which is `truncated` then, and are forgotten at last. Of a long output the first 65536 and the last 1048576 bytes are kept.

        pid: The process id.
        offset: The position to start at, in bytes of the whole output: 0, or the `next_offset` of an earlier answer. If that part is no longer kept, reading starts at the next byte that is.
        wait_ms: The time to wait for output after `offset` (by default: for new output) or the end of the process, in milliseconds; 0 answers at once.
        """
        value: types.GetProcessOutputResponse = await self._ask("GET", "/api/bash/process/{pid}/output", {"pid": pid, "offset": offset, "wait_ms": wait_ms})
        return value

    async def write_process_input(
        self,
        pid: int,
        text: str,
        *,
        eof: bool | None = None,
    ) -> None:
        """Write to the input of a process.

        Texts are written in order, as fast as the process reads them.

        pid: The process id.
        text: The text to write.
        eof: If true, the input is closed after the text.
        """
        await self._send("POST", "/api/bash/process/{pid}/input", {"pid": pid, "text": text, "eof": eof})

    async def terminate_process(self, pid: int) -> None:
        """End a process and everything it has started.

        Asks the whole process group to end, kills it after 3 s, and answers when it is gone. Its output can still be read.

        pid: The process id.
        """
        await self._send("DELETE", "/api/bash/process/{pid}", {"pid": pid})

    async def list_managed_processes(self, *, all: bool | None = None) -> List[types.ListManagedProcessesResponseItem]:
        """List the processes of this service.

        all: If true, processes that have ended and whose output can still be read are included.
        """
        value: List[types.ListManagedProcessesResponseItem] = await self._ask("GET", "/api/bash/processes/managed", {"all": all})
        return value

    async def restart(self) -> None:
        """End and forget every process of this service.

        Commands that are waiting to start are dropped (409). This does not restart the computer.
        """
        await self._send("POST", "/api/bash/restart", {})


class AsyncBrowser(AsyncGroup):
    async def tabs(self) -> List[types.ListTabsResponseItem]:
        """List the tabs of the browser.

        The browser is the one that `--open-browser` starts, with a profile of its own that is removed at the end of the service, or the one at `--browser-address`.
        """
        value: List[types.ListTabsResponseItem] = await self._ask("GET", "/api/browser/tabs", {})
        return value

    async def open(
        self,
        *,
        url: str | None = None,
        timeout_ms: int | None = None,
    ) -> types.OpenTabResponse:
        """Open a tab.

        The new tab becomes the active one. Waits until its page has loaded.

        url: The address of the page; without it, the tab is empty.
        timeout_ms: The longest time to wait until the page has loaded, in milliseconds.
        """
        value: types.OpenTabResponse = await self._ask("POST", "/api/browser/open", {"url": url, "timeout_ms": timeout_ms})
        return value

    async def activate(self, tab_id: str) -> types.ActivateTabResponse:
        """Show a tab.

        tab_id: The tab, by its id in `browser/tabs`.
        """
        value: types.ActivateTabResponse = await self._ask("POST", "/api/browser/activate", {"tab_id": tab_id})
        return value

    async def close(self, tab_id: str) -> None:
        """Close a tab.

        With its last tab a browser can end; the next call starts it again.

        tab_id: The tab, by its id in `browser/tabs`.
        """
        await self._send("POST", "/api/browser/close", {"tab_id": tab_id})

    async def navigate(
        self,
        *,
        url: str | None = None,
        history: Literal["back", "forward", "reload"] | None = None,
        tab_id: str | None = None,
        timeout_ms: int | None = None,
    ) -> types.NavigateTabResponse:
        """Load a page.

        Loads an address, goes one page back or forward, or loads the page again, and waits until it has loaded. An answer such as 404 is no error: `http_status` has it. An address that cannot be reached is 503, with the browser's reason.

        url: The address: `about:blank`, or with `http:`, `https:`, `data:`, or `file:` unless the group `filesystem` is switched off.
        history: The page before or after this one, or this one again, in place of `url`.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        timeout_ms: The longest time to wait until the page has loaded, in milliseconds.
        """
        value: types.NavigateTabResponse = await self._ask("POST", "/api/browser/navigate", {
            "url": url,
            "history": history,
            "tab_id": tab_id,
            "timeout_ms": timeout_ms,
        })
        return value

    async def snapshot(
        self,
        *,
        filter: Literal["all", "visible", "interactive"] | None = None,
        ref: str | None = None,
        max_depth: int | None = None,
        max_characters: int | None = None,
        tab_id: str | None = None,
        timeout_ms: int | None = None,
    ) -> types.SnapshotPageResponse:
        """Read a page as text with refs.

        Reads the accessibility tree of the page with all its frames. Every element has a ref, which the operations of mouse, keyboard and browser take in place of coordinates. A ref names one element of one document: when that has gone, or has become another one, it is refused with 409.

        filter: `all` is the whole page, `visible` what is in the viewport, `interactive` what can be clicked or filled in the viewport.
        ref: Only what is inside this element.
        max_depth: The most levels below the page.
        max_characters: The most characters of the text.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        timeout_ms: The longest time for reading the page, in milliseconds.
        """
        value: types.SnapshotPageResponse = await self._ask("POST", "/api/browser/snapshot", {
            "filter": filter,
            "ref": ref,
            "max_depth": max_depth,
            "max_characters": max_characters,
            "tab_id": tab_id,
            "timeout_ms": timeout_ms,
        })
        return value

    async def find(
        self,
        query: str,
        *,
        role: str | None = None,
        tab_id: str | None = None,
        timeout_ms: int | None = None,
    ) -> types.FindOnPageResponse:
        """Find elements of a page.

        Finds at most 20 elements by the words of their name, value and role, the best ones first. Where none has all words, those with some of them are found.

        query: Words of the element, in any case, such as "search button".
        role: Only this role, such as `button`.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        timeout_ms: The longest time for reading the page, in milliseconds.
        """
        value: types.FindOnPageResponse = await self._ask("POST", "/api/browser/find", {
            "query": query,
            "role": role,
            "tab_id": tab_id,
            "timeout_ms": timeout_ms,
        })
        return value

    async def text(
        self,
        *,
        max_characters: int | None = None,
        tab_id: str | None = None,
    ) -> types.GetPageTextResponse:
        """Get the text of a page.

        The text as a reader of the page sees it, then that of its frames.

        max_characters: The most characters of the text.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        """
        value: types.GetPageTextResponse = await self._ask("POST", "/api/browser/text", {
            "max_characters": max_characters,
            "tab_id": tab_id,
        })
        return value

    @overload
    async def screenshot(
        self,
        x: float | None = None,
        y: float | None = None,
        *,
        width: float | None = None,
        height: float | None = None,
        full_page: bool | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        tab_id: str | None = None,
    ) -> Picture: ...

    @overload
    async def screenshot(
        self,
        x: float | None = None,
        y: float | None = None,
        *,
        width: float | None = None,
        height: float | None = None,
        full_page: bool | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        tab_id: str | None = None,
    ) -> Picture | None: ...

    async def screenshot(
        self,
        x: float | None = None,
        y: float | None = None,
        *,
        width: float | None = None,
        height: float | None = None,
        full_page: bool | None = None,
        format: Literal["png", "jpeg", "webp"] | None = None,
        quality: int | None = None,
        tab_id: str | None = None,
    ) -> Picture | None:
        """Take a picture of a page.

        Pictures the viewport of the tab, which becomes the active one; `x`, `y`, `width` and `height` cut out a region, in pixels of the viewport.

        x: The left edge of a region.
        y: The top edge of a region.
        width: The width of a region.
        height: The height of a region.
        full_page: If true, the whole page is pictured.
        quality: The quality of JPEG and WebP.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        """
        return await self._look("POST", "/api/browser/screenshot", {
            "x": x,
            "y": y,
            "width": width,
            "height": height,
            "full_page": full_page,
            "format": format,
            "quality": quality,
            "tab_id": tab_id,
        })

    async def wait(
        self,
        text: str | None = None,
        *,
        text_gone: str | None = None,
        url: str | None = None,
        ref_gone: str | None = None,
        loaded: bool | None = None,
        tab_id: str | None = None,
        timeout_ms: int | None = None,
    ) -> types.WaitForPageResponse:
        """Wait for a page.

        Waits until all given conditions are true at the same time. For `ref_gone` the tab is shown and the element scrolled into view.

        text: A text that the page shows.
        text_gone: A text that it does not show.
        url: A part of its address.
        ref_gone: An element that is gone, hidden or covered.
        loaded: If true, the page has loaded.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        timeout_ms: The longest time to wait, in milliseconds.
        """
        value: types.WaitForPageResponse = await self._ask("POST", "/api/browser/wait", {
            "text": text,
            "text_gone": text_gone,
            "url": url,
            "ref_gone": ref_gone,
            "loaded": loaded,
            "tab_id": tab_id,
            "timeout_ms": timeout_ms,
        })
        return value

    async def fill(
        self,
        ref: str,
        value: str | float | bool | List[str],
    ) -> types.FillFieldResponse:
        """Fill a field of a page.

        Replaces the content of a text field, checks or unchecks a box, chooses options by value or label, or sets a date, a number or a color; then reads the field again. A value that the field cannot take is 422, and says what it takes.

        ref: The element, by its ref in a snapshot.
        value: A text; true or false for a checkbox, a switch or a radio button; an option, or a list of them; a date as `YYYY-MM-DD`.
        """
        value: types.FillFieldResponse = await self._ask("POST", "/api/browser/fill", {"ref": ref, "value": value})
        return value

    async def upload(self, ref: str, paths: List[str]) -> types.UploadFilesResponse:
        """Give files to a field of a page.

        Chooses existing files for a field that takes files, as its dialog would. It needs the group `filesystem`.

        ref: The element, by its ref in a snapshot.
        paths: The paths of the files.
        """
        value: types.UploadFilesResponse = await self._ask("POST", "/api/browser/upload", {"ref": ref, "paths": paths})
        return value

    async def click(
        self,
        *,
        ref: str | None = None,
        x: float | None = None,
        y: float | None = None,
        button: Literal["left", "middle", "right", "back", "forward"] | None = None,
        click_count: int | None = None,
        modifiers: List[str] | None = None,
        tab_id: str | None = None,
    ) -> None:
        """Click an element of a page.

        Scrolls the element into view and clicks its visible middle. It happens inside the browser: other windows and the cursor of the display play no part. To click as a person does, give the ref to `mouse/left-click`.

        ref: The element, by its ref in a snapshot.
        x: The X coordinate, in pixels of the page from the left edge of its viewport.
        y: The Y coordinate, in pixels of the page from the top edge of its viewport.
        click_count: The number of clicks: 2 is a double click.
        modifiers: Keys to hold down meanwhile: `ctrl`, `shift`, `alt`, `meta`.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        """
        await self._send("POST", "/api/browser/click", {
            "ref": ref,
            "x": x,
            "y": y,
            "button": button,
            "click_count": click_count,
            "modifiers": modifiers,
            "tab_id": tab_id,
        })

    async def pointer(
        self,
        *,
        action: Literal["move", "down", "up"] | None = None,
        ref: str | None = None,
        x: float | None = None,
        y: float | None = None,
        button: Literal["left", "middle", "right", "back", "forward"] | None = None,
        tab_id: str | None = None,
    ) -> None:
        """Move the mouse in a page, press or release a button.

        It happens inside the browser: other windows and the cursor of the display play no part. A button stays down until it is released by the same operation.

        ref: The element, by its ref in a snapshot.
        x: The X coordinate, in pixels of the page from the left edge of its viewport.
        y: The Y coordinate, in pixels of the page from the top edge of its viewport.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        """
        await self._send("POST", "/api/browser/pointer", {
            "action": action,
            "ref": ref,
            "x": x,
            "y": y,
            "button": button,
            "tab_id": tab_id,
        })

    async def drag(
        self,
        path: List[types.DragOnPagePathItem],
        *,
        modifiers: List[str] | None = None,
        tab_id: str | None = None,
    ) -> None:
        """Drag in a page.

        Presses the left button at the first point, moves over all, and releases it.

        path: The points, in pixels of the viewport.
        modifiers: Keys to hold down meanwhile: `ctrl`, `shift`, `alt`, `meta`.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        """
        await self._send("POST", "/api/browser/drag", {
            "path": path,
            "modifiers": modifiers,
            "tab_id": tab_id,
        })

    async def scroll(
        self,
        *,
        ref: str | None = None,
        x: float | None = None,
        y: float | None = None,
        clicks: int | None = None,
        horizontal_clicks: int | None = None,
        tab_id: str | None = None,
    ) -> None:
        """Scroll a page, or an element into view.

        Turns the wheel over an element, a point, or the middle of the page. With `ref` alone the element is only scrolled into view.

        ref: The element, by its ref in a snapshot.
        x: The X coordinate, in pixels of the page from the left edge of its viewport.
        y: The Y coordinate, in pixels of the page from the top edge of its viewport.
        clicks: The notches of the wheel: positive is up, negative is down, as in `mouse/scroll`.
        horizontal_clicks: The notches to the right; negative is left.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        """
        await self._send("POST", "/api/browser/scroll", {
            "ref": ref,
            "x": x,
            "y": y,
            "clicks": clicks,
            "horizontal_clicks": horizontal_clicks,
            "tab_id": tab_id,
        })

    async def type(
        self,
        text: str,
        *,
        ref: str | None = None,
        tab_id: str | None = None,
    ) -> None:
        """Type into a page.

        The text goes to the element that has the focus, as keys of a keyboard. It happens inside the browser: other windows and the cursor of the display play no part. To set a field as a whole use `browser/fill`.

        ref: The element that gets the focus first.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        """
        await self._send("POST", "/api/browser/type", {"text": text, "ref": ref, "tab_id": tab_id})

    async def key(
        self,
        key: str,
        *,
        repeat: int | None = None,
        duration_ms: int | None = None,
        tab_id: str | None = None,
    ) -> None:
        """Press a key or a combination in a page.

        It happens inside the browser: other windows and the cursor of the display play no part. Shortcuts of the browser itself, such as for a new tab, do nothing.

        key: One key (`Enter`, `a`, `PageDown`), or a combination such as `ctrl+shift+k`.
        repeat: The number of times.
        duration_ms: The time for which it is held each time, in milliseconds.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        """
        await self._send("POST", "/api/browser/key", {
            "key": key,
            "repeat": repeat,
            "duration_ms": duration_ms,
            "tab_id": tab_id,
        })

    async def console(
        self,
        *,
        since: int | None = None,
        max: int | None = None,
        tab_id: str | None = None,
    ) -> types.ReadConsoleResponse:
        """Read the console of a page.

        The newest 500 entries of a tab are kept, each shortened to 16,384 characters: what its scripts write, errors that none of them catches, and warnings of the browser.

        since: The number of the last entry that is known; 0 begins with the oldest one that is kept.
        max: The most entries.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        """
        value: types.ReadConsoleResponse = await self._ask("POST", "/api/browser/console", {"since": since, "max": max, "tab_id": tab_id})
        return value

    async def network(
        self,
        *,
        since: int | None = None,
        max: int | None = None,
        tab_id: str | None = None,
    ) -> types.ReadNetworkResponse:
        """Read what a page has requested.

        The newest 500 requests of a tab are kept, without headers and bodies.

        since: The number of the last entry that is known; 0 begins with the oldest one that is kept.
        max: The most entries.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        """
        value: types.ReadNetworkResponse = await self._ask("POST", "/api/browser/network", {"since": since, "max": max, "tab_id": tab_id})
        return value

    async def dialogs(self) -> List[types.ListDialogsResponseItem]:
        """List the open dialogs of pages.

        A dialog (`alert`, `confirm`, `prompt`) blocks its page: operations on its tab are 409 until it is answered.
        """
        value: List[types.ListDialogsResponseItem] = await self._ask("GET", "/api/browser/dialogs", {})
        return value

    async def dialog(
        self,
        accept: bool,
        *,
        text: str | None = None,
        tab_id: str | None = None,
    ) -> types.AnswerDialogResponse:
        """Answer a dialog of a page.

        accept: If true, its OK button is pressed, else Cancel.
        text: The text for a `prompt`.
        tab_id: The tab of the dialog; without it, the first one.
        """
        value: types.AnswerDialogResponse = await self._ask("POST", "/api/browser/dialog", {"accept": accept, "text": text, "tab_id": tab_id})
        return value

    async def downloads(self) -> List[types.ListDownloadsResponseItem]:
        """List the downloads of the browser.

        The newest 100 are kept. Files go to the browser's usual folder.
        """
        value: List[types.ListDownloadsResponseItem] = await self._ask("GET", "/api/browser/downloads", {})
        return value

    async def evaluate(
        self,
        expression: str,
        *,
        tab_id: str | None = None,
        timeout_ms: int | None = None,
    ) -> types.EvaluateScriptResponse:
        """Run a script in a page.

        Off unless the service runs with `--browser-evaluate`: a script has all rights of the page and of whoever is signed in there. A script that does not end is stopped.

        expression: JavaScript; the value of its last statement is the answer, and promises are awaited.
        tab_id: The tab, by its id in `browser/tabs`; without it, the active one.
        timeout_ms: The longest time for the script, in milliseconds.
        """
        value: types.EvaluateScriptResponse = await self._ask("POST", "/api/browser/evaluate", {
            "expression": expression,
            "tab_id": tab_id,
            "timeout_ms": timeout_ms,
        })
        return value


class AsyncAgents(AsyncGroup):
    async def anthropic(
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

        content: The `content` of the model's message, as the API gave it.
        tools: The `tools` of your request, as you sent them: they say which versions of the tools the model knows. Without them the newest versions are assumed.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        fit: Pictures are made to fit the model, as by the `fit` of a screenshot; without it, `claude`, or for the older tools the display size that they declare.
        max_edge: Neither side of a picture is longer than this, in pixels.
        frame: With the `X-Frame` of a picture that the model was shown, its coordinates are pixels of that picture; without it, of the pictures that this operation makes.
        format: The format of the pictures.
        quality: The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best).
        cursor: If true, the cursor is drawn into pictures.
        settle_ms: A picture after an action waits until the display is still, at most this many milliseconds; 0 does not wait.
        after_action: If true, an action of an earlier request may still be changing the display: the first picture waits for it, too.
        then_screenshot: If true, the last result has a picture of the display after the actions, if it has none yet.
        shell: The name of the shell that the `bash` tool uses: each name has one of its own.
        bash_timeout: A command of the `bash` tool that takes more seconds is ended with its shell.
        memory_dir: The folder that is `/memories` for the `memory` tool: absolute, `~/...`, or relative to the home of the service's user.
        """
        value: types.AnswerAnthropicResponse = await self._ask("POST", "/api/agents/anthropic", {
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

    async def openai(
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

        output: The `output` of the model's response, as the API gave it.
        acknowledged_safety_checks: The `pending_safety_checks` of the calls that a person has agreed to.
        workspace: The folder that `apply_patch` works in, and in which commands begin: absolute, `~/...`, or relative to the home of the service's user.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        fit: Pictures are made to fit the model, as by the `fit` of a screenshot; without it, `openai`.
        max_edge: Neither side of a picture is longer than this, in pixels.
        frame: With the `X-Frame` of a picture that the model was shown, its coordinates are pixels of that picture; without it, of the pictures that this operation makes.
        format: The format of the pictures.
        quality: The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best).
        cursor: If true, the cursor is drawn into pictures.
        settle_ms: A picture after an action waits until the display is still, at most this many milliseconds; 0 does not wait.
        after_action: If true, an action of an earlier request may still be changing the display: the first picture waits for it, too.
        then_screenshot: When false, computer calls are answered only where they fail, by the message: for drivers of the vendor's classes, which take the picture by a request of its own.
        """
        value: types.AnswerOpenaiResponse = await self._ask("POST", "/api/agents/openai", {
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

    async def gemini(
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

        parts: The `parts` of the model's content, as `generateContent` gave them; those without a `functionCall` are left out.
        steps: The steps of an interaction instead, as the Interactions API gave them; those of other types than `function_call` are left out.
        acknowledged: The ids, or the numbers from 0, of the calls that a person has agreed to.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        fit: Pictures are made to fit the model, as by the `fit` of a screenshot; without it, `gemini`.
        max_edge: Neither side of a picture is longer than this, in pixels.
        frame: With the `X-Frame` of a picture that the model was shown, its coordinates are pixels of that picture; without it, of the pictures that this operation makes.
        format: The format of the pictures.
        quality: The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best).
        cursor: If true, the cursor is drawn into pictures.
        settle_ms: A picture after an action waits until the display is still, at most this many milliseconds; 0 does not wait.
        after_action: If true, an action of an earlier request may still be changing the display: the first picture waits for it, too.
        then_screenshot: If true, the last result has a picture of the display after the actions, if it has none yet.
        """
        value: types.AnswerGeminiResponse = await self._ask("POST", "/api/agents/gemini", {
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

    async def ui_tars(
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

        text: The content of the model's message.
        coordinates: The unit of the model's coordinates: thousandths of the picture (UI-TARS 1.0 and 2, Doubao, Qwen3-VL), its pixels, or the pixels of the size to which the model scales it (UI-TARS 1.5, Qwen2.5-VL: both sides become multiples of 28).
        min_pixels: With `resized`: the smallest area in pixels that the model is served with.
        max_pixels: With `resized`: the largest area in pixels that the model is served with.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        fit: Pictures are made to fit the model, as by the `fit` of a screenshot; without it, the display in its own pixels.
        max_edge: Neither side of a picture is longer than this, in pixels.
        frame: With the `X-Frame` of a picture that the model was shown, its coordinates are pixels of that picture; without it, of the pictures that this operation makes.
        format: The format of the pictures.
        quality: The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best).
        cursor: If true, the cursor is drawn into pictures.
        settle_ms: A picture after an action waits until the display is still, at most this many milliseconds; 0 does not wait.
        after_action: If true, an action of an earlier request may still be changing the display: the first picture waits for it, too.
        then_screenshot: If true, the last result has a picture of the display after the actions, if it has none yet.
        """
        value: types.AnswerUiTarsResponse = await self._ask("POST", "/api/agents/ui-tars", {
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

    async def qwen(
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

        message: The model's message, as the server gave it; without `tool_calls` they are looked for in the text of `content`.
        coordinates: The unit of the model's coordinates: thousandths of the picture (UI-TARS 1.0 and 2, Doubao, Qwen3-VL), its pixels, or the pixels of the size to which the model scales it (UI-TARS 1.5, Qwen2.5-VL: both sides become multiples of 28).
        min_pixels: With `resized`: the smallest area in pixels that the model is served with.
        max_pixels: With `resized`: the largest area in pixels that the model is served with.
        display_num: The number of the display. Display 1 is the one bound at start; others are opened on demand.
        fit: Pictures are made to fit the model, as by the `fit` of a screenshot; without it, the display in its own pixels.
        max_edge: Neither side of a picture is longer than this, in pixels.
        frame: With the `X-Frame` of a picture that the model was shown, its coordinates are pixels of that picture; without it, of the pictures that this operation makes.
        format: The format of the pictures.
        quality: The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best).
        cursor: If true, the cursor is drawn into pictures.
        settle_ms: A picture after an action waits until the display is still, at most this many milliseconds; 0 does not wait.
        after_action: If true, an action of an earlier request may still be changing the display: the first picture waits for it, too.
        then_screenshot: If true, the last result has a picture of the display after the actions, if it has none yet.
        """
        value: types.AnswerQwenResponse = await self._ask("POST", "/api/agents/qwen", {
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


class AsyncSystem(AsyncGroup):
    async def healthz(self) -> types.GetHealthResponse:
        """Check whether the service is alive.

        Needs no token.
        """
        value: types.GetHealthResponse = await self._ask("GET", "/healthz", {})
        return value

    async def readyz(self) -> types.GetReadinessResponse:
        """Check whether the display and the keychain are available now.

        Without the display the service is not ready. Without the keychain it is, because only the keychain operations answer 503 then.
        """
        value: types.GetReadinessResponse = await self._ask("GET", "/readyz", {})
        return value

    async def info(self) -> types.GetSystemInfoResponse:
        """Get the version, system, chosen backends and limits."""
        value: types.GetSystemInfoResponse = await self._ask("GET", "/api/system/info", {})
        return value

    async def release_all(self) -> None:
        """Release every key and button.

        Overtakes all other operations: ends the running input operation, drops the waiting ones (they answer 409), and releases every key and button on every display in use.
        """
        await self._send("POST", "/api/system/release-all", {})


class AsyncOperations(AsyncGroup):
    def __init__(self, connection: AsyncConnection) -> None:
        super().__init__(connection)
        self.display = AsyncDisplay(connection)
        self.mouse = AsyncMouse(connection)
        self.keyboard = AsyncKeyboard(connection)
        self.clipboard = AsyncClipboard(connection)
        self.accessibility = AsyncAccessibility(connection)
        self.window = AsyncWindow(connection)
        self.recording = AsyncRecording(connection)
        self.keychain = AsyncKeychain(connection)
        self.editor = AsyncEditor(connection)
        self.filesystem = AsyncFilesystem(connection)
        self.bash = AsyncBash(connection)
        self.browser = AsyncBrowser(connection)
        self.agents = AsyncAgents(connection)
        self.system = AsyncSystem(connection)

    async def batch(
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
        value: types.RunBatchResponse = await self._ask("POST", "/api/batch", {
            "steps": steps,
            "then_screenshot": then_screenshot,
        })
        return value
