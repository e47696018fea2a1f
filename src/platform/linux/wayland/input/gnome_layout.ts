/**
 * The keyboard layout of a GNOME session: the keymap of its seat, and the input source that is active
 * by the settings, which the desktop portal tells.
 */

import { ServiceError } from "../../../../core/errors.ts";
import { BusError } from "../../bus/bus_error.ts";
import type { MessageBus } from "../../bus/types.ts";
import type { WaylandClient } from "../client.ts";
import type { Keymap, KeyStroke } from "../keymap/keymap.ts";
import { Seat } from "../seat.ts";
import type { ActiveLayout } from "./active_layout.ts";
import { openLayoutKeymap } from "./layout_keymap.ts";

const SETTINGS = {
  destination: "org.freedesktop.portal.Desktop",
  path: "/org/freedesktop/portal/desktop",
  interface: "org.freedesktop.portal.Settings",
} as const;
const INPUT_SOURCES = "org.gnome.desktop.input-sources";
/** A keymap has four layouts; the Shell reserves the last one for that of the user's language. */
const SOURCES_PER_KEYMAP = 3;

type InputSource = readonly [type: string, id: string];

export class GnomeLayout implements ActiveLayout {
  #group = 0;
  #opened: { readonly text: string; readonly keymap: Keymap } | undefined;

  private constructor(private readonly seat: Seat, private readonly bus: MessageBus) {}

  /** @throws ServiceError `unavailable` */
  static async open(client: WaylandClient, bus: MessageBus): Promise<GnomeLayout> {
    const layout = new GnomeLayout(await Seat.open(client), bus);
    await layout.refresh();
    return layout;
  }

  get isKnown(): boolean {
    return this.seat.layout !== undefined;
  }

  get keymap(): Keymap {
    const text = this.seat.layout;
    if (text === undefined) {
      throw new ServiceError(
        "unavailable",
        "The desktop has not said which keyboard layout it has",
      );
    }
    if (this.#opened?.text === text) return this.#opened.keymap;
    this.#opened = { text, keymap: openLayoutKeymap(text) };
    return this.#opened.keymap;
  }

  async refresh(): Promise<void> {
    const [sources, recent] = await Promise.all([this.#read("sources"), this.#read("mru-sources")]);
    const active = recent[0];
    const index = active === undefined
      ? 0
      : sources.findIndex(([type, id]) => type === active[0] && id === active[1]);
    this.#group = Math.max(0, index) % SOURCES_PER_KEYMAP;
  }

  find(keysym: number): KeyStroke | undefined {
    return this.keymap.keyFor(keysym, this.#group);
  }

  findInAny(keysym: number): KeyStroke | undefined {
    return this.keymap.keyFor(keysym);
  }

  /** Mutter does not tell. */
  isLocked(): boolean {
    return false;
  }

  /** Other desktops have no such settings, and a session without a portal tells none. */
  async #read(key: string): Promise<readonly InputSource[]> {
    try {
      const { body: [value] } = await this.bus.call({
        ...SETTINGS,
        member: "Read",
        signature: "ss",
        body: [INPUT_SOURCES, key],
      });
      return Array.isArray(value) ? value : [];
    } catch (error) {
      if (error instanceof BusError) return [];
      throw error;
    }
  }
}
