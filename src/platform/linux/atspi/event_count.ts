/** Counts the events of programs while somebody asks for them: to send them costs programs time. */

import { within } from "../../../core/deadline.ts";
import type { AtspiClient } from "./client.ts";

const EVENTS = ["object", "window"];
const INTERFACES = ["org.a11y.atspi.Event.Object", "org.a11y.atspi.Event.Window"];

export class EventCount {
  /** A thread that was started again has another one. */
  #count = Math.floor(Math.random() * 2 ** 32);
  #listening: Promise<void> | undefined;
  #next = Promise.withResolvers<void>();

  constructor(private readonly client: AtspiClient) {}

  /** Resolves with the count when it differs from `seen`, or after some time. */
  async wait(seen: number | null, ms: number): Promise<number> {
    this.#listening ??= this.#listen();
    await this.#listening;
    if (seen === this.#count) await within(this.#next.promise, ms);
    return this.#count;
  }

  async #listen(): Promise<void> {
    const { client } = this;
    for (const name of INTERFACES) await client.bus.on({ interface: name }, () => this.#add());
    for (const event of EVENTS) await client.listen(event);
  }

  #add(): void {
    this.#count++;
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }
}
