/**
 * Folders with the temporary files of a service. What a service has left that was killed together with
 * all that would have tidied up after it is removed by the next one.
 */

import { dirname, join } from "node:path";
import { isAlive, type ProcessIdentity, readIdentity } from "./linux/process/process_identity.ts";
import { sendSignal } from "./posix/process_table.ts";

const OWNER = "owner.json";

/** Who uses a folder; written into it. */
interface Owner {
  readonly service: ProcessIdentity;
  /** Uses the folder, too, and leads a process group. */
  readonly program?: ProcessIdentity | undefined;
  /** Process ids of other namespaces say nothing here. */
  readonly namespace: string;
}

/**
 * A new folder (mode 0700) of this process where temporary files are; those of the same prefix whose
 * services were killed are removed there.
 */
export async function makeOwnedFolder(prefix: string): Promise<string> {
  const path = await Deno.makeTempDir({ prefix });
  noteOwner(path);
  await removeAbandoned(dirname(path), prefix).catch(() => {}); // it only takes room
  return path;
}

/**
 * Records which process uses a folder, on systems where a process is known from a later one.
 * @param pid of a program that uses it, too
 */
export function noteOwner(folder: string, pid?: number): void {
  const service = readIdentity(Deno.pid);
  if (service === undefined) return;
  const program = pid === undefined ? undefined : readIdentity(pid);
  const owner: Owner = { service, program, namespace: readNamespace() };
  Deno.writeTextFileSync(join(folder, OWNER), JSON.stringify(owner));
}

/** Ends programs that hang and whose services are gone; the others have ended by themselves. */
async function removeAbandoned(parent: string, prefix: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (!isDirectory || !name.startsWith(prefix)) continue;
    const path = join(parent, name);
    const owner = await readOwner(path);
    if (owner === undefined || isAlive(owner.service)) continue;
    if (owner.program && isAlive(owner.program)) sendSignal(-owner.program.pid, "SIGKILL");
    await Deno.remove(path, { recursive: true }).catch(() => {}); // another service removes it, too
  }
}

/** `undefined` for what nobody has noted, and for what is not ours: the folder is everybody's. */
async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const { uid, isDirectory } = await Deno.lstat(path);
    if (!isDirectory || uid !== Deno.uid()) return undefined;
    const owner: Owner = JSON.parse(await Deno.readTextFile(join(path, OWNER)));
    return owner.namespace === readNamespace() ? owner : undefined;
  } catch {
    return undefined;
  }
}

function readNamespace(): string {
  try {
    return Deno.readLinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
