"""Makes the documents of the office tasks from data: reads a JSON list of {family, path, document} and writes each."""
import json
import sys

import docx
import openpyxl
import pptx
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK
from openpyxl.styles import Font
from pptx.enum.text import PP_ALIGN

TITLE_AND_CONTENT = 1
"""The layout in python-pptx's own template."""


def write_sheets(path, sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for sheet in sheets:
        page = book.create_sheet(sheet["name"])
        for row in sheet["rows"]:
            page.append(row)
        for cell in sheet.get("bold", []):
            page[cell].font = Font(bold=True)
        for cell, code in sheet.get("formats", {}).items():
            page[cell].number_format = code
        for area in sheet.get("merged", []):
            page.merge_cells(area)
        if "freeze" in sheet:
            page.freeze_panes = sheet["freeze"]
        if "filter" in sheet:
            page.auto_filter.ref = sheet["filter"]
    book.save(path)


def as_paragraph(block):
    """A text alone is a paragraph of one run."""
    return {"runs": [{"text": block}]} if isinstance(block, str) else block


def write_text(path, blocks):
    document = docx.Document()
    for block in blocks:
        if isinstance(block, dict) and "table" in block:
            write_table(document, block["table"])
        else:
            write_paragraph(document.add_paragraph(), as_paragraph(block))
    document.save(path)


def write_table(document, rows):
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text


def write_paragraph(line, paragraph):
    if "align" in paragraph:
        line.alignment = WD_ALIGN_PARAGRAPH[paragraph["align"].upper()]
    if "spacing" in paragraph:
        line.paragraph_format.line_spacing = float(paragraph["spacing"])
    if paragraph.get("onNewPage"):
        line.add_run().add_break(WD_BREAK.PAGE)
    for run in paragraph["runs"]:
        font = line.add_run(run["text"]).font
        font.bold = run.get("bold")
        font.italic = run.get("italic")
        font.underline = run.get("underline")
        font.strike = run.get("strike")
        font.subscript = run.get("subscript")


def write_slides(path, slides):
    """Each paragraph has an alignment of its own: LibreOffice writes those that it inherits, too."""
    show = pptx.Presentation()
    for slide in slides:
        page = show.slides.add_slide(show.slide_layouts[TITLE_AND_CONTENT])
        write_frame(page.shapes.title.text_frame, [slide["title"]], PP_ALIGN.CENTER)
        write_frame(page.placeholders[1].text_frame, slide["body"], PP_ALIGN.LEFT)
        if "notes" in slide:
            page.notes_slide.notes_text_frame.text = slide["notes"]
    show.save(path)


def write_frame(frame, paragraphs, usual):
    for index, each in enumerate(map(as_paragraph, paragraphs)):
        line = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        line.level = each.get("level", 0)
        line.alignment = PP_ALIGN[each["align"].upper()] if "align" in each else usual
        for run in each["runs"]:
            added = line.add_run()
            added.text = run["text"]
            added.font.bold = run.get("bold")
            added.font.italic = run.get("italic")
            added.font.underline = run.get("underline")
            if run.get("strike"):
                added.font._element.set("strike", "sngStrike")


WRITERS = {"sheet": write_sheets, "text": write_text, "slide": write_slides}

for made in json.load(sys.stdin):
    WRITERS[made["family"]](made["path"], made["document"])
