/** The session bus for calls to a desktop: one that does not answer is one that is not there now. */

import { ServiceError } from "../../../core/errors.ts";
import type { MessageBus } from "./types.ts";

/** @returns a bus of which no call fails with `timed_out`, which no operation declares */
export function promptBus(bus: MessageBus): MessageBus {
  return {
    get name() {
      return bus.name;
    },
    get connected() {
      return bus.connected;
    },
    closed: bus.closed,
    async call(...call) {
      try {
        return await bus.call(...call);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== "timed_out") throw error;
        throw new ServiceError("unavailable", error.message, { cause: error });
      }
    },
    send: (call) => bus.send(call),
    receive: (match, listener) => bus.receive(match, listener),
    on: (match, listener) => bus.on(match, listener),
    [Symbol.dispose]: () => bus[Symbol.dispose](),
  };
}
