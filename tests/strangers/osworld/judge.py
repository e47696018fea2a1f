"""Judges by OSWorld's own evaluators (desktop-env on PyPI), unchanged.

Reads lines of JSON and answers each by a line {score, said, saw, wanted}: a score from 0 to 1, what the evaluators
logged, what they saw and what they wanted. A request is one of two:

{result, expected, metrics: [{func, expected?, options?}]} is a document of the office tasks. The score is the lowest of
the metrics, and both documents are described.

{address, playerPort, folder, evaluator: {func, result, expected?}} is a computer with the routes of OSWorld's server, the evaluator
as OSWorld's own tasks have it: what `result` names is read from there by OSWorld's client, into that folder.

The package of the evaluators imports all of them, and with them torch, playwright and clouds: here its packages are
replaced by empty ones, from which modules are loaded one by one. What these import and no task asks for is replaced, too:
what reads pictures, videos, music, PDF and OpenDocument, what speaks to clouds and to a browser's own port, and formulas
(whose parser `compare_table` makes, and asks about conditional formats only).
"""
import contextlib
import importlib
import importlib.util
import io
import json
import logging
import os
import platform
import sys
import traceback
import types

METRICS = "desktop_env.evaluators.metrics"
METRIC_MODULES = ["table", "docs", "slides", "general", "basic_os", "chrome", "vlc", "gimp"]
GETTERS = "desktop_env.evaluators.getters"
GETTER_MODULES = ["general", "info", "file", "misc", "chrome", "vlc", "gimp"]
ABSENT = (
    "acoustid borb borb.pdf bs4 cv2 easyocr fastdtw fitz formulas imagehash librosa odf odf.opendocument odf.text pdfplumber "
    "playwright playwright.sync_api pydrive pydrive.auth pydrive.drive scipy scipy.spatial scipy.spatial.distance skimage "
    "skimage.color skimage.metrics yaml"
).split()

MACHINE = "arm64"
"""What the evaluators are told of the computer: they look for Chromium, as Debian has it, on such a one only."""

RETRY_SECONDS = 0.1
"""Between two attempts of OSWorld's client to read a file."""

MOST_SAID = 1_500
"""Characters of what is told of a judgement."""


class Absent(types.ModuleType):
    """A module that can be imported from, and fails when something of it is used."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Unusable(f"{self.__name__}.{name}")


class Unusable:
    def __init__(self, name):
        self.name = name

    def __call__(self, *args, **options):
        raise RuntimeError(f"{self.name} is not there: no task needs it")


def hide_packages():
    for name in ABSENT:
        sys.modules[name] = Absent(name)
    sys.modules["formulas"].Parser = type("Parser", (), {})
    platform.machine = lambda: MACHINE
    import tldextract

    tldextract.extract = tldextract.TLDExtract(cache_dir=None, suffix_list_urls=())  # asks nobody on the network


def load(package, names):
    """The functions of a package's modules by name."""
    folder = package.split(".")[1:]
    [root] = importlib.util.find_spec("desktop_env").submodule_search_locations
    empty = types.ModuleType(package)
    empty.__path__ = [os.path.join(root, *folder)]
    sys.modules[package] = empty
    found = {}
    for name in names:
        module = importlib.import_module(f"{package}.{name}")
        found.update({each: value for each, value in vars(module).items() if callable(value)})
    return found


def judge(metrics, request):
    """The lowest score, as OSWorld's `conj: and`."""
    scores = []
    for metric in request["metrics"]:
        arguments = [request["result"]]
        expected = metric.get("expected")
        if expected is not None:
            arguments.append(request["expected"] if expected == "document" else expected)
        scores.append(float(metrics[metric["func"]](*arguments, **metric.get("options", {}))))
    return min(scores)


class Computer:
    """What the getters take as their environment."""

    def __init__(self, address, player_port, folder):
        from desktop_env.controllers.python import PythonController

        host, port = address.removeprefix("http://").split(":")
        self.vm_ip, self.server_port = host, int(port)
        self.controller = PythonController(vm_ip=host, server_port=self.server_port)
        self.controller.retry_interval = RETRY_SECONDS
        self.vlc_port = player_port
        self.cache_dir = folder

    @property
    def vm_platform(self):
        return self.controller.get_vm_platform().strip()


def judge_computer(evaluators, request):
    """As OSWorld's `DesktopEnv.evaluate` does; gives what was seen, too."""
    metrics, getters = evaluators
    computer = Computer(request["address"], request["playerPort"], request["folder"])
    wanted = request["evaluator"]
    saw = getters["get_" + wanted["result"]["type"]](computer, wanted["result"])
    arguments = [saw]
    if "expected" in wanted:
        arguments.append(getters["get_" + wanted["expected"]["type"]](computer, wanted["expected"]))
    return float(metrics[wanted["func"]](*arguments)), saw


def answer(evaluators, request):
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    logger = logging.getLogger("desktopenv")
    logger.addHandler(handler)
    saw = None
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            if "evaluator" in request:
                score, saw = judge_computer(evaluators, request)
            else:
                score = judge(evaluators[0], request)
    except Exception:
        score = 0.0
        said.write(traceback.format_exc())
    finally:
        logger.removeHandler(handler)
    if score == 1:
        return {"score": score}
    seen = {"said": said.getvalue()[-MOST_SAID:]}
    if "evaluator" in request:
        seen.update(saw=str(saw)[:MOST_SAID], wanted=str(request["evaluator"].get("expected"))[:MOST_SAID])
    else:
        seen.update(saw=describe(request["result"]), wanted=describe(request["expected"]))
    return {"score": score, **seen}


def describe(path):
    """What stands in a document, for people who look for the difference."""
    kind = os.path.splitext(path)[1]
    try:
        return json.dumps(DESCRIBERS[kind](path), ensure_ascii=False, default=str)[:MOST_SAID]
    except Exception as error:
        return f"It cannot be read: {error}"


def describe_sheets(path):
    import openpyxl

    book = openpyxl.load_workbook(path, data_only=True)
    return {page.title: [list(row) for row in page.iter_rows(values_only=True)] for page in book}


def describe_text(path):
    import docx

    document = docx.Document(path)
    paragraphs = [[run.text for run in line.runs] for line in document.paragraphs]
    tables = [
        [[cell.text for cell in row.cells] for row in table.rows] for table in document.tables
    ]
    return {"paragraphs": paragraphs, "tables": tables}


def describe_slides(path):
    import pptx

    return [describe_slide(page) for page in pptx.Presentation(path).slides]


def describe_slide(page):
    lines = [
        [(line.level, line.alignment, describe_runs(line)) for line in shape.text_frame.paragraphs]
        for shape in page.shapes
        if shape.has_text_frame
    ]
    frame = page.notes_slide.notes_text_frame if page.has_notes_slide else None
    return {"shapes": lines, "notes": frame.text if frame else None}


def describe_runs(line):
    looks = ["bold", "italic", "underline"]
    return [
        [run.text, *(look for look in looks if getattr(run.font, look))] for run in line.runs
    ]


DESCRIBERS = {".xlsx": describe_sheets, ".docx": describe_text, ".pptx": describe_slides}


def main():
    logging.getLogger("desktopenv").setLevel(logging.DEBUG)
    # else the evaluator of slides adds one that writes to the standard error of its first call
    logging.getLogger("desktopenv.metric.slides.debug").addHandler(logging.NullHandler())
    hide_packages()
    evaluators = load(METRICS, METRIC_MODULES), load(GETTERS, GETTER_MODULES)
    for line in sys.stdin:
        print(json.dumps(answer(evaluators, json.loads(line))), flush=True)


main()
