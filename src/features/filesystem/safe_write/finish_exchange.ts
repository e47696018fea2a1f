/** Finishes an exchange of the old file for the new one that a crash has interrupted. */

import { appendRest, hashOfStart } from "./appended.ts";
import { isThere } from "./create_file.ts";
import { Descriptor } from "./descriptor.ts";
import type { ExchangedRecord } from "./journal.ts";
import { fileState } from "./replacing.ts";
import type { Outcome } from "./restore.ts";
import { removeIfThere, syncFolder } from "./temporary.ts";
import { dirname } from "node:path";

/**
 * Removes the new file if it is not in place; removes the old one once everything appended to it is
 * in the new one.
 */
export async function finishExchange(record: ExchangedRecord): Promise<Outcome> {
  const { path, target, made } = record;
  if (!await isThere(path)) return { outcome: "finished before" };
  const now = await Deno.lstat(path);
  if (`${now.dev}:${now.ino}` === made) {
    await removeIfThere(path);
    return { outcome: "removed" };
  }
  if (!now.isFile) return { outcome: "something else came out of the exchange", kept: true };
  if (fileState(now) !== record.state && !await isTaken(record)) {
    return { outcome: "another program's version came out of the exchange", kept: true };
  }
  await removeIfThere(path);
  await syncFolder(dirname(target));
  return { outcome: "finished" };
}

/**
 * Adds what was appended to the old file to the new one. Returns `false` if that is no longer in
 * place, or if the old file's earlier bytes are not the ones that were read.
 */
async function isTaken({ path, target, made, state, hash }: ExchangedRecord): Promise<boolean> {
  const size = Number(state.split(" ")[0]);
  await using old = await Descriptor.open(path, "read");
  if (hash === "" || await hashOfStart(old, size) !== hash) return false;
  await using fresh = await Descriptor.open(target, "append");
  const { dev, ino } = await fresh.stat();
  if (`${dev}:${ino}` !== made) return false;
  await appendRest(old, fresh, size);
  return true;
}
