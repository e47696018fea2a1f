/** Solvers of the tasks that are about what is drawn: colours, shapes, angles and points. */

import { setTimeout as wait } from "node:timers/promises";
import { DRAG_SOLVERS, submit } from "./drag_solvers.ts";
import { type Figure, findFigures, glyphsIn, readFigure, readGlyphs, SIZES } from "./figures.ts";
import {
  type Hand,
  type Line,
  need,
  type PagePicture,
  type Point,
  type Solver,
  textIn,
} from "./hand.ts";
import {
  AREA,
  type Box,
  boxAround,
  colorNamed,
  findDiscs,
  findRegions,
  heightOf,
  isDark,
  isDrawn,
  largestRegion,
  middleOf,
  near,
  pixelAt,
  QUERY,
  type Region,
  rounded,
  toHex,
  type Wanted,
  widthOf,
} from "./pixels.ts";
import { leaveField } from "./form_parts.ts";
import { look } from "./visual_clicks.ts";

// Points, angles and lines in a drawing.

/** Where the pages draw, as far as their button does not cover it. */
const DRAWING: Box = { left: 2, top: 52, right: 152, bottom: 178 };
/** The pages draw a dot this far to the right of, and below, where they are clicked. */
const DOT_OFFSET = 2;

async function placeDot(hand: Hand, { x, y }: Point): Promise<void> {
  await hand.click(rounded({ x: x - DOT_OFFSET, y: y - DOT_OFFSET }));
  await submit(hand);
}

const isBlue: Wanted = ([red, green, blue]) => blue - Math.max(red, green) > 110;

/** The picture once it has the blue point, at which the lines to the black ones begin, and where that is. */
async function findVertex(
  hand: Hand,
): Promise<{ readonly picture: PagePicture; readonly vertex: Point }> {
  return await look(hand, "a blue point", (picture) => {
    const found = findRegions(picture, isBlue, DRAWING);
    return found.length > 0 ? { picture, vertex: middleOfRound(boxAround(found)) } : undefined;
  });
}

/** Also where the button covers the lower part. */
function middleOfRound(box: Box): Point {
  return { x: middleOf(box).x, y: box.top + widthOf(box) / 2 };
}

interface Direction {
  readonly x: number;
  readonly y: number;
}

function directionOf(from: Point, to: Point): Direction {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

/** The furthest point in a direction that is still in the drawing, up to 60 pixels away. */
function reach(from: Point, { x, y }: Direction): Point {
  for (let distance = 60; distance > 0; distance--) {
    const point = { x: from.x + distance * x, y: from.y + distance * y };
    if (isInDrawing(point)) return point;
  }
  return from;
}

/** Far enough inside for a dot. */
function isInDrawing({ x, y }: Point): boolean {
  const margin = 5;
  return x > DRAWING.left + margin && x < DRAWING.right - margin &&
    y > DRAWING.top + margin && y < DRAWING.bottom - margin;
}

/** The direction, of two opposite ones, that leads further before the drawing ends. */
function reachFurther(from: Point, { x, y }: Direction): Point {
  const distance = (to: Point) => Math.hypot(to.x - from.x, to.y - from.y);
  const [one, other] = [reach(from, { x, y }), reach(from, { x: -x, y: -y })];
  return distance(one) >= distance(other) ? one : other;
}

const bisectAngle: Solver = async (hand) => {
  const { picture, vertex } = await findVertex(hand);
  const [one, other] = findDiscs(picture, isDark, DRAWING);
  if (!one || !other) throw new Error("Two black points are needed");
  const [a, b] = [directionOf(vertex, one), directionOf(vertex, other)];
  const sum = { x: a.x + b.x, y: a.y + b.y };
  const isStraight = Math.hypot(sum.x, sum.y) < 0.1;
  const point = isStraight
    ? reachFurther(vertex, { x: -a.y, y: a.x })
    : reach(vertex, directionOf({ x: 0, y: 0 }, sum));
  await placeDot(hand, point);
};

const rightAngle: Solver = async (hand) => {
  const { picture, vertex } = await findVertex(hand);
  const [other] = findDiscs(picture, isDark, DRAWING);
  if (!other) throw new Error("A black point is needed");
  const { x, y } = directionOf(vertex, other);
  await placeDot(hand, reachFurther(vertex, { x: -y, y: x }));
};

const findMidpoint: Solver = async (hand) => {
  const points = findRegions(await hand.picture(), isDrawn, DRAWING);
  const [one, other] = points.map(({ box }) => middleOfRound(box));
  if (!one || !other) throw new Error("Two points are needed");
  await placeDot(hand, { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
};

const findCenter: Solver = async (hand) => {
  const circle = boxAround(findRegions(await hand.picture(), isDrawn, DRAWING));
  await placeDot(hand, middleOfRound(circle));
};

const drawCircle: Solver = async (hand) => {
  const marked = largestRegion(await hand.picture(), near(colorNamed("green"), 60));
  const [radius, steps] = [19, 40];
  const path = Array.from({ length: steps + 1 }, (_, step) => {
    const angle = 2 * Math.PI * step / steps;
    return rounded({
      x: marked.middle.x + radius * Math.cos(angle),
      y: marked.middle.y + radius * Math.sin(angle),
    });
  });
  await hand.drag(path);
  await submit(hand);
};

const drawLine: Solver = async (hand, { text }) => {
  const { middle } = largestRegion(await hand.picture(), near(colorNamed("purple"), 60));
  const { x, y } = rounded(middle);
  const path: Point[] = [];
  if (text.includes("horizontal")) {
    for (let along = 8; along <= 146; along += 3) path.push({ x: along, y });
  } else for (let down = 57; down <= 158; down += 3) path.push({ x, y: down });
  await hand.drag(path);
  await submit(hand);
};

const gridCoordinate: Solver = async (hand, { text }) => {
  const wanted = /\((-?\d),(-?\d)\)/.exec(text);
  if (!wanted) throw new Error("No coordinate is asked for");
  const points = await look(hand, "a grid", (picture) => {
    const found = findDiscs(picture, near(colorNamed("blue"), 60));
    return found.length > 0 ? found : undefined;
  });
  const between = (values: readonly number[], part: number) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return least + (most - least) * part;
  };
  await hand.click(rounded({
    x: between(points.map(({ x }) => x), (Number(wanted[1]) + 2) / 4),
    y: between(points.map(({ y }) => y), (2 - Number(wanted[2])) / 4),
  }));
};

// A shape that moves.

/** Aims at where the circle will be once the mouse has moved. */
const chaseCircle: Solver = async (hand, task) => {
  let last: { readonly point: Point; readonly time: number } | undefined;
  while (!task.isOver()) {
    const picture = await hand.picture();
    const time = performance.now();
    const circle = findRegions(picture, near(colorNamed("black"), 60)).find(({ box }) =>
      widthOf(box) > 30 && widthOf(box) < 50
    );
    if (circle === undefined) continue;
    const point = middleOf(circle.box);
    const ahead = last === undefined ? 0 : AHEAD_MS / (time - last.time);
    const from = last?.point ?? point;
    await hand.move(rounded({
      x: keepWithin(point.x + ahead * (point.x - from.x), 2, 158),
      y: keepWithin(point.y + ahead * (point.y - from.y), 52, 208),
    }));
    last = { point, time };
  }
};

/** Between two moves of the mouse, about. */
const AHEAD_MS = 60;

function keepWithin(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

// Figures in a grid.

interface Description {
  readonly size: string | undefined;
  readonly color: string | undefined;
  /** `item`, `shape`, `letter`, `digit`, or exactly what it is. */
  readonly kind: string;
}

/** @param text such as `large red item` */
function readDescription(text: string): Description {
  const words = text.trim().split(" ");
  const kind = words.pop() ?? "";
  const size = words.find((word) => word === "large" || word === "small");
  return { size, color: words.find((word) => word !== size), kind };
}

const FIGURES = { columns: 7, sizes: [SIZES.small, SIZES.large] } as const;

/** All figures that fit; what glyphs say is read only where it matters. */
async function findFitting(
  hand: Hand,
  task: Parameters<Solver>[1],
  { rows, description }: {
    readonly rows: readonly [first: number, last: number];
    readonly description: Description;
  },
): Promise<readonly Figure[]> {
  const { size, color, kind } = description;
  const figures = findFigures(await hand.picture(), { ...FIGURES, rows });
  const similar = figures.filter((figure) =>
    (size === undefined || figure.isLarge === (size === "large")) &&
    (color === undefined || figure.color === color)
  );
  if (kind === "item") return similar;
  if (kind === "shape") return similar.filter((figure) => figure.kind !== "glyph");
  if (/^(?:circle|rectangle|triangle)$/.test(kind)) {
    return similar.filter((figure) => figure.kind === kind);
  }
  if (!similar.some((figure) => figure.kind === "glyph")) return [];
  const characters = await readGlyphs(hand, task, figures.filter(isGlyph));
  return similar.filter((figure) => {
    const character = characters.get(figure);
    if (character === undefined) return false;
    if (kind === "letter") return /^[A-Za-z]$/.test(character);
    return kind === "digit" ? /^\d$/.test(character) : character === kind;
  });
}

function isGlyph({ kind }: Figure): boolean {
  return kind === "glyph";
}

const clickShape: Solver = async (hand, task) => {
  const description = readDescription(task.text.replace(/^Click on an? /, ""));
  const [figure] = await findFitting(hand, task, { rows: [0, 6], description });
  if (!figure) throw new Error("No such figure was found");
  const isThin = figure.kind === "glyph";
  await hand.click(isThin ? await inkNear(hand, figure.middle) : rounded(figure.middle));
};

/** A pixel of a glyph: it has holes. */
async function inkNear(hand: Hand, middle: Point): Promise<Point> {
  const box = { left: middle.x - 8, top: middle.y - 8, right: middle.x + 8, bottom: middle.y + 8 };
  const { middle: inside } = largestRegion(await hand.picture(), isDrawn, box);
  return rounded(inside);
}

const countShape: Solver = async (hand, task) => {
  const asked = /How many (.*)s are there/.exec(task.text)?.[1] ?? "";
  const description = readDescription(asked);
  const figures = await findFitting(hand, task, { rows: [0, 5], description });
  await hand.click(needExactly(await hand.lines(), String(figures.length)));
};

function needExactly(lines: readonly Line[], name: string): Line {
  return need(lines, /button/, new RegExp(`^\\s*${name}\\s*$`));
}

const identifyShape: Solver = async (hand) => {
  const lines = await hand.lines();
  const [glyph] = glyphsIn(lines);
  const drawn = glyph === undefined ? await readSingleShape(hand) : textIn(glyph).trim();
  const name = drawn.length > 1 ? drawn : /\d/.test(drawn) ? "number" : "letter";
  await hand.click(need(lines, /button/, new RegExp(`^${name}$`, "i")));
};

async function readSingleShape(hand: Hand): Promise<string> {
  const picture = await hand.picture();
  const shown = { left: 0, top: 52, right: 160, bottom: 118 };
  const { box } = largestRegion(picture, isDrawn, shown);
  const figure = readFigure(picture, rounded(middleOf(box)), [30]);
  if (!figure || figure.kind === "glyph") throw new Error("The shape is not known");
  return figure.kind;
}

/** The area inside the outline tells how many sides there are: a polygon's corners lie on the same circle. */
const countSides: Solver = async (hand) => {
  const picture = await hand.picture();
  const canvas = { left: 2, top: 52, right: 152, bottom: 152 };
  const outline = largestRegion(picture, isDark, canvas);
  const inside =
    findRegions(picture, (rgb) => !isDark(rgb), canvas).filter(({ box }) =>
      box.left > outline.box.left && box.right < outline.box.right
    ).toSorted((one, other) => other.area - one.area)[0];
  if (!inside) throw new Error("The outline is not closed");
  const difference = (sides: number) => Math.abs(inside.area - areaInside(sides));
  const [sides] = [3, 4, 5, 6, 7].toSorted((one, other) => difference(one) - difference(other));
  await hand.click(needExactly(await hand.lines(), String(sides)));
};

/** Within the stroke of a polygon as the page draws it. */
function areaInside(sides: number): number {
  const [radius, stroke] = [35, 3];
  const apothem = radius * Math.cos(Math.PI / sides) - stroke / 2;
  return sides * Math.tan(Math.PI / sides) * apothem ** 2;
}

// Colours.

const clickColor: Solver = async (hand, { text }) => {
  const name = /Click on the (\w+) colored box/.exec(text)?.[1] ?? "";
  const box = findRegions(await hand.picture(), near(colorNamed(name))).find(({ box, area }) =>
    Math.abs(widthOf(box) - 50) <= 2 && Math.abs(heightOf(box) - 50) <= 2 && area > 2_000
  );
  if (!box) throw new Error(`No box is ${name}`);
  await hand.click(rounded(box.middle));
};

const clickShades: Solver = async (hand, { text }) => {
  const wanted = ["red", "green", "blue"].findIndex((name) => text.includes(`of ${name} `));
  const picture = await hand.picture();
  const isColored: Wanted = (rgb) => Math.max(...rgb) - Math.min(...rgb) >= 8;
  const shades = findRegions(picture, isColored).filter(isSmallSquare);
  for (const { middle } of shades) {
    const rgb = pixelAt(picture, middle.x, middle.y);
    if (rgb[wanted] === Math.max(...rgb)) await hand.click(rounded(middle));
  }
  await submit(hand);
};

function isSmallSquare({ box }: Region): boolean {
  return [widthOf(box), heightOf(box)].every((side) => side >= 10 && side <= 14);
}

const chooseNamedColor: Solver = async (hand, { text }) => {
  const name = /Select (\w+) with/.exec(text)?.[1] ?? "";
  await chooseColor(hand, toHex(colorNamed(name)));
};

/** The colour is shown in a small box with a black border, in the text. */
const chooseShownColor: Solver = async (hand) => {
  const picture = await hand.picture();
  const frame = findRegions(picture, near([0, 0, 0], 60), QUERY).find(({ box }) =>
    widthOf(box) === 12 && heightOf(box) === 12
  );
  if (!frame) throw new Error("No colour is shown");
  const { x, y } = middleOf(frame.box);
  await chooseColor(hand, toHex(pixelAt(picture, x, y)));
};

async function chooseColor(hand: Hand, hex: string): Promise<void> {
  await hand.fill(need(await hand.lines(), /textbox/), hex);
  await hand.click(BESIDE_PICKER); // which covers the button until then
  await submit(hand);
}

const BESIDE_PICKER: Point = { x: 156, y: 56 };

const addBlocks: Solver = async (hand) => {
  const blocks = findRegions(await hand.picture(), near([0x7f, 0xb0, 0xff])).filter(isSmallSquare);
  await hand.fill(need(await hand.lines(), /textbox/), String(blocks.length));
  await leaveField(hand);
  await submit(hand);
};

// A menu of slices around a button.

/**
 * The page appends its first slice anew with each motion over it, and loses the press, except while the menu
 * opens: that slice, the last one in the page, is pressed below the middle before it is still.
 */
const clickPie: Solver = async (hand, { text }) => {
  const item = /labeled "(.)"/.exec(text)?.[1] ?? "";
  const isFirst = textIn(glyphsIn(await hand.lines()).at(-1)!).trim() === item;
  const opener = largestRegion(await hand.picture(), isDrawn, AREA);
  const { x, y } = rounded(middleOf(opener.box));
  await hand.click({ x, y });
  await wait(isFirst ? ALMOST_OPEN_MS : OPEN_MS);
  if (isFirst) return await hand.click({ x, y: y + 50 });
  const slice = glyphsIn(await hand.lines()).findLast((line) => textIn(line).trim() === item);
  if (!slice) throw new Error(`No slice says ${item}`);
  await hand.click(slice);
};

const OPEN_MS = 1_600;
const ALMOST_OPEN_MS = 700;

export const SHAPE_SOLVERS: Readonly<Record<string, Solver>> = {
  "bisect-angle": bisectAngle,
  "chase-circle": chaseCircle,
  "circle-center": findCenter,
  "click-color": clickColor,
  "click-pie": clickPie,
  "click-pie-nodelay": clickPie,
  "click-shades": clickShades,
  "click-shape": clickShape,
  "count-shape": countShape,
  "count-sides": countSides,
  "draw-circle": drawCircle,
  "draw-line": drawLine,
  "find-midpoint": findMidpoint,
  "grid-coordinate": gridCoordinate,
  "identify-shape": identifyShape,
  "right-angle": rightAngle,
  "use-colorwheel": chooseNamedColor,
  "use-colorwheel-2": chooseShownColor,
  "visual-addition": addBlocks,
  ...DRAG_SOLVERS,
};
