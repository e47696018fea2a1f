/** Tasks in spreadsheets, judged by OSWorld's `compare_table`. */

import { command, commandOpens, holding, hotkey, press, replaceAll, write } from "./keys.ts";
import type { Step } from "./keys.ts";
import type { Cell, Metric, OfficeTask, Sheet } from "./office_task.ts";

type Rows = readonly (readonly Cell[])[];

interface SheetTask {
  readonly name: string;
  readonly instruction: string;
  readonly start?: readonly Sheet[];
  readonly expected: readonly Sheet[];
  /** What `compare_table` compares beside the values of the first sheet. */
  readonly rules?: readonly Rule[];
  readonly script: readonly Step[];
}

type Rule = Readonly<Record<string, unknown>>;

/** `0` is the first sheet of the result, `EI0` that of the expected document. */
function ruleFor(type: string, more: Rule = {}, sheet = 0): Rule {
  return { type, sheet_idx0: sheet, sheet_idx1: `EI${sheet}`, ...more };
}

const VALUES = ruleFor("sheet_data");
const SHEET_NAMES: Rule = { type: "sheet_name" };

function sheetTask(task: SheetTask): OfficeTask {
  const { name, instruction, start = FRUIT, expected, rules = [], script } = task;
  const metrics: Metric[] = [{
    func: "compare_table",
    expected: "document",
    options: { rules: [VALUES, ...rules] },
  }];
  return { name: `sheet-${name}`, family: "sheet", instruction, start, expected, metrics, script };
}

const HEAD = ["Item", "Count", "Price"];
const APPLES = ["Apples", 12, 3];
const PEARS = ["Pears", 7, 4];
const PLUMS = ["Plums", 20, 2];
const GRAPES = ["Grapes", 5, 6];
const FRUIT = [sheetOf([HEAD, APPLES, PEARS, PLUMS, GRAPES])];

function sheetOf(rows: Rows, more: Omit<Partial<Sheet>, "rows"> = {}): Sheet {
  return { name: "Fruit", rows, ...more };
}

/** The column as letters, the row as a number: `B12`. */
function placeOf(cell: string): { readonly column: number; readonly row: number } {
  const [, letter = "", digits = ""] = /^([A-Z])(\d+)$/.exec(cell) ?? [];
  return { column: letter.charCodeAt(0) - "A".charCodeAt(0), row: Number(digits) - 1 };
}

/** Makes a cell the current one. */
function goTo(cell: string): readonly Step[] {
  const { column, row } = placeOf(cell);
  return [
    hotkey("ctrl", "home"),
    ...(column > 0 ? [press("right", column)] : []),
    ...(row > 0 ? [press("down", row)] : []),
  ];
}

function select(from: string, to: string): readonly Step[] {
  const [first, last] = [placeOf(from), placeOf(to)];
  return [
    ...goTo(from),
    ...holding(["shift"], "right", last.column - first.column),
    ...holding(["shift"], "down", last.row - first.row),
  ];
}

/** Types into the current cell and those to the right of it. */
function enterRow(...values: readonly string[]): readonly Step[] {
  return values.flatMap((value, at) => [
    write(value),
    press(at < values.length - 1 ? "tab" : "enter"),
  ]);
}

/** A formula in D2, copied into the cells below it. */
function fillColumnD(formula: string): readonly Step[] {
  return [...goTo("D2"), ...enterRow(formula), ...select("D2", "D5"), hotkey("ctrl", "d")];
}

/** @param values one for each row */
function withColumnD(values: readonly Cell[]): readonly Sheet[] {
  return [sheetOf([HEAD, APPLES, PEARS, PLUMS, GRAPES].map((row, at) => [...row, values[at]!]))];
}

const SHARES = [["Item", "Share"], ["Apples", 0.25], ["Pears", 0.6], ["Plums", 0.15]];

const VALUE_TASKS: readonly SheetTask[] = [
  {
    name: "type-row",
    instruction: "Add 30 cherries for 1 each below the others.",
    expected: [sheetOf([HEAD, APPLES, PEARS, PLUMS, GRAPES, ["Cherries", 30, 1]])],
    script: [...goTo("A6"), ...enterRow("Cherries", "30", "1")],
  },
  {
    name: "edit-cell",
    instruction: 'Add " (ripe)" to the name of the pears.',
    expected: [sheetOf([HEAD, APPLES, ["Pears (ripe)", 7, 4], PLUMS, GRAPES])],
    script: [...goTo("A3"), press("f2"), write(" (ripe)"), press("enter")],
  },
  {
    name: "sum",
    instruction: "Write the sum of all counts below them.",
    expected: [sheetOf([HEAD, APPLES, PEARS, PLUMS, GRAPES, ["Total", 44]])],
    script: [...goTo("A6"), ...enterRow("Total", "=SUM(B2:B5)")],
  },
  {
    name: "fill-down",
    instruction: 'Add a column "Value": count times price.',
    expected: withColumnD(["Value", 36, 28, 40, 30]),
    script: [...goTo("D1"), ...enterRow("Value"), ...fillColumnD("=B2*C2")],
  },
  {
    name: "if",
    instruction: 'Add a column "Many": yes where the count is above 10, else no.',
    expected: withColumnD(["Many", "yes", "no", "yes", "no"]),
    script: [...goTo("D1"), ...enterRow("Many"), ...fillColumnD('=IF(B2>10,"yes","no")')],
  },
  {
    name: "series",
    instruction: "Number the rows 2 to 9 from 1 to 8.",
    start: [sheetOf([["Number"], [1]])],
    expected: [sheetOf([["Number"], ...[1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number])])],
    script: [
      ...select("A2", "A9"),
      ...commandOpens("Fill Series", "Fill Series"),
      press("enter"),
    ],
  },
  {
    name: "sort-count",
    instruction: "Sort the rows by count, the smallest first.",
    expected: [sheetOf([HEAD, GRAPES, PEARS, APPLES, PLUMS])],
    script: [...goTo("B2"), ...command("Sort Ascending")],
  },
  {
    name: "sort-name",
    instruction: "Sort the rows by name, from Z to A.",
    expected: [sheetOf([HEAD, PLUMS, PEARS, GRAPES, APPLES])],
    script: [...goTo("A2"), ...command("Sort Descending")],
  },
  {
    name: "insert-row",
    instruction: "Insert 9 lemons for 5 each before the pears.",
    expected: [sheetOf([HEAD, APPLES, ["Lemons", 9, 5], PEARS, PLUMS, GRAPES])],
    script: [
      ...goTo("A3"),
      hotkey("shift", "space"),
      hotkey("ctrl", "shift", "="),
      ...goTo("A3"),
      ...enterRow("Lemons", "9", "5"),
    ],
  },
  {
    name: "delete-row",
    instruction: "Delete the row of the plums.",
    expected: [sheetOf([HEAD, APPLES, PEARS, GRAPES])],
    script: [...goTo("A4"), hotkey("shift", "space"), hotkey("ctrl", "-")],
  },
  {
    name: "replace-all",
    instruction: 'Replace "Items" by "Goods" everywhere.',
    start: [sheetOf([["Items", "Kind"], ["Small Items", "x"], ["Large Items", "Items"]])],
    expected: [sheetOf([["Goods", "Kind"], ["Small Goods", "x"], ["Large Goods", "Goods"]])],
    script: replaceAll("Items", "Goods"),
  },
  {
    name: "transpose",
    instruction: "Copy A1:B3 to D1, with rows and columns exchanged.",
    start: [sheetOf([["Year", "Sales"], [2023, 110], [2024, 120]])],
    expected: [sheetOf([
      ["Year", "Sales", null, "Year", 2023, 2024],
      [2023, 110, null, "Sales", 110, 120],
      [2024, 120],
    ])],
    script: [
      ...select("A1", "B3"),
      hotkey("ctrl", "c"),
      ...goTo("D1"),
      ...command("Paste Transposed"),
    ],
  },
];

const LOOK_TASKS: readonly SheetTask[] = [
  {
    name: "rename",
    instruction: 'Rename the sheet to "Market".',
    expected: [{ ...FRUIT[0]!, name: "Market" }],
    rules: [SHEET_NAMES],
    script: [
      ...commandOpens("Rename Sheet", "Rename Sheet"),
      hotkey("ctrl", "a"),
      ...enterRow("Market"),
    ],
  },
  {
    name: "append-sheet",
    instruction: 'Add a sheet "Notes" at the end.',
    expected: [...FRUIT, { name: "Notes", rows: [] }],
    rules: [SHEET_NAMES],
    script: [
      ...commandOpens("Append Sheet", "Insert Sheet at End"),
      hotkey("ctrl", "a"),
      ...enterRow("Notes"),
    ],
  },
  {
    name: "duplicate-sheet",
    instruction: "Duplicate the sheet.",
    expected: [...FRUIT, { ...FRUIT[0]!, name: "Fruit_2" }],
    rules: [SHEET_NAMES, ruleFor("sheet_data", {}, 1)],
    script: command("Duplicate Sheet"),
  },
  {
    name: "percent",
    instruction: "Show the shares as percent, with two decimals.",
    start: [sheetOf(SHARES)],
    expected: [sheetOf(SHARES, { formats: { B2: "0.00%", B3: "0.00%", B4: "0.00%" } })],
    rules: [ruleFor("style", { props: ["number_format"] })],
    script: [...select("B2", "B4"), hotkey("ctrl", "shift", "5")],
  },
  {
    name: "bold",
    instruction: "Make the first row bold.",
    expected: [{ ...FRUIT[0]!, bold: ["A1", "B1", "C1"] }],
    rules: [ruleFor("style", { props: ["font_bold"] })],
    script: [...select("A1", "C1"), hotkey("ctrl", "b")],
  },
  {
    name: "freeze",
    instruction: "Keep the first row visible while the others scroll.",
    expected: [{ ...FRUIT[0]!, freeze: "A2" }],
    rules: [ruleFor("freeze")],
    script: command("Freeze First Row"),
  },
  {
    name: "filter",
    instruction: "Let the rows be filtered by buttons in the first row.",
    expected: [{ ...FRUIT[0]!, filter: "A1:C5" }],
    rules: [ruleFor("filter")],
    script: [...goTo("A1"), hotkey("ctrl", "shift", "l")],
  },
  {
    name: "merge",
    instruction: "Merge the cells A1 to C1.",
    start: [sheetOf([["Fruit of the week"], HEAD, APPLES, PEARS])],
    expected: [
      sheetOf([["Fruit of the week"], HEAD, APPLES, PEARS], { merged: ["A1:C1"] }),
    ],
    rules: [ruleFor("style", { props: ["merge"] })],
    script: [...select("A1", "C1"), ...command("Merge Cells")],
  },
];

export const SHEET_TASKS: readonly OfficeTask[] = [...VALUE_TASKS, ...LOOK_TASKS].map(sheetTask);
