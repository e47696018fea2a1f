/** Finds the process that listens on a TCP port, as far as this user may know (proc(5)). */

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** `TCP_LISTEN` of the kernel's `tcp_states.h`. */
const LISTENS = "0A";

/** `process 123 (python3)`, or `undefined` when it is another user's. */
export async function findPortOwner(port: number): Promise<string | undefined> {
  const sockets = new Set(await listeningSockets(port));
  if (sockets.size === 0) return undefined;
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name) || !await holds(name, sockets)) continue;
    const program = await Deno.readTextFile(`/proc/${name}/comm`).catch(() => "");
    return `process ${name} (${program.trim()})`;
  }
  return undefined;
}

/** `socket:[12345]` for each socket that listens on the port. */
async function listeningSockets(port: number): Promise<string[]> {
  const tables = await Promise.all(TABLES.map((path) => Deno.readTextFile(path).catch(() => "")));
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return tables.join("\n").split("\n").map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(end) && state === LISTENS)
    .map((columns) => `socket:[${columns[9]}]`);
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
