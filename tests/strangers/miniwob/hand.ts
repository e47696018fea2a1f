/**
 * What the solvers look at a page with and act on it with: the operations of the service, once those of
 * the browser, once mouse, keyboard and elements of the desktop.
 */

import { decode } from "fast-png";

/** Pixels of the page's viewport. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A part of the viewport. */
export interface Part extends Point {
  readonly width: number;
  readonly height: number;
}

/** An element by its `ref`, or a point of the page. */
export type Target = Line | Point;

/** A line of a snapshot, with what is inside it. */
export interface Line {
  readonly ref: string | undefined;
  /** `text` is a text without a ref. */
  readonly role: string;
  readonly name: string;
  readonly value: string;
  readonly states: readonly string[];
  readonly parent: Line | undefined;
  readonly inside: readonly Line[];
}

/** 3 bytes for each pixel: red, green, blue. */
export interface PagePicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

export interface ClickOptions {
  readonly times?: 1 | 2 | 3;
  /** `ctrl`, `shift` */
  readonly modifiers?: readonly string[];
}

export interface Hand {
  /** All elements and texts of the page, in its order. */
  lines(): Promise<readonly Line[]>;
  /** What is visible of the page, or of a part of it, which takes less time; its left upper corner is that of the viewport, or the part. */
  picture(part?: Part): Promise<PagePicture>;
  click(target: Target, options?: ClickOptions): Promise<void>;
  /** Moves the mouse. */
  move(target: Target): Promise<void>;
  /** Presses the left button at the target; `up` releases it. */
  down(target: Target): Promise<void>;
  up(target: Target): Promise<void>;
  /** Presses at the first point, moves through all, and releases. */
  drag(path: readonly Point[]): Promise<void>;
  /** Turns the wheel over the target; positive scrolls up. */
  scroll(target: Target, notches: number): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  /** A key or a combination: `Enter`, `ctrl+a`. */
  key(key: string, repeat?: number): Promise<void>;
  /** Replaces the content of a field; chooses an option of a list by its label. */
  fill(field: Line, value: string): Promise<void>;
}

/** An episode as a solver has it. */
export interface Task {
  /** What the page asks for. */
  readonly text: string;
  /** Whether the page has judged already. */
  isOver(): boolean;
}

/** Does what an episode asks for; it may throw where it cannot. */
export type Solver = (hand: Hand, task: Task) => Promise<void>;

/** Reads the text of a snapshot. */
export function parseLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  const open: { readonly level: number; readonly line: Line; readonly inside: Line[] }[] = [];
  for (const each of text.split("\n")) {
    const found = /^( *)- ([\w-]+):?(?: ("(?:[^"\\]|\\.)*"))?((?: \[[^\]]*\])*)(?:: (.*))?$/.exec(
      each,
    );
    if (!found) continue;
    const [, indent = "", role = "", name, marks = "", value] = found;
    while (open.length > 0 && open.at(-1)!.level >= indent.length) open.pop();
    const states = [...marks.matchAll(/\[([^\]]*)\]/g)].map(([, mark = ""]) => mark);
    const inside: Line[] = [];
    const line: Line = {
      ref: states.find((state) => state.startsWith("ref="))?.slice("ref=".length),
      role,
      name: unquote(name),
      value: unquote(value),
      states: states.filter((state) => !state.startsWith("ref=")),
      parent: open.at(-1)?.line,
      inside,
    };
    open.at(-1)?.inside.push(line);
    open.push({ level: indent.length, line, inside });
    lines.push(line);
  }
  return lines;
}

function unquote(text: string | undefined): string {
  if (text === undefined) return "";
  return text.startsWith('"') ? JSON.parse(text) : text;
}

/** All texts in an element, one after the other. */
export function textIn(line: Line): string {
  if (line.role === "text") return line.name;
  const inside = line.inside.map(textIn).filter((text) => text !== "").join(" ");
  return inside === "" ? line.name : inside;
}

/** The only element of a role with a name, or the first whose name has that in it. @throws Error when there is none */
export function need(lines: readonly Line[], role: RegExp, name?: string | RegExp): Line {
  const fitting = lines.filter((line) => line.ref !== undefined && role.test(line.role));
  const wanted = typeof name === "string" ? name.trim() : name;
  const found = typeof wanted === "string"
    ? fitting.find((line) => line.name.trim() === wanted) ??
      fitting.find((line) => textIn(line).trim() === wanted) ??
      fitting.find((line) => line.name.includes(wanted))
    : fitting.find((line) => wanted === undefined || wanted.test(line.name || textIn(line)));
  if (!found) {
    throw new Error(`No ${role} ${name ?? ""} among\n${fitting.map(describe).join("\n")}`);
  }
  return found;
}

function describe({ role, name, value }: Line): string {
  return `${role} ${JSON.stringify(name)} ${value}`;
}

export function isLine(target: Target): target is Line {
  return "role" in target;
}

/** A PNG file of 8 bits per sample, with or without transparency. */
export function readPng(file: Uint8Array): PagePicture {
  const { width, height, channels, data } = decode(file);
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let each = 0; each < 3; each++) rgb[3 * pixel + each] = data[channels * pixel + each]!;
  }
  return { width, height, rgb };
}
