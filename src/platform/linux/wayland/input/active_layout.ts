/** The keyboard layout that a desktop uses now. */

import { ServiceError } from "../../../../core/errors.ts";
import { BusError, type MessageBus } from "../../bus/types.ts";
import type { WaylandClient } from "../client.ts";
import { type Keymap, type KeyStroke, openKeymap } from "../keymap/keymap.ts";
import { PORTAL } from "../portal/requests.ts";
import type { WaylandObject } from "../protocols/mod.ts";
import { Seat } from "../seat.ts";

export abstract class ActiveLayout {
  /** Whether Caps Lock was on when that was asked; `false` where the desktop does not report it. */
  isCapsLocked = false;
  /** The layout of the keymap that is active, from 0. */
  protected group = 0;
  #opened: { readonly text: string; readonly keymap: Keymap } | undefined;

  /** @param desktop as messages name it */
  constructor(private readonly seat: Seat, private readonly desktop: string) {}

  /** Asks which layout is active, and whether Caps Lock is on. */
  abstract refresh(): Promise<void>;

  /** Whether the compositor has reported it: some do only when there is a keyboard. */
  get isKnown(): boolean {
    return this.seat.layout !== undefined;
  }

  /** @throws ServiceError `unavailable`: it is not known; `unsupported`: it cannot be read */
  get keymap(): Keymap {
    const text = this.seat.layout;
    if (text === undefined) {
      throw new ServiceError("unavailable", `${this.desktop} has not reported its keyboard layout`);
    }
    if (this.#opened?.text !== text) this.#opened = { text, keymap: readKeymap(text) };
    return this.#opened.keymap;
  }

  /** The stroke for a symbol in the active layout. */
  find(keysym: number): KeyStroke | undefined {
    return this.keymap.keyFor(keysym, this.group);
  }

  /** The stroke for a symbol in any layout: programs look there, too, for shortcuts. */
  findInAny(keysym: number): KeyStroke | undefined {
    return this.keymap.keyFor(keysym);
  }
}

function readKeymap(text: string): Keymap {
  try {
    return openKeymap(text);
  } catch (error) {
    throw new ServiceError(
      "unsupported",
      `Cannot press keys: the keyboard layout cannot be read: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

// The keyboard layout of a GNOME session: the keymap of its seat, and the input source that is active
// by the settings, which the desktop portal reports.

const SETTINGS = { ...PORTAL, interface: "org.freedesktop.portal.Settings" } as const;
const INPUT_SOURCES = "org.gnome.desktop.input-sources";
/** A keymap has four layouts; the Shell reserves the last one for that of the user's language. */
const SOURCES_PER_KEYMAP = 3;

type InputSource = readonly [type: string, id: string];

type ReadCapsLock = () => Promise<boolean>;

export class GnomeLayout extends ActiveLayout {
  private constructor(
    seat: Seat,
    private readonly bus: MessageBus,
    private readonly readCapsLock: ReadCapsLock,
  ) {
    super(seat, "The desktop");
  }

  /** @throws ServiceError `unavailable` */
  static async open(
    client: WaylandClient,
    bus: MessageBus,
    readCapsLock: ReadCapsLock = () => Promise.resolve(false),
  ): Promise<GnomeLayout> {
    const layout = new GnomeLayout(await Seat.open(client), bus, readCapsLock);
    await layout.refresh();
    return layout;
  }

  async refresh(): Promise<void> {
    const [sources, [active], isCapsLocked] = await Promise.all([
      this.#read("sources"),
      this.#read("mru-sources"),
      this.readCapsLock(),
    ]);
    const index = sources.findIndex(([type, id]) => type === active?.[0] && id === active?.[1]);
    this.group = Math.max(0, index) % SOURCES_PER_KEYMAP;
    this.isCapsLocked = isCapsLocked;
  }

  /** Other desktops have no such settings, and a session without a portal reports none. */
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

// The keyboard layout of a KDE session: KWin's keymap, which of its layouts is active, and whether Caps
// Lock is on.

/** Plasma offers it only while there are several layouts. */
const KDE_LAYOUTS = { path: "/Layouts", interface: "org.kde.KeyboardLayouts" } as const;
/** `org_kde_kwin_keystate.key` */
const CAPS_LOCK = 0;

export class KdeLayout extends ActiveLayout {
  private constructor(
    seat: Seat,
    private readonly bus: MessageBus,
    private readonly keyState: WaylandObject<"org_kde_kwin_keystate"> | undefined,
  ) {
    super(seat, "KWin");
  }

  /** @throws ServiceError `unavailable` */
  static async open(client: WaylandClient, seat: Seat, bus: MessageBus): Promise<KdeLayout> {
    const hasKeyState = client.globals.find("org_kde_kwin_keystate") !== undefined;
    const keyState = hasKeyState ? client.bind("org_kde_kwin_keystate", 1) : undefined;
    const layout = new KdeLayout(seat, bus, keyState);
    keyState?.on("stateChanged", (key, state) => {
      if (key === CAPS_LOCK) layout.isCapsLocked = state !== 0;
    });
    await bus.on({ ...KDE_LAYOUTS, member: "layoutChanged" }, ({ body: [group] }) => {
      if (typeof group === "number") layout.group = group;
    });
    await Promise.all([layout.refresh(), client.roundtrip()]);
    return layout;
  }

  async refresh(): Promise<void> {
    this.keyState?.send("fetchStates");
    try {
      const call = { ...KDE_LAYOUTS, destination: "org.kde.keyboard", member: "getLayout" };
      const { body: [group] } = await this.bus.call(call);
      if (typeof group === "number") this.group = group;
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      this.group = 0; // there is only one
    }
  }
}
