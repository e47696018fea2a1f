/**
 * Records the browsers that the services of a user control, in their state folders and in the user's
 * default one, which all of them read: each service refuses their requests, so that pages and browser
 * operations cannot use a service in place of its caller.
 */

import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { findUserFolders } from "../../config/environment.ts";
import { tryTo } from "../../core/errors.ts";
import { openRegularSync } from "../../core/files.ts";
import type { Host } from "../host.ts";
import { isAlive, readIdentity } from "../linux/process/process_identity.ts";
import { checkPrivateFolder } from "../private_folder.ts";

const FOLDER = "browsers";
const MAX_RECORD_BYTES = 256;

/**
 * The state folder of the service and, unless others could change it, the default one of the user:
 * services with other state folders look there, too.
 */
export async function findRecordFolders(
  { os, env }: Pick<Host, "os" | "env">,
  stateDir: string,
): Promise<readonly string[]> {
  const shared = findUserFolders(os, env, undefined).stateDir;
  if (shared === stateDir) return [stateDir];
  const isPrivate = await checkPrivateFolder(join(shared, FOLDER), "folder of browsers")
    .then(() => true, () => false);
  return isPrivate ? [stateDir, shared] : [stateDir];
}

/**
 * Records a process that has just been started, until it is disposed of.
 * @throws Error when the first folder does not take it; a home that cannot be written is no error
 */
export function recordBrowser([own, ...shared]: readonly string[], pid: number): Disposable {
  const records = new DisposableStack();
  records.use(recordIn(own!, pid));
  // where it fails, services with other state folders cannot know it
  for (const stateDir of shared) records.use(tryTo(() => recordIn(stateDir, pid)));
  return records;
}

function recordIn(stateDir: string, pid: number): Disposable {
  const folder = join(stateDir, FOLDER);
  const path = join(folder, String(pid));
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const old of list(folder)) {
    if (!isRunning(folder, old)) removeQuietly(join(folder, String(old)));
  }
  Deno.writeTextFileSync(path, readIdentity(pid)?.startedAt ?? "", { mode: 0o600 });
  return { [Symbol.dispose]: () => removeQuietly(path) };
}

/**
 * Records a browser that was reached at an address, if it is a process of this computer. A number
 * that stands for another process here is that of a browser elsewhere.
 */
export function recordReached(
  stateDirs: readonly string[],
  pid: number | undefined,
): Disposable | undefined {
  return tryTo(() => {
    const line = Deno.readTextFileSync(`/proc/${pid}/cmdline`);
    return line.includes("--remote-debugging-") ? recordBrowser(stateDirs, pid!) : undefined;
  });
}

/** The processes of the browsers that run now. */
export function recordedBrowsers(stateDirs: readonly string[]): readonly number[] {
  return stateDirs.map((stateDir) => join(stateDir, FOLDER))
    .flatMap((folder) => list(folder).filter((pid) => isRunning(folder, pid)));
}

function list(folder: string): readonly number[] {
  const entries = tryTo(() => [...Deno.readDirSync(folder)]) ?? []; // no browser was ever started
  return entries.map(({ name }) => Number(name)).filter(Number.isInteger);
}

function isRunning(folder: string, pid: number): boolean {
  const startedAt = tryTo(() => read(join(folder, String(pid))));
  return startedAt !== undefined && isAlive({ pid, startedAt }); // else it has just ended
}

/** Every request reads them, so that nothing there may be waited for, or have no end. */
function read(path: string): string {
  const file = openRegularSync(path);
  try {
    const bytes = new Uint8Array(MAX_RECORD_BYTES);
    return new TextDecoder().decode(bytes.subarray(0, readSync(file, bytes)));
  } finally {
    closeSync(file);
  }
}

function removeQuietly(path: string): void {
  tryTo(() => Deno.removeSync(path)); // another service may have removed it
}
