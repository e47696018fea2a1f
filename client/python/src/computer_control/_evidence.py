"""What is kept of a test that fails: a picture of its desk, what was done on it, and a video."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, TypeVar

from . import ComputerControlError
from .testing import Desk

_T = TypeVar("_T")


class Evidence:
    """Records a desk from now on; nothing is written before `keep`.

    missing: What cannot be had, with the reason: a service without ffmpeg makes no video.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.missing: list[str] = []
        self._trail = self._attempt("trail", lambda: desk.trail.start()["id"])
        self._video = self._attempt("video", lambda: desk.recording.start()["id"])

    def keep(self, folder: Path) -> dict[str, str]:
        """Write what there is into the folder, and give the names of the files by what they are."""
        names = {"picture": self._attempt("picture", lambda: self._keep_picture(folder))}
        if (trail := self._trail) is not None:
            names["trail"] = self._attempt("trail", lambda: self._keep_trail(folder, trail))
        if (video := self._video) is not None:
            names["video"] = self._attempt("video", lambda: self._keep_video(folder, video))
        return {kind: name for kind, name in names.items() if name is not None}

    def _keep_picture(self, folder: Path) -> str:
        return _write(folder, "picture.png", self._desk.screenshot().data)

    def _keep_trail(self, folder: Path, id: str) -> str:
        path = f"{self._desk.folder}/trail-{id}.html"
        self._desk.trail.export(id=id, format="html", path=path)
        return _write(folder, "trail.html", self._desk.read_file(path))

    def _keep_video(self, folder: Path, id: str) -> str:
        recording = self._desk.recording.stop(id=id)
        content = self._desk.recording.get(id=id).data
        return _write(folder, f"video.{recording['format']}", content)

    def _attempt(self, kind: str, action: Callable[[], _T]) -> _T | None:
        try:
            return action()
        except (ComputerControlError, OSError) as error:
            self.missing.append(f"no {kind}: {error}")
            return None


def _write(folder: Path, name: str, content: bytes) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    return name
