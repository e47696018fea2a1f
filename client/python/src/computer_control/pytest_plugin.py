"""The plugin of pytest: the fixture `desk`, and what is kept of a test that fails.

Only pytest loads it, by the entry point `pytest11` of the package.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Generator, Iterator

import pytest

from . import ComputerControl
from ._evidence import Evidence
from .testing import Desk, new_desk

_EVIDENCE = pytest.StashKey[Evidence]()
_MAX_NAME = 150


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("desk").addoption(
        "--desk-artifacts",
        default="desk-artifacts",
        metavar="FOLDER",
        help="where a failing test with a desk leaves its picture, trail and video",
    )


def pytest_configure(config: pytest.Config) -> None:
    line = "desk(size, wayland): how the desk of a test is made, by fields of desk/create"
    config.addinivalue_line("markers", line)


@pytest.fixture(scope="session")
def computer() -> Iterator[ComputerControl]:
    """The service, by `COMPUTER_CONTROL_URL` and `COMPUTER_CONTROL_TOKEN`."""
    with ComputerControl() as computer:
        yield computer


@pytest.fixture
def desk(request: pytest.FixtureRequest, computer: ComputerControl) -> Iterator[Desk]:
    """A desk for this test alone, deleted after it."""
    marker = request.node.get_closest_marker("desk")
    with new_desk(computer, **(marker.kwargs if marker else {})) as desk:
        request.node.stash[_EVIDENCE] = Evidence(desk)
        yield desk
        del request.node.stash[_EVIDENCE]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Keep the evidence at once, before other fixtures close what is on the desk."""
    report: pytest.TestReport = (yield).get_result()
    evidence = item.stash.get(_EVIDENCE, None)
    if evidence is None or not report.failed or report.when == "teardown":
        return
    folder = Path(item.config.getoption("--desk-artifacts"), _folder_name(item.nodeid))
    kept = evidence.keep(item.config.invocation_params.dir / folder)
    named = {f"desk_{kind}": str(folder / name) for kind, name in kept.items()}
    item.user_properties += named.items()
    report.user_properties += named.items()
    lines = [*(f"{name}: {path}" for name, path in named.items()), *evidence.missing]
    report.sections.append(("desk", "\n".join(lines)))


def _folder_name(nodeid: str) -> str:
    """`tests/test_a.py::test_b` -> `tests-test_a.py-test_b`; a character of no file name is its code."""
    name = nodeid.replace("::", "-").replace("/", "-")
    return re.sub(r"[^\w.\[\]-]", lambda each: f"_{ord(each[0]):x}", name, flags=re.A)[:_MAX_NAME]
