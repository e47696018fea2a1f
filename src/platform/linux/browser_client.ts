/** Recognises connections of browsers that a service of this user controls (proc(5)). */

import { recordedBrowsers } from "../browser/browser_records.ts";
import type { TcpEnds } from "../tcp_ends.ts";
import { findHolder } from "./diagnosis/socket_owner.ts";
import { findTcpSocket } from "./tcp_socket.ts";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/**
 * Whether a browser that is recorded in one of the state folders, or a process that it has started, is the
 * client of a connection. It is assumed of a client of this computer that has already left: nobody
 * waits for that answer.
 */
export async function isBrowserClient(
  stateDirs: readonly string[],
  ends: TcpEnds,
): Promise<boolean> {
  const browsers = recordedBrowsers(stateDirs);
  if (browsers.length === 0) return false;
  const inode = ends.local && findTcpSocket(ends.remote, ends.local);
  const sockets = inode === undefined ? await findSockets(ends) : new Set([`socket:[${inode}]`]);
  if (sockets.size === 0) return isThisComputer(ends);
  return await findHolder(sockets, withDescendants(browsers)) !== undefined;
}

/**
 * The client's socket where the kernel was not told its ends, as behind a forwarded port: by its ports
 * alone. The whole table of a busy computer takes a tenth of a second.
 */
async function findSockets({ remote, local }: TcpEnds): Promise<ReadonlySet<string>> {
  const port = (number: number) => number.toString(16).toUpperCase().padStart(4, "0");
  const there = local === undefined ? "[0-9A-F]{4}" : port(local.port);
  const row = new RegExp(
    `: [0-9A-F]+:${port(remote.port)} [0-9A-F]+:${there} (?:\\S+ +){6}(\\d+) `,
    "g",
  );
  for (const path of TABLES) {
    const table = await Deno.readTextFile(path).catch(() => "");
    const inodes = Array.from(table.matchAll(row), ([, inode]) => inode!);
    const open = inodes.filter((inode) => inode !== "0");
    if (open.length > 0) return new Set(open.map((inode) => `socket:[${inode}]`));
  }
  return new Set();
}

function isThisComputer({ remote, local }: TcpEnds): boolean {
  return remote.hostname === local?.hostname || /^(127\.|::1$|::ffff:127\.)/.test(remote.hostname);
}

/** The processes and all that they have started, as far as those still run. */
function withDescendants(pids: readonly number[]): readonly string[] {
  const all = pids.map(String);
  for (const pid of all) all.push(...children(pid)); // sees what it adds
  return all;
}

/** The threads of a process have children of their own. */
function children(pid: string): readonly string[] {
  try {
    return Array.from(Deno.readDirSync(`/proc/${pid}/task`), ({ name }) => name).flatMap((thread) =>
      Deno.readTextFileSync(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean)
    );
  } catch {
    return []; // it has ended
  }
}
