/** A disk of the state folder that becomes full, and has room again. */

import { expect } from "expect";
import {
  Journal,
  type TemporaryRecord,
} from "../../../src/features/filesystem/safe_write/journal.ts";
import { temporaryName } from "../../../src/features/filesystem/safe_write/temporary.ts";
import { recover } from "../../../src/features/filesystem/safe_write/recovery.ts";
import { namesIn } from "../filesystem/files_app.ts";
import { cannotMount, mountSmall } from "../filesystem/mounts.ts";

Deno.test({
  name: "a journal works again when its full disk has room, and leaves nothing of what did not fit",
  ignore: await cannotMount(),
  async fn() {
    await using disk = await mountSmall("32k");
    const folder = await Deno.makeTempDir();
    const journal = await Journal.open(disk.folder);
    const entries = [await journal.begin(recordOf(`${folder}/first`))];
    await fillUp(`${disk.folder}/filler`);
    const names = namesIn(`${disk.folder}/journal`);
    await expect(journal.begin(recordOf(`${folder}/full`))).rejects
      .toMatchObject({ code: "unavailable" });
    expect(namesIn(`${disk.folder}/journal`)).toEqual(names);
    await Deno.remove(`${disk.folder}/filler`);
    const after = recordOf(`${folder}/after`);
    await Deno.writeTextFile(after.path, "");
    entries.push(await journal.begin(after));
    await copyAsDead(`${disk.folder}/journal`, `${folder}/state/journal`);
    const said: string[] = [];
    await recover(`${folder}/state`, { info() {}, warn: (event) => said.push(event) });
    expect(said).toEqual([]);
    expect(namesIn(folder)).toEqual(["state"]);
    for (const entry of entries) entry.end();
    expect(namesIn(`${disk.folder}/journal`)).toEqual([]);
    await Deno.remove(folder, { recursive: true });
  },
});

function recordOf(target: string): TemporaryRecord {
  return { kind: "temporary", path: temporaryName(target), target };
}

/** To the last byte. */
async function fillUp(path: string): Promise<void> {
  using file = await Deno.open(path, { createNew: true, write: true });
  try {
    while (true) await file.write(new Uint8Array(1024));
  } catch (error) {
    expect(String(error)).toContain("No space");
  }
}

/** The journal of a run that is alive, as it would be after its death. */
async function copyAsDead(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) {
    await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
