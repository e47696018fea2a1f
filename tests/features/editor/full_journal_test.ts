/** A disk of the state folder that becomes full, and has room again. */

import { expect } from "expect";
import {
  Journal,
  type TemporaryRecord,
} from "../../../src/features/filesystem/safe_write/journal.ts";
import { temporaryName } from "../../../src/features/filesystem/safe_write/temporary.ts";
import { recover } from "../../../src/features/filesystem/safe_write/recovery.ts";
import { cannotMount, mountSmall } from "../filesystem/mounts.ts";

Deno.test({
  name: "a journal works again when its full disk has room, and end() never fails",
  ignore: await cannotMount(),
  async fn() {
    await using disk = await mountSmall("32k");
    const folder = await Deno.makeTempDir();
    const journal = await Journal.open(disk.folder);
    const ids = [await journal.begin(recordOf(`${folder}/first`))];
    await fillUp(`${disk.folder}/filler`); // a part of a page is left to the journal
    let error: unknown;
    while (error === undefined && ids.length < 10_000) {
      const begun = journal.begin(recordOf(`${folder}/${ids.length}`.repeat(5)));
      await begun.then((id) => ids.push(id), (cause) => error = cause);
    }
    expect(error).toMatchObject({ code: "unavailable" });
    for (const id of ids) journal.end(id); // some do not fit
    await Deno.remove(`${disk.folder}/filler`);
    const after = recordOf(`${folder}/after`);
    await Deno.writeTextFile(after.path, "");
    await journal.begin(after);
    await copyAsDead(`${disk.folder}/journal`, `${folder}/state/journal`);
    const said: string[] = [];
    await recover(`${folder}/state`, { info() {}, warn: (event) => said.push(event) });
    expect(said).toEqual([]);
    expect([...Deno.readDirSync(folder)].map(({ name }) => name)).toEqual(["state"]);
    await Deno.remove(folder, { recursive: true });
    // @ts-expect-error -- as a crash would
    journal.file.close();
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
