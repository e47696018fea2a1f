"""Generates the operations, then builds the package that `pyproject.toml` describes."""

import runpy
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
if (HERE.parent.parent / "openapi.json").exists():
    runpy.run_path(str(HERE / "generate.py"), run_name="__main__")
elif not (HERE / "src" / "computer_control" / "_operations.py").exists():  # as a source package has
    raise SystemExit(
        f"Cannot build in {str(HERE)!r}: openapi.json is missing two folders above. "
        "Build in a clone of the whole repository."
    )
setup()
