/** Counts the input that the server generates, and what of it was handed to clients. */

import type { InputEvent, Recorded } from "./record_protocol.ts";

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
    if (typeof recorded === "object") this.#count(recorded);
    else if (recorded === "probe") this.#probe();
    else if (recorded === "replay") this.#handOn();
  }

  /** The kind of event that says most, how many there were, and who got the last one. */
  get result(): { readonly kind: Kind; readonly count: Count } | undefined {
    const kind = STRONGEST_FIRST.find((each) => (this.#counts.get(each)?.sent ?? 0) > 0);
    return kind && { kind, count: this.#counts.get(kind)! };
  }

  #count({ client, window, type, detail, time }: InputEvent): void {
    const kind = KINDS[type as keyof typeof KINDS];
    const key = `${detail} ${time}`;
    const count = this.#counts.get(kind) ?? new Count();
    this.#counts.set(kind, count);
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
