/**
 * Keys and buttons that `hold` and `down` keep pressed on one display, in order of pressing, each
 * with its time limit.
 */

import type { Button, Key } from "../../platform/types/mod.ts";

interface Held<T> {
  readonly what: T;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class HeldInput {
  readonly #keys = new Map<number, Held<Key>>();
  readonly #buttons = new Map<Button, Held<Button>>();

  constructor(private readonly maxHoldMs: number) {}

  /** Held keys, in order of pressing. */
  get keys(): readonly Key[] {
    return [...this.#keys.values()].map((held) => held.what);
  }

  hasKey(key: Key): boolean {
    return this.#keys.has(key.keysym);
  }

  hasButton(button: Button): boolean {
    return this.#buttons.has(button);
  }

  /** Records a pressed key; `expire` is called when it has been held for too long. */
  addKey(key: Key, expire: () => void): void {
    this.removeKey(key);
    this.#keys.set(key.keysym, { what: key, timer: this.#startTimer(expire) });
  }

  addButton(button: Button, expire: () => void): void {
    this.removeButton(button);
    this.#buttons.set(button, { what: button, timer: this.#startTimer(expire) });
  }

  removeKey(key: Key): void {
    clearTimeout(this.#keys.get(key.keysym)?.timer);
    this.#keys.delete(key.keysym);
  }

  removeButton(button: Button): void {
    clearTimeout(this.#buttons.get(button)?.timer);
    this.#buttons.delete(button);
  }

  /** Forgets all keys and buttons without releasing them. */
  clear(): void {
    for (const held of [...this.#keys.values(), ...this.#buttons.values()]) {
      clearTimeout(held.timer);
    }
    this.#keys.clear();
    this.#buttons.clear();
  }

  #startTimer(expire: () => void): ReturnType<typeof setTimeout> {
    return setTimeout(expire, this.maxHoldMs);
  }
}
