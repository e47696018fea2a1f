/** Where the accessibility bus is. */

import { within } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Host } from "../../host.ts";
import { openBus } from "../bus/open_bus.ts";
import { DAEMON, readProperty, sessionBusAddress } from "../bus/types.ts";
import type { AtspiClient } from "./client.ts";

const LAUNCHER = {
  destination: "org.a11y.Bus",
  path: "/org/a11y/bus",
  interface: "org.a11y.Bus",
} as const;

/** @throws ServiceError `unavailable`: there is none */
export async function findSessionAccessibilityBus(host: Host): Promise<string> {
  return await askSessionBus(sessionBusAddress(host));
}

/**
 * The address of the accessibility bus of a session; its launcher is started where it does not run.
 * @param sessionBus the address of the session bus
 * @throws ServiceError `unavailable`: there is none, with the advice to install it
 */
export async function askSessionBus(sessionBus: string): Promise<string> {
  using bus = await openBus(sessionBus);
  try {
    const { body: [address] } = await bus.call({ ...LAUNCHER, member: "GetAddress" });
    return String(address);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message = error.code === "timed_out" ? SILENT_LAUNCHER : NO_BUS;
    throw new ServiceError("unavailable", message, { cause: error });
  }
}

/**
 * Whether the accessibility bus of the session runs; `false` where it can be started.
 * @throws ServiceError `unavailable`: there is none, or no session bus
 */
export async function runsAccessibilityBus(host: Host): Promise<boolean> {
  using bus = await openBus(sessionBusAddress(host));
  const list = async (member: string) => {
    const { body: [names] } = await bus.call({ ...DAEMON, member });
    return (names as string[]).includes(LAUNCHER.destination);
  };
  if (await list("ListNames")) return true;
  if (await list("ListActivatableNames")) return false;
  throw new ServiceError("unavailable", NO_BUS);
}

/** Whether the session requests all programs to report what they show; `true` where it is unknown. */
export async function isSwitchedOn(host: Host): Promise<boolean> {
  try {
    using bus = await openBus(sessionBusAddress(host));
    const status = { ...LAUNCHER, interface: "org.a11y.Status" };
    return await readProperty(bus, status, "IsEnabled") !== false;
  } catch {
    return true;
  }
}

/** @throws ServiceError `unavailable` */
export function failWithoutBus(): Promise<never> {
  return Promise.reject(new ServiceError("unavailable", NO_BUS));
}

const SILENT_LAUNCHER =
  "Cannot read elements: what starts the accessibility bus of the session does not respond";
const NO_BUS =
  "Cannot read elements: the session has no accessibility bus; install at-spi2-core (`setup` installs it)";

// Counts the events of programs while somebody asks for them: to send them costs programs time.

const EVENTS = ["object", "window"];
const INTERFACES = ["org.a11y.atspi.Event.Object", "org.a11y.atspi.Event.Window"];

/** Without a call for this long, programs are requested to send no more events. */
const IDLE_TIMEOUT_MS = 30_000;

export class EventCount {
  /** A thread that was started again has another one. */
  #count = Math.floor(Math.random() * 2 ** 32);
  #listening: Promise<Disposable> | undefined;
  #next = Promise.withResolvers<void>();
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly client: AtspiClient, private readonly idleMs = IDLE_TIMEOUT_MS) {}

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
      starting.use(await client.on({ interface: name }, () => this.#add()));
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
