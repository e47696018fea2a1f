/** The seat of a compositor: the layout of its keyboards. */

import { CLOCK_MONOTONIC, CLOCK_SYMBOLS, openLibc, TIMESPEC } from "../../../../ffi/linux/libc.ts";
import type { WaylandClient } from "./client.ts";
import { isOurKeymap } from "./keymap/scratch_keys.ts";
import type { WaylandObject } from "./protocols/mod.ts";
import { closeFile } from "../sockets/message_socket.ts";
import { readFirst } from "./wire/memory_file.ts";

/** The latest version whose events are handled here. */
const SEAT_VERSION = 5;
/** The first in which a keyboard can be given back. */
const RELEASE_VERSION = 3;
/** `wl_seat.capability` */
const POINTER = 1;
const KEYBOARD = 2;
/** `wl_keyboard.keymap_format.xkb_v1` */
const XKB_V1 = 1;
/** No keymap is larger, and no buffer should be. */
const MAX_KEYMAP_BYTES = 8 * 1024 * 1024;

export class Seat {
  #keyboard: WaylandObject<"wl_keyboard"> | undefined;
  #layout: string | undefined;
  #hasPointer = false;
  #announcements = 0;

  private constructor(
    private readonly client: WaylandClient,
    readonly object: WaylandObject<"wl_seat">,
  ) {
    object.on("capabilities", (capabilities) => {
      this.#hasPointer = (capabilities & POINTER) !== 0;
      this.#follow((capabilities & KEYBOARD) !== 0);
    });
  }

  /**
   * Opens the first seat; compositors that are used by one person have no other.
   * @throws ServiceError `unsupported`: there is none; `unavailable`: the compositor has gone
   */
  static async open(client: WaylandClient): Promise<Seat> {
    const seat = new Seat(client, client.bind("wl_seat", SEAT_VERSION));
    await seat.#readAll();
    return seat;
  }

  /** Whether a keyboard, maybe of our own, is attached: only then programs listen to one. */
  get hasKeyboard(): boolean {
    return this.#keyboard !== undefined;
  }

  /** Whether a mouse, maybe of our own, is attached: only then programs listen to one. */
  get hasPointer(): boolean {
    return this.#hasPointer;
  }

  /**
   * The keymap of the keyboard that was used last and that is none of ours; `undefined` until there
   * is one.
   */
  get layout(): string | undefined {
    return this.#layout;
  }

  /**
   * How many keymaps that are none of ours were announced: another one means that somebody has used
   * another keyboard, or that the compositor has given ours another keymap, as sway does when its
   * configuration is loaded again.
   */
  get announcements(): number {
    return this.#announcements;
  }

  /**
   * To be called once a keyboard was added. The compositor gives it the layout that is configured,
   * which counts only where no keyboard is known.
   */
  async settleLayout(): Promise<void> {
    const before = this.#layout;
    await this.#readAll();
    this.#layout = before ?? this.#layout;
  }

  async #readAll(): Promise<void> {
    await this.client.roundtrip(); // the capabilities
    await this.client.roundtrip(); // the keymap
  }

  #follow(hasKeyboard: boolean): void {
    if (hasKeyboard === this.hasKeyboard) return;
    if (hasKeyboard) {
      this.#keyboard = this.object.send("get_keyboard");
      this.#keyboard.on("keymap", (format, file, size) => this.#readKeymap(format, file, size));
      return;
    }
    if (this.object.version >= RELEASE_VERSION) this.#keyboard?.send("release");
    this.#keyboard = undefined;
  }

  #readKeymap(format: number, file: number, size: number): void {
    try {
      if (format !== XKB_V1 || size > MAX_KEYMAP_BYTES) return;
      const text = new TextDecoder().decode(readFirst(file, size));
      if (isOurKeymap(text)) return;
      this.#layout = text.replace(/\0[^]*$/, "");
      this.#announcements++;
    } catch {
      // a keymap that cannot be read is as good as none
    } finally {
      closeFile(file);
    }
  }
}

// Time stamps for input that this service makes: of the clock that compositors use for devices.

export class EventClock {
  /** What to add to `performance.now()`. */
  readonly #offset: number;
  #last = 0;

  constructor() {
    this.#offset = readMonotonic() - performance.now();
  }

  /** The time stamp of the next event, in milliseconds; never before the last one. */
  next(): number {
    return this.#last = Math.max(this.#last, Math.floor(this.#offset + performance.now()));
  }

  /** The time stamp of the next event, at least `ms` after the last one. */
  after(ms: number): number {
    const earliest = this.#last + ms;
    return this.#last = Math.max(this.next(), earliest);
  }
}

function readMonotonic(): number {
  const timespec = new Uint8Array(TIMESPEC.bytes);
  openLibc(CLOCK_SYMBOLS).symbols.clock_gettime(CLOCK_MONOTONIC, timespec);
  const view = new DataView(timespec.buffer);
  return Number(view.getBigInt64(TIMESPEC.seconds, true)) * 1e3 +
    Number(view.getBigInt64(TIMESPEC.nanoseconds, true)) / 1e6;
}
