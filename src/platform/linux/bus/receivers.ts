/** Calls to this side of a bus: who receives which, and what is answered. */

import { runListener } from "./subscriptions.ts";
import type { CallMatch } from "./types.ts";
import { type Incoming, MESSAGE_TYPE, NO_REPLY_EXPECTED, type Outgoing } from "./wire_format.ts";

type Receiver = (body: readonly unknown[]) => void;

export class Receivers {
  readonly #all = new Map<string, Receiver>();

  add(match: CallMatch, receiver: Receiver): Disposable {
    const key = keyOf(match);
    this.#all.set(key, receiver);
    return { [Symbol.dispose]: () => void this.#all.delete(key) };
  }

  /** Returns the answer, without which the caller would wait; nothing if it does not wait. */
  take(
    { sender = "", serial, flags, readBody, ...call }: Incoming,
    nextSerial: () => number,
  ): Outgoing | undefined {
    const receiver = this.#all.get(keyOf(call));
    const failed = receiver !== undefined && !runListener(() => receiver(readBody()));
    if (flags & NO_REPLY_EXPECTED) return undefined;
    const answer = {
      flags: NO_REPLY_EXPECTED,
      serial: nextSerial(),
      replySerial: serial,
      destination: sender,
    };
    if (failed) return { ...answer, ...errorFields("Failed", "This program has failed") };
    if (receiver !== undefined) return { ...answer, type: MESSAGE_TYPE.reply, body: [] };
    return { ...answer, ...errorFields("UnknownMethod", "This program offers no such method") };
  }
}

function errorFields(name: string, text: string) {
  const errorName = `org.freedesktop.DBus.Error.${name}`;
  return { type: MESSAGE_TYPE.error, errorName, signature: "s", body: [text] };
}

function keyOf({ path, interface: name, member }: Partial<CallMatch>): string {
  return [path, name, member].join(" ");
}
