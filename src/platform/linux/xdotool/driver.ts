/**
 * Input through the xdotool program instead of the built-in driver: one process per batch of
 * commands.
 */

import { ServiceError } from "../../../core/errors.ts";
import { Semaphore } from "../../../core/locks.ts";
import { runHelper } from "../../helper_program.ts";
import { available, missing } from "../../capability.ts";
import { splitIntoStrokes } from "../../keys.ts";
import { ProcessQueue } from "../../process_queue.ts";
import type {
  Available,
  Button,
  Input,
  Key,
  Keyboard,
  Mouse,
  Point,
  TextPlan,
} from "../../types/mod.ts";
import type { LinuxDisplay } from "../linux_display.ts";
import { BUTTONS, WHEEL } from "../x11/mouse.ts";

/**
 * The same display, with input through xdotool. Differences from the built-in driver:
 * - a batch of commands is one process (about 3 ms instead of 30 µs); commands that arrive while
 *   one runs wait for it and go into the next;
 * - a character that is not on the layout is mapped only for its own stroke, so a program that
 *   reads the map late loses it; runs of characters beyond ASCII are therefore typed at 100 ms
 *   each;
 * - it cannot detect that a person holds a modifier, so nothing waits for the release: for a text
 *   the modifiers are released and pressed again afterwards, a single key is pressed with them;
 * - typing turns Caps Lock off and leaves it off;
 * - an error is noticed when the process ends, not at the command that failed;
 * - release-all and closing the display drop the waiting commands and let the running process
 *   finish its few strokes, or kill it when it hangs.
 */
export function withXdotool(display: LinuxDisplay, xDisplay: string): LinuxDisplay {
  const input = createXdotoolInput(xDisplay);
  const own = {
    input: available(input),
    // what xdotool holds down does not depend on this connection
    onLoss: (listener) => display.onLoss?.(() => listener({ mayBePressed: true })),
    async [Symbol.asyncDispose]() {
      try {
        await input[Symbol.asyncDispose]();
      } finally {
        await display[Symbol.asyncDispose]();
      }
    },
  } satisfies Partial<LinuxDisplay>;
  return Object.setPrototypeOf(own, display); // which has everything else
}

export interface XdotoolInput extends Input, AsyncDisposable {
  readonly keyboard: Available<XdotoolKeyboard>;
}

/** Creates the input; disposing it ends its processes. */
export function createXdotoolInput(xDisplay: string): XdotoolInput {
  const queue = new CommandQueue(xDisplay);
  const mouse = new XdotoolMouse(queue);
  const keyboard = new XdotoolKeyboard(queue);
  return {
    driver: "xdotool",
    mouse,
    keyboard: available(keyboard),
    confirm: () => queue.confirm(),
    async releaseAll() {
      await queue.drop();
      keyboard.releaseAll();
      mouse.releaseAll();
      await queue.confirm();
    },
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}

// The keyboard through xdotool, which finds keys and their modifiers itself.

/** X keycodes are 8 to 255; xdotool would read 8 and 9 (Escape) as the digit keys. */
const KEYCODES = Array.from({ length: 246 }, (_, index) => String(index + 10));

class XdotoolKeyboard implements Keyboard {
  readonly heldByOthers = missing(
    "xdotool cannot report which modifiers are held down on other devices",
  );

  constructor(private readonly queue: CommandQueue) {}

  /** xdotool maps a missing symbol itself when it presses it. */
  prepare(_keys: readonly Key[]): void {}

  press(key: Key): void {
    this.queue.add(["keydown", "--delay", "0", xdotoolSymbol(key)]);
  }

  release(key: Key): void {
    this.queue.add(["keyup", "--delay", "0", xdotoolSymbol(key)]);
  }

  plan(text: string): Promise<TextPlan> {
    return Promise.resolve().then(() => planText(this.queue, text));
  }

  releaseAll(): void {
    this.queue.add(["keyup", "--delay", "0", "Escape", ...KEYCODES]);
  }
}

/**
 * The keysym as a hexadecimal number, which works for every symbol; a bare digit would be read as a
 * keycode.
 */
function xdotoolSymbol({ keysym }: Key): string {
  return `0x${keysym.toString(16)}`;
}

// Splits a text into strokes that xdotool types in runs.

/**
 * Milliseconds per stroke in a run of characters beyond ASCII. xdotool maps a missing character,
 * presses it and removes the mapping again; a program that reads the map later does not find the
 * character.
 */
const BEYOND_ASCII_DELAY_MS = 100;
/**
 * The most strokes per process, which cannot be stopped midway: well under a second for either
 * kind.
 */
const STROKES_PER_PROCESS = { ascii: 200, beyondAscii: 5 } as const;

/** @throws FieldError on `text` for control characters and lone surrogates. */
function planText(queue: CommandQueue, text: string): TextPlan {
  const strokes = splitIntoStrokes(text);
  return {
    length: strokes.length,
    sliceSize: strokes.some(isBeyondAscii)
      ? STROKES_PER_PROCESS.beyondAscii
      : STROKES_PER_PROCESS.ascii,
    async send(from, to) {
      await queue.runEach(...groupIntoRuns(strokes.slice(from, to)).map(describeProcess));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function isBeyondAscii(stroke: string): boolean {
  return stroke.codePointAt(0)! > 0x7e;
}

interface Run {
  readonly kind: keyof typeof STROKES_PER_PROCESS;
  readonly strokes: string[];
}

/** Adjacent strokes of the same kind go into one process, up to its limit. */
function groupIntoRuns(strokes: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (const stroke of strokes) {
    const kind = isBeyondAscii(stroke) ? "beyondAscii" : "ascii";
    const last = runs.at(-1);
    if (last?.kind === kind && last.strokes.length < STROKES_PER_PROCESS[kind]) {
      last.strokes.push(stroke);
    } else {
      runs.push({ kind, strokes: [stroke] });
    }
  }
  return runs;
}

function describeProcess({ kind, strokes }: Run): XdotoolProcess {
  const delay = String(kind === "beyondAscii" ? BEYOND_ASCII_DELAY_MS : 0);
  // Modifiers that are held down are released for the run and pressed again; Caps Lock stays off.
  const args = ["type", "--clearmodifiers", "--delay", delay, "--file", "-"];
  return { args, stdin: strokes.join("") };
}

// The mouse through xdotool.

class XdotoolMouse implements Mouse {
  readonly notchesAtOnce = 1;
  readonly pixels = missing(
    "Cannot scroll by pixels: the wheel of xdotool only has notches; scroll by `clicks` without `unit`",
  );
  constructor(private readonly queue: CommandQueue) {}

  /**
   * Never with `--sync`: it waits for a motion event that does not come when the cursor is already
   * there.
   */
  move({ x, y }: Point): void {
    this.queue.add(["mousemove", String(x), String(y)]);
  }

  press(button: Button): void {
    this.queue.add(["mousedown", String(BUTTONS[button])]);
  }

  release(button: Button): void {
    this.queue.add(["mouseup", String(BUTTONS[button])]);
  }

  separate(ms: number): void {
    this.queue.add(["sleep", String(ms / 1000)]);
  }

  scroll({ up, right }: { readonly up: number; readonly right: number }): void {
    this.#turn(up > 0 ? WHEEL.up : WHEEL.down, Math.abs(up));
    this.#turn(right > 0 ? WHEEL.right : WHEEL.left, Math.abs(right));
  }

  async position(): Promise<Point> {
    const printed = await this.queue.runEach({ args: ["getmouselocation", "--shell"] });
    const x = printed.match(/^X=(-?\d+)$/m)?.[1];
    const y = printed.match(/^Y=(-?\d+)$/m)?.[1];
    if (x === undefined || y === undefined) {
      throw new ServiceError(
        "unavailable",
        "xdotool did not report the position of the cursor: try again",
      );
    }
    return { x: Number(x), y: Number(y) };
  }

  releaseAll(): void {
    for (const button of Object.values(BUTTONS)) this.queue.add(["mouseup", String(button)]);
  }

  #turn(button: number, notches: number): void {
    if (notches === 0) return;
    this.queue.add(["click", "--repeat", String(notches), "--delay", "0", String(button)]);
  }
}

// Queues the commands of xdotool in order; commands that are sent together go to one process.

/** The most arguments per process, far below the system's limit. */
const ARGUMENTS_PER_PROCESS = 4_000;

class CommandQueue extends ProcessQueue<readonly string[]> {
  constructor(private readonly xDisplay: string) {
    super({
      lane: new Semaphore({ capacity: 1 }),
      runSteps: (commands, signal) => runAll(xDisplay, chained(commands), signal),
      closed: `The connection to the X display "${xDisplay}" was closed: try again`,
    });
  }

  /**
   * Runs separate processes after everything that was sent, and returns the output of the last one.
   */
  runEach(...processes: readonly XdotoolProcess[]): Promise<string> {
    return this.run((signal) => runAll(this.xDisplay, processes, signal));
  }
}

async function runAll(
  xDisplay: string,
  processes: readonly XdotoolProcess[],
  signal: AbortSignal,
): Promise<string> {
  let printed = "";
  for (const process of processes) {
    signal.throwIfAborted();
    printed = await runXdotool(xDisplay, process, signal);
  }
  return printed;
}

function chained(commands: readonly (readonly string[])[]): XdotoolProcess[] {
  const chains: string[][] = [];
  for (const command of commands) {
    const last = chains.at(-1);
    if (last !== undefined && last.length + command.length <= ARGUMENTS_PER_PROCESS) {
      last.push(...command);
    } else {
      chains.push([...command]);
    }
  }
  return chains.map((args) => ({ args }));
}

// Runs the xdotool program; texts are passed only through its standard input.

/** One process: a chain of commands and its standard input. */
interface XdotoolProcess {
  readonly args: readonly string[];
  readonly stdin?: string;
}

/**
 * Runs one process and returns its output.
 * @throws the reason of `signal` when that ends the process, otherwise ServiceError `unavailable`.
 */
async function runXdotool(
  xDisplay: string,
  process: XdotoolProcess,
  signal: AbortSignal,
): Promise<string> {
  const { code, stdout } = await runHelper({
    ...process,
    program: "xdotool",
    signal,
    detached: true,
    // without a UTF-8 locale it refuses every character beyond ASCII
    env: { DISPLAY: xDisplay, LC_ALL: "C.UTF-8" },
    failure: (state, cause) => state === "not installed" ? notInstalled(cause) : cause,
  });
  if (code === 0) return stdout;
  signal.throwIfAborted();
  // Its error output is left out, because it can quote the typed text.
  throw new ServiceError(
    "unavailable",
    `xdotool cannot control the X display "${xDisplay}" (it ended with ${code}): ` +
      `check that its X server is running, or use --backend x11`,
  );
}

function notInstalled(cause: unknown): ServiceError {
  return new ServiceError(
    "unavailable",
    "xdotool is not installed: run sudo apt-get install -y xdotool, or use --backend x11",
    { cause },
  );
}
