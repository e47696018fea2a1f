/** The keyboard layout that a compositor uses now. */

import type { Keymap, KeyStroke } from "../keymap/keymap.ts";

export type LockKey = "caps" | "num";

export interface ActiveLayout {
  /** Whether the compositor has told it: some do only when there is a keyboard. */
  readonly isKnown: boolean;
  /** @throws ServiceError when it is not known, or cannot be read */
  readonly keymap: Keymap;
  /** Asks which layout is active, and which locks are on. */
  refresh(): Promise<void>;
  /** The stroke for a symbol in the active layout. */
  find(keysym: number): KeyStroke | undefined;
  /** The stroke for a symbol in any layout: programs look there, too, for shortcuts. */
  findInAny(keysym: number): KeyStroke | undefined;
  isLocked(key: LockKey): boolean;
}
