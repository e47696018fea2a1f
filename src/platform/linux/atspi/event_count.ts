/** Counts the events of programs while somebody asks for them: to send them costs programs time. */

import { within } from "../../../core/deadline.ts";
import type { AtspiClient } from "./client.ts";

const EVENTS = ["object", "window"];
const INTERFACES = ["org.a11y.atspi.Event.Object", "org.a11y.atspi.Event.Window"];

/** Without a call for this long, programs are told to send no more events. */
const IDLE_MS = 30_000;

export class EventCount {
  /** A thread that was started again has another one. */
  #count = Math.floor(Math.random() * 2 ** 32);
  #listening: Promise<Disposable> | undefined;
  #next = Promise.withResolvers<void>();
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly client: AtspiClient, private readonly idleMs = IDLE_MS) {}

  /** Resolves with the count when it differs from `seen`, or after some time. */
  async wait(seen: number | null, ms: number): Promise<number> {
    clearTimeout(this.#idle);
    try {
      const listening = this.#listening ??= this.#listen();
      listening.catch(() => this.#listening = undefined);
      await listening;
      if (seen === this.#count) await within(this.#next.promise, ms);
      return this.#count;
    } finally {
      clearTimeout(this.#idle); // others may wait, too
      this.#idle = setTimeout(() => this.#stop(), this.idleMs);
    }
  }

  async #listen(): Promise<Disposable> {
    const { client } = this;
    using starting = new DisposableStack();
    for (const name of INTERFACES) {
      starting.use(await client.bus.on({ interface: name }, () => this.#add()));
    }
    for (const event of EVENTS) await client.listen(event);
    return starting.move();
  }

  /** What happens from now on is not seen: the next call cannot tell, and counts it as an event. */
  async #stop(): Promise<void> {
    const listening = this.#listening;
    this.#listening = undefined;
    this.#add();
    try {
      (await listening)?.[Symbol.dispose]();
      for (const event of EVENTS) await this.client.ignore(event);
    } catch {
      // the bus has ended, and with it every event
    }
  }

  #add(): void {
    this.#count++;
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }
}
