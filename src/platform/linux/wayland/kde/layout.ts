/**
 * The keyboard layout of the session: KWin's keymap, which of its layouts is active, and which lock
 * keys are on.
 */

import { ServiceError } from "../../../../core/errors.ts";
import { log } from "../../../../core/log.ts";
import { BusError, type MessageBus } from "../../bus/types.ts";
import type { WaylandClient } from "../client.ts";
import type { ActiveLayout, LockKey } from "../input/active_layout.ts";
import { openLayoutKeymap } from "../input/keyboard.ts";
import type { Keymap, KeyStroke } from "../keymap/keymap.ts";
import type { WaylandObject } from "../protocols/types.ts";
import { closeFile } from "../../sockets/library.ts";
import { readFirst } from "../wire/memory_file.ts";

/** Plasma offers it only while there are several layouts. */
const LAYOUTS = {
  destination: "org.kde.keyboard",
  path: "/Layouts",
  interface: "org.kde.KeyboardLayouts",
} as const;
/** `org_kde_kwin_keystate.key` */
const LOCK_KEYS = { caps: 0, num: 1 } satisfies Record<LockKey, number>;
/** A keymap of XKB's text format. */
const TEXT_V1 = 1;
const MAX_KEYMAP_BYTES = 16 * 1024 * 1024;

export class KdeLayout implements ActiveLayout {
  #text: string | undefined;
  #keymap: Keymap | undefined;
  #group = 0;
  readonly #locked = new Set<number>();

  private constructor(
    private readonly bus: MessageBus,
    private readonly keyState: WaylandObject<"org_kde_kwin_keystate"> | undefined,
  ) {}

  /** @throws ServiceError `unavailable` */
  static async open(
    client: WaylandClient,
    seat: WaylandObject<"wl_seat">,
    bus: MessageBus,
  ): Promise<KdeLayout> {
    const hasKeyState = client.globals.find("org_kde_kwin_keystate") !== undefined;
    const keyState = hasKeyState ? client.bind("org_kde_kwin_keystate", 1) : undefined;
    const layout = new KdeLayout(bus, keyState);
    keyState?.on("stateChanged", (key, state) => layout.#setLocked(key, state !== 0));
    seat.send("get_keyboard").on("keymap", (format, file, size) => {
      layout.#takeKeymap(format, file, size);
    });
    await bus.on({ ...LAYOUTS_SIGNAL, member: "layoutChanged" }, ({ body: [group] }) => {
      if (typeof group === "number") layout.#group = group;
    });
    await Promise.all([layout.refresh(), client.roundtrip()]);
    return layout;
  }

  get isKnown(): boolean {
    return this.#text !== undefined;
  }

  /** @throws ServiceError `unsupported` when the keymap cannot be read */
  get keymap(): Keymap {
    if (this.#text === undefined) {
      throw new ServiceError("unavailable", "KWin has not reported its keyboard layout");
    }
    return this.#keymap ??= openLayoutKeymap(this.#text);
  }

  /** Asks which layout is active, and which locks are on. */
  async refresh(): Promise<void> {
    this.keyState?.send("fetchStates");
    try {
      const { body: [group] } = await this.bus.call({ ...LAYOUTS, member: "getLayout" });
      if (typeof group === "number") this.#group = group;
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      this.#group = 0; // there is only one
    }
  }

  /** The stroke for a symbol in the active layout. */
  find(keysym: number): KeyStroke | undefined {
    return this.keymap.keyFor(keysym, this.#group);
  }

  /** The stroke for a symbol in any layout: programs look there, too, for shortcuts. */
  findInAny(keysym: number): KeyStroke | undefined {
    return this.keymap.keyFor(keysym);
  }

  isLocked(key: LockKey): boolean {
    return this.#locked.has(LOCK_KEYS[key]);
  }

  #setLocked(key: number, isLocked: boolean): void {
    if (isLocked) this.#locked.add(key);
    else this.#locked.delete(key);
  }

  #takeKeymap(format: number, file: number, size: number): void {
    try {
      if (format !== TEXT_V1 || size > MAX_KEYMAP_BYTES) return;
      this.#text = new TextDecoder().decode(readFirst(file, size));
      this.#keymap = undefined;
    } catch (error) {
      log.warn("keymap of KWin cannot be read", { error: (error as Error).message });
    } finally {
      closeFile(file);
    }
  }
}

const LAYOUTS_SIGNAL = { path: LAYOUTS.path, interface: LAYOUTS.interface } as const;
