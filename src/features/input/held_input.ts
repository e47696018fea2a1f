/**
 * Keys and buttons that `hold` and `down` keep pressed on one display, in order of pressing, each
 * with its time limit and those who hold it.
 */

import type { Button, Key } from "../../platform/types/mod.ts";

interface Held<T> {
  readonly what: T;
  readonly timer: ReturnType<typeof setTimeout>;
  readonly release: () => void;
  /** `undefined` holds until somebody releases it. */
  readonly holders: Set<object | undefined>;
}

export interface HoldOptions {
  /** Called when it has been held for too long, or when its last holder lets go. */
  readonly release: () => void;
  /** Whose end releases it; without a holder, no end does. */
  readonly holder?: object | undefined;
}

export class HeldInput {
  readonly #keys = new Map<number, Held<Key>>();
  readonly #buttons = new Map<Button, Held<Button>>();

  constructor(private readonly maxHoldMs: number) {}

  /** Held keys, in order of pressing. */
  get keys(): readonly Key[] {
    return [...this.#keys.values()].map((held) => held.what);
  }

  /** Held buttons, in order of pressing. */
  get buttons(): readonly Button[] {
    return [...this.#buttons.keys()];
  }

  hasKey(key: Key): boolean {
    return this.#keys.has(key.keysym);
  }

  hasButton(button: Button): boolean {
    return this.#buttons.has(button);
  }

  /** Records a pressed key, or a further holder of it; the time limit begins anew. */
  addKey(key: Key, options: HoldOptions): void {
    const holders = this.#keys.get(key.keysym)?.holders;
    this.removeKey(key);
    this.#keys.set(key.keysym, this.#hold(key, options, holders));
  }

  addButton(button: Button, options: HoldOptions): void {
    const holders = this.#buttons.get(button)?.holders;
    this.removeButton(button);
    this.#buttons.set(button, this.#hold(button, options, holders));
  }

  removeKey(key: Key): void {
    clearTimeout(this.#keys.get(key.keysym)?.timer);
    this.#keys.delete(key.keysym);
  }

  removeButton(button: Button): void {
    clearTimeout(this.#buttons.get(button)?.timer);
    this.#buttons.delete(button);
  }

  /** Releases what this holder alone still holds, buttons first, the last key first. */
  letGo(holder: object): void {
    const all = [...this.#keys.values(), ...this.#buttons.values()];
    for (const { holders, release } of all.reverse()) {
      if (holders.delete(holder) && holders.size === 0) release();
    }
  }

  /** Forgets all keys and buttons without releasing them. */
  clear(): void {
    for (const held of [...this.#keys.values(), ...this.#buttons.values()]) {
      clearTimeout(held.timer);
    }
    this.#keys.clear();
    this.#buttons.clear();
  }

  #hold<T>(
    what: T,
    { release, holder }: HoldOptions,
    holders: Held<T>["holders"] = new Set(),
  ): Held<T> {
    return {
      what,
      timer: setTimeout(release, this.maxHoldMs),
      release,
      holders: holders.add(holder),
    };
  }
}
