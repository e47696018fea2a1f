/** Finds the process that holds a socket, as far as this user may know (proc(5)). */

export interface Holder {
  readonly pid: string;
  /** The name of its program, at most 15 bytes. */
  readonly program: string;
}

/** `SO_ACCEPTCON` among the flags of /proc/net/unix: it listens. */
const LISTENS = "00010000";

/** @param sockets as `/proc/PID/fd` shows them: `socket:[12345]` */
export async function findHolder(sockets: ReadonlySet<string>): Promise<Holder | undefined> {
  if (sockets.size === 0) return undefined;
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name) || !await holds(name, sockets)) continue;
    const program = await Deno.readTextFile(`/proc/${name}/comm`).catch(() => "");
    return { pid: name, program: program.trim() };
  }
  return undefined;
}

/** The process that listens at a local socket. */
export async function findListener(path: string): Promise<Holder | undefined> {
  const table = await Deno.readTextFile("/proc/net/unix").catch(() => "");
  const lines = table.split("\n").map((line) => line.split(/\s+/));
  const listening = lines.filter(([, , , flags, , , , name]) => flags === LISTENS && name === path);
  return await findHolder(new Set(listening.map((columns) => `socket:[${columns[6]}]`)));
}

async function holds(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  try {
    for await (const { name } of Deno.readDir(`/proc/${pid}/fd`)) {
      const target = await Deno.readLink(`/proc/${pid}/fd/${name}`).catch(() => "");
      if (sockets.has(target)) return true;
    }
  } catch {
    // another user's, or it has ended
  }
  return false;
}
