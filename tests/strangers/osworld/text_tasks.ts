/**
 * Tasks in texts, judged by OSWorld's `compare_docx_files`, which compares paragraphs and nothing else, and where a task
 * is about tables or looks by another of its evaluators, too.
 */

import { command, holding, hotkey, opens, pause, press, replaceAll, write } from "./keys.ts";
import type { Step } from "./keys.ts";
import type { Block, Metric, OfficeTask } from "./office_task.ts";

interface TextTask {
  readonly name: string;
  readonly instruction: string;
  readonly start?: readonly Block[];
  readonly expected: readonly Block[];
  /** Beside `compare_docx_files`. */
  readonly metrics?: readonly Metric[];
  /** Whether paragraphs and blanks count, not only words. */
  readonly exact?: boolean;
  readonly script: readonly Step[];
}

function textTask(task: TextTask): OfficeTask {
  const { name, instruction, start = MINUTES, expected, metrics = [], exact = false } = task;
  const paragraphs: Metric = {
    func: "compare_docx_files",
    expected: "document",
    options: { ignore_blanks: !exact },
  };
  return {
    name: `text-${name}`,
    family: "text",
    instruction,
    start,
    expected,
    metrics: [paragraphs, ...metrics],
    script: [hotkey("ctrl", "home"), ...task.script],
  };
}

const TITLE = "Minutes of the meeting";
const OPENING = "The chair opened the meeting at nine.";
const BUDGET = "The budget was approved.";
const CLOSING = "The next meeting is in May.";
const MINUTES = [TITLE, OPENING, BUDGET, CLOSING];

const PRICES = [["Item", "Price"], ["Apples", "3"], ["Pears", "4"]];

function aboutTable(table: readonly (readonly string[])[]): readonly Block[] {
  return ["Prices of fruit", { table }, "All prices are in euros."];
}

const TABLES: Metric = { func: "compare_docx_tables", expected: "document" };

/** From the beginning of a text to that of a later paragraph. */
function downTo(paragraph: number): readonly Step[] {
  return holding(["ctrl"], "down", paragraph);
}

/** From its beginning to its end. */
const SELECT_PARAGRAPH = hotkey("ctrl", "shift", "down");

const WORD_TASKS: readonly TextTask[] = [
  {
    name: "append",
    instruction: 'Add the paragraph "The chair closed the meeting." at the end.',
    exact: true,
    expected: [...MINUTES, "The chair closed the meeting."],
    script: [hotkey("ctrl", "end"), press("enter"), write("The chair closed the meeting.")],
  },
  {
    name: "insert-first",
    instruction: 'Write "Draft" in a paragraph before all others.',
    exact: true,
    expected: ["Draft", ...MINUTES],
    script: [write("Draft"), press("enter")],
  },
  {
    name: "insert-middle",
    instruction: 'Write "Three members were absent." before the paragraph on the budget.',
    exact: true,
    expected: [TITLE, OPENING, "Three members were absent.", BUDGET, CLOSING],
    script: [...downTo(2), write("Three members were absent."), press("enter")],
  },
  {
    name: "delete-paragraph",
    instruction: "Delete the paragraph on the budget.",
    exact: true,
    expected: [TITLE, OPENING, CLOSING],
    script: [...downTo(2), SELECT_PARAGRAPH, press("delete", 2)],
  },
  {
    name: "delete-word",
    instruction: "Delete the first word of the second paragraph.",
    expected: [TITLE, "chair opened the meeting at nine.", BUDGET, CLOSING],
    script: [...downTo(1), hotkey("ctrl", "delete")],
  },
  {
    name: "replace-all",
    instruction: 'Replace "meeting" by "session" everywhere.',
    exact: true,
    expected: MINUTES.map((text) => text.replaceAll("meeting", "session")),
    script: replaceAll("meeting", "session"),
  },
  {
    name: "replace-case",
    instruction: 'Replace the month "May" by "June", and leave the word "may" alone.',
    start: ["Members may speak.", "May is a good month.", "They meet in May."],
    exact: true,
    expected: ["Members may speak.", "June is a good month.", "They meet in June."],
    script: replaceAll("May", "June", { matchCase: true }),
  },
  {
    name: "join",
    instruction: "Join the first two paragraphs, with a blank between them.",
    exact: true,
    expected: [`${TITLE} ${OPENING}`, BUDGET, CLOSING],
    script: [press("end"), press("delete"), write(" ")],
  },
  {
    name: "split",
    instruction: "Begin a paragraph with each sentence.",
    start: ["First point. Second point.", BUDGET],
    exact: true,
    expected: ["First point.", "Second point.", BUDGET],
    script: [press("right", "First point.".length), press("delete"), press("enter")],
  },
  {
    name: "uppercase",
    instruction: "Write the first paragraph in capital letters.",
    exact: true,
    expected: [TITLE.toUpperCase(), OPENING, BUDGET, CLOSING],
    script: [SELECT_PARAGRAPH, ...command("UPPERCASE")],
  },
  {
    name: "lowercase",
    instruction: "Write everything in small letters.",
    start: ["THE BUDGET", "It WAS approved.", "ALL AGREED"],
    exact: true,
    expected: ["the budget", "it was approved.", "all agreed"],
    metrics: [{ func: "evaluate_conversion" }],
    script: [hotkey("ctrl", "a"), ...command("lowercase")],
  },
  {
    name: "move-paragraph",
    instruction: "Move the first paragraph to the end.",
    exact: true,
    expected: [OPENING, BUDGET, CLOSING, TITLE],
    script: [
      SELECT_PARAGRAPH,
      hotkey("ctrl", "x"),
      press("delete"),
      hotkey("ctrl", "end"),
      press("enter"),
      hotkey("ctrl", "v"),
    ],
  },
];

const LOOK_TASKS: readonly TextTask[] = [
  {
    name: "table-cell",
    instruction: "Write 4 as the price of the pears.",
    start: aboutTable([["Item", "Price"], ["Apples", "3"], ["Pears", ""]]),
    expected: aboutTable(PRICES),
    metrics: [TABLES],
    script: [press("down"), press("tab", 5), write("4")],
  },
  {
    name: "table-row",
    instruction: "Add a row for plums, whose price is 2, at the end of the table.",
    start: aboutTable(PRICES),
    expected: aboutTable([...PRICES, ["Plums", "2"]]),
    metrics: [TABLES],
    script: [press("down"), press("tab", 6), write("Plums"), press("tab"), write("2")],
  },
  {
    name: "table-insert",
    instruction: "Insert a table with Name, Age and below that Ann, 34 at the end.",
    expected: [...MINUTES, { table: [["Name", "Age"], ["Ann", "34"]] }],
    metrics: [TABLES],
    script: [
      hotkey("ctrl", "end"),
      press("enter"),
      opens("Insert Table", hotkey("ctrl", "f12")),
      press("enter"), // two columns and two rows
      pause(1),
      ...["Name", "Age", "Ann"].flatMap((text) => [write(text), press("tab")]),
      write("34"),
    ],
  },
  {
    name: "line-spacing",
    instruction: "Set everything with double line spacing.",
    expected: MINUTES.map((text) => ({ runs: [{ text }], spacing: 2 })),
    metrics: [{ func: "compare_line_spacing", expected: "document" }],
    script: [hotkey("ctrl", "a"), ...command("Line Spacing: 2")],
  },
  {
    name: "center",
    instruction: "Center the first paragraph.",
    expected: [{ runs: [{ text: TITLE }], align: "center" }, OPENING, BUDGET, CLOSING],
    metrics: [{ func: "is_first_line_centered" }],
    script: [hotkey("ctrl", "e")],
  },
  {
    name: "page-break",
    instruction: "Begin a page with the paragraph on the budget.",
    expected: [TITLE, OPENING, { runs: [{ text: BUDGET }], onNewPage: true }, CLOSING],
    metrics: [{ func: "contains_page_break", expected: { page_break_count: 1 } }],
    script: [...downTo(2), hotkey("ctrl", "enter")],
  },
  {
    name: "strike",
    instruction: "Strike the last paragraph through.",
    expected: [TITLE, OPENING, BUDGET, { runs: [{ text: CLOSING, strike: true }] }],
    metrics: [{ func: "evaluate_strike_through_last_paragraph", expected: "document" }],
    script: [...downTo(3), SELECT_PARAGRAPH, ...command("Strikethrough")],
  },
  {
    name: "subscript",
    instruction: "Write the 2 of H2O as an index below the line.",
    start: ["H2O is water.", BUDGET],
    expected: [
      { runs: [{ text: "H" }, { text: "2", subscript: true }, { text: "O is water." }] },
      BUDGET,
    ],
    metrics: [{ func: "compare_subscript_contains", expected: "document" }],
    script: [press("right"), hotkey("shift", "right"), hotkey("ctrl", "shift", "b")],
  },
];

export const TEXT_TASKS: readonly OfficeTask[] = [...WORD_TASKS, ...LOOK_TASKS].map(textTask);
