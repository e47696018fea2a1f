/** The globals that a compositor announces: what it offers now. */

import type { InterfaceName } from "./protocols/mod.ts";
import type { WaylandObject } from "./protocols/types.ts";

export interface GlobalEntry {
  /** The compositor's number for it. */
  readonly name: number;
  readonly interface: string;
  /** The latest version that the compositor speaks. */
  readonly version: number;
}

export class Globals {
  readonly #entries = new Map<number, GlobalEntry>();
  readonly #added: ((global: GlobalEntry) => void)[] = [];
  readonly #removed: ((global: GlobalEntry) => void)[] = [];

  constructor(registry: WaylandObject<"wl_registry">) {
    registry.on("global", (name, interfaceName, version) => {
      const global = { name, interface: interfaceName, version };
      this.#entries.set(name, global);
      for (const listener of this.#added) listener(global);
    });
    registry.on("global_remove", (name) => {
      const global = this.#entries.get(name);
      if (global === undefined) return;
      this.#entries.delete(name);
      for (const listener of this.#removed) listener(global);
    });
  }

  /** All, in the order in which they were announced. */
  list(): GlobalEntry[] {
    return [...this.#entries.values()];
  }

  find(interfaceName: InterfaceName): GlobalEntry | undefined {
    return this.list().find((each) => each.interface === interfaceName);
  }

  /** The offered version of an interface; 0 if it is not offered. */
  version(interfaceName: InterfaceName): number {
    return this.find(interfaceName)?.version ?? 0;
  }

  missing(interfaceNames: readonly InterfaceName[]): InterfaceName[] {
    return interfaceNames.filter((each) => this.find(each) === undefined);
  }

  /** Calls `listener` for each global that appears later. */
  onAdded(listener: (global: GlobalEntry) => void): void {
    this.#added.push(listener);
  }

  onRemoved(listener: (global: GlobalEntry) => void): void {
    this.#removed.push(listener);
  }
}
