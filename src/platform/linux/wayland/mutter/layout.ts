/** The keyboard layout of a GNOME session, with the locks that Mutter's session tells. */

import type { Keymap, KeyStroke } from "../keymap/keymap.ts";
import type { ActiveLayout, LockKey } from "../input/active_layout.ts";
import type { MutterSession } from "./session.ts";

const PROPERTY = { caps: "CapsLockState", num: "NumLockState" } as const;

export class MutterLayout implements ActiveLayout {
  #locks: Readonly<Record<LockKey, boolean>> = { caps: false, num: false };

  constructor(private readonly layout: ActiveLayout, private readonly session: MutterSession) {}

  get isKnown(): boolean {
    return this.layout.isKnown;
  }

  get keymap(): Keymap {
    return this.layout.keymap;
  }

  async refresh(): Promise<void> {
    const [caps, num] = await Promise.all([
      this.session.property(PROPERTY.caps),
      this.session.property(PROPERTY.num),
      this.layout.refresh(),
    ]);
    this.#locks = { caps: caps === true, num: num === true };
  }

  find(keysym: number): KeyStroke | undefined {
    return this.layout.find(keysym);
  }

  findInAny(keysym: number): KeyStroke | undefined {
    return this.layout.findInAny(keysym);
  }

  isLocked(key: LockKey): boolean {
    return this.#locks[key];
  }
}
