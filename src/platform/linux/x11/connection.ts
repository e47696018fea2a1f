/** One connection to an X server, kept open: requests as promises, shared confirmations, an end that nobody waits for in vain. */

import { ServiceError } from "../../../errors.ts";
import {
  type Callback,
  createClient,
  EVENT_MASK,
  parseDisplayName,
  type XClient,
  type XEvent,
  type XScreen,
  type XSetup,
} from "./client.ts";

/** A server that does not answer the setup within this is treated as absent. */
const OPEN_TIMEOUT_MS = 5_000;
/** A server that does not answer a request within this is treated as gone. */
const ANSWER_TIMEOUT_MS = 10_000;
const WATCH_MS = 1_000;
/** A display's TCP port is 6000 and its number. */
const MAX_NUMBER = 65_535 - 6_000;

/** Why a display cannot be opened: there is no server, it refuses us, or it is not for us. */
export class XOpenError extends Error {
  override readonly name = "XOpenError";

  constructor(
    readonly kind: "absent" | "refused" | "foreign",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

interface Pending {
  readonly since: number;
  reject(error: Error): void;
}

export class X11Connection implements Disposable {
  readonly client: XClient;
  readonly screen: XScreen;
  /** The size of the root window now; it follows RANDR. */
  size: { readonly width: number; readonly height: number };
  #connected = true;
  readonly #pending = new Set<Pending>();
  readonly #listeners = new Set<(event: XEvent) => void>();
  readonly #atLoss = new Set<() => void>();
  readonly #watch: ReturnType<typeof setInterval>;
  #confirmation: Promise<void> | undefined;
  #confirming: Promise<void> | undefined;

  private constructor(readonly name: string, readonly setup: XSetup) {
    this.client = setup.client;
    this.screen = setup.screen[parseDisplayName(name).screenNum] ?? setup.screen[0]!;
    this.size = { width: this.screen.pixel_width, height: this.screen.pixel_height };
    this.client.on("end", () => this.#lose());
    this.client.stream.on("close", () => this.#lose()); // a connection that is reset has no "end"
    this.client.on("event", (event: XEvent) => this.#dispatch(event));
    this.client.ChangeWindowAttributes(this.screen.root, {
      eventMask: EVENT_MASK.structureNotify,
    });
    this.#watch = setInterval(() => this.#checkAnswers(), WATCH_MS);
    Deno.unrefTimer(this.#watch as unknown as number);
  }

  /** @throws XOpenError */
  static async open(name: string): Promise<X11Connection> {
    const setup = await connect(name);
    return new X11Connection(name, setup);
  }

  /** `false` once the server has gone or hung; a lost connection never comes back. */
  get connected(): boolean {
    return this.#connected;
  }

  get root(): number {
    return this.screen.root;
  }

  /**
   * Sends a request that has a reply.
   * @throws ServiceError `unavailable` when the server goes away meanwhile; XError as the server says.
   */
  call<T>(send: (callback: Callback<T>) => void): Promise<T> {
    if (!this.#connected) return Promise.reject(this.#gone());
    return new Promise((resolve, reject) => {
      const pending = { since: performance.now(), reject };
      this.#pending.add(pending);
      send((error, result) => {
        this.#pending.delete(pending);
        if (error) reject(error);
        else resolve(result);
        return true;
      });
    });
  }

  /**
   * Resolves when the server has processed everything that was sent so far.
   * Calls that come while a round trip is under way share the next one.
   */
  confirm(): Promise<void> {
    if (this.#confirmation) return this.#confirmation;
    const previous = this.#confirming;
    const next = previous ? previous.then(() => this.#roundTrip()) : this.#roundTripSoon();
    return this.#confirmation = next;
  }

  onEvent(listener: (event: XEvent) => void): void {
    this.#listeners.add(listener);
  }

  offEvent(listener: (event: XEvent) => void): void {
    this.#listeners.delete(listener);
  }

  /** Calls `listener` once when the server has gone or the connection is closed. */
  onLoss(listener: () => void): void {
    this.#atLoss.add(listener);
  }

  [Symbol.dispose](): void {
    if (!this.#connected) return;
    this.client.terminate();
    this.#lose();
  }

  /** After the microtasks of this moment: requests that arrived together share the round trip. */
  #roundTripSoon(): Promise<void> {
    return Promise.resolve().then(() => this.#roundTrip());
  }

  #roundTrip(): Promise<void> {
    this.#confirmation = undefined;
    const trip: Promise<void> = this.call<{ focus: number }>((done) =>
      this.client.GetInputFocus(done)
    ).then(() => {
      if (this.#confirming === trip) this.#confirming = undefined;
    });
    return this.#confirming = trip;
  }

  #dispatch(event: XEvent): void {
    if (event.name === "ConfigureNotify" && event.wid === this.root) {
      this.size = { width: event.width, height: event.height };
    }
    for (const listener of this.#listeners) listener(event);
  }

  #checkAnswers(): void {
    const [oldest] = this.#pending;
    if (oldest && performance.now() - oldest.since > ANSWER_TIMEOUT_MS) {
      this.client.stream.destroy();
      this.#lose();
    }
  }

  #lose(): void {
    if (!this.#connected) return;
    this.#connected = false;
    clearInterval(this.#watch);
    for (const pending of this.#pending) pending.reject(this.#gone());
    this.#pending.clear();
    for (const listener of this.#atLoss) listener();
  }

  #gone(): ServiceError {
    return new ServiceError("unavailable", `The X server at "${this.name}" went away; try again`);
  }
}

function connect(name: string): Promise<XSetup> {
  return new Promise((resolve, reject) => {
    let client: XClient | undefined;
    const end = (cause: Error) => {
      clearTimeout(timer);
      client?.stream?.destroy(); // a server that hangs must not be left with connections that nobody uses
      reject(openError(name, cause));
    };
    const timer = setTimeout(() => end(new Error("it does not answer")), OPEN_TIMEOUT_MS);
    try {
      if (parseDisplayName(name).displayNum > MAX_NUMBER) {
        throw new Error("no port has this number");
      }
      client = createClient(
        { display: name, bufferRequests: true, shm: false },
        (error, setup) => {
          if (error) return end(error);
          clearTimeout(timer);
          resolve(setup);
        },
      );
      // errors of requests without a callback, and of the socket, whose end is told by "end" and "close"
      client.on("error", () => {});
    } catch (error) {
      end(error as Error);
    }
  });
}

function openError(name: string, cause: Error): XOpenError {
  const reason = cause.message.match(/^X server connection failed: (.*)/s)?.[1]?.trim();
  if (reason) {
    return new XOpenError(
      "refused",
      `the X server at "${name}" refuses the connection: ${reason.replace(/\s+/g, " ")}`,
      { cause },
    );
  }
  return new XOpenError("absent", `no X server answers at "${name}"`, { cause });
}
