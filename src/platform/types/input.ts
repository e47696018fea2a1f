/**
 * The ports for mouse and keyboard. They only *send*, in order, and return at once; {@link Input.confirm} resolves when
 * the system has processed everything that was sent before it. Clicks, chords and drags are built from press,
 * release and move in `features/`.
 */

import type { Point } from "../../core/geometry.ts";
import type { Port } from "./port.ts";

/**
 * The input devices of a display. Displays whose devices are the same ones (the monitors of one desktop)
 * give the same {@link Keyboard}; by that the operations keep all their input in one order.
 */
export interface Input {
  /** `x11`, `xdotool`, `sendinput`, `cliclick`, ... */
  readonly driver: string;
  readonly mouse: Mouse;
  readonly keyboard: Keyboard;
  /**
   * Resolves when the system has processed everything that was sent so far.
   * @throws ServiceError `unavailable`: the display went away meanwhile.
   */
  confirm(): Promise<void>;
  /** Releases every key and button that is down, whoever pressed it. */
  releaseAll(): Promise<void>;
}

export type Button = "left" | "middle" | "right" | "back" | "forward";

export interface Mouse {
  /** Moves the cursor; the point must be on the screen. */
  move(to: Point): void;
  press(button: Button): void;
  release(button: Button): void;
  /**
   * What is pressed next comes at least `ms` milliseconds after what was sent before, where presses get
   * coarse time stamps from the moment at which they are taken.
   */
  separate(ms: number): void;
  /** Turns the wheel: positive is up and right, in notches. */
  scroll(notches: { readonly up: number; readonly right: number }): void;
  /** Most notches of one call that programs still count one by one. */
  readonly notchesAtOnce: number;
  /** Scrolling by less than a notch. */
  readonly pixels: Port<PixelWheel>;
  position(): Promise<Point>;
}

export interface PixelWheel {
  /** Positive is up and right. */
  scroll(pixels: { readonly up: number; readonly right: number }): void;
}

/** A key of the interface: its name as it was asked for and the X keysym that stands for it on every system. */
export interface Key {
  readonly name: string;
  readonly keysym: number;
}

export interface Keyboard {
  /**
   * Makes sure that these keys can be pressed together (on X11 a symbol that is not on the layout
   * gets a spare keycode). Returns nothing when there was nothing to wait for.
   * @throws ServiceError `unsupported`: this system has no such key.
   */
  prepare(keys: readonly Key[]): void | Promise<void>;
  /** Presses a prepared key, with the modifiers that its symbol needs. */
  press(key: Key): void;
  release(key: Key): void;
  /** Modifiers that somebody else than this service holds down. */
  readonly heldByOthers: Port<HeldByOthers>;
  /**
   * Plans a text before anything is pressed. Line breaks are Enter, tabs are Tab.
   * @throws ValueFault on `text`: characters that cannot be typed, with position and code point;
   * ServiceError `unsupported`: a secret that this system could only paste.
   */
  plan(text: string, options?: PlanOptions): Promise<TextPlan>;
}

export interface HeldByOthers {
  /** Whether one has been seen, as far as the system has told without being asked. */
  seen(): boolean;
  /** Names of those that are down now; asks the system. */
  modifiers(): Promise<readonly string[]>;
}

export interface PlanOptions {
  /** The milliseconds between two strokes: a driver whose strokes are processes may join some that are closer than it types. */
  readonly delayMs: number;
  /** A stored value: it never goes by a clipboard, where other programs can read it. */
  readonly isSecret?: boolean;
}

/** A text that can be typed; disposing it puts back what typing changed (Caps Lock). */
export interface TextPlan extends AsyncDisposable {
  /** Number of keystrokes: Unicode code points, `\r\n` being one, unless the driver joins some (see {@link PlanOptions}). */
  readonly length: number;
  /** Strokes that may be sent at once, for a text to be stopped soon. */
  readonly sliceSize: number;
  /**
   * Sends the strokes `from` (included) to `to` (excluded); the strokes must be sent in order. A driver
   * that takes its time for them looks at `signal` on the way.
   */
  send(from: number, to: number, signal?: AbortSignal): void | Promise<void>;
  /**
   * To be called when what was sent is confirmed.
   * @throws ServiceError `conflict`: it may not have become the text (the layout was changed, the window was closed).
   */
  check?(): void | Promise<void>;
}
