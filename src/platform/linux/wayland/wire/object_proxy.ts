/** What users of a connection hold of an object; `WaylandObject` gives it the types of its table. */

import type { InterfaceName } from "../protocols/mod.ts";
import type { InterfaceTable, MessageTable } from "../protocols/table.ts";

export type Listener = (...args: unknown[]) => void;

type Send = (object: ObjectProxy, request: string, args: readonly unknown[]) =>
  | ObjectProxy
  | undefined;

export interface ObjectDescription {
  readonly id: number;
  readonly interface: InterfaceName;
  readonly version: number;
  readonly table: InterfaceTable;
}

export class ObjectProxy implements ObjectDescription {
  readonly id: number;
  readonly interface: InterfaceName;
  readonly version: number;
  readonly table: InterfaceTable;
  isAlive = true;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(description: ObjectDescription, private readonly sendRequest: Send) {
    this.id = description.id;
    this.interface = description.interface;
    this.version = description.version;
    this.table = description.table;
  }

  send(request: string, ...args: unknown[]): ObjectProxy | undefined {
    return this.sendRequest(this, request, args);
  }

  on(event: string, listener: Listener): void {
    const listeners = this.#listeners.get(event);
    if (listeners === undefined) this.#listeners.set(event, [listener]);
    else listeners.push(listener);
  }

  listenersOf(event: string): readonly Listener[] {
    return this.#listeners.get(event) ?? [];
  }

  /** The number and the description of a request. */
  findRequest(name: string): { readonly opcode: number; readonly request: MessageTable } {
    const opcode = this.table.requests.findIndex((each) => each.name === name);
    if (opcode < 0) throw new TypeError(`${this.interface} has no request "${name}"`);
    return { opcode, request: this.table.requests[opcode]! };
  }
}
