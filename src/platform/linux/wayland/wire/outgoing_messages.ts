/** Joins the requests of one turn of the event loop, so that they leave in one packet. */

import type { EncodedMessage } from "./encode.ts";
import type { MessageSocket } from "./message_socket.ts";

export class OutgoingMessages {
  readonly #messages: Uint8Array[] = [];
  #isPlanned = false;
  /** Requests added so far. */
  count = 0;

  /** @param onError the connection cannot be used any more */
  constructor(
    private readonly socket: MessageSocket,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Sends a message at the end of the turn, or at once if it passes a descriptor. */
  add({ bytes, files }: EncodedMessage): void {
    this.count++;
    this.#messages.push(bytes);
    if (files.length > 0) return this.flush(files);
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      this.flush();
    });
  }

  flush(files: readonly number[] = []): void {
    if (this.#messages.length === 0) return;
    const messages = this.#messages.splice(0);
    try {
      this.socket.send(join(messages), files);
    } catch (error) {
      this.onError(error);
    }
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
