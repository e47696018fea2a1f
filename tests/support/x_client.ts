/** An X client of the tests' own, independent of the service: it sets a server up and looks at what is down on it. */

import {
  type Callback,
  createClient,
  type XClient,
  type Xkb,
  type XkbState,
  type XScreen,
  type XSetup,
} from "../../src/platform/linux/x11/client.ts";
import { waitFor } from "./wait.ts";

/** Requests that the service does not need. */
export interface TestXClient extends XClient {
  MapWindow(window: number): void;
  ConfigureWindow(window: number, values: Readonly<Record<string, number>>): void;
  GrabServer(): void;
  UngrabServer(): void;
  GetKeyboardMapping(first: number, count: number, callback: Callback<number[][]>): void;
}

export interface WindowOptions {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  /** The pixel value of the whole window. */
  readonly pixel?: number;
  readonly eventMask?: number;
  /** Whether a window manager may touch it. */
  readonly managed?: boolean;
  /** Called before the window is shown. */
  readonly prepare?: (window: number) => void;
}

const VIEWABLE = 2;
const REVERT_TO_POINTER_ROOT = 1;
const CAPS_LOCK = 2;
const BUTTON_MASK = 0x1f00;

export class TestX implements Disposable {
  #xkb: Xkb | undefined;

  private constructor(readonly client: TestXClient, readonly setup: XSetup) {}

  /** Rejects when the server does not answer in time, so that no test waits for ever. */
  static open(display: string, { timeoutMs = 30_000 } = {}): Promise<TestX> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        client.stream?.destroy();
        reject(new Error(`The X server "${display}" did not respond within ${timeoutMs} ms`));
      }, timeoutMs);
      const client = createClient({ display, bufferRequests: true }, (error, setup) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve(new TestX(setup.client as TestXClient, setup));
      });
      client.on("error", () => {}); // of the socket, when a test kills the server
    });
  }

  get screen(): XScreen {
    return this.setup.screen[0]!;
  }

  get root(): number {
    return this.screen.root;
  }

  call<T>(send: (callback: Callback<T>) => void): Promise<T> {
    return new Promise((resolve, reject) =>
      send((error, result) => {
        if (error) reject(error);
        else resolve(result);
        return true;
      })
    );
  }

  /** Opens a window without a frame and waits until it is on the screen. */
  async openWindow(options: WindowOptions = {}): Promise<number> {
    const { x = 0, y = 0, width = 200, height = 200, pixel = 0, eventMask = 0 } = options;
    const { managed = false } = options;
    const window = this.client.AllocID();
    this.client.CreateWindow(window, this.root, x, y, width, height, 0, 0, 0, 0, {
      backgroundPixel: pixel,
      overrideRedirect: managed ? 0 : 1,
      eventMask,
    });
    options.prepare?.(window);
    this.client.MapWindow(window);
    await this.waitUntilViewable(window);
    return window;
  }

  waitUntilViewable(window: number): Promise<true> {
    return waitFor(async () => {
      const { mapState } = await this.call<{ mapState: number }>((done) =>
        this.client.GetWindowAttributes(window, done)
      );
      return mapState === VIEWABLE;
    }, { what: "a window on the screen" });
  }

  /** Gives a window the input focus and waits until it has it. */
  async focus(window: number): Promise<void> {
    this.client.SetInputFocus(window, REVERT_TO_POINTER_ROOT);
    await waitFor(async () => {
      const { focus } = await this.call<{ focus: number }>((done) =>
        this.client.GetInputFocus(done)
      );
      return focus === window;
    }, { what: "the input focus" });
  }

  /** The keycodes that are down now. */
  async keysDown(): Promise<number[]> {
    const bits = await this.call<Uint8Array>((done) => this.client.QueryKeymap(done));
    return Array.from({ length: 256 }, (_, code) => code)
      .filter((code) => bits[code >> 3]! & (1 << (code & 7)));
  }

  /** The mask of the buttons that are down now. */
  async buttonsDown(): Promise<number> {
    const { keyMask } = await this.pointer();
    return keyMask & BUTTON_MASK;
  }

  pointer(): Promise<{ rootX: number; rootY: number; keyMask: number }> {
    return this.call((done) => this.client.QueryPointer(this.root, done));
  }

  /** The symbols of every keycode, the first one first. */
  keyboardMapping(): Promise<number[][]> {
    const { min_keycode, max_keycode } = this.setup;
    return this.call((done) =>
      this.client.GetKeyboardMapping(min_keycode, max_keycode - min_keycode + 1, done)
    );
  }

  /** The keycode that has `keysym` as one of its symbols. */
  async keycodeOf(keysym: number): Promise<number> {
    const index = (await this.keyboardMapping()).findIndex((symbols) => symbols.includes(keysym));
    if (index < 0) throw new Error(`No key has the symbol 0x${keysym.toString(16)}`);
    return this.setup.min_keycode + index;
  }

  async state(): Promise<XkbState> {
    const xkb = await this.#requireXkb();
    return await this.call((done) => xkb.GetState(xkb.UseCoreKbd, done));
  }

  async setCapsLock(on: boolean): Promise<void> {
    const xkb = await this.#requireXkb();
    xkb.LatchLockState(xkb.UseCoreKbd, CAPS_LOCK, on ? CAPS_LOCK : 0, false, 0, 0, 0, false, 0);
    await waitFor(() => this.capsLock().then((now) => now === on), { what: "Caps Lock" });
  }

  async capsLock(): Promise<boolean> {
    return ((await this.state()).lockedMods & CAPS_LOCK) !== 0;
  }

  /** Makes a keyboard group the active one, counted from 0. */
  async lockGroup(group: number): Promise<void> {
    const xkb = await this.#requireXkb();
    xkb.LatchLockState(xkb.UseCoreKbd, 0, 0, true, group, 0, 0, false, 0);
    await waitFor(async () => (await this.state()).group === group, { what: "the group" });
  }

  [Symbol.dispose](): void {
    this.client.terminate();
  }

  async #requireXkb(): Promise<Xkb> {
    return this.#xkb ??= await this.call<Xkb>((done) => this.client.require("xkb", done as never));
  }
}
