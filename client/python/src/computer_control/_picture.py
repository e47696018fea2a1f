"""A picture of a display, as the service answers it."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass

import httpx

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Picture:
    """A picture as the bytes of its file.

    media_type: `image/png`, `image/jpeg` or `image/webp`.
    frame: Give it to operations that take coordinates: these are then pixels of this picture.
    display_num: The display that it shows.
    scale: A pixel of the screen is this many of the picture.
    region: With `since`: where it belongs in the older picture (x, y, width, height).
    changes: With `since`: the boxes that have changed.
    """

    data: bytes
    media_type: str
    frame: str
    display_num: int
    scale: float
    region: Box | None = None
    changes: list[Box] | None = None

    def to_base64(self) -> str:
        """The bytes in Base64."""
        return base64.b64encode(self.data).decode("ascii")

    def to_data_url(self) -> str:
        """`data:image/png;base64,...`: how most models take a picture."""
        return f"data:{self.media_type};base64,{self.to_base64()}"


def read_picture(response: httpx.Response) -> Picture:
    """What an answer with a picture holds."""
    headers = response.headers
    region = headers.get("x-region")
    changes = headers.get("x-changes")
    return Picture(
        data=response.content,
        media_type=headers.get("content-type", ""),
        frame=headers.get("x-frame", ""),
        display_num=int(headers.get("x-display", "0")),
        scale=float(headers.get("x-scale", "nan")),
        region=None if region is None else _box(region.split(",")),
        changes=None if changes is None else [_box(box) for box in json.loads(changes)],
    )


def _box(values: list[str] | list[int]) -> Box:
    x, y, width, height = (int(value) for value in values)
    return x, y, width, height
