/**
 * The keyboard layout of the session: KWin's keymap, which of its layouts is active, and whether Caps
 * Lock is on.
 */

import { BusError, type MessageBus } from "../../bus/types.ts";
import type { WaylandClient } from "../client.ts";
import { ActiveLayout } from "../input/active_layout.ts";
import type { WaylandObject } from "../protocols/types.ts";
import { Seat } from "../seat.ts";

/** Plasma offers it only while there are several layouts. */
const LAYOUTS = { path: "/Layouts", interface: "org.kde.KeyboardLayouts" } as const;
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
    await bus.on({ ...LAYOUTS, member: "layoutChanged" }, ({ body: [group] }) => {
      if (typeof group === "number") layout.group = group;
    });
    await Promise.all([layout.refresh(), client.roundtrip()]);
    return layout;
  }

  async refresh(): Promise<void> {
    this.keyState?.send("fetchStates");
    try {
      const call = { ...LAYOUTS, destination: "org.kde.keyboard", member: "getLayout" };
      const { body: [group] } = await this.bus.call(call);
      if (typeof group === "number") this.group = group;
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      this.group = 0; // there is only one
    }
  }
}
