/** Checks the state folder: whether it is this user's alone, can be written, and has room. */

import { access, constants, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../../config/config.ts";
import { type Examine, failed, note, ok, type Verdict } from "../../platform/diagnosis/verdict.ts";
import { checkStateFolder } from "../../platform/private_folder.ts";

const MIB = 1_024 * 1_024;
const LITTLE = 64 * MIB;
/** Written for the test: as much as the largest of the service's small files. */
const PROBE_BYTES = 64 * 1_024;
const OTHER_FOLDER = "--state-dir <a folder that can be written>";

export async function examineStorage(examine: Examine, { stateDir }: Config): Promise<void> {
  const late = {
    detail: `${JSON.stringify(stateDir)} does not answer: its disk or network share hangs`,
    mend: "--state-dir <a folder on a local disk>",
  };
  await examine("state folder", () => checkFolder(stateDir), { late, mend: OTHER_FOLDER });
  await examine("disk", () => checkSpace(stateDir), { late, mend: OTHER_FOLDER });
}

async function checkFolder(stateDir: string): Promise<Verdict> {
  const shown = JSON.stringify(stateDir);
  try {
    await checkStateFolder(stateDir);
  } catch (error) {
    const { message } = error as Error;
    const [, command] = /: run (.+?)(?: if nobody|, or choose)/.exec(message) ?? [];
    return failed(message.split(": run ")[0]!, command ?? OTHER_FOLDER);
  }
  const nearest = await nearestFolder(stateDir);
  try {
    if (nearest !== stateDir) await access(nearest, constants.W_OK | constants.X_OK);
    else await writeProbe(join(stateDir, `doctor-${crypto.randomUUID()}`));
  } catch (error) {
    return failed(
      `nothing can be written to ${JSON.stringify(nearest)}: ${explain(error)}`,
      mendOf(error, nearest),
    );
  }
  return ok(nearest === stateDir ? `${shown} can be written` : `${shown} will be made`);
}

async function writeProbe(path: string): Promise<void> {
  try {
    using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
    let left = PROBE_BYTES;
    while (left > 0) left -= await file.write(new Uint8Array(left));
  } finally {
    await Deno.remove(path).catch(() => {}); // it was never made
  }
}

async function checkSpace(stateDir: string): Promise<Verdict> {
  const nearest = await nearestFolder(stateDir);
  const { bavail, bsize } = await statfs(nearest);
  const free = bavail * bsize;
  const text = `${Math.floor(free / MIB)} MiB free below ${JSON.stringify(nearest)}`;
  if (free < PROBE_BYTES) return failed(`the disk is full: ${text}`, freeSpace(nearest));
  return free < LITTLE ? note(`little room: ${text}`, freeSpace(nearest)) : ok(text);
}

/** The folder, or its nearest ancestor that exists. */
async function nearestFolder(path: string): Promise<string> {
  try {
    await Deno.stat(path);
    return path;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) || dirname(path) === path) throw error;
    return await nearestFolder(dirname(path));
  }
}

function mendOf(error: unknown, folder: string): string {
  return isFull(error) ? freeSpace(folder) : OTHER_FOLDER;
}

function freeSpace(folder: string): string {
  return `free some space (df -h ${JSON.stringify(folder)}), or --state-dir <another disk>`;
}

function isFull(error: unknown): boolean {
  return /ENOSPC|EDQUOT|No space|quota/i.test(String(error));
}

function explain(error: unknown): string {
  if (isFull(error)) return "the disk is full";
  const { code } = error as { code?: string };
  if (code === "EROFS") return "it is mounted read-only";
  if (code === "EACCES" || error instanceof Deno.errors.PermissionDenied) {
    return "permission denied";
  }
  return (error as Error).message;
}
