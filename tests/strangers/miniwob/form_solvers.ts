/** Solvers for forms: fields, lists, radio buttons, and what is to be read or computed for them. */

import {
  allOf,
  boxesOf,
  itemAt,
  leaveField,
  partsOf,
  partsOfText,
  placeOf,
  press,
  pressText,
  quotedIn,
  textsOf,
  waitFor,
  waitForRegions,
} from "./form_parts.ts";
import { type Hand, type Line, need, type Solver, textIn } from "./hand.ts";
import { findClickable } from "./page_texts.ts";
import { middleOf, near, rounded, widthOf } from "./pixels.ts";
import { WIDGET_SOLVERS } from "./widget_solvers.ts";

/** Fills the fields in their order with what the task or the page says, and presses the button. */
function fillIn(
  read: (task: string, lines: readonly Line[]) => readonly string[],
  button = "Submit",
): Solver {
  return async (hand, { text }) => {
    const lines = await hand.lines();
    const boxes = boxesOf(lines);
    for (const [at, value] of read(text, lines).entries()) {
      await hand.fill(itemAt(boxes, at), value);
      await leaveField(hand);
    }
    await press(hand, button);
  };
}

const enterText = fillIn(quotedIn);

/** `Type "ab" in all upper case letters` */
const enterInCase = fillIn((task) => {
  const isUpper = /all upper case/.test(task);
  return quotedIn(task).map((text) => isUpper ? text.toUpperCase() : text.toLowerCase());
});

const enterTwice = fillIn((task) => [...quotedIn(task), ...quotedIn(task)]);

/** `3 x 4 =` */
const calculate = fillIn((_, lines) => {
  const [one, sign = "", other] = partsOfText(lines, /^(\d+) ([-+x]) (\d+) =$/);
  return [String(compute(Number(one), sign, Number(other)))];
});

function compute(one: number, sign: string, other: number): number {
  return sign === "x" ? one * other : sign === "+" ? one + other : one - other;
}

/** `x + 3 = 17`, `3 - x = 17` */
const solveForX = fillIn((_, lines) => {
  const [left, sign, right, result] = partsOfText(lines, /^(x|\d+) ([-+]) (x|\d+) = (\d+)$/);
  const known = Number(left === "x" ? right : left);
  if (sign === "+") return [String(Number(result) - known)];
  return [String(left === "x" ? Number(result) + known : known - Number(result))];
});

/** A dialog of the page can appear as soon as a field has the focus. */
const logInDespiteDialog: Solver = async (hand, { text }) => {
  for (const [at, value] of quotedIn(text).entries()) {
    await hand.click(itemAt(boxesOf(await hand.lines()), at));
    const cancel = await waitFor(
      hand,
      "a field with the focus, or a dialog",
      (lines) => cancelIn(lines) ?? (hasFocus(boxesOf(lines)[at]) ? null : undefined),
    );
    if (cancel) await hand.click(cancel);
    const box = await waitFor(
      hand,
      "the form alone",
      (lines) => cancelIn(lines) ? undefined : boxesOf(lines)[at],
    );
    await hand.fill(box, value);
  }
  await press(hand, "OK");
};

function cancelIn(lines: readonly Line[]): Line | undefined {
  return allOf(lines, /^button$/).find(({ name }) => name === "Cancel");
}

function hasFocus(line: Line | undefined): boolean {
  return line?.states.includes("focused") === true && !line.states.includes("disabled");
}

const focusBox: Solver = async (hand, { text }) => {
  const place = /\d/.test(text) ? placeOf(text, "input") : 0;
  await hand.click(itemAt(boxesOf(await hand.lines()), place));
};

const clickNamed: Solver = async (hand, { text }) => {
  const [name = ""] = quotedIn(text);
  await press(hand, name);
};

const chooseFromList: Solver = async (hand, { text }) => {
  const [label = ""] = partsOf(text, /^Select (.+) from the list/);
  await hand.fill(need(await hand.lines(), /^(combobox|listbox)$/), label);
  await press(hand, "Submit");
};

const checkAndEnter: Solver = async (hand, { text }) => {
  const lines = await hand.lines();
  await hand.click(itemAt(allOf(lines, /^radio$/), placeOf(text, "radio")));
  const [number = ""] = quotedIn(text);
  await hand.fill(itemAt(boxesOf(lines), placeOf(text, "textbox")), number);
  await leaveField(hand);
  await press(hand, "Submit");
};

// Forms whose fields come in any order, with labels before or after them.

const LABELS: readonly RegExp[] = [
  /^(Movie )?Genre:?$/,
  /^Director( Name)?:?$/,
  /^(Year|Released Date):?$/,
];

const searchMovie: Solver = async (hand, { text }) => {
  const values = partsOf(text, /^Search for (.+) movies directed by (.+) from year (\d+)\.$/);
  const lines = await hand.lines();
  const boxes = boxesOf(lines);
  const labels = textsOf(lines).filter((each) => LABELS.some((label) => label.test(each)));
  for (const [at, value] of values.entries()) {
    const place = labels.findIndex((each) => LABELS[at]!.test(each));
    await hand.fill(itemAt(boxes, place), value);
    await leaveField(hand);
  }
  await pressText(hand, /^(Submit|Search|Go!)$/);
};

// Tickets.

interface Ticket {
  readonly minutes: number;
  readonly price: number;
  readonly button: Line;
}

const TICKET_ORDERS: Readonly<Record<string, (one: Ticket, other: Ticket) => number>> = {
  "cheapest cost": (one, other) => one.price - other.price,
  "most expensive cost": (one, other) => other.price - one.price,
  "shortest duration": (one, other) => one.minutes - other.minutes,
  "longest duration": (one, other) => other.minutes - one.minutes,
};

const buyTicket: Solver = async (hand, { text }) => {
  const [wish = ""] = partsOf(text, /with the (.+)\.$/);
  const order = TICKET_ORDERS[wish];
  if (!order) throw new Error(`No such wish: ${wish}`);
  const tickets = readTickets(await hand.lines()).toSorted(order);
  await hand.click(itemAt(tickets, 0).button);
};

function readTickets(lines: readonly Line[]): readonly Ticket[] {
  const durations = textsOf(lines).filter((text) => /^\d+h \d+m$/.test(text));
  const buttons = allOf(lines, /^button$/).filter(({ name }) => name.includes("$"));
  return buttons.map((button, at) => {
    const [hours, minutes] = partsOf(itemAt(durations, at), /^(\d+)h (\d+)m$/);
    const [price] = partsOf(button.name, /\$(\d+)/);
    return { button, minutes: 60 * Number(hours) + Number(minutes), price: Number(price) };
  });
}

// Numbers.

/** A number alone in the page. */
const NUMBER = /^-?\d+$/;

const markOddOrEven: Solver = async (hand) => {
  const lines = await hand.lines();
  const named = (wanted: string) =>
    allOf(lines, /^button$/).filter(({ name }) => name.trim() === wanted);
  const buttons = [named("Even"), named("Odd")];
  const numbers = textsOf(lines).filter((text) => NUMBER.test(text)).map(Number);
  for (const [at] of named("Odd").entries()) {
    await hand.click(itemAt(buttons[Math.abs(itemAt(numbers, at)) % 2]!, at));
  }
  await press(hand, "Submit");
};

const generateNumber: Solver = async (hand, { text }) => {
  const fits = wishOf(text);
  for (let trials = 0; trials < 50; trials++) {
    await press(hand, "Generate");
    if (fits(await waitFor(hand, "a number", numberIn))) return await press(hand, "Submit");
  }
  throw new Error("No number fits");
};

function wishOf(task: string): (number: number) => boolean {
  const limit = Number(/\d+/.exec(task)?.[0]);
  if (/less than/.test(task)) return (number) => number < limit;
  if (/greater than/.test(task)) return (number) => number > limit;
  return (number) => number % 2 === (/\bodd\b/.test(task) ? 1 : 0);
}

/** The number before the buttons: there are others below the task. */
function numberIn(lines: readonly Line[]): number | undefined {
  const end = lines.findIndex(({ role }) => role === "button");
  const found = textsOf(lines.slice(0, end)).find((text) => NUMBER.test(text));
  return found === undefined ? undefined : Number(found);
}

const guessNumber: Solver = async (hand, task) => {
  for (let [low, high] = [0, 9]; low <= high;) {
    const guess = Math.floor((low + high) / 2);
    await hand.fill(need(await hand.lines(), /^(spinbutton|textbox)$/), String(guess));
    await press(hand, "Submit");
    const answer = await waitFor(hand, "an answer", (lines) => answerTo(guess, lines));
    if (answer === "correct" || task.isOver()) return;
    if (answer === "lower") high = guess - 1;
    else low = guess + 1;
  }
};

function answerTo(guess: number, lines: readonly Line[]): string | undefined {
  const page = textsOf(lines).join(" ");
  if (/Correct!|\bSTART\b/.test(page)) return "correct";
  return new RegExp(`(lower|higher) than ${guess} ?\\.`).exec(page)?.[1];
}

// An agreement that accepts a signature when it has been read to its end.

const signAgreement: Solver = async (hand, { text }) => {
  if (/^Click the cancel button/.test(text)) return await press(hand, "Cancel");
  const [name = "", button = ""] = quotedIn(text);
  for (let trials = 0; trials < 10 && !isReadable(await hand.lines()); trials++) {
    await hand.scroll(itemAt(boxesOf(await hand.lines()), 0), -20);
  }
  const boxes = await waitFor(
    hand,
    "an enabled button",
    (lines) => isReadable(lines) ? boxesOf(lines) : undefined,
  );
  await hand.fill(itemAt(boxes, boxes.length - 1), name);
  await leaveField(hand);
  await press(hand, button);
};

function isReadable(lines: readonly Line[]): boolean {
  return !need(lines, /^button$/, "Agree").states.includes("disabled");
}

// A list that the page draws by itself.

const chooseFromDrawnList: Solver = async (hand, { text }) => {
  const [label = "", button = ""] = partsOf(text, /^Choose (.+) from the dropdown.* "(.+)"/);
  await openDrawnList(hand);
  const option = await waitFor(hand, "the list", (lines) => {
    const drawn = allOf(lines, /^(listitem|text)$/); // those of a list that it hides are others
    return drawn.find((line) => textIn(line).trim() === label);
  });
  await hand.click(option);
  await press(hand, button);
};

/** The grey of the field. */
const isField = near([0xf8, 0xf8, 0xf8], 2);
const FIELD_WIDTH = 40;

/** It is what reacts, with an arrow in it; where the tree has no ref for it, a grey box. */
async function openDrawnList(hand: Hand): Promise<void> {
  const inTree = findClickable(await hand.lines(), /^▾$/)[0];
  if (inTree) return await hand.click(inTree);
  const [region] = await waitForRegions(hand, isField, (box) => widthOf(box) > FIELD_WIDTH);
  await hand.click(rounded(middleOf(region!.box)));
}

export const FORM_SOLVERS: Readonly<Record<string, Solver>> = {
  ...WIDGET_SOLVERS,
  "buy-ticket": buyTicket,
  "choose-list": chooseFromList,
  "enter-password": enterTwice,
  "enter-text": enterText,
  "enter-text-2": enterInCase,
  "enter-text-dynamic": enterText,
  "focus-text": focusBox,
  "focus-text-2": focusBox,
  "form-sequence-2": checkAndEnter,
  "form-sequence-3": chooseFromDrawnList,
  "generate-number": generateNumber,
  "guess-number": guessNumber,
  "login-user": fillIn(quotedIn, "Login"),
  "login-user-popup": logInDespiteDialog,
  "multi-layouts": searchMovie,
  "multi-orderings": searchMovie,
  "odd-or-even": markOddOrEven,
  "sign-agreement": signAgreement,
  "simple-algebra": solveForX,
  "simple-arithmetic": calculate,
  "unicode-test": clickNamed,
};
