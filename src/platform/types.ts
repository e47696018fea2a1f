/**
 * The ports: what the service needs from a system, and nothing else. Somebody who ports the service
 * reads this page first.
 *
 * Input primitives only *send*, in order, and return at once; {@link Input.confirm} resolves when the
 * system has processed everything that was sent before it. Clicks, chords and drags are built from
 * press, release and move in `features/`.
 */

import type { Processes } from "./process_types.ts";
import type { Changes, Screen, ScreenAddress } from "./screen_types.ts";
import type { TcpEnds } from "./tcp_ends.ts";

/** Something a system can do, or the reason why it cannot do it here. */
export type Port<T> =
  | { readonly ready: true; readonly use: T }
  | { readonly ready: false; readonly reason: string };

export type * from "./process_types.ts";
export type * from "./screen_types.ts";

export type System = "linux" | "macos" | "windows";

/** What was chosen for one job, and why the others were not: for the log and `GET /api/system/info`. */
export interface BackendChoice {
  readonly job: "display" | "input" | "keychain";
  /** The backend in use, or `null` when there is none. */
  readonly chosen: string | null;
  /** One sentence on why. */
  readonly reason: string;
}

export interface Platform extends AsyncDisposable {
  readonly system: System;
  readonly displays: Displays;
  readonly keychain: Port<Keychain>;
  readonly peers: Port<Peers>;
  readonly processes: Port<Processes>;
  backends(): readonly BackendChoice[];
}

/**
 * A place that keeps one secret text per service name. Changes of one name are made in the order of
 * the calls. Every call throws ServiceError `unavailable`
 * when the place cannot be used now; no error and no log line carries a secret.
 */
export interface Keychain extends AsyncDisposable {
  /** The text of a service, or `undefined` when there is none. */
  read(service: string): Promise<string | undefined>;
  /**
   * Stores a text, in place of an earlier one; when this resolves, the text outlives a crash.
   * @throws ServiceError `too_large`: this keychain cannot hold a text of this size.
   */
  write(service: string, secret: string): Promise<void>;
  /** Forgets a service; one that is not stored is left alone. */
  remove(service: string): Promise<void>;
  /** Every stored name, in any order. */
  names(): Promise<string[]>;
  /** Whether it can be used now, with a sentence. Never throws. */
  readiness(): Promise<Readiness>;
}

/** Tells when a client has closed its connection, where the HTTP server cannot. */
export interface Peers {
  /** Calls `gone` at most once, when the connection with these ends is no longer open. */
  watch(ends: TcpEnds, gone: () => void): Disposable;
}

export interface Displays {
  /**
   * Gives the open display `displayNum`; at once when it is open, else after opening it.
   * @throws ServiceError `unavailable`: there is no such display now.
   */
  open(displayNum: number): Display | Promise<Display>;
  /** Every display that can be reached now. */
  list(): Promise<DisplayInfo[]>;
  /** Whether display 1 can be used now, with a sentence. Never throws. */
  readiness(): Promise<Readiness>;
}

export interface Readiness {
  readonly ready: boolean;
  readonly reason: string;
}

export interface DisplayInfo {
  readonly displayNum: number;
  readonly name: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture per unit of the coordinates; 1 on X11. */
  readonly scale: number;
  readonly primary: boolean;
}

/** One display: a screen to read, and its input devices. */
export interface Display {
  readonly displayNum: number;
  /** The size now; it follows changes of the resolution. */
  readonly size: Size;
  /** Another one after the display's server was started again; missing where that cannot be told. */
  readonly serverRun?: string;
  /** Reads one pixel; the point must be on the screen. */
  pixel(at: Point): Promise<Rgb>;
  /** What becomes of clicks. */
  readonly clicks: Port<Clicks>;
  /** How pictures of it are read: an address that any thread can open, or a screen of this thread. */
  readonly screen: ScreenAddress | Screen;
  /**
   * Begins to follow what changes on the display; asked again it gives the same.
   * @throws ServiceError `unsupported`: this display does not tell.
   */
  watch(): Promise<Changes>;
  readonly input: Port<Input>;
}

/**
 * Where keys go after a click: to the window under the cursor, or to another one; or the click itself
 * has not been delivered yet, because a window manager takes its time.
 */
export type KeyTarget = "clicked" | "elsewhere" | "held back";

/** What becomes of clicks, as far as the system tells. */
export interface Clicks {
  /** Where keys go now, seen from the window that was clicked. */
  keyTarget(clicked?: Clicked): Promise<KeyTarget>;
  /** Whether a click of this button, which is not held down on purpose, has not been delivered yet. */
  heldBack(button: Button): Promise<boolean>;
  /** Resolves when window manager and program there say that they have handled the click; `false` after a second. */
  handled(at?: Point): Promise<boolean>;
}

/** A click: its button, unless it is held down on purpose, and where it was, if not under the cursor. */
export type Clicked = { readonly button?: Button | undefined; readonly at?: Point | undefined };

/** Integer pixels, origin top-left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Region extends Point, Size {}

/** Red, green, blue, each 0..255. */
export type Rgb = readonly [number, number, number];

export type Button = "left" | "middle" | "right" | "back" | "forward";

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
  /** Whether a modifier of somebody else has been seen, as far as the system has told without being asked. */
  mayHaveForeignModifiers(): boolean;
  /** Names of the modifiers that somebody else than this service holds down now; asks the system. */
  foreignModifiers(): Promise<readonly string[]>;
  /**
   * Plans a text before anything is pressed. Line breaks are Enter, tabs are Tab.
   * @throws ValueFault on `text`: characters that cannot be typed, with position and code point;
   * ServiceError `unsupported`: a secret that this system could only paste.
   */
  plan(text: string, options?: PlanOptions): Promise<TextPlan>;
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
