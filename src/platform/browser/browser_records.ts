/**
 * Records the browsers that the services of a state folder control: each service refuses their
 * requests, so that pages and browser operations cannot use a service in place of its caller.
 */

import { join } from "node:path";
import { isAlive, readIdentity } from "../linux/process_identity.ts";

const FOLDER = "browsers";

/** Records a process that has just been started, until it is disposed of. */
export function recordBrowser(stateDir: string, pid: number): Disposable {
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
export function recordReached(stateDir: string, pid: number | undefined): Disposable | undefined {
  try {
    const line = Deno.readTextFileSync(`/proc/${pid}/cmdline`);
    return line.includes("--remote-debugging-") ? recordBrowser(stateDir, pid!) : undefined;
  } catch {
    return undefined;
  }
}

/** The processes of the browsers that run now. */
export function recordedBrowsers(stateDir: string): readonly number[] {
  const folder = join(stateDir, FOLDER);
  return list(folder).filter((pid) => isRunning(folder, pid));
}

function list(folder: string): readonly number[] {
  try {
    return Array.from(Deno.readDirSync(folder), ({ name }) => Number(name)).filter(
      Number.isInteger,
    );
  } catch {
    return []; // no browser was ever started
  }
}

function isRunning(folder: string, pid: number): boolean {
  try {
    return isAlive({ pid, startedAt: Deno.readTextFileSync(join(folder, String(pid))) });
  } catch {
    return false; // it has just ended
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // another service has removed it
  }
}
