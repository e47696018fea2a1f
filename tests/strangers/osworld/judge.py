"""Judges the documents of the office tasks by OSWorld's own evaluators (desktop-env on PyPI), unchanged.

Reads lines of JSON {result, expected, metrics: [{func, expected?, options?}]} and answers each by a line {score, said,
saw, wanted}: the lowest score of the metrics (from 0 to 1), what they logged, and what stands in both documents.

The package of the evaluators imports all of them, and with them torch, playwright and clouds: here it is replaced by an
empty one, from which its modules are loaded one by one. What these import and no task asks for is replaced, too: easyocr
(reads pictures), skimage (compares colours), odf (reads OpenDocument), tldextract (compares addresses) and formulas
(whose parser `compare_table` makes, and asks about conditional formats only).
"""
import contextlib
import importlib
import importlib.util
import io
import json
import logging
import os
import sys
import traceback
import types

METRICS = "desktop_env.evaluators.metrics"
MODULES = ["table", "docs", "slides"]
ABSENT = ["easyocr", "skimage", "skimage.color", "odf", "odf.opendocument", "odf.text", "tldextract", "formulas"]

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
        raise RuntimeError(f"{self.name} is not there: the office tasks need none")


def load_metrics():
    """The functions of the evaluators by name."""
    for name in ABSENT:
        sys.modules[name] = Absent(name)
    sys.modules["formulas"].Parser = type("Parser", (), {})
    [root] = importlib.util.find_spec("desktop_env").submodule_search_locations
    package = types.ModuleType(METRICS)
    package.__path__ = [os.path.join(root, "evaluators", "metrics")]
    sys.modules[METRICS] = package
    found = {}
    for name in MODULES:
        module = importlib.import_module(f"{METRICS}.{name}")
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


def answer(metrics, request):
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    logger = logging.getLogger("desktopenv")
    logger.addHandler(handler)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            score = judge(metrics, request)
    except Exception:
        score = 0.0
        said.write(traceback.format_exc())
    finally:
        logger.removeHandler(handler)
    if score == 1:
        return {"score": score}
    return {
        "score": score,
        "said": said.getvalue()[-MOST_SAID:],
        "saw": describe(request["result"]),
        "wanted": describe(request["expected"]),
    }


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
    metrics = load_metrics()
    for line in sys.stdin:
        print(json.dumps(answer(metrics, json.loads(line))), flush=True)


main()
