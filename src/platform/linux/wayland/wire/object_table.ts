/** The objects of a connection, by the numbers that both sides give them. */

import type { ObjectProxy } from "./object_proxy.ts";

/** The number of the `wl_display`, which ends with the connection. */
const DISPLAY = 1;
/** The compositor gives numbers from here on. */
const FIRST_OF_SERVER = 0xff00_0000;

export class ObjectTable {
  readonly #objects = new Map<number, ObjectProxy>();
  readonly #free: number[] = [];
  #last = 0;

  get(id: number): ObjectProxy | undefined {
    return this.#objects.get(id);
  }

  /** Adds an object of ours, under the next number. */
  create(make: (id: number) => ObjectProxy): ObjectProxy {
    const object = make(this.#free.pop() ?? ++this.#last);
    this.#objects.set(object.id, object);
    return object;
  }

  /** Adds an object to which the compositor has given its number; `false` if it must not. */
  accept(object: ObjectProxy): boolean {
    if (object.id < FIRST_OF_SERVER || this.#objects.get(object.id)?.isAlive) return false;
    this.#objects.set(object.id, object);
    return true;
  }

  /** The compositor has forgotten an object of ours: its number can be given again. */
  release(id: number): void {
    const object = this.#objects.get(id);
    if (object === undefined || id === DISPLAY || id >= FIRST_OF_SERVER) return;
    object.isAlive = false;
    this.#objects.delete(id);
    this.#free.push(id);
  }
}
