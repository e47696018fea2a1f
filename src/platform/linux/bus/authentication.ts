/**
 * The start of a connection to a bus: who we are, and that descriptors may pass.
 * https://dbus.freedesktop.org/doc/dbus-specification.html#auth-protocol
 */

import type { MessageSocket } from "../wayland/wire/message_socket.ts";

/** The part of a socket that a bus uses. */
export type BusSocket = Pick<MessageSocket, "send" | "receive" | typeof Symbol.dispose>;

/** Longer lines are no answers of a bus. */
const MAX_LINE_BYTES = 4096;

/**
 * Resolves when the bus takes messages.
 * @throws Error when it refuses this user or cannot pass descriptors.
 */
export async function authenticate(socket: BusSocket, uid: number): Promise<void> {
  const id = [...String(uid)].map((digit) => digit.charCodeAt(0).toString(16)).join("");
  await ask(socket, `\0AUTH EXTERNAL ${id}\r\n`, "OK");
  await ask(socket, "NEGOTIATE_UNIX_FD\r\n", "AGREE_UNIX_FD");
  await socket.send(new TextEncoder().encode("BEGIN\r\n"));
}

/** A bus says nothing unasked before `BEGIN`, so nothing follows its line. */
async function ask(socket: BusSocket, question: string, answer: string): Promise<void> {
  await socket.send(new TextEncoder().encode(question));
  let line = "";
  while (!line.endsWith("\r\n")) {
    const { bytes } = await socket.receive();
    line += new TextDecoder().decode(bytes);
    if (line.length > MAX_LINE_BYTES) throw new Error("it is not a bus");
  }
  if (!line.startsWith(answer)) throw new Error(`it answers ${JSON.stringify(line.trim())}`);
}
