/** The folder of the browser's own data, with settings for a browser that a program uses. */

import { dirname, join } from "node:path";
import { isAlive, type ProcessIdentity, readIdentity } from "../linux/process/process_identity.ts";
import { sendSignal } from "../posix/process_table.ts";

const PREFIX = "computer-control-browser-";
const OWNER = "owner.json";

/** It asks nothing of its own: what it would ask lies over its pages, and takes clicks and keys. */
const PREFERENCES = {
  credentials_enable_service: false,
  profile: {
    password_manager_enabled: false,
    password_manager_leak_detection: false,
    exit_type: "Normal",
  },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  translate: { enabled: false },
  download_bubble: { partial_view_enabled: false },
  signin: { allowed: false, allowed_on_next_startup: false },
};

/** Who uses a profile; written into it. */
interface Owner {
  readonly service: ProcessIdentity;
  readonly browser?: ProcessIdentity | undefined;
  /** Process ids of other namespaces say nothing here. */
  readonly namespace: string;
}

/** A new profile in the folder for temporary files, from which those of services that were killed go. */
export async function makeProfile(): Promise<string> {
  const path = await Deno.makeTempDir({ prefix: PREFIX });
  await removeAbandoned(dirname(path)).catch(() => {}); // it only takes room
  await Deno.mkdir(join(path, "Default"), { mode: 0o700 });
  await Deno.writeTextFile(join(path, "Default", "Preferences"), JSON.stringify(PREFERENCES));
  noteBrowser(path);
  return path;
}

/** Records which process uses a profile, on systems that tell one process from a later one. */
export function noteBrowser(profile: string, pid?: number): void {
  const service = readIdentity(Deno.pid);
  if (service === undefined) return;
  const browser = pid === undefined ? undefined : readIdentity(pid);
  const owner: Owner = { service, browser, namespace: readNamespace() };
  Deno.writeTextFileSync(join(profile, OWNER), JSON.stringify(owner));
}

/** Ends browsers that hang and whose services are gone; the others have ended by themselves. */
async function removeAbandoned(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (!isDirectory || !name.startsWith(PREFIX)) continue;
    const path = join(folder, name);
    const owner = await readOwner(path);
    if (owner === undefined || isAlive(owner.service)) continue;
    if (owner.browser && isAlive(owner.browser)) sendSignal(-owner.browser.pid, "SIGKILL");
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
