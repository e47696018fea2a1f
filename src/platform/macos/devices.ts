/** The input devices: all displays share one cursor and one keyboard. */

import { pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { available, missing } from "../capability.ts";
import type { HelperResult } from "../helper_program.ts";
import { splitIntoStrokes } from "../keys.ts";
import { PUT_BACK_AFTER_MS, SETTLE_MS } from "../timed_pasting.ts";
import type {
  Button,
  Key,
  Keyboard,
  Mouse,
  PixelWheel,
  PlanOptions,
  Point,
  TextPlan,
} from "../types/mod.ts";
import { runCliclick } from "./cliclick.ts";
import type { Desktop } from "./desktop.ts";
import { findMacKey } from "./mac_keys.ts";
import type { Placement } from "./screen.ts";
import { type Program, type Programs, runProgram } from "./programs.ts";
import type { StepQueue } from "./queue.ts";

/** The mouse of one display: converts its pixels to points, whose coordinates span all displays. */
export class MacosMouse implements Mouse {
  /** The event script sends up to ten in one event. */
  readonly notchesAtOnce = Number.POSITIVE_INFINITY;
  readonly pixels = available<PixelWheel>({
    scroll: ({ up, right }) =>
      this.queue.add({ kind: "event", event: { type: "wheel", up, right, unit: "pixel" } }),
  });

  /** @param placement returns the current placement of the display */
  constructor(private readonly queue: StepQueue, private readonly placement: () => Placement) {}

  /** On a Retina display one point covers several pixels; cliclick accepts whole points only. */
  move({ x, y }: Point): void {
    const { x: left, y: top, scale } = this.placement();
    const to = { x: left + Math.floor(x / scale), y: top + Math.floor(y / scale) };
    this.queue.add({ kind: "move", to });
  }

  press(button: Button): void {
    this.queue.add({ kind: "button", button, down: true });
  }

  release(button: Button): void {
    this.queue.add({ kind: "button", button, down: false });
  }

  /** Needs no pause: cliclick itself sets the click count of each press. */
  separate(_ms: number): void {}

  scroll({ up, right }: { readonly up: number; readonly right: number }): void {
    if (up === 0 && right === 0) return;
    this.queue.add({ kind: "event", event: { type: "wheel", up, right } });
  }

  async position(): Promise<Point> {
    const at = await this.queue.position();
    const { x, y, scale } = this.placement();
    return { x: (at.x - x) * scale, y: (at.y - y) * scale };
  }
}

/** The keyboard, through cliclick, which finds characters on the active layout itself. */
export class MacosKeyboard implements Keyboard {
  readonly heldByOthers = missing(
    "cliclick cannot report which modifiers are held down on other devices",
  );

  constructor(
    private readonly queue: StepQueue,
    private readonly programs: Programs,
    private readonly desktop: Desktop,
  ) {}

  prepare(keys: readonly Key[]): void {
    for (const key of keys) {
      if (findMacKey(key) !== undefined) continue;
      throw new ServiceError(
        "unsupported",
        `Cannot press "${key.name}": cliclick has no such key; characters can be typed with keyboard/type`,
      );
    }
  }

  press(key: Key): void {
    this.#add(key, true);
  }

  release(key: Key): void {
    this.#add(key, false);
  }

  async plan(text: string, options: PlanOptions = { delayMs: 0 }): Promise<TextPlan> {
    const { queue, programs } = this;
    const { layout } = await this.desktop.requireInput();
    return planText(text, { queue, programs, layout, options });
  }

  #add(key: Key, down: boolean): void {
    const found = findMacKey(key);
    if (found !== undefined) this.queue.add({ kind: "key", key: found, name: key.name, down });
  }
}

// Plans the typing of a text: characters that every layout types without a dead key go to cliclick,
// all others to the pasteboard.

interface TextDevices {
  readonly queue: StepQueue;
  readonly programs: Programs;
  /** `com.apple.keylayout.US`, or `null` when it is not known. */
  readonly layout: string | null;
  readonly options: PlanOptions;
}

/** One operation: lines of cliclick, or a paste. */
type Unit =
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | { readonly kind: "paste"; readonly text: string };

/** The approximate time that cliclick takes for a character. */
const CHARACTER_MS = 12;
/** Most characters of one operation, which cannot be interrupted; typing 40 takes half a second. */
const JOINED = { typed: 40, pasted: 1_000 } as const;
/**
 * Layouts on which every ASCII character is a key, with at most Shift or Option, and none is dead.
 */
const PLAIN_LAYOUTS = new Set(
  ["ABC", "Australian", "British", "British-PC", "Colemak", "DVORAK", "US", "USExtended"]
    .map((name) => `com.apple.keylayout.${name}`),
);
/** Dead keys on other layouts: they would change the next character, or type nothing. */
const MAY_BE_DEAD = /["'^`~]/;

/**
 * @throws FieldError on `text` for control characters and lone surrogates
 * @throws ServiceError `unsupported` for a secret that would need the pasteboard, which other
 * programs can read
 */
function planText(text: string, devices: TextDevices): TextPlan {
  const { queue, programs, layout, options } = devices;
  const isPlain = PLAIN_LAYOUTS.has(layout ?? "") ? isAscii : isSafe;
  const strokes = splitIntoStrokes(text);
  const units = options.delayMs <= CHARACTER_MS
    ? joinLines(splitIntoParts(strokes, isPlain).map(toUnit))
    : strokes.map((stroke) => toUnit({ text: stroke, pasted: !isPlain(stroke) }));
  if (units.some(({ kind }) => kind === "paste")) {
    if (options.isSecret) throw new ServiceError("unsupported", ONLY_PASTED);
    if (options.keysOnly) throw new ServiceError("unsupported", KEYS_ALONE);
  }
  const pasting = new TextPasting(programs);
  return {
    length: units.length,
    sliceSize: 1,
    async send(from, to, signal) {
      for (const unit of units.slice(from, to)) {
        if (unit.kind === "lines") await queue.type(unit.lines);
        else {await queue.run((stop) =>
            pasting.paste(unit.text, signal ? AbortSignal.any([stop, signal]) : stop)
          );}
      }
    },
    [Symbol.asyncDispose]: () => pasting[Symbol.asyncDispose](),
  };
}

const KEYS_ALONE =
  "Nothing was typed: this layout lacks characters of the text: switch to a layout such as ABC, " +
  'or set method to "auto", which pastes';

const ONLY_PASTED =
  "Nothing was typed: this layout lacks characters of the stored value, and the pasteboard, " +
  "which other programs can read, is not used for secrets: switch to a layout such as ABC, and " +
  "use ASCII characters in the value";

interface Part {
  /** An Enter, a Tab, or a text without either. */
  readonly text: string;
  readonly pasted: boolean;
}

/**
 * Enter and Tab are parts of their own; a text between them is pasted whole if cliclick cannot type
 * all of it.
 */
function splitIntoParts(strokes: readonly string[], isPlain: (stroke: string) => boolean): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < strokes.length;) {
    const end = strokes.findIndex((stroke, i) => i >= at && isKey(stroke));
    const between = strokes.slice(at, end < 0 ? undefined : end);
    const pasted = !between.every(isPlain);
    const size = JOINED[pasted ? "pasted" : "typed"];
    for (let from = 0; from < between.length; from += size) {
      parts.push({ text: between.slice(from, from + size).join(""), pasted });
    }
    if (end < 0) return parts;
    parts.push({ text: strokes[end]!, pasted: false });
    at = end + 1;
  }
  return parts;
}

function toUnit({ text, pasted }: Part): Unit {
  if (text === "\n") return { kind: "lines", lines: ["kp:return"] };
  if (text === "\t") return { kind: "lines", lines: ["kp:tab"] };
  return pasted ? { kind: "paste", text } : { kind: "lines", lines: splitIntoLines(text) };
}

/**
 * Splits around two limits of cliclick: it drops spaces at the end of a command, and it refuses a
 * `t:` that consists of spaces only.
 */
function splitIntoLines(text: string): string[] {
  const typed = text.replace(/ +$/, "");
  const spaces = Array.from({ length: text.length - typed.length }, () => "kp:space");
  return [...(typed === "" ? [] : [`t:${typed}`]), ...spaces];
}

/** Joins neighbouring units into one process, up to its limit. */
function joinLines(units: readonly Unit[]): Unit[] {
  const joined: Unit[] = [];
  for (const unit of units) {
    const last = joined.at(-1);
    if (last?.kind !== "lines" || unit.kind !== "lines" || !fit(last.lines, unit.lines)) {
      joined.push(unit);
    } else joined[joined.length - 1] = { ...unit, lines: [...last.lines, ...unit.lines] };
  }
  return joined;
}

function fit(...lists: readonly (readonly string[])[]): boolean {
  const size = lists.flat().reduce(
    (sum, line) => sum + (line.startsWith("t:") ? line.length - 2 : 1),
    0,
  );
  return size <= JOINED.typed;
}

function isKey(stroke: string): boolean {
  return stroke === "\n" || stroke === "\t";
}

function isAscii(stroke: string): boolean {
  return isKey(stroke) || (stroke >= " " && stroke <= "~");
}

function isSafe(stroke: string): boolean {
  return isAscii(stroke) && !MAY_BE_DEAD.test(stroke);
}

// Types text by pasting: puts it on the pasteboard, pastes it, and restores the previous content.

const PASTE = ["kd:cmd", "t:v", "ku:cmd", `w:${SETTLE_MS}`];

/**
 * The pastes of one text; disposing restores what was on the pasteboard before. Restores only text:
 * a picture or a file that was there is lost.
 */
class TextPasting implements AsyncDisposable {
  #earlier: string | undefined;
  #last: string | undefined;
  #lastAt = 0;

  constructor(private readonly programs: Programs) {}

  /**
   * Pastes a text into the focused program.
   * @throws ServiceError `unavailable`, `permission_denied`; the reason of `signal`
   */
  async paste(text: string, signal: AbortSignal): Promise<void> {
    this.#earlier ??= (await this.#run("pbpaste", "be read")).stdout;
    signal.throwIfAborted();
    this.#last = text;
    await this.#run("pbcopy", "be written", text);
    signal.throwIfAborted();
    this.#lastAt = performance.now();
    try {
      await runCliclick(this.programs, PASTE, signal);
    } catch (error) {
      // only the first failure is reported
      await runCliclick(this.programs, ["ku:cmd"]).catch(() => {});
      throw error;
    }
  }

  /** Keeps what the user or a program has copied in the meantime. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#earlier === undefined || this.#last === undefined) return;
    const remainingMs = this.#lastAt + PUT_BACK_AFTER_MS - performance.now();
    await pause(remainingMs);
    const { stdout: now } = await this.#run("pbpaste", "be read");
    if (now === this.#last) await this.#run("pbcopy", "be put back", this.#earlier);
    this.#earlier = this.#last = undefined;
  }

  async #run(program: Program & `pb${string}`, what: string, stdin = ""): Promise<HelperResult> {
    const result = await runProgram({
      program: this.programs.find(program) ?? program,
      args: [],
      stdin,
      timeoutMs: this.programs.timeoutMs,
    });
    if (result.code === 0) return result;
    throw new ServiceError(
      "unavailable",
      `The pasteboard cannot ${what}: "${program}" ended with ${result.code}`,
    );
  }
}
