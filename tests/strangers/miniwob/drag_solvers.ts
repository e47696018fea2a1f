/** Solvers of the tasks in which something is dragged. */

import { setTimeout as wait } from "node:timers/promises";
import { beforeReward, type Figure, findFigures, SIZES } from "./figures.ts";
import { type Hand, type Line, need, type PagePicture, type Point, type Solver } from "./hand.ts";
import {
  type Box,
  boxAround,
  colorNamed,
  findRegions,
  heightOf,
  isDark,
  isDrawn,
  middleOf,
  near,
  rounded,
  widthOf,
} from "./pixels.ts";

export async function submit(hand: Hand): Promise<void> {
  await hand.click(need(await hand.lines(), /button/, "Submit"));
}

/** Points between two, about this many pixels from each other; both are in it. */
function between(from: Point, to: Point, pixels = 6): readonly Point[] {
  const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / pixels));
  return Array.from({ length: steps + 1 }, (_, step) =>
    rounded({
      x: from.x + (to.x - from.x) * step / steps,
      y: from.y + (to.y - from.y) * step / steps,
    }));
}

async function dragTo(hand: Hand, from: Point, to: Point): Promise<void> {
  await hand.drag(between(from, to));
}

// Boxes and shapes.

const dragBox: Solver = async (hand) => {
  const picture = await hand.picture();
  const boxOf = (color: string) => boxAround(findRegions(picture, near(colorNamed(color))));
  await dragTo(hand, middleOf(boxOf("red")), middleOf(boxOf("blue")));
  await submit(hand);
};

const DIRECTIONS: Readonly<Record<string, Point>> = {
  left: { x: -30, y: 0 },
  right: { x: 30, y: 0 },
  up: { x: 0, y: -30 },
  down: { x: 0, y: 30 },
};

/** Of any shape and colour, also white with a black outline. */
const dragShapeAside: Solver = async (hand, { text }) => {
  const direction = DIRECTIONS[/ (left|right|up|down) /.exec(text)?.[1] ?? ""];
  if (!direction) throw new Error("No direction is asked for");
  const drawing = { left: 2, top: 52, right: 160, bottom: 160 };
  const shape = findRegions(await hand.picture(), isDrawn, drawing);
  const { x, y } = rounded(middleOf(boxAround(shape)));
  await dragTo(hand, { x, y }, { x: x + direction.x, y: y + direction.y });
  await submit(hand);
};

/** Only shapes are dragged: the outlines of boxes and buttons look like none. */
function findShapes(
  picture: PagePicture,
  rows: readonly [first: number, last: number],
): readonly Figure[] {
  return findFigures(picture, { columns: 7, rows, sizes: [SIZES.middle] })
    .filter(({ kind }) => kind !== "glyph");
}

/** Which figures are meant: a kind in the plural, or a colour with `shapes`. */
function isMeant(what: string): (figure: Figure) => boolean {
  const color = /^(\w+) shapes$/.exec(what)?.[1];
  return (figure) => color === undefined ? `${figure.kind}s` === what : figure.color === color;
}

async function dropAll(hand: Hand, figures: readonly Figure[], box: Box): Promise<void> {
  const [first, last] = [box.left + 16, box.right - 10];
  const y = middleOf(box).y;
  for (const [at, { middle }] of figures.entries()) {
    const x = figures.length === 1 ? first : first + (last - first) * at / (figures.length - 1);
    await dragTo(hand, middle, { x, y });
  }
}

const dragShapesIntoBox: Solver = async (hand, { text }) => {
  const what = /Drag all (.*) into the black box/.exec(text)?.[1] ?? "";
  const picture = await hand.picture();
  const [box] = findContainers(picture);
  if (!box) throw new Error("There is no box");
  await dropAll(hand, findShapes(picture, [0, 3]).filter(isMeant(what)), box);
  await submit(hand);
};

const separateShapes: Solver = async (hand, { text }) => {
  const what = /Drag all (.*) into the left box/.exec(text)?.[1] ?? "";
  const picture = await hand.picture();
  const [left, right] = findContainers(picture);
  if (!left || !right) throw new Error("There are no two boxes");
  const figures = findShapes(picture, [3, 5]);
  const isLeft = isMeant(what);
  await dropAll(hand, figures.filter(isLeft), left);
  await dropAll(hand, figures.filter((figure) => !isLeft(figure)), right);
  await submit(hand);
};

/** Boxes with a black outline around nothing, from the left; they are larger than every figure. */
function findContainers(picture: PagePicture): readonly Box[] {
  return findRegions(picture, isDark).map(({ box }) => box)
    .filter((box) => widthOf(box) >= 66 && heightOf(box) >= 40)
    .toSorted((one, other) => one.left - other.left);
}

// Lists whose entries change places when one is dragged over another.

/** Moves slowly enough for the list to rearrange itself, and at last in a clear direction. */
async function dragInList(hand: Hand, path: readonly Point[]): Promise<void> {
  const points = path.slice(1).flatMap((to, at) => between(path[at]!, to, 4).slice(1));
  await hand.move(path[0]!);
  await hand.down(path[0]!);
  for (const point of points) {
    await hand.move(point);
    await wait(STEP_MS); // a browser joins motions that come faster than it draws
  }
  await hand.up(points.at(-1)!);
}

const STEP_MS = 20;

/** Where the entries are, from the top left. */
async function findEntries(hand: Hand): Promise<readonly Point[]> {
  const isEntry = near([246, 246, 246], 2);
  return findRegions(await hand.picture(), isEntry)
    .filter(({ box }) => widthOf(box) > 30 && heightOf(box) > 15)
    .map(({ box }) => rounded(middleOf(box)))
    .toSorted((one, other) => one.y - other.y || one.x - other.x);
}

/** What the entries say, in their order: what follows the task. */
function readEntries(lines: readonly Line[]): readonly string[] {
  return beforeReward(lines)
    .filter(({ role, inside, name }) => inside.length === 0 && role !== "button" && name !== "")
    .map(({ name }) => name.trim())
    .slice(1);
}

/** Pixels before the middle of an entry, and further than that: only then it makes room. */
const [BEFORE, BEYOND] = [15, 5] as const;

async function moveEntry(
  hand: Hand,
  entries: readonly Point[],
  from: number,
  to: number,
): Promise<void> {
  const [start, end] = [entries[from], entries[to]];
  if (!start || !end) throw new Error(`The list has no entry ${from} or ${to}`);
  // at last straight down or up, which lists and grids understand alike
  const beyond = Math.sign(to - from);
  await dragInList(hand, [
    start,
    { x: end.x, y: end.y - beyond * BEFORE },
    { x: end.x, y: end.y + beyond * BEYOND },
  ]);
}

const ROWS = ["top", "center", "bottom"] as const;
const COLUMNS = ["left", "center", "right"] as const;
const STEPS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  up: [0, -1],
  down: [0, 1],
  left: [-1, 0],
  right: [1, 0],
};

/** @param columns of the grid; a list has one */
function targetOf(place: string, { from, count, columns }: {
  readonly from: number;
  readonly count: number;
  readonly columns: number;
}): number {
  const [, step] = /^(up|down|left|right) by one/.exec(place) ?? [];
  const [right, down] = STEPS[step ?? ""] ?? [];
  if (right !== undefined && down !== undefined) return from + right + columns * down;
  const position = /^to the (\d+)(?:st|nd|rd|th) position/.exec(place)?.[1];
  if (position !== undefined) return Number(position) - 1;
  const words = place.replace(/^to the |\.$/g, "").split(" ");
  if (columns === 1) return words[0] === "top" ? 0 : count - 1;
  const [row = "", column = row] = words;
  return columns * ROWS.findIndex((name) => name === row) +
    COLUMNS.findIndex((name) => name === column);
}

const dragEntry: Solver = async (hand, { text }) => {
  const [, name, place] = /^Drag (.+?) ((?:to the|up|down|left|right) .*)$/.exec(text) ?? [];
  if (name === undefined || place === undefined) throw new Error("Nothing is to be dragged");
  const entries = await findEntries(hand);
  const from = readEntries(await hand.lines()).indexOf(name);
  const columns = new Set(entries.map(({ x }) => x)).size;
  await moveEntry(hand, entries, from, targetOf(place, { from, count: entries.length, columns }));
};

const sortNumbers: Solver = async (hand) => {
  const entries = await findEntries(hand);
  const numbers = readEntries(await hand.lines()).map(Number);
  for (let to = 0; to < numbers.length; to++) {
    const from = numbers.indexOf(Math.min(...numbers.slice(to)), to);
    if (from === to) continue;
    await moveEntry(hand, entries, from, to);
    numbers.splice(to, 0, ...numbers.splice(from, 1));
  }
  await submit(hand);
};

// A cube that turns further than it is dragged, for as long as it is held.

/** How far to drag from how the cube stands at first, in pixels, until a side is in front. */
const TURNS: Readonly<Record<string, Point>> = {
  1: { x: 0, y: -113 },
  2: { x: -119, y: -42 },
  3: { x: -42, y: -42 },
  4: { x: 40, y: -42 },
  5: { x: 117, y: -42 },
  6: { x: 0, y: 0 },
};

const turnCube: Solver = async (hand, { text }) => {
  const turn = TURNS[/"(\d)"/.exec(text)?.[1] ?? ""];
  if (!turn) throw new Error("No side is asked for");
  const middle = { x: 80, y: 120 };
  const from = { x: middle.x - turn.x / 2, y: middle.y - turn.y / 2 };
  const to = { x: from.x + turn.x, y: from.y + turn.y };
  if (turn.x !== 0 || turn.y !== 0) await dragAtOnce(hand, rounded(from), rounded(to));
  // what moves while the button is down turns the cube: it is still before that
  const button = need(await hand.lines(), /button/, "Submit");
  await hand.move(button);
  await wait(STILL_MS);
  await hand.click(button);
};

const STILL_MS = 200;

/** The cube takes its speed from each motion, and keeps on turning until it is slow. */
async function dragAtOnce(hand: Hand, from: Point, to: Point): Promise<void> {
  await hand.move(from);
  await wait(STILL_MS);
  await hand.down(from);
  await wait(STILL_MS);
  await hand.move(to);
  await wait(3 * STILL_MS);
  await hand.up(to);
}

export const DRAG_SOLVERS: Readonly<Record<string, Solver>> = {
  "drag-box": dragBox,
  "drag-circle": dragShapeAside,
  "drag-cube": turnCube,
  "drag-items": dragEntry,
  "drag-items-grid": dragEntry,
  "drag-shapes": dragShapesIntoBox,
  "drag-shapes-2": separateShapes,
  "drag-single-shape": dragShapeAside,
  "drag-sort-numbers": sortNumbers,
};
