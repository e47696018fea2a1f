/** Programs that ask for a person, and wait until one has had control. */

import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { accessOf, type Actor } from "../actor.ts";
import type { HelpItem } from "./state.ts";

const MAX_WAITING = 16;
/** Of one program. */
const MAX_WAITING_EACH = 2;
/** Requests of one program are reported so far apart at least. */
const REPORT_INTERVAL_MS = 10_000;

export interface HelpOutcome {
  readonly outcome: "handed_back" | "declined" | "timed_out";
  /** The person. */
  readonly by?: string;
  /** What the person said. */
  readonly reason?: string;
}

interface Waiting {
  readonly item: HelpItem;
  readonly account: string;
  readonly answer: (outcome: HelpOutcome) => void;
}

export class HelpRequests implements Disposable {
  readonly #waiting = new Map<string, Waiting>();
  /** When those who have asked lately were reported. */
  readonly #reported = new Map<string, number>();
  /** Is told of requests, at most once in 10 seconds for each program; must neither wait nor throw. */
  onRequest: ((item: HelpItem) => void) | undefined;

  /** @param changed is called when one begins to wait and when one no longer does */
  constructor(private readonly changed: () => void) {}

  list(): readonly HelpItem[] {
    return [...this.#waiting.values()].map(({ item }) => item);
  }

  /**
   * Waits until a person has handed control back, or has declined, at most `timeoutMs`.
   * @throws ServiceError `unavailable` when too many wait; the signal's reason
   */
  async ask(
    actor: Actor,
    { reason, timeoutMs }: { readonly reason: string; readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<HelpOutcome> {
    signal.throwIfAborted();
    const account = accessOf(actor);
    const own = [...this.#waiting.values()].filter((each) => each.account === account).length;
    if (own >= MAX_WAITING_EACH || this.#waiting.size >= MAX_WAITING) {
      const message =
        `${own} requests of this program, and ${this.#waiting.size} in all, already ` +
        "wait for a person: try again later";
      throw new ServiceError("unavailable", message);
    }
    const { promise, resolve } = Promise.withResolvers<HelpOutcome>();
    const now = Date.now();
    const item: HelpItem = {
      id: crypto.randomUUID(),
      name: actor.name,
      reason,
      since: new Date(now).toISOString(),
      until: new Date(now + timeoutMs).toISOString(),
    };
    this.#waiting.set(item.id, { item, account, answer: resolve });
    try {
      this.changed();
      if (this.#isFirstNow(account)) this.onRequest?.(item);
      const isAnswered = await within(promise, timeoutMs, signal);
      signal.throwIfAborted();
      return isAnswered ? await promise : { outcome: "timed_out" };
    } finally {
      this.#waiting.delete(item.id);
      this.changed();
    }
  }

  /** Whether none of its requests has been reported in the last seconds. */
  #isFirstNow(account: string): boolean {
    const now = performance.now();
    for (const [each, at] of this.#reported) {
      if (now - at >= REPORT_INTERVAL_MS) this.#reported.delete(each);
    }
    if (this.#reported.has(account)) return false;
    this.#reported.set(account, now);
    return true;
  }

  /** A person says no. Whether the request still waits. */
  decline(id: string, { name }: Actor, reason?: string): boolean {
    const waiting = this.#waiting.get(id);
    waiting?.answer({ outcome: "declined", by: name, ...(reason && { reason }) });
    return waiting !== undefined;
  }

  /** Answers all that wait. */
  handedBack({ name }: Actor, reason?: string): void {
    for (const { answer } of this.#waiting.values()) {
      answer({ outcome: "handed_back", by: name, ...(reason && { reason }) });
    }
  }

  /** The service ends. */
  [Symbol.dispose](): void {
    for (const { answer } of this.#waiting.values()) answer({ outcome: "timed_out" });
  }
}
