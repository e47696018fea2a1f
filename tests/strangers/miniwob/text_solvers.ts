/** Tasks of texts: reading, copying, selecting and styling them. */

import { setTimeout as wait } from "node:timers/promises";
import {
  allOf,
  boxesOf,
  itemAt,
  leaveField,
  partsOf,
  press,
  textsOf,
  waitFor,
} from "./form_parts.ts";
import type { Hand, Line, PagePicture, Point, Solver } from "./hand.ts";
import { isClickable, isCut, textBefore, withoutCut } from "./page_texts.ts";
import { AREA, colorAt, findRegions, isDark, isNear, middleOf, pixelsOf } from "./regions.ts";
import { findSideBySide, waitToSee } from "./looks.ts";

const WHITE = [255, 255, 255] as const;

async function fillAndSubmit(hand: Hand, field: Line, value: string): Promise<void> {
  await hand.fill(field, value);
  await leaveField(hand);
  await press(hand, "Submit");
}

async function onlyBox(hand: Hand): Promise<Line> {
  return itemAt(boxesOf(await hand.lines()), 0);
}

// Texts that are copied: only the clipboard keeps every blank of them.

/** "Copy the text from the 2nd text area", or from the only one. */
const copyPaste: Solver = async (hand, { text }) => {
  const fields = boxesOf(await hand.lines());
  const [, place] = /(\d)\w\w text area/.exec(text) ?? [];
  const from = place === undefined
    ? fields.findIndex(({ value }) => value !== "")
    : Number(place) - 1;
  const to = place === undefined ? 1 - from : fields.length - 1;
  await hand.click(itemAt(fields, from));
  await hand.key("ctrl+a");
  await hand.key("ctrl+c");
  await pasteInto(hand, itemAt(fields, to));
  await press(hand, "Submit");
};

async function pasteInto(hand: Hand, field: Line): Promise<void> {
  await hand.click(field);
  await hand.key("ctrl+v");
}

const MAX_REPEAT = 100;

/** Reads what a field has, also where a line shows only its beginning; takes away what it has read. */
async function readWhole(hand: Hand): Promise<string> {
  for (let whole = "";;) {
    const { value } = await onlyBox(hand);
    const shown = withoutCut(value);
    whole += shown;
    if (!isCut(value)) return whole;
    await hand.key("Home");
    for (let rest = shown.length; rest > 0; rest -= MAX_REPEAT) {
      await hand.key("shift+Right", Math.min(rest, MAX_REPEAT));
    }
    await hand.key("Delete");
  }
}

/** "Find the 5th word in the paragraph" */
const findWord: Solver = async (hand, { text }) => {
  const [place] = partsOf(text, /the (\d+)\w\w word/);
  const lines = await hand.lines();
  const field = itemAt(boxesOf(lines), 0);
  let paragraph = textBefore(lines, field);
  if (isCut(paragraph)) {
    await selectParagraph(hand, 0);
    await hand.key("ctrl+c");
    await pasteInto(hand, field);
    paragraph = await readWhole(hand);
  }
  const word = itemAt(paragraph.split(/\s+/), Number(place) - 1);
  await fillAndSubmit(hand, field, word.replace(/[.,]/g, ""));
};

/** Longer than each word and what stands after the last one. */
const LONGEST_WORD = 30;

/** The last word of a text that is longer than a line: the end of it is copied to where it can be read. */
const findLastWord: Solver = async (hand) => {
  const [text, field] = boxesOf(await hand.lines());
  if (!text || !field) throw new Error("No two fields");
  await hand.click(text);
  await hand.key("ctrl+End");
  await hand.key("shift+Left", LONGEST_WORD);
  await hand.key("ctrl+c");
  await pasteInto(hand, field);
  const value = await waitFor(
    hand,
    "what was pasted",
    (lines) => boxesOf(lines)[1]?.value || undefined,
  );
  const last = value.trim().split(/\s+/).at(-1) ?? "";
  await fillAndSubmit(hand, field, last.replace(/[.,]/g, ""));
};

/** More notches of the wheel than the text is long, and how long they may take. */
const TO_THE_END = 30;
const SCROLL_MS = 1_000;

const scrollText: Solver = async (hand, { text }) => {
  const up = /to the top/.test(text);
  await hand.scroll(await onlyBox(hand), up ? TO_THE_END : -TO_THE_END);
  await wait(SCROLL_MS);
  await press(hand, "Submit");
};

// Texts that are selected: a text has no ref, so they are looked for in the picture.

/** Paragraphs are further apart than lines, in pixels. */
const BETWEEN_PARAGRAPHS = 9;
/** Where texts begin, and a column to the left of them that crosses the button. */
const TEXT_LEFT = 12;
const BESIDE_TEXT = 9;

async function selectParagraph(hand: Hand, at: number): Promise<void> {
  const start = await waitToSee(hand, "a paragraph", (picture) => findParagraphs(picture)[at]);
  await hand.click(start, { times: 3 });
}

/** A point on the first letters of each. */
function findParagraphs(picture: PagePicture): readonly Point[] {
  const found: Point[] = [];
  let last = -Infinity;
  for (let y = AREA.top; y < AREA.bottom; y++) {
    if (!isNear(colorAt(picture, { x: BESIDE_TEXT, y }), WHITE)) continue;
    const row = pixelsOf({ left: TEXT_LEFT, right: AREA.right - 1, top: y, bottom: y + 1 });
    const letter = [...row].find((point) => isDark(colorAt(picture, point)));
    if (!letter) continue;
    if (y - last > BETWEEN_PARAGRAPHS) found.push({ x: letter.x + 1, y: y + 3 });
    last = y;
  }
  return found;
}

const highlightText: Solver = async (hand, { text }) => {
  const [, place = "1"] = /(\d)\w\w paragraph/.exec(text) ?? [];
  await selectParagraph(hand, Number(place) - 1);
  await press(hand, "Submit");
};

// Tables and other texts that are read.

/** What stands after its label in a table. */
function valueAfter(lines: readonly Line[], label: string): string {
  const texts = textsOf(lines);
  return itemAt(texts, texts.lastIndexOf(label) + 1);
}

const readTable: Solver = async (hand, { text }) => {
  const [label = ""] = partsOf(text, /value of (.+) into the text field/);
  const lines = await hand.lines();
  await fillAndSubmit(hand, itemAt(boxesOf(lines), 0), valueAfter(lines, label));
};

const readTableForForm: Solver = async (hand) => {
  const lines = await hand.lines();
  for (const field of boxesOf(lines)) {
    const label = textBefore(lines, field).replace(/:$/, "");
    await hand.fill(field, valueAfter(lines, label));
    await leaveField(hand);
  }
  await press(hand, "Submit");
};

/** Each distorted letter is a text of its own. */
const typeLetters: Solver = async (hand) => {
  const lines = await hand.lines();
  const field = itemAt(boxesOf(lines), 0);
  const letters = textsOf(lines.slice(0, lines.indexOf(field))).filter(({ length }) =>
    length === 1
  );
  await fillAndSubmit(hand, field, letters.join(""));
};

/** Where the cards lie. */
const CARDS = { left: 0, top: 60, right: 160, bottom: 130 } as const;

/** Turns every card to read its number, then the greatest one again. */
const findGreatest: Solver = async (hand) => {
  const cards = await waitToSee(hand, "cards", (picture) => {
    const found = findSideBySide(picture, CARDS, (color) => !isNear(color, WHITE), 4);
    return found.length > 0 ? found : undefined;
  });
  let greatest = { number: -1, at: 0 };
  for (const [at, card] of cards.entries()) {
    await hand.click(middleOf(card));
    const numbers = cardNumbers(await hand.lines());
    const number = itemAt(numbers, numbers.length === cards.length ? at : 0);
    if (number > greatest.number) greatest = { number, at };
  }
  await hand.click(middleOf(itemAt(cards, greatest.at)));
  await press(hand, "Submit");
};

/** The page has the numbers of hidden cards, too, at size 0. */
function cardNumbers(lines: readonly Line[]): readonly number[] {
  const button = lines.findIndex(({ role }) => role === "button");
  return textsOf(lines.slice(0, button)).filter((text) => /^\d+$/.test(text)).map(Number);
}

// The terminal.

const IN_TERMINAL = { x: 75, y: 150 } as const;

/** "delete a file ending with the extension .zip", or "that has no file extension" */
const deleteFile: Solver = async (hand, { text }) => {
  const [, extension] = /extension (\.\S+)$/.exec(text) ?? [];
  await hand.click(IN_TERMINAL);
  await hand.type("ls");
  await hand.key("Enter");
  const files = await waitFor(hand, "the files", (lines) => {
    const texts = textsOf(lines);
    const command = texts.lastIndexOf("ls");
    const next = command < 0 ? "user$" : texts[command + 1];
    return next === undefined || next === "user$" ? undefined : next.split(" ");
  });
  const file = files.find((name) =>
    extension === undefined ? !name.includes(".") : name.endsWith(extension)
  );
  if (file === undefined) throw new Error(`None fits of ${files.join(" ")}`);
  await hand.type(`rm ${file}`);
  await hand.key("Enter");
};

// The text editor.

const STYLES = ["bold", "italics", "underlined"] as const;
/** The first shade of each in the choice of colours. */
const COLORS: Readonly<Record<string, readonly [number, number, number]>> = {
  red: [0xe6, 0x00, 0x00],
  orange: [0xff, 0x99, 0x00],
  yellow: [0xff, 0xff, 0x00],
  green: [0x00, 0x8a, 0x00],
  blue: [0x00, 0x66, 0xcc],
  purple: [0x99, 0x33, 0xff],
};
const IN_EDITOR = { x: 80, y: 130 } as const;
const COLOR_CHOICE = { x: 12, y: 66 } as const;
/** Pixels of a field of colour: more than letters of that colour have. */
const FIELD_OF_COLOR = 60;

/** How long the editor takes to notice what is selected, in milliseconds. */
const SELECTION_MS = 100;

/** "give the text Sed the style bold", "make everything the color red" */
const styleText: Solver = async (hand, { text }) => {
  const [part = "", kind, style = ""] = partsOf(
    text,
    /(?:give the text (.+)|everything) the (style|color) (\w+)/,
  );
  await selectInEditor(hand, part);
  await wait(SELECTION_MS);
  if (kind === "style") {
    const place = STYLES.findIndex((name) => name === style);
    await hand.click(itemAt(allOf(await hand.lines(), /^button$/), place));
  } else await chooseColor(hand, style);
  await press(hand, "Submit");
};

/** By keys, which need no position: `""` selects everything. */
async function selectInEditor(hand: Hand, part: string): Promise<void> {
  const whole = editorText(await hand.lines());
  await hand.click(IN_EDITOR);
  if (part === "") return await hand.key("ctrl+a");
  const start = ` ${whole} `.indexOf(` ${part} `);
  if (start < 0) throw new Error(`No ${part} in ${whole}`);
  await hand.key("ctrl+Home");
  if (start > 0) await hand.key("Right", start);
  await hand.key("shift+Right", part.length);
}

/** What the editor holds, or the last text before the button to submit. */
function editorText(lines: readonly Line[]): string {
  const editor = lines.find(({ states, value }) => states.join().includes("editable") && value);
  if (editor) return editor.value;
  const submit = lines.find(({ role, name }) => role === "button" && /Submit/.test(name));
  if (!submit) throw new Error("No button Submit");
  return textBefore(lines, submit);
}

async function chooseColor(hand: Hand, name: string): Promise<void> {
  const color = COLORS[name];
  if (!color) throw new Error(`Unknown colour: ${name}`);
  const lines = await hand.lines();
  const firstButton = lines.findIndex(({ role }) => role === "button");
  const choice = lines.slice(0, firstButton).findLast(isClickable);
  await hand.click(choice ?? COLOR_CHOICE);
  await hand.click(
    await waitToSee(hand, "the colours", (picture) => {
      const within = { ...AREA, bottom: Math.min(picture.height, 300) };
      const fields = findRegions(picture, (each) => isNear(each, color, 2), within);
      const field = fields.find(({ count }) => count > FIELD_OF_COLOR);
      return field && middleOf(field);
    }),
  );
}

export const TEXT_SOLVERS: Readonly<Record<string, Solver>> = {
  "copy-paste": copyPaste,
  "copy-paste-2": copyPaste,
  "find-word": findWord,
  "find-greatest": findGreatest,
  "highlight-text": highlightText,
  "highlight-text-2": highlightText,
  "read-table": readTable,
  "read-table-2": readTableForForm,
  "scroll-text": findLastWord,
  "scroll-text-2": scrollText,
  terminal: deleteFile,
  "text-editor": styleText,
  "text-transform": typeLetters,
};
