/** A window that has the input focus and records every event that arrives, with the symbols that a program would look up. */

import { keysymName } from "../../src/platform/keys.ts";
import type { XEvent } from "../../src/platform/linux/x11/client.ts";
import { TestX, type WindowOptions } from "./x_client.ts";
import { waitFor } from "./wait.ts";

/** What arrived at the window. */
export interface Recorded {
  readonly what: "press" | "release" | "button down" | "button up" | "motion";
  /** Keycode or button number. */
  readonly detail: number;
  /** The server's time stamp, in milliseconds. */
  readonly time: number;
  /** Modifiers and buttons before the event. */
  readonly state: number;
  readonly x: number;
  readonly y: number;
  /** Of a key: the symbol that a program looks up, with its own copy of the map. */
  readonly keysym: number;
}

export interface RecorderOptions extends WindowOptions {
  /** Whether the window takes part in `_NET_WM_PING`, as most toolkits do. */
  readonly ping?: boolean;
  /** Time for which a change of the map is left unnoticed: the program is busy. */
  readonly slownessMs?: number;
}

const EVENTS = {
  keyPress: 1 << 0,
  keyRelease: 1 << 1,
  buttonPress: 1 << 2,
  buttonRelease: 1 << 3,
  pointerMotion: 1 << 6,
  focusChange: 1 << 21,
} as const;
const ALL_EVENTS = Object.values(EVENTS).reduce((mask, bit) => mask | bit, 0);
const SHIFT = 1;
const LOCK = 2;
const NUM_LOCK = 0x10;
const LEVEL_3 = 0x80;
const LEVEL_3_COLUMN = 4;
const ATOM = 4;
const WORD_BITS = 32;
const SUBSTRUCTURE = (1 << 19) | (1 << 20);

const KINDS: Readonly<Record<string, Recorded["what"]>> = {
  KeyPress: "press",
  KeyRelease: "release",
  ButtonPress: "button down",
  ButtonRelease: "button up",
  MotionNotify: "motion",
};

/** Opens the window, as large as the screen, and waits until it has the input focus. */
export async function openRecorder(
  display: string,
  options: RecorderOptions = {},
): Promise<Recorder> {
  const x = await TestX.open(display);
  const { pixel_width: width, pixel_height: height } = x.screen;
  const window = await x.openWindow({ width, height, ...options, eventMask: ALL_EVENTS });
  const recorder = new Recorder(x, window, options.slownessMs ?? 0);
  if (options.ping) await recorder.takePartInPing();
  await recorder.takeFocus();
  return recorder;
}

export class Recorder implements Disposable {
  readonly events: Recorded[] = [];
  #focused = false;
  #map: number[][] | undefined;
  /** Events are worked on one after the other, as a program does. */
  #work: Promise<void> = Promise.resolve();
  #protocols = 0;

  constructor(readonly x: TestX, readonly window: number, private readonly slownessMs: number) {
    x.client.on(
      "event",
      ((event: XEvent) => {
        this.#work = this.#work.then(() => this.#handle(event));
      }) as (value: never) => void,
    );
  }

  async takeFocus(): Promise<void> {
    this.#focused = false;
    await this.x.focus(this.window);
    await waitFor(() => this.#focused, { what: "FocusIn" });
  }

  async takePartInPing(): Promise<void> {
    const { client } = this.x;
    const atom = (name: string) =>
      this.x.call<number>((done) => client.InternAtom(false, name, done));
    this.#protocols = await atom("WM_PROTOCOLS");
    const ping = await atom("_NET_WM_PING");
    client.ChangeProperty(0, this.window, this.#protocols, ATOM, WORD_BITS, [ping]);
  }

  /** The text of the keys that were pressed; keys without a character are left out. */
  get text(): string {
    return this.presses.map(({ keysym }) => characterOf(keysym)).join("");
  }

  get presses(): Recorded[] {
    return this.events.filter((event) => event.what === "press");
  }

  get keyEvents(): Recorded[] {
    return this.events.filter(({ what }) => what === "press" || what === "release");
  }

  get buttonEvents(): Recorded[] {
    return this.events.filter(({ what }) => what === "button down" || what === "button up");
  }

  get motions(): Recorded[] {
    return this.events.filter((event) => event.what === "motion");
  }

  /** Presses and releases by the names of the symbols: `+Control_L +t -t -Control_L`. */
  get strokes(): string {
    return this.keyEvents.map(({ what, keysym }) =>
      `${what === "press" ? "+" : "-"}${keysymName(keysym) ?? keysym.toString(16)}`
    ).join(" ");
  }

  /** Forgets what has been recorded. */
  clear(): void {
    this.events.length = 0;
  }

  /** Resolves when everything that the server had sent until now has been worked on. */
  async sync(): Promise<void> {
    await this.x.call((done) => this.x.client.GetInputFocus(done));
    await this.#work;
  }

  [Symbol.dispose](): void {
    this.x[Symbol.dispose]();
  }

  async #handle(event: XEvent): Promise<void> {
    if (event.name === "FocusIn") this.#focused = true;
    else if (event.name === "MappingNotify") this.#map = undefined;
    else if (event.name === "ClientMessage") this.#answerPing(event);
    const what = KINDS[event.name ?? ""];
    if (what === undefined) return;
    const isKey = what === "press" || what === "release";
    const keysym = isKey ? await this.#keysymOf(event.keycode, event.buttons) : 0;
    const { keycode: detail, buttons: state, rootx: x, rooty: y } = event;
    this.events.push({ what, detail, time: event.time, state, x, y, keysym });
  }

  /** Looks a key up in the program's own copy of the map, which it fetches late, as Xlib does. */
  async #keysymOf(keycode: number, state: number): Promise<number> {
    if (!this.#map) {
      if (this.slownessMs > 0) await new Promise((wake) => setTimeout(wake, this.slownessMs));
      this.#map = await this.x.keyboardMapping();
    }
    return lookUp(this.#map[keycode - this.x.setup.min_keycode] ?? [], state);
  }

  #answerPing(event: XEvent): void {
    if (this.#protocols === 0 || event.message_type !== this.#protocols) return;
    const { client, root } = this.x;
    const [ping, time, window] = event.data;
    client.SendClientMessage(
      root,
      root,
      this.#protocols,
      WORD_BITS,
      [ping, time, window, 0, 0],
      SUBSTRUCTURE,
    );
  }
}

/** The rules of the core protocol (chapter 5, Keyboards), with the third level in columns 5 and 6. */
function lookUp(symbols: readonly number[], state: number): number {
  const third = (state & LEVEL_3) !== 0 && (symbols[LEVEL_3_COLUMN] ?? 0) !== 0;
  const column = third ? LEVEL_3_COLUMN : 0;
  const plain = symbols[column] ?? 0;
  const shifted = symbols[column + 1] || plain;
  const shift = (state & SHIFT) !== 0;
  if (isKeypad(shifted) && state & NUM_LOCK) return shift ? plain : shifted;
  if (state & LOCK && isLetter(plain)) return shift ? plain : shifted;
  return shift ? shifted : plain;
}

function isKeypad(keysym: number): boolean {
  return keysym >= 0xff80 && keysym <= 0xffbd;
}

function isLetter(keysym: number): boolean {
  const character = characterOf(keysym);
  return character.toUpperCase() !== character.toLowerCase();
}

/** Latin-1 and Unicode keysyms, Enter and Tab. */
function characterOf(keysym: number): string {
  if (keysym === 0xff0d) return "\n";
  if (keysym === 0xff09) return "\t";
  if (keysym >= 0x20 && keysym <= 0xff) return String.fromCodePoint(keysym);
  return keysym >> 24 === 1 ? String.fromCodePoint(keysym & 0xffffff) : "";
}
