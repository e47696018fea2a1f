/** Finds the process that listens on a TCP port, as far as this user may know (proc(5)). */

import { findHolder } from "./socket_owner.ts";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** `TCP_LISTEN` of the kernel's `tcp_states.h`. */
const LISTENS = "0A";

/** `process 123 (python3)`, or `undefined` when it is another user's. */
export async function findPortOwner(port: number): Promise<string | undefined> {
  const holder = await findHolder(new Set(await listeningSockets(port)));
  return holder && `process ${holder.pid} (${holder.program})`;
}

/** `socket:[12345]` for each socket that listens on the port. */
async function listeningSockets(port: number): Promise<string[]> {
  const tables = await Promise.all(TABLES.map((path) => Deno.readTextFile(path).catch(() => "")));
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return tables.join("\n").split("\n").map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(end) && state === LISTENS)
    .map((columns) => `socket:[${columns[9]}]`);
}
