/** Tasks that are games: what to do next is in the picture of the page. */

import { setTimeout as wait } from "node:timers/promises";
import { allOf, itemAt, press } from "./form_parts.ts";
import { type PagePicture, type Point, type Solver, textIn } from "./hand.ts";
import {
  AREA,
  type Box,
  boxAround,
  findRegions,
  heightOf,
  isDark,
  isWhite,
  middleOf,
  near,
  pixelAt,
  type Rgb,
  rounded,
  type Wanted,
  widthOf,
} from "./pixels.ts";
import { pixelsOf } from "./regions.ts";
import { countIn, look, TASK } from "./visual_clicks.ts";

// Numbers that are hidden after the first click.

/** Letters are less dark at their edges. */
const isInk: Wanted = (rgb) => Math.max(...rgb) < 150;

const clickAscending: Solver = async (hand) => {
  const digits = await look(hand, "5 numbers", (picture) => {
    const found = findRegions(picture, isInk)
      .filter(({ box }) => heightOf(box) > 8)
      .map(({ box }) => ({ digit: readDigit(picture, box), at: rounded(middleOf(box)) }));
    return found.length === 5 ? found : undefined;
  });
  for (const { at } of digits.toSorted((one, other) => one.digit - other.digit)) {
    await hand.click(at);
  }
};

/** Reads a digit from 1 to 5 of a typeface without serifs. */
function readDigit(picture: PagePicture, box: Box): number {
  const [width, height] = [widthOf(box), heightOf(box)];
  const inkIn = (fromX: number, fromY: number, toX: number, toY: number) => {
    const part = {
      left: Math.round(box.left + fromX * width),
      top: Math.round(box.top + fromY * height),
      right: Math.round(box.left + toX * width),
      bottom: Math.round(box.top + toY * height),
    };
    return countIn(picture, part, isInk) / (widthOf(part) * heightOf(part));
  };
  if (width < 0.5 * height || inkIn(0, 0.3, 0.3, 0.8) + inkIn(0.7, 0.3, 1, 0.8) === 0) return 1;
  if (inkIn(0, 0.9, 1, 1) > 0.75 && inkIn(0, 0.2, 0.3, 0.4) < 0.3) return 2;
  if (inkIn(0, 0.6, 1, 0.8) > 0.6 || inkIn(0, 0, 0.3, 0.3) < 0.05) return 4;
  return inkIn(0, 0.2, 0.4, 0.45) > inkIn(0.6, 0.2, 1, 0.45) ? 5 : 3;
}

// A place that only the mouse finds.

/** What the page says, and up to which distance from the place it says that. */
const BANDS = [["HOT", 5], ["WARM", 10], ["COLD", 40], ["ICE COLD", Infinity]] as const;
/** Where the place may be. */
const GROUND = { left: 6, top: 56, right: 155, bottom: 170 };
/** How far a possible place may be from the nearest one that is considered. */
const GAP = 1.5;
const SHOWN_MS = 60;

const findHot: Solver = async (hand) => {
  let places = [...pixelsOf(GROUND)].filter(({ x, y }) => x % 2 === 0 && y % 2 === 0);
  while (places.length > 0) {
    const probe = chooseProbe(places);
    await hand.move(probe);
    await wait(SHOWN_MS);
    const texts = (await hand.lines()).map(textIn);
    const band = BANDS.findIndex(([text]) => texts.includes(text));
    if (band === 0) return await hand.click(probe);
    const from = BANDS[band - 1]?.[1] ?? 0;
    const to = itemAt(BANDS, band)[1];
    places = places.filter((place) => {
      const distance = distanceOf(place, probe);
      return distance > from - GAP && distance < to + GAP;
    });
  }
  throw new Error("No place fits what the page has said");
};

/** One of the places whose answer tells most about the others. */
function chooseProbe(places: readonly Point[]): Point {
  const some = (count: number) => {
    const step = Math.ceil(places.length / count);
    return places.filter((_, at) => at % step === 0);
  };
  const others = some(400);
  const rated = some(150).map((probe) => {
    const counts = BANDS.map(() => 0);
    for (const other of others) {
      const distance = distanceOf(probe, other);
      counts[BANDS.findIndex(([, to]) => distance < to)]! += 1;
    }
    return { probe, left: counts.reduce((sum, count) => sum + count ** 2, 0) };
  });
  return rated.reduce((best, each) => each.left < best.left ? each : best).probe;
}

function distanceOf(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

// Buttons that light up one after the other.

/** Each button's colour without its light, and with it. */
const BUTTON_COLORS: readonly (readonly [dark: Rgb, lit: Rgb])[] = [
  [[0x42, 0x86, 0xf4], [0x93, 0xde, 0xff]],
  [[0xf4, 0x42, 0x42], [0xff, 0xa0, 0xa0]],
  [[0x42, 0xf4, 0x7d], [0xbc, 0xff, 0xa0]],
  [[0xe7, 0xf2, 0x15], [0xfa, 0xff, 0xaa]],
];
/** Pixels of a button. */
const MIN_AREA = 1_500;
/** How long nothing lights up after the last one. */
const QUIET_MS = 1_500;

const repeatLights: Solver = async (hand) => {
  const buttons = await look(hand, "buttons of 4 colours", (picture) => {
    // on a busy computer, the first light can be on already
    const found = BUTTON_COLORS.flatMap(([dark, lit]) =>
      findRegions(picture, (rgb) => near(dark, 12)(rgb) || near(lit, 12)(rgb))
        .filter(({ area }) => area > MIN_AREA)
        .map(({ middle }) => ({ isOff: near(dark, 30), at: rounded(middle) }))
    );
    return found.length === BUTTON_COLORS.length ? found : undefined;
  });
  const order: Point[] = [];
  let lit: Point | undefined;
  for (let last = performance.now(); performance.now() - last < QUIET_MS;) {
    const picture = await hand.picture(TASK); // a light is on for 250 ms
    const now = buttons.find(({ isOff, at }) => !isOff(pixelAt(picture, at.x, at.y)))?.at;
    if (now === lit) continue;
    if (now) order.push(now);
    lit = now;
    last = performance.now();
  }
  for (const at of order) await hand.click(at);
};

// Circles that cross the page.

const RADIUS = 18;
const isBlack = near([0, 0, 0], 60);
/** What is seen of a circle that has been clicked, in milliseconds. */
const AFTERGLOW_MS = 150;

const clickMoving: Solver = async (hand, task) => {
  let clicked: { readonly at: Point; readonly time: number } | undefined;
  while (!task.isOver()) {
    const picture = await hand.picture(TASK);
    const circles = findRegions(picture, isBlack)
      .filter(({ box }) => widthOf(box) > 6 && heightOf(box) > 12)
      .map(({ box }) => centreOfCircle(box));
    const isOld = (at: Point) =>
      clicked && performance.now() - clicked.time < AFTERGLOW_MS && distanceOf(at, clicked.at) < 30;
    const at = circles.find((circle) => !isOld(circle));
    if (!at) continue;
    await hand.click(at);
    clicked = { at, time: performance.now() };
  }
};

/** A circle may be partly beyond an edge. */
function centreOfCircle({ left, top, right, bottom }: Box): Point {
  const middle = (from: number, to: number, [start, end]: readonly [number, number]) => {
    const at = from <= start ? to - RADIUS : to >= end ? from + RADIUS : (from + to) / 2;
    return Math.round(Math.min(Math.max(at, start + 2), end - 3));
  };
  return {
    x: middle(left, right, [AREA.left + 2, AREA.right]),
    y: middle(top, bottom, [AREA.top + 2, AREA.bottom]),
  };
}

// Tic-tac-toe.

/** Pixels of a square with its frame. */
const SIDE = 42;
/** 9 characters, line by line. */
type Board = string;
type Player = "X" | "O";

const ROWS = ["012", "345", "678", "036", "147", "258", "048", "246"]
  .map((row) => [...row].map(Number));
/** How often the page thinks before it sets. */
const THINKS = 0.45;
const FREE = " ";

const winTicTacToe: Solver = async (hand, task) => {
  const cells = await look(hand, "9 squares", (picture) => {
    const found = findCells(picture);
    return found.length === 9 ? found : undefined;
  });
  await wait(300); // for the first O
  let board = readBoard(await hand.picture(), cells);
  while (!task.isOver()) {
    const cell = bestCell(board);
    await hand.click(itemAt(cells, cell));
    const expected = freeCells(board).length - 2;
    for (const end = performance.now() + 2_000; performance.now() < end && !task.isOver();) {
      board = readBoard(await hand.picture(), cells);
      if (freeCells(board).length === expected) break;
    }
  }
};

/** The middles of 3 times 3 squares with black frames. */
function findCells(picture: PagePicture): readonly Point[] {
  const isFrame = (x: number, y: number) => near([0, 0, 0])(pixelAt(picture, x, y));
  const along = Array.from({ length: SIDE - 2 }, (_, at) => at);
  return [...pixelsOf(AREA)].filter(({ x, y }) =>
    isFrame(x, y) && !isFrame(x - 1, y) && !isFrame(x, y - 1) &&
    along.every((at) => isFrame(x + at, y) && isFrame(x, y + at))
  ).map(({ x, y }) => ({ x: x + SIDE / 2, y: y + SIDE / 2 }));
}

function readBoard(picture: PagePicture, cells: readonly Point[]): Board {
  return cells.map(({ x, y }) => {
    if (isDark(pixelAt(picture, x, y))) return "X";
    const inside = { left: x - 18, top: y - 18, right: x + 18, bottom: y + 18 };
    return countIn(picture, inside, isDark) > 0 ? "O" : FREE;
  }).join("");
}

function freeCells(board: Board): readonly number[] {
  return [...board].flatMap((mark, cell) => mark === FREE ? [cell] : []);
}

function withMark(board: Board, cell: number, player: Player): Board {
  return board.slice(0, cell) + player + board.slice(cell + 1);
}

function hasWon(board: Board, player: Player): boolean {
  return ROWS.some((row) => row.every((cell) => board[cell] === player));
}

/** The cell with the best chance to win. @throws Error when none is free */
function bestCell(board: Board): number {
  const rated = freeCells(board).map((cell) => ({
    cell,
    chance: chanceAfter(withMark(board, cell, "X")),
  }));
  if (rated.length === 0) throw new Error(`The board is full: ${board}`);
  return rated.reduce((best, each) => each.chance > best.chance ? each : best).cell;
}

const chances = new Map<Board, number>();

/** The chance to win when it is the other's turn, who sometimes sets anywhere. */
function chanceAfter(board: Board): number {
  if (hasWon(board, "X")) return 1;
  const free = freeCells(board);
  if (free.length === 0) return 0;
  const known = chances.get(board);
  if (known !== undefined) return known;
  const chanceOf = (cell: number) => {
    const next = withMark(board, cell, "O");
    if (hasWon(next, "O") || freeCells(next).length === 0) return 0;
    return Math.max(...freeCells(next).map((own) => chanceAfter(withMark(next, own, "X"))));
  };
  const random = free.reduce((sum, cell) => sum + chanceOf(cell), 0) / free.length;
  const wise = free.find((cell) => hasWon(withMark(board, cell, "O"), "O")) ??
    free.find((cell) => hasWon(withMark(board, cell, "X"), "X"));
  const chance = wise === undefined ? random : THINKS * chanceOf(wise) + (1 - THINKS) * random;
  chances.set(board, chance);
  return chance;
}

// Boxes that draw a number.

const drawNumber: Solver = async (hand) => {
  const isDrawn = await look(hand, "an example", readExample);
  const boxes = allOf(await hand.lines(), /^checkbox$/);
  for (const [at, box] of boxes.slice(0, isDrawn.length).entries()) {
    if (isDrawn[at]) await hand.click(box);
  }
  await press(hand, "Submit");
};

/** Which of 7 lines of 4 squares are white. */
function readExample(picture: PagePicture): readonly boolean[] | undefined {
  const right = { ...AREA, left: AREA.right / 2 };
  const frame = findRegions(picture, isBlack, right)
    .find(({ box }) => widthOf(box) < 76 && heightOf(box) > 100 && heightOf(box) < 130);
  if (!frame) return undefined;
  const inside = boxAround(findRegions(picture, (rgb) => !isBlack(rgb), frame.box));
  return Array.from({ length: 28 }, (_, at) => {
    const x = inside.left + (at % 4 + 0.5) / 4 * widthOf(inside);
    const y = inside.top + (Math.floor(at / 4) + 0.5) / 7 * heightOf(inside);
    return isWhite(pixelAt(picture, x, y));
  });
}

export const GAME_SOLVERS: Readonly<Record<string, Solver>> = {
  "ascending-numbers": clickAscending,
  "hot-cold": findHot,
  "moving-items": clickMoving,
  "number-checkboxes": drawNumber,
  "simon-says": repeatLights,
  "tic-tac-toe": winTicTacToe,
};
