/** The objects of elements that have been read, by their ids: Windows finds none by an id alone. */

import { type ComPointer, release } from "../../../../../ffi/windows/com.ts";
import type { ElementId } from "../../../types/mod.ts";

export class KnownElements {
  /** The one that was read longest ago first. */
  readonly #objects = new Map<ElementId, ComPointer>();

  constructor(private readonly max: number) {}

  get(id: ElementId): ComPointer | undefined {
    return this.#objects.get(id);
  }

  /** Keeps an object, which is released when it is replaced, or too many are kept. */
  keep(id: ElementId, object: ComPointer): void {
    this.#forget(id);
    this.#objects.set(id, object);
    if (this.#objects.size > this.max) this.#forget(this.#objects.keys().next().value!);
  }

  #forget(id: ElementId): void {
    const object = this.#objects.get(id);
    this.#objects.delete(id);
    if (object !== undefined) release(object);
  }
}
