/** Looks at processes of the system, for tests on who is still there. */

/** Whether a process runs; one that has ended and is not yet collected does not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return !stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    if ((error as { code?: string }).code === "ESRCH") return false; // it ended while we read
    throw error;
  }
}

/** The process that serves an X display of this computer (`:7`): the Xvfb that holds its socket. */
export function serverPid(display: string): number {
  const listening = new RegExp(
    `^\\S+ \\S+ \\S+ 00010000 .* (\\d+) /tmp/.X11-unix/X${display.slice(1)}$`,
    "gm",
  );
  const sockets = Deno.readTextFileSync("/proc/net/unix");
  const inodes = new Set([...sockets.matchAll(listening)].map((match) => `socket:[${match[1]}]`));
  for (const { name } of Deno.readDirSync("/proc")) {
    if (/^\d+$/.test(name) && programOf(name) === "Xvfb") {
      if (openFiles(name).some((file) => inodes.has(file))) return Number(name);
    }
  }
  throw new Error(`No Xvfb serves ${display}`);
}

function programOf(pid: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/comm`).trim();
  } catch {
    return ""; // it ended while we looked
  }
}

/** What a process has open, as its descriptors link to it; nothing of one that has ended. */
export function openFiles(pid: number | string): string[] {
  const folder = `/proc/${pid}/fd`;
  const targetOf = (name: string) => {
    try {
      return Deno.readLinkSync(`${folder}/${name}`);
    } catch {
      return ""; // closed while we read
    }
  };
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => targetOf(name));
  } catch {
    return []; // it ended while we read
  }
}

/** The numbers of the living processes of a session, each of which is started as its own by the service. */
export function membersOf(session: number): number[] {
  return processIds().filter((pid) => Number(statOf(pid)?.[SESSION]) === session && isRunning(pid));
}

/** The numbers of our own children that have ended and were not collected. */
export function zombiesOf(parent: number): number[] {
  return processIds().filter((pid) => {
    const stat = statOf(pid);
    return stat?.[STATE] === "Z" && Number(stat[PARENT]) === parent;
  });
}

/** The numbers of the children of a process. */
export function childrenOf(parent: number): number[] {
  return processIds().filter((pid) => Number(statOf(pid)?.[PARENT]) === parent);
}

/** How many files a process has open. */
export function countOpenFiles(pid: number): number {
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
}

/** Columns of `/proc/PID/stat`, counted from the one after the name. */
const STATE = 0;
const PARENT = 1;
const SESSION = 3;

function processIds(): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter(Number.isInteger);
}

function statOf(pid: number): string[] | undefined {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined; // it ended while we looked
  }
}
