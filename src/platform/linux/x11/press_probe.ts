/**
 * Asks the server, right after a press, whether a client has it: the client that gets the press of
 * a button holds the pointer until the release (an "implicit grab"), whichever protocol it uses.
 * Asking is a request for a grab by a window that is never mapped, which the server refuses for
 * either reason without any effect.
 */

import type { XTest } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import type { InputEvent, Recorded } from "./record_stream.ts";

const ASYNCHRONOUS = 1;
const ALREADY_GRABBED = 1;
const RELATIVE = 1;
/** A window manager that gets a press first has this long to hand it on, in milliseconds. */
const HAND_ON_MS = 60;
/** Presses that are asked about: the others of one operation fare alike. */
const MAX_PROBES = 3;

/** What the server says about one press. */
export interface ProbeAnswer {
  readonly kind: "button" | "key";
  /** Whether another client holds the pointer, or the keyboard. */
  readonly isHeld: boolean;
  /** The child of the root under the cursor, and the window with the keyboard focus. */
  readonly frame: number;
  readonly focus: number;
}

export class PressProbe {
  readonly answers: Promise<ProbeAnswer>[] = [];

  /** @param window never mapped: the server is queried by it */
  constructor(
    private readonly connection: X11Connection,
    private readonly xtest: XTest,
    private readonly window: number,
  ) {}

  /** Sent between the press and the release; the server itself waits in between. */
  afterButton(): void {
    if (this.answers.length >= MAX_PROBES) return;
    // a motion by nothing, for its delay
    this.xtest.FakeInput(this.xtest.MotionNotify, RELATIVE, HAND_ON_MS, 0, 0, 0);
    this.#ask("button");
  }

  afterKey(): void {
    if (this.answers.length < MAX_PROBES) this.#ask("key");
  }

  #ask(kind: ProbeAnswer["kind"]): void {
    const answer = this.probe(kind, "requestPatiently");
    answer.catch(() => {}); // reported to those who wait for it
    this.answers.push(answer);
  }

  /** Asks now, or in the same packet as the next request. */
  async probe(
    kind: ProbeAnswer["kind"],
    send: "request" | "requestPatiently" = "request",
  ): Promise<ProbeAnswer> {
    const { connection, window } = this;
    const modes = [ASYNCHRONOUS, ASYNCHRONOUS] as const;
    const [status, { child }, { focus }] = await Promise.all([
      kind === "button"
        ? connection[send]("GrabPointer", window, 0, 0, ...modes, 0, 0, 0)
        : connection[send]("GrabKeyboard", window, 0, 0, ...modes),
      connection[send]("QueryPointer", connection.root),
      connection[send]("GetInputFocus"),
    ]);
    return { kind, isHeld: status === ALREADY_GRABBED, frame: child, focus };
  }
}

// Counts the input that the server generates, and what of it was handed to clients.

/** The client that got an event, and the window for which. */
export interface HandedTo {
  readonly client: number;
  readonly window: number;
}

/** What had become of a press when the server was asked about it. */
export interface ProbedPress {
  /** The last client that got it as an event of the core protocol. */
  readonly handedTo: HandedTo | undefined;
  /** Whether that client has handed it on, before or after the server was asked. */
  handedOn: "no" | "before" | "after";
}

const KINDS = {
  2: "key press",
  3: "key release",
  4: "button press",
  5: "button release",
  6: "motion",
} as const;
type Kind = typeof KINDS[keyof typeof KINDS];
const STRONGEST_FIRST = [
  "button press",
  "key press",
  "button release",
  "key release",
  "motion",
] as const;

export class InputTally {
  readonly probed: ProbedPress[] = [];
  #press: Omit<ProbedPress, "handedOn"> & { handedOn: boolean } | undefined;
  readonly #counts = new Map<Kind, Count>();

  add(recorded: Recorded): void {
    if (recorded === "probe") this.#probe();
    else if (recorded === "replay") this.#handOn();
    else this.#count(recorded);
  }

  /** The kind of event that says most, how many there were, and who got the last one. */
  get result(): { readonly kind: Kind; readonly count: Count } | undefined {
    const kind = STRONGEST_FIRST.find((each) => (this.#counts.get(each)?.sent ?? 0) > 0);
    return kind && { kind, count: this.#counts.get(kind)! };
  }

  #count({ client, window, type, detail, time }: InputEvent): void {
    const kind = KINDS[type as keyof typeof KINDS];
    const key = `${detail} ${time}`;
    const count = this.#counts.getOrInsertComputed(kind, () => new Count());
    const isPress = kind === "button press" || kind === "key press";
    if (client !== undefined) {
      count.handOver(key, { client, window });
      if (isPress) this.#press = { handedTo: { client, window }, handedOn: false };
    } else if (kind === "motion") {
      this.#counts.set(kind, new Count().generate(key)); // the way does not matter
    } else {
      count.generate(key);
      if (isPress) this.#press = { handedTo: undefined, handedOn: false };
    }
  }

  #probe(): void {
    const { handedTo, handedOn } = this.#press ?? { handedTo: undefined, handedOn: false };
    this.probed.push({ handedTo, handedOn: handedOn ? "before" : "no" });
  }

  #handOn(): void {
    if (this.#press) this.#press.handedOn = true;
    const last = this.probed.at(-1);
    if (last?.handedOn === "no") last.handedOn = "after";
  }
}

/**
 * Events of one kind. A window manager can get an event first and hand it on: the last recipient
 * counts.
 */
class Count {
  sent = 0;
  last: HandedTo | undefined;
  readonly #waiting = new Set<string>();
  #newest = "";

  /** How many events no client got as events of the core protocol. */
  get lost(): number {
    return this.#waiting.size;
  }

  generate(key: string): this {
    this.last = undefined;
    this.#newest = key;
    this.#waiting.add(key);
    this.sent++;
    return this;
  }

  handOver(key: string, to: HandedTo): void {
    this.#waiting.delete(key);
    if (key === this.#newest) this.last = to;
  }
}
