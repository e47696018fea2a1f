/** Tasks of small applications: flights, a calendar, a menu, contacts, searches, posts and stocks. */

import { setTimeout as wait } from "node:timers/promises";
import { EMAIL_SOLVERS } from "./email_solvers.ts";
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
import {
  type Hand,
  type Line,
  need,
  type PagePicture,
  type Point,
  type Solver,
  textIn,
} from "./hand.ts";
import { findPressable, pressableAround, textLines } from "./page_texts.ts";
import {
  AREA,
  type Box,
  boxAround,
  type Color,
  colorAt,
  isNear,
  middleOf,
  pixelsOf,
} from "./regions.ts";
import { findRules, waitToSee } from "./looks.ts";
import { type ScrolledBox, unroll } from "./scrolled_box.ts";
import { SOCIAL_SOLVERS } from "./social_solvers.ts";

// Flights.

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July", "August", "September"],
  ...["October", "November", "December"],
];

/** How long the calendar takes to come to its place and appear, in milliseconds. */
const CALENDAR_MS = 600;

interface Flight {
  readonly minutes: number;
  readonly price: number;
  readonly button: Line;
}

const bookFlight: Solver = async (hand, { text }) => {
  const [wish, from = "", to = "", date = ""] = partsOf(
    text,
    /the (cheapest|shortest) one-way flight from: (.+) to: (.+) on ([\d/]+)/,
  );
  await chooseAirport(hand, 0, from);
  await chooseAirport(hand, 1, to);
  await hand.key("Tab"); // into the field for the date
  await wait(CALENDAR_MS);
  await chooseDate(hand, date);
  await waitFor(hand, "the search", (lines) => shownMonth(lines) === undefined ? lines : undefined);
  await press(hand, "Search");
  const flights = await waitFor(hand, "flights", (lines) => {
    const found = flightsIn(lines);
    return found.length > 0 ? found : undefined;
  });
  const weigh = ({ minutes, price }: Flight) => wish === "cheapest" ? price : minutes;
  const best = flights.reduce((one, other) => weigh(other) < weigh(one) ? other : one);
  await hand.click(best.button);
};

/** Types it, and chooses what the page proposes. */
async function chooseAirport(hand: Hand, at: number, airport: string): Promise<void> {
  const field = itemAt(boxesOf(await hand.lines()), at);
  await hand.fill(field, /^[A-Z]{3}$/.test(airport) ? `(${airport})` : airport);
  let last: Line | undefined; // proposals change with each letter
  const proposed = await waitFor(hand, `the airport ${airport}`, (lines) => {
    const found = findPressable(lines, /\([A-Z]{3}\)$/).find((line) =>
      textIn(line).includes(airport)
    );
    const isStill = found?.ref === last?.ref;
    last = found;
    return isStill ? found : undefined;
  });
  const name = textIn(proposed).trim();
  await hand.click(proposed);
  await waitFor(
    hand,
    `${airport} in its field`,
    (lines) => boxesOf(lines)[at]?.value === name ? true : undefined,
  );
}

/**
 * In the calendar that appears when its field gets the focus.
 * @param date as `12/31/2016`
 */
async function chooseDate(hand: Hand, date: string): Promise<void> {
  const [month, day] = partsOf(date, /^(\d+)\/(\d+)\/\d+$/).map(Number);
  let last: number | undefined;
  while (true) {
    const lines = await waitFor(hand, "a month", (all) => {
      const shown = shownMonth(all);
      return shown === undefined || shown === last ? undefined : all;
    });
    const away = month! - shownMonth(lines)!;
    if (away === 0) return await hand.click(need(lines, /^link$/, String(day)));
    await hand.click(need(lines, /./, away < 0 ? /^Prev$/ : /^Next$/));
    last = shownMonth(lines);
  }
}

/** 1 for January. */
function shownMonth(lines: readonly Line[]): number | undefined {
  const month = textsOf(lines).find((text) => MONTHS.includes(text));
  return month === undefined ? undefined : MONTHS.indexOf(month) + 1;
}

/** How long each takes stands before the button to book it. */
function flightsIn(lines: readonly Line[]): readonly Flight[] {
  let minutes = 0;
  return lines.flatMap((line) => {
    const [, hours, rest] = /^(\d+)h (\d+)m$/.exec(line.name.trim()) ?? [];
    if (hours !== undefined) minutes = 60 * Number(hours) + Number(rest);
    const [, price] = (line.role === "button" && /\$(\d+)/.exec(textIn(line))) || [];
    return price === undefined ? [] : [{ minutes, price: Number(price), button: line }];
  });
}

// The calendar: its half-hours are rows of a picture.

/** Only the lines between hours reach so far to the right. */
const HOUR_LINES = { left: 137, right: 141 } as const;
const CALENDAR: Box = { ...AREA, right: 142 };
const EVENTS = { left: 60, right: 110 } as const;
const EVENT_X = 80;
const HALF_HOURS = 48;
/** Pixels of a half-hour, and what is to be visible around the middle of those that are dragged over. */
const HALF_HOUR = 20;
const AROUND_DRAG = 56; // a step of the scroll bar is 40

/** A half-hour in the picture, by the name of its hour. */
interface Slot {
  readonly middle: number;
  readonly isFree: boolean;
}

/** 'Create a 1.5 hours event named "Gym", between 8AM and 12PM.' */
const createEvent: Solver = async (hand, { text }) => {
  const [length = "", unit, name = "", from = "", to = ""] = partsOf(
    text,
    /a ([\d.]+) (hour|min)s? event named "(.+)", between (\w+) and (\w+)/,
  );
  const count = unit === "hour" ? 2 * Number(length) : Number(length) / 30;
  const calendar = await unroll(hand, CALENDAR);
  const slots = slotsIn(calendar.picture);
  const isFree = (at: number) => slots.slice(at, at + count).every((slot) => slot.isFree);
  const starts = Array.from(
    { length: halfHourOf(to) - count - halfHourOf(from) + 1 },
    (_, at) => halfHourOf(from) + at,
  );
  // with some fonts, what reacts to the mouse is drawn below the hour that it stands for
  const away = await measureShift(hand, calendar, slots.slice(halfHourOf(from)));
  const start = starts.find((at) => isFree(at) && isFree(at + away)) ??
    starts.find((at) => isFree(at + away));
  if (start === undefined) throw new Error("No time is free");
  await dragOver(hand, calendar, slots.slice(start + away, start + away + count));
  const field = await waitFor(hand, "the new event", (lines) => boxesOf(lines)[0]);
  await hand.fill(field, name);
  await leaveField(hand);
  await press(hand, "Create");
};

/** Makes an event of half an hour, and cancels it: by how many half-hours it appears earlier than it was made. */
async function measureShift(
  hand: Hand,
  calendar: ScrolledBox,
  slots: readonly Slot[],
): Promise<number> {
  const away = await dragOver(hand, calendar, slots.filter(({ isFree }) => isFree).slice(0, 1));
  await waitFor(hand, "the new event", (lines) => boxesOf(lines)[0]);
  await press(hand, "Cancel");
  await waitFor(hand, "the calendar alone", (lines) => boxesOf(lines).length === 0 || undefined);
  return Math.round(away / HALF_HOUR);
}

/** Presses on the first and releases over the event that appears; gives how many pixels higher that begins. */
async function dragOver(
  hand: Hand,
  calendar: ScrolledBox,
  slots: readonly Slot[],
): Promise<number> {
  const [first, last] = [itemAt(slots, 0), itemAt(slots, slots.length - 1)];
  const { y } = await calendar.show({ x: EVENT_X, y: first.middle }, AROUND_DRAG);
  const start = { x: EVENT_X, y };
  const before = await hand.picture();
  await hand.down(start);
  await hand.move({ x: EVENT_X + 4, y: y + last.middle - first.middle });
  const event = await waitToSee(hand, "a new event", (after) => changeOf(before, after));
  await hand.up(middleOf(event));
  return y - HALF_HOUR / 2 - event.top;
}

/** What is new where events are, left of the cursor, which can be in the picture. */
function changeOf(before: PagePicture, after: PagePicture): Box | undefined {
  const isOther = (point: Point) => !isNear(colorAt(after, point), colorAt(before, point));
  const within = { ...AREA, left: EVENTS.left, right: EVENT_X - 10 };
  return boxAround([...pixelsOf(within)].filter(isOther));
}

/** A line is above each hour. */
function slotsIn(picture: PagePicture): readonly Slot[] {
  const within = { ...HOUR_LINES, top: 0, bottom: picture.height };
  const hours = findRules(picture, within, (color) => isNear(color, [0xb5, 0xb5, 0xb5], 3));
  return Array.from({ length: HALF_HOURS }, (_, at) => {
    const top = itemAt(hours, Math.floor(at / 2)).bottom + HALF_HOUR * (at % 2);
    const inside = { ...EVENTS, top: top + 4, bottom: Math.min(top + 16, picture.height) };
    const isFree = [...pixelsOf(inside)].every((point) => isPale(colorAt(picture, point)));
    return { middle: top + HALF_HOUR / 2, isFree };
  });
}

/** White, or the grey of the calendar. */
function isPale(color: Color): boolean {
  return isNear(color, [0xfb, 0xfb, 0xfb], 6);
}

/** 16 for `8AM`. */
function halfHourOf(time: string): number {
  const [hour = "", half] = partsOf(time, /^(\d+)(AM|PM)$/);
  return 2 * (Number(hour) % 12 + (half === "PM" ? 12 : 0));
}

// The menu of a restaurant.

interface Dish {
  readonly name: string;
  readonly kinds: readonly string[];
  /** What adds one to the order. */
  readonly add: Line;
}

const orderFood: Solver = async (hand, { text }) => {
  const dishes = dishesIn(await hand.lines());
  const [, count, kind = ""] = /^Order (\d+) items that are (\S+)$/.exec(text) ?? [];
  const wanted = count === undefined
    ? dishes.filter(({ name }) => text.includes(name))
    : Array(Number(count)).fill(dishes.find(({ kinds }) => kinds.includes(kind)));
  for (const { add } of wanted) await hand.click(add);
  await press(hand, /Order/);
};

/** Each has its name, pictures of what is in it, and "-" and "+". */
function dishesIn(lines: readonly Line[]): readonly Dish[] {
  const dishes: Dish[] = [];
  let [name, kinds]: [string, string[]] = ["", []];
  for (const line of textLines(lines)) {
    const text = line.name.trim();
    if (/^(img|image|graphic)$/.test(line.role)) kinds.push(text);
    else if (text === "+") {
      dishes.push({ name, kinds, add: pressableAround(line) });
      kinds = [];
    } else if (text !== "-") name = text;
  }
  return dishes;
}

// Contacts and searches, on several pages.

const CONTACTS = 5;

const findContact: Solver = async (hand, { text }) => {
  const [person = "", what = ""] = partsOf(
    text,
    /^Find (.+) in the contact book and click on their (phone|email|address)/,
  );
  let phone = "";
  for (let page = 0; page < CONTACTS; page++) {
    const lines = await waitFor(
      hand,
      "another contact",
      (all) => linkAfter(all, "Phone").name === phone ? undefined : all,
    );
    if (lines.some(({ role, name }) => role === "heading" && name.trim() === person)) {
      return await hand.click(linkAfter(lines, what));
    }
    phone = linkAfter(lines, "Phone").name;
    await hand.click(need(lines, /^link$/, ">"));
  }
  throw new Error(`No contact ${person}`);
};

/** What can be clicked after a label. */
function linkAfter(lines: readonly Line[], label: string): Line {
  const at = lines.findIndex(({ name }) => new RegExp(`^${label}:`, "i").test(name));
  return need(lines.slice(at + 1), /^(link|generic)$/);
}

const RESULTS_ON_PAGE = 3;

/** 'Use the textbox to enter "Kenda" and press "Search", then find and click the 5th search result.' */
const searchAndFind: Solver = async (hand, { text }) => {
  const [words = "", place] = partsOf(text, /enter "(.+?)".* the (\d+)\w\w search result/);
  await hand.fill(itemAt(boxesOf(await hand.lines()), 0), words);
  await leaveField(hand);
  await press(hand, "Search");
  const at = Number(place) - 1;
  const page = Math.floor(at / RESULTS_ON_PAGE);
  let results = await waitForResults(hand, undefined);
  if (page > 0) {
    await hand.click(need(await hand.lines(), /^link$/, String(page + 1)));
    results = await waitForResults(hand, results);
  }
  await hand.click(itemAt(results, at % RESULTS_ON_PAGE));
};

/** Results that are others than before. */
async function waitForResults(
  hand: Hand,
  before: readonly Line[] | undefined,
): Promise<readonly Line[]> {
  return await waitFor(hand, "results", (lines) => {
    const found = allOf(lines, /^link$/)
      .filter((line) => !/^(\d+|<|>|First|Last)$/.test(textIn(line).trim()));
    return found.length > 0 && found[0]!.ref !== before?.[0]?.ref ? found : undefined;
  });
}

// A price that changes all the time.

/** The price of the task is one of 100, which last ten seconds in all. */
const PRICES_MS = 10_000;
const AGAIN_MS = 10;

const buyStock: Solver = async (hand, { text }) => {
  const start = performance.now();
  const limit = Number(itemAt(partsOf(text, /less than \$([\d.]+)\.$/), 0));
  const button = need(await hand.lines(), /^button$/, "Buy");
  await hand.move(button);
  for (;;) {
    const price = priceIn(await hand.lines());
    const gone = performance.now() - start;
    if (price !== undefined && price <= limit - reserveAt(gone)) return await hand.click(button);
    if (gone > PRICES_MS) throw new Error("The price did not fall enough");
    await wait(AGAIN_MS);
  }
};

/** How much lower than its limit a price must be, because it may rise until the click arrives. */
function reserveAt(time: number): number {
  if (time < 0.65 * PRICES_MS) return 2;
  return time < 0.85 * PRICES_MS ? 1 : 0;
}

function priceIn(lines: readonly Line[]): number | undefined {
  const price = textsOf(lines).find((text) => /^\$[\d.]+$/.test(text));
  return price === undefined ? undefined : Number(price.slice(1));
}

export const APPLICATION_SOLVERS: Readonly<Record<string, Solver>> = {
  ...EMAIL_SOLVERS,
  ...SOCIAL_SOLVERS,
  "book-flight": bookFlight,
  "book-flight-nodelay": bookFlight,
  "daily-calendar": createEvent,
  "order-food": orderFood,
  "phone-book": findContact,
  "search-engine": searchAndFind,
  "stock-market": buyStock,
};
