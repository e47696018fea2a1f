/**
 * Clients that have closed their connection, by the kernel's table of TCP sockets (proc(5), /proc/net/tcp).
 * Deno's HTTP server tells of a client that goes away only where the whole request came in one piece.
 */

import type { Peers } from "../types.ts";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** The first look comes after this, each further one after so much more: reading a large table takes milliseconds. */
const FIRST_LOOK_MS = 200;
const LATER = 1.5;
const LATEST_LOOK_MS = 3_000;
const ESTABLISHED = "01";

interface Watch {
  readonly port: number;
  gone(): void;
}

export class LinuxPeers implements Peers {
  readonly #watches = new Set<Watch>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the next look is due. */
  #next = Infinity;
  #intervalMs = FIRST_LOOK_MS;
  #looking = false;

  constructor(private readonly readOpenPorts = readOpenPeerPorts) {}

  /**
   * Calls `gone` once when no connection from that port of a client is open any more: within half as long
   * again as it has been watched, at most 3 seconds, which costs next to nothing however long that is.
   */
  watch(port: number, gone: () => void): Disposable {
    const watch = { port, gone };
    this.#watches.add(watch);
    this.#intervalMs = FIRST_LOOK_MS;
    if (!this.#looking && performance.now() + FIRST_LOOK_MS < this.#next) this.#later();
    return { [Symbol.dispose]: () => void this.#watches.delete(watch) };
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#next = performance.now() + this.#intervalMs;
    this.#timer = setTimeout(() => this.#look(), this.#intervalMs);
  }

  /** One look for all who watch; none while nobody does. */
  async #look(): Promise<void> {
    const asked = [...this.#watches];
    this.#next = Infinity;
    if (asked.length === 0) return;
    this.#looking = true;
    this.#intervalMs = Math.min(this.#intervalMs * LATER, LATEST_LOOK_MS);
    const open = await this.readOpenPorts();
    this.#looking = false;
    for (const watch of open ? asked : []) {
      if (open!.has(watch.port) || !this.#watches.delete(watch)) continue;
      watch.gone();
    }
    if (this.#watches.size > 0) this.#later();
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
