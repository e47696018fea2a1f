/**
 * The ports for mouse and keyboard. Their methods only *send*, in order, and return immediately;
 * {@link Input.confirm} resolves when the system has processed everything that was sent before it.
 * Clicks, chords and drags are built from press, release and move in `features/`.
 */

import type { Point } from "../../core/geometry.ts";
import type { Capability } from "../capability.ts";

/**
 * The input devices of a display. Displays that share their devices (the monitors of one desktop)
 * return the same {@link Keyboard}, or the same {@link Mouse} where there is none, so that all their
 * input stays in one order.
 */
export interface Input {
  /** `x11`, `xdotool`, `sendinput`, `cliclick`, ... */
  readonly driver: string;
  readonly mouse: Mouse;
  readonly keyboard: Capability<Keyboard>;
  /**
   * Resolves when the system has processed everything that was sent so far.
   * @throws ServiceError `unavailable`: the display went away in the meantime.
   */
  confirm(): Promise<void>;
  /** Releases every key and button that is down, whoever pressed it. */
  releaseAll(): Promise<void>;
}

/** Reports when somebody uses a mouse or a keyboard of the computer itself. */
export interface RealInput {
  /**
   * Calls `used`, which must not throw, at each input that no program injects.
   * @throws ServiceError `unsupported`: the display does not tell; any other error: not now
   */
  watch(used: () => void): Promise<RealInputWatch>;
}

export interface RealInputWatch extends Disposable {
  /** `false` once the display has gone: it must be watched again. */
  readonly connected: boolean;
}

export type Button = "left" | "middle" | "right" | "back" | "forward";

export interface Mouse {
  /** Moves the cursor; the point must be on the screen. */
  move(to: Point): void;
  press(button: Button): void;
  release(button: Button): void;
  /**
   * Delays the next press until at least `ms` milliseconds after the input before it. Needed where
   * the system stamps presses with a coarse time when it takes them.
   */
  separate(ms: number): void;
  /** Turns the wheel by notches; positive is up and right. */
  scroll(notches: { readonly up: number; readonly right: number }): void;
  /**
   * The most notches per call: 1 where each is an event of its own, which is paced so that programs count all; without
   * a limit on macOS, whose event script sends up to ten in one event. What changes the pace must reach
   * `macos/cliclick.ts`, too.
   */
  readonly notchesAtOnce: number;
  /** Scrolling by less than a notch. */
  readonly pixels: Capability<PixelWheel>;
  position(): Promise<Point>;
}

export interface PixelWheel {
  /** Positive is up and right. */
  scroll(pixels: { readonly up: number; readonly right: number }): void;
}

/**
 * A key of the interface: its name as requested, and the X keysym that identifies it on every
 * system.
 */
export interface Key {
  readonly name: string;
  readonly keysym: number;
}

export interface Keyboard {
  /**
   * Makes sure that these keys can be pressed together (on X11 a symbol that is not on the layout
   * gets a scratch keycode). Returns no promise when nothing has to be awaited.
   * @throws ServiceError `unsupported`: this system has no such key.
   */
  prepare(keys: readonly Key[]): void | Promise<void>;
  /** Presses a prepared key, together with the modifiers that its symbol needs. */
  press(key: Key): void;
  release(key: Key): void;
  /** Modifiers that are held down by someone other than this service. */
  readonly heldByOthers: Capability<HeldByOthers>;
  /**
   * Plans a text before any key is pressed. Line breaks become Enter, tabs become Tab.
   * @throws FieldError on `text`: characters that cannot be typed, with position and code point;
   *   ServiceError `unsupported`: what this system could only paste and must not.
   */
  plan(text: string, options?: PlanOptions): Promise<TextPlan>;
}

export interface HeldByOthers {
  /** Whether such a modifier was seen in the events received so far; sends no query. */
  seen(): boolean;
  /** The names of those that are down now; queries the system. */
  modifiers(): Promise<readonly string[]>;
}

export interface PlanOptions {
  /**
   * The pause between two strokes, in milliseconds. A driver that starts a process per stroke can
   * join strokes that follow faster than it types.
   */
  readonly delayMs: number;
  /**
   * The text is a stored secret: it must not pass through a clipboard, where other programs can
   * read it.
   */
  readonly isSecret?: boolean;
  /** The text must not pass through a clipboard: the request says so. */
  readonly keysOnly?: boolean;
}

/** A text that is ready to be typed; disposing it restores what typing changed (Caps Lock). */
export interface TextPlan extends AsyncDisposable {
  /**
   * Number of keystrokes: one per Unicode code point, `\r\n` counting as one, unless the driver
   * joins some (see {@link PlanOptions}).
   */
  readonly length: number;
  /** The most strokes to send in one call, so that a text can be stopped soon. */
  readonly sliceSize: number;
  /**
   * Sends the strokes from `from` (inclusive) to `to` (exclusive); strokes must be sent in order. A
   * driver that needs time for them checks `signal` between strokes.
   */
  send(from: number, to: number, signal?: AbortSignal): void | Promise<void>;
  /**
   * Checks the result; call it once the strokes that were sent are confirmed.
   * @throws ServiceError `conflict`: the strokes possibly did not become the text (the layout was
   *   changed, the window was closed).
   */
  check?(): void | Promise<void>;
}
