/**
 * Queues input steps and runs them in helper processes: one process for each operation, in the
 * order of sending.
 */

import { ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { ProcessQueue } from "../process_queue.ts";
import type { Button, Point } from "../types/mod.ts";
import { type Job, type MacEvent, readPosition, runJob } from "./cliclick.ts";
import { type MacKey, type Modifier, MODIFIERS } from "./mac_keys.ts";
import type { Programs } from "./programs.ts";

/** Released on every `releaseAll`, no matter which program pressed it. */
const ALWAYS: Pressed = {
  buttons: new Set(["left"]),
  codes: new Set(),
  modifiers: new Set(MODIFIERS),
};

export class StepQueue implements AsyncDisposable {
  readonly #queue: ProcessQueue<Step>;
  /** All displays share one cursor and keyboard. */
  readonly #lane = new Semaphore({ capacity: 1 });
  #pressed: Pressed = NOTHING_PRESSED;
  /** Whatever a failed release may have left down; the next process releases it first. */
  #owed: Pressed = NOTHING_PRESSED;

  /**
   * @param check throws when macOS would discard the input; old versions of cliclick do not report
   * that
   */
  constructor(private readonly programs: Programs, private readonly check: () => void) {
    this.#queue = new ProcessQueue({
      lane: this.#lane,
      runSteps: (steps, signal) => this.#prepared(() => this.#runSteps(steps, signal)),
      closed: "The service is ending: no more input",
    });
  }

  add(step: Step): void {
    this.#queue.add(step);
  }

  /**
   * Ends the operation: later steps belong to another one. Resolves when all steps sent so far are
   * done.
   * @throws ServiceError the first failure since the last confirmation.
   */
  confirm(): Promise<void> {
    this.#queue.cut();
    return this.#queue.confirm();
  }

  /** Runs `task` after everything sent so far. */
  run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#queue.run((signal) => this.#prepared(() => task(signal)));
  }

  /** Types: runs lines of cliclick as one process, after everything sent so far. */
  type(lines: readonly string[]): Promise<void> {
    return this.run(async (signal) => {
      const job: Job = { program: "cliclick", lines };
      try {
        await runJob(this.programs, job, signal);
      } catch (error) {
        await this.#undo([job], error);
        throw error;
      }
    });
  }

  /** The position of the cursor after the steps sent so far; does not wait for text being typed. */
  async position(): Promise<Point> {
    this.#queue.cut();
    await this.#queue.settled();
    return await readPosition(this.programs);
  }

  /** Drops pending work, aborts what runs, and releases everything. */
  async releaseAll(): Promise<void> {
    await this.#queue.drop();
    await this.#lane.run(() => {
      const all = both(ALWAYS, this.#pressed);
      this.#pressed = NOTHING_PRESSED;
      return this.#releaseAll(all);
    });
  }

  /**
   * Drops and aborts in the same way, without a release, and rejects everything that is sent later.
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#queue[Symbol.asyncDispose]();
  }

  async #prepared<T>(task: () => Promise<T>): Promise<T> {
    this.check();
    // a failed release is not this caller's error
    await this.#releaseAll(NOTHING_PRESSED).catch(() => {});
    return await task();
  }

  async #runSteps(steps: readonly Step[], signal: AbortSignal): Promise<void> {
    const { jobs, pressed } = planJobs(steps, this.#pressed);
    try {
      for (const job of jobs) {
        signal.throwIfAborted();
        await runJob(this.programs, job, signal);
      }
    } catch (error) {
      await this.#undo(jobs, error);
      throw error;
    }
    this.#pressed = pressed;
    this.#owed = without(this.#owed, pressed);
  }

  /** Releases everything that a failed operation may have left down. */
  async #undo(jobs: readonly Job[], error: unknown): Promise<void> {
    if (isRefused(error)) return; // nothing was pressed
    const touched = both(touchedBy(jobs), without(typedBy(jobs), this.#pressed));
    this.#pressed = without(this.#pressed, touched);
    await this.#releaseAll(touched).catch(() => {}); // only the first failure is reported
  }

  /** Releases `what` and everything still owed; a process that fails does not stop the others. */
  async #releaseAll(what: Pressed): Promise<void> {
    this.#owed = both(what, this.#owed);
    const failures: unknown[] = [];
    for (const job of planReleases(this.#owed)) {
      try {
        await runJob(this.programs, job);
      } catch (error) {
        // without the permission nothing can have been pressed
        if (!isRefused(error)) {
          failures.push(error);
          continue;
        }
      }
      this.#owed = without(this.#owed, touchedBy([job]));
    }
    if (failures.length > 0) throw failures[0];
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "permission_denied";
}

// The steps of the input ports, and the processes that perform them: lines for cliclick, events
// where it has no command.

/** Coordinates are in points and span all displays. */
type Step =
  | { readonly kind: "move"; readonly to: Point }
  | { readonly kind: "button"; readonly button: Button; readonly down: boolean }
  | { readonly kind: "event"; readonly event: MacEvent }
  | { readonly kind: "key"; readonly key: MacKey; readonly name: string; readonly down: boolean };

/** The cliclick commands for a click, a double click and a triple click. */
const CLICKS: Readonly<Partial<Record<Button, readonly (string | undefined)[]>>> = {
  left: [undefined, "c", "dc", "tc"],
  right: [undefined, "rc"],
};
const MAX_CLICKS = 3;

/**
 * Plans the processes for steps that belong together, and what is down after them.
 * @throws ServiceError `unsupported`: a key that cannot be held; then no step is performed.
 */
function planJobs(
  steps: readonly Step[],
  pressed: Pressed,
): { readonly jobs: readonly Job[]; readonly pressed: Pressed } {
  const planner = new Planner(pressed);
  for (let rest = steps; rest.length > 0;) rest = rest.slice(planner.take(rest));
  return { jobs: planner.jobs, pressed: planner.pressed };
}

class Planner {
  readonly jobs: Job[] = [];
  readonly #buttons: Set<Button>;
  readonly #codes: Set<number>;
  readonly #modifiers: Set<Modifier>;
  /** The position that these steps have set; until then ".", the current one to cliclick. */
  #at = ".";

  constructor({ buttons, codes, modifiers }: Pressed) {
    this.#buttons = new Set(buttons);
    this.#codes = new Set(codes);
    this.#modifiers = new Set(modifiers);
  }

  get pressed(): Pressed {
    return { buttons: this.#buttons, codes: this.#codes, modifiers: this.#modifiers };
  }

  /** Plans the first steps and returns how many it has used. */
  take(steps: readonly Step[]): number {
    const step = steps[0]!;
    switch (step.kind) {
      case "move":
        // a move followed by another has no effect, except in a drag
        if (steps[1]?.kind !== "move" || this.#buttons.size > 0) this.#move(step.to);
        return 1;
      case "event":
        this.#post(step.event);
        return 1;
      case "button":
        return this.#button(step, steps);
      case "key":
        return this.#key(step, steps);
    }
  }

  #move({ x, y }: Point): void {
    const held = [...this.#buttons].at(-1);
    this.#at = `${coordinate(x)},${coordinate(y)}`;
    if (held === undefined) this.#line(`m:${this.#at}`);
    else if (held === "left") this.#line(`dm:${this.#at}`);
    else this.#post({ type: "move", button: BUTTON_NUMBERS[held], x, y });
  }

  #button(step: Step & { kind: "button" }, steps: readonly Step[]): number {
    const { button, down } = step;
    const clicks = down ? clicksAtStart(steps, button) : 0;
    const command = CLICKS[button]?.[clicks];
    if (command !== undefined) {
      this.#line(`${command}:${this.#at}`);
      return 2 * clicks;
    }
    if (clicks > 1) { // there is no cliclick command for this button
      for (let press = 1; press <= clicks; press++) {
        for (const down of [true, false]) {
          this.#post({ type: "button", button: BUTTON_NUMBERS[button], down, press });
        }
      }
      return 2 * clicks;
    }
    if (down) this.#buttons.add(button);
    else this.#buttons.delete(button);
    if (button === "left") this.#line(`${down ? "dd" : "du"}:${this.#at}`);
    else this.#post({ type: "button", button: BUTTON_NUMBERS[button], down });
    return 1;
  }

  #key(step: Step & { kind: "key" }, steps: readonly Step[]): number {
    const { key, down } = step;
    if (key.kind === "modifier") {
      if (down) this.#modifiers.add(key.modifier);
      else this.#modifiers.delete(key.modifier);
      this.#line(`${down ? "kd" : "ku"}:${key.modifier}`);
      return 1;
    }
    const tapped = down && isRelease(steps[1], step);
    if (tapped && key.kind === "character") this.#line(`t:${key.character}`);
    else if (tapped && key.kind === "named" && key.kp !== undefined) this.#line(`kp:${key.kp}`);
    else this.#hold(step);
    return tapped && !(key.kind === "named" && key.kp === undefined) ? 2 : 1;
  }

  #hold({ key, name, down }: Step & { kind: "key" }): void {
    const code = key.kind === "named" ? key.code : undefined;
    if (code === undefined) {
      if (!down) return; // pressing it was refused
      throw new ServiceError(
        "unsupported",
        `Cannot hold "${name}" down: cliclick holds only alt, command, control and shift; tap it instead`,
      );
    }
    if (down) this.#codes.add(code);
    else if (!this.#codes.delete(code)) return;
    this.#post({ type: "key", code, down });
  }

  #line(line: string): void {
    const last = this.jobs.at(-1);
    if (last?.program === "cliclick") (last.lines as string[]).push(line);
    else this.jobs.push({ program: "cliclick", lines: [line] });
  }

  #post(event: MacEvent): void {
    const last = this.jobs.at(-1);
    if (last?.program === "osascript") (last.events as MacEvent[]).push(event);
    else this.jobs.push({ program: "osascript", events: [event] });
  }
}

/** An absolute coordinate for cliclick: a bare minus would make it relative. */
function coordinate(value: number): string {
  return value < 0 ? `=${value}` : String(value);
}

/** The number of clicks of a button that begin here, at most the three of a triple click. */
function clicksAtStart(steps: readonly Step[], button: Button): number {
  const isClick = (at: number) =>
    [true, false].every((down, i) => {
      const step = steps[at + i];
      return step?.kind === "button" && step.button === button && step.down === down;
    });
  let clicks = 0;
  while (clicks < MAX_CLICKS && isClick(2 * clicks)) clicks++;
  return clicks;
}

function isRelease(step: Step | undefined, { key }: Step & { kind: "key" }): boolean {
  if (step?.kind !== "key" || step.down) return false;
  const other = step.key;
  if (key.kind === "character") {
    return other.kind === "character" && other.character === key.character;
  }
  return key.kind === "named" && other.kind === "named" && other.kp === key.kp &&
    other.code === key.code;
}

// Tracks which buttons and keys this service holds down, and plans the processes that release them.

interface Pressed {
  readonly buttons: ReadonlySet<Button>;
  /** Key codes. */
  readonly codes: ReadonlySet<number>;
  readonly modifiers: ReadonlySet<Modifier>;
}

const NOTHING_PRESSED: Pressed = {
  buttons: new Set(),
  codes: new Set(),
  modifiers: new Set(),
};

/** CGMouseButton. */
const BUTTON_NUMBERS = {
  left: 0,
  right: 1,
  middle: 2,
  back: 3,
  forward: 4,
} satisfies Readonly<Record<Button, number>>;

const BUTTONS = Object.keys(BUTTON_NUMBERS) as Button[];

/** The pressed keys and buttons without the released ones. */
export function without(pressed: Pressed, released: Pressed): Pressed {
  return {
    buttons: pressed.buttons.difference(released.buttons),
    codes: pressed.codes.difference(released.codes),
    modifiers: pressed.modifiers.difference(released.modifiers),
  };
}

/** The union of two sets of pressed keys and buttons. */
function both(one: Pressed, other: Pressed): Pressed {
  return {
    buttons: one.buttons.union(other.buttons),
    codes: one.codes.union(other.codes),
    modifiers: one.modifiers.union(other.modifiers),
  };
}

/** The modifiers that `t:` presses for a character, and leaves down if it is killed. */
function typedBy(jobs: readonly Job[]): Pressed {
  const types = jobs.some((job) =>
    job.program === "cliclick" && job.lines.some((line) => line.startsWith("t:"))
  );
  return { ...NOTHING_PRESSED, modifiers: new Set(types ? ["alt", "shift"] : []) };
}

/** Everything that jobs may have left down when they did not complete. */
function touchedBy(jobs: readonly Job[]): Pressed {
  const lines = jobs.flatMap((job) => job.program === "cliclick" ? job.lines : []);
  const events = jobs.flatMap((job) => job.program === "osascript" ? job.events : []);
  const numbers = new Set(events.flatMap((event) => "button" in event ? event.button : []));
  const keys = lines.filter((line) => /^k[du]:/.test(line))
    .flatMap((line) => line.slice(3).split(","));
  return {
    buttons: new Set(BUTTONS.filter((button) =>
      numbers.has(BUTTON_NUMBERS[button]) ||
      (button === "left" && lines.some((line) => /^d[dmu]:/.test(line)))
    )),
    codes: new Set(events.flatMap((event) => event.type === "key" ? event.code : [])),
    modifiers: new Set(MODIFIERS.filter((modifier) => keys.includes(modifier))),
  };
}

/** Plans the processes that release these keys and buttons. */
function planReleases({ buttons, codes, modifiers }: Pressed): Job[] {
  const lines = [
    ...(modifiers.size > 0 ? [`ku:${[...modifiers].join()}`] : []),
    ...(buttons.has("left") ? ["du:."] : []),
  ];
  const others = [...buttons].filter((button) => button !== "left");
  const events: MacEvent[] = [
    ...[...codes].map((code) => ({ type: "key", code, down: false }) as const),
    ...others.map((button) =>
      ({ type: "button", button: BUTTON_NUMBERS[button], down: false }) as const
    ),
  ];
  return [
    ...(lines.length > 0 ? [{ program: "cliclick", lines } as const] : []),
    ...(events.length > 0 ? [{ program: "osascript", events } as const] : []),
  ];
}
