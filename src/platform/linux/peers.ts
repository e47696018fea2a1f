/**
 * Clients that have closed their connection, by the kernel's table of TCP sockets (proc(5), /proc/net/tcp).
 * Deno's HTTP server tells of a client that goes away only where the whole request came in one piece.
 */

import type { Peers } from "../types.ts";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
const INTERVAL_MS = 200;
const ESTABLISHED = "01";

interface Watch {
  readonly port: number;
  gone(): void;
}

export class LinuxPeers implements Peers {
  readonly #watches = new Set<Watch>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `gone` once when no connection from that port of a client is open any more. */
  watch(port: number, gone: () => void): Disposable {
    const watch = { port, gone };
    this.#watches.add(watch);
    this.#timer ??= this.#later();
    return { [Symbol.dispose]: () => void this.#watches.delete(watch) };
  }

  #later(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#look(), INTERVAL_MS);
  }

  /** One look for all who watch; none while nobody does. */
  async #look(): Promise<void> {
    const asked = [...this.#watches];
    const open = asked.length > 0 ? await readOpenPeerPorts() : undefined;
    for (const watch of open ? asked : []) {
      if (open!.has(watch.port) || !this.#watches.delete(watch)) continue;
      watch.gone();
    }
    this.#timer = this.#watches.size > 0 ? this.#later() : undefined;
  }
}

/** Nothing where the tables cannot be read: that says nothing about anybody. */
async function readOpenPeerPorts(): Promise<Set<number> | undefined> {
  try {
    const tables = (await Promise.all(TABLES.map(readTable))).join("\n");
    return /^ *\d+: /m.test(tables) ? openPeerPorts(tables) : undefined;
  } catch {
    return undefined;
  }
}

/** The table of a protocol that the kernel does not have is empty. */
async function readTable(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** The remote ports of established connections: fields "local rem_address st" of each line, in hexadecimal. */
export function openPeerPorts(tables: string): Set<number> {
  const ports = new Set<number>();
  for (const [, port, state] of tables.matchAll(/^ *\d+: \S+ [0-9A-F]+:([0-9A-F]{4}) (\w\w) /gm)) {
    if (state === ESTABLISHED) ports.add(parseInt(port!, 16));
  }
  return ports;
}
