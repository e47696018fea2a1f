/** Solvers for what forms hold besides plain fields: dates, sliders, suggestions and so on. */

import {
  allOf,
  boxesOf,
  itemAt,
  partsOf,
  placeOf,
  press,
  textsOf,
  waitFor,
  waitForRegions,
} from "./form_parts.ts";
import { type Hand, type Line, need, type Solver, textIn } from "./hand.ts";
import { middleOf, near, rounded, widthOf } from "./pixels.ts";

// Fields for dates and times; some trees show them as one, others as their parts.

/** @param parts what each part of such a field gets, by its name */
async function enterMoment(
  hand: Hand,
  value: string,
  parts: readonly (readonly [name: RegExp, keys: string])[],
): Promise<void> {
  const lines = await hand.lines();
  const field = allOf(lines, /^(date|time)$/)[0];
  if (field) return await hand.fill(field, value);
  for (const [name, keys] of parts) {
    await hand.click(need(lines, /^spinbutton$/, name));
    await hand.type(keys);
  }
}

const enterDate: Solver = async (hand, { text }) => {
  const [month = "", day = "", year = ""] = partsOf(text, /(\d\d)\/(\d\d)\/(\d{4})/);
  await enterMoment(hand, `${year}-${month}-${day}`, [
    [/month/i, month],
    [/day/i, day],
    [/year/i, year],
  ]);
  await press(hand, "Submit");
};

const enterTime: Solver = async (hand, { text }) => {
  const [hour = "", minute = "", half = ""] = partsOf(text, /(\d+):(\d\d) ?([AP]M)/);
  const hours = Number(hour) % 12 + (half === "PM" ? 12 : 0);
  await enterMoment(hand, `${String(hours).padStart(2, "0")}:${minute}`, [
    [/hour/i, hour.padStart(2, "0")],
    [/minute/i, minute],
    [/[ap]m/i, half],
  ]);
  await press(hand, "Submit");
};

// A calendar that opens at its last month.

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July", "August", "September"],
  ...["October", "November", "December"],
] as const;

const chooseDate: Solver = async (hand, { text }) => {
  const [month, day] = partsOf(text, /(\d\d)\/(\d\d)\/\d{4}/).map(Number);
  await hand.click(itemAt(boxesOf(await hand.lines()), 0));
  for (let shown = await waitFor(hand, "a calendar", monthIn); shown > month!; shown--) {
    await turnBack(hand);
    await waitFor(hand, "the month before", (lines) => monthIn(lines) === shown - 1 || undefined);
  }
  await hand.click(need(await hand.lines(), /^link$/, new RegExp(`^${day}$`)));
  await waitFor(hand, "the form alone", (lines) => monthIn(lines) === undefined || undefined);
  await press(hand, "Submit");
};

/** 1 for January; `undefined` while no calendar is open. */
function monthIn(lines: readonly Line[]): number | undefined {
  const at = MONTHS.findIndex((month) => textsOf(lines).some((text) => text.startsWith(month)));
  return at < 0 ? undefined : at + 1;
}

async function turnBack(hand: Hand): Promise<void> {
  const arrow = allOf(await hand.lines(), /^(link|generic|button)$/)
    .findLast((line) => textIn(line).trim() === "Prev");
  if (arrow) await hand.click(arrow);
  else await hand.key("pageup");
}

// What arrow keys change step by step, and the page shows as a number.

/** Presses keys until the number is the wanted one; trees can be behind what the page shows. */
async function step(
  hand: Hand,
  { wanted, read, less, more }: {
    readonly wanted: number;
    readonly read: (lines: readonly Line[]) => number | undefined;
    readonly less: string;
    readonly more: string;
  },
): Promise<void> {
  for (let trials = 0; trials < 5; trials++) {
    const number = await settle(hand, read);
    if (number === wanted) return;
    await hand.key(wanted < number ? less : more, Math.abs(wanted - number));
    await waitFor(hand, "another number", (lines) => read(lines) !== number || undefined);
  }
  throw new Error(`The number does not become ${wanted}`);
}

/** The number as soon as it stays. */
async function settle(
  hand: Hand,
  read: (lines: readonly Line[]) => number | undefined,
): Promise<number> {
  let last: number | undefined;
  return await waitFor(hand, "a number that stays", (lines) => {
    const before = last;
    last = read(lines);
    return last === before ? last : undefined;
  });
}

/** Sliders have neither a role nor a text: they only react, and so can the handles in them. */
function slidersIn(lines: readonly Line[]): readonly Line[] {
  const bare = allOf(lines, /^(generic|slider)$/).filter((line) => textIn(line) === "");
  return bare.filter(({ parent }) => !parent || !bare.includes(parent));
}

/** @param place of several sliders */
async function slide(hand: Hand, place: number, wanted: number): Promise<void> {
  await hand.click(itemAt(slidersIn(await hand.lines()), place));
  const read = (lines: readonly Line[]) => {
    const after = lines.slice(lines.indexOf(itemAt(slidersIn(lines), place)) + 1);
    const number = textsOf(after).find((text) => /^-?\d+$/.test(text));
    return number === undefined ? undefined : Number(number);
  };
  await step(hand, { wanted, read, less: "left", more: "right" });
}

const useSlider: Solver = async (hand, { text }) => {
  const [wanted] = partsOf(text, /^Select (-?\d+) with the slider/);
  await slide(hand, 0, Number(wanted));
  await press(hand, "Submit");
};

const useSliders: Solver = async (hand, { text }) => {
  const [combination = ""] = partsOf(text, /\[(.*)\]/);
  for (const [place, wanted] of combination.split(",").entries()) {
    await slide(hand, place, Number(wanted));
  }
  await press(hand, "Submit");
};

const slideAndCheck: Solver = async (hand, { text }) => {
  const [wanted] = partsOf(text, /^Select (-?\d+) with the slider/);
  await slide(hand, 0, Number(wanted));
  await hand.click(itemAt(allOf(await hand.lines(), /^checkbox$/), placeOf(text, "checkbox")));
  await press(hand, "Submit");
};

const useSpinner: Solver = async (hand, { text }) => {
  const [wanted] = partsOf(text, /^Select (-?\d+) with the spinner/);
  const find = (lines: readonly Line[]) => need(lines, /^(spinbutton|textbox)$/);
  await hand.click(find(await hand.lines()));
  const read = (lines: readonly Line[]) => Number(find(lines).value || textIn(find(lines)) || "0");
  await step(hand, { wanted: Number(wanted), read, less: "down", more: "up" });
  await press(hand, "Submit");
};

// A field that suggests what can be entered.

const useSuggestion: Solver = async (hand, { text }) => {
  const [start = "", end = ""] = partsOf(text, /starts with "(.*?)"(?: and ends with "(.*)")?\.$/);
  const before = await hand.lines();
  await hand.fill(itemAt(boxesOf(before), 0), start);
  const suggestions = await waitFor(
    hand,
    "suggestions",
    (lines) => suggestionsIn(lines, new Set(textsOf(behindForm(before))), start),
  );
  const fitting = suggestions.find(({ name }) => name.startsWith(start) && name.endsWith(end));
  if (!fitting) throw new Error(`No suggestion fits: ${textsOf(suggestions).join(", ")}`);
  await hand.click(fitting.ref === undefined ? fitting.parent! : fitting);
  await press(hand, "Submit");
};

/** What is new behind the form; `undefined` until all of that begins with what was entered. */
function suggestionsIn(
  lines: readonly Line[],
  before: ReadonlySet<string>,
  start: string,
): readonly Line[] | undefined {
  const found = behindForm(lines).filter(({ name, inside }) =>
    inside.length === 0 && /^[^\d]/.test(name) && !before.has(name.trim()) // the page also counts
  );
  const fits = ({ name }: Line) => name.toLowerCase().startsWith(start.toLowerCase().trimEnd());
  return found.length > 0 && found.every(fits) ? found : undefined;
}

function behindForm(lines: readonly Line[]): readonly Line[] {
  return lines.slice(lines.findIndex(({ role }) => role === "button") + 1);
}

// A field that is resized at its edges: its handles are two pixels wide.

/** By how many pixels it is resized. */
const RESIZE = 12;
/** The least width of the field. */
const FIELD_WIDTH = 40;

const isFrame = near([118, 118, 118]);

const resizeField: Solver = async (hand, { text }) => {
  const [side, wish] = partsOf(text, /the (width|height) is (larger|smaller) than/);
  const [region] = await waitForRegions(hand, isFrame, (box) => widthOf(box) > FIELD_WIDTH);
  const { box } = region!;
  const { x, y } = rounded(middleOf(box));
  const [right, bottom] = [box.right - 1, box.bottom - 1];
  const by = wish === "larger" ? RESIZE : -RESIZE;
  const steps = [0, by / 2, by];
  const path = side === "width"
    ? steps.map((step) => ({ x: right + step, y }))
    : steps.map((step) => ({ x, y: bottom + step }));
  await hand.drag(path);
  await press(hand, "Submit");
};

export const WIDGET_SOLVERS: Readonly<Record<string, Solver>> = {
  "choose-date": chooseDate,
  "choose-date-easy": chooseDate,
  "choose-date-medium": chooseDate,
  "choose-date-nodelay": chooseDate,
  "enter-date": enterDate,
  "enter-time": enterTime,
  "form-sequence": slideAndCheck,
  "resize-textarea": resizeField,
  "use-autocomplete": useSuggestion,
  "use-autocomplete-nodelay": useSuggestion,
  "use-slider": useSlider,
  "use-slider-2": useSliders,
  "use-spinner": useSpinner,
};
