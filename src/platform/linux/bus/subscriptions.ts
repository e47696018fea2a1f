/** Signals of a bus: who listens for which. */

import { log } from "../../../core/log.ts";
import type { BusSignal, SignalMatch } from "./types.ts";

export type Listener = (signal: BusSignal) => void;

export class Subscriptions {
  readonly #all = new Set<{ readonly match: SignalMatch; readonly listener: Listener }>();

  add(match: SignalMatch, listener: Listener): Disposable {
    const entry = { match, listener };
    this.#all.add(entry);
    return { [Symbol.dispose]: () => void this.#all.delete(entry) };
  }

  /** A listener that fails concerns neither the others nor the connection. */
  tell(signal: BusSignal): void {
    for (const { match, listener } of [...this.#all]) {
      runListener(() => matches(match, signal) && listener(signal));
    }
  }
}

/** Returns whether it did not fail; a failure is a bug of ours. */
export function runListener(listener: () => unknown): boolean {
  try {
    listener();
    return true;
  } catch (error) {
    log.error("a listener of a bus failed", { error: (error as Error)?.stack ?? String(error) });
    return false;
  }
}

/** The match as a rule of the bus. */
export function matchRule(match: SignalMatch): string {
  const pairs = Object.entries(match).map(([key, value]) => `${key}='${value}'`);
  return ["type='signal'", ...pairs].join(",");
}

/**
 * Whether the bus sent it for this subscription and not for another one. A signal carries the unique
 * name of its sender, so the bus alone decides about well-known names.
 */
function matches(match: SignalMatch, signal: BusSignal): boolean {
  const { sender, arg0, ...rest } = match;
  if (sender?.startsWith(":") && sender !== signal.sender) return false;
  if (arg0 !== undefined && signal.body[0] !== arg0) return false;
  return Object.entries(rest).every(([key, value]) => signal[key as keyof typeof rest] === value);
}
