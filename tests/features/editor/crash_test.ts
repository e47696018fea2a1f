/** A service that is killed in the middle of an edit leaves the old file or the new one, and the next start tidies up. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { recover } from "../../../src/features/filesystem/safe_write/recovery.ts";
import { namesIn } from "../filesystem/files_app.ts";
import { pick } from "../../support/extent.ts";
import { lineReader } from "../../support/lines.ts";
import { versionWord } from "./edit_forever.ts";

const KILLS = pick({ short: 10, full: 60 });
/** Kills come at random moments: how many there are at most until one came at the one that this is about. */
const MAX_KILLS = 1_500;
const LINE = `${versionWord(0)} and some text that stays as it is, whatever happens\n`;
const LINES = Math.ceil(5 * 2 ** 20 / LINE.length);
const SILENT = { info() {}, warn() {} };

/** Within how many milliseconds each process is killed: that is a few edits long. */
const WINDOW_MS = { "by a rename": 100, "in place": 240 } as const;

for (const way of ["by a rename", "in place"] as const) {
  Deno.test(`${KILLS} kills during edits ${way} of a 5 MiB file leave the old or the new file`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      const path = `${folder}/work/x`;
      const stateDir = `${folder}/state`;
      await Deno.mkdir(`${folder}/work`);
      await Deno.writeTextFile(path, LINE.repeat(LINES));
      await Deno.writeTextFile(`${folder}/work/.mine.tmp`, "not yours");
      // several hard links cannot be kept by a rename
      if (way === "in place") await Deno.link(path, `${folder}/other-name`);
      const names = namesIn(`${folder}/work`);
      let repaired = 0;
      let cleaned = 0;
      let version = 0;
      const isHit = () => way === "in place" ? repaired > 0 : cleaned > 0;
      for (let kill = 0; kill < KILLS || (!isHit() && kill < MAX_KILLS); kill++) {
        await killDuringEdits([path, stateDir], WINDOW_MS[way]);
        const before = await Deno.readTextFile(path);
        if (way === "by a rename") version = checkWhole(before, version);
        if (namesIn(`${folder}/work`).length > names.length) cleaned++;
        await recover(stateDir, SILENT);
        const after = await Deno.readTextFile(path);
        if (after !== before) repaired++;
        version = checkWhole(after, version);
        expect(namesIn(`${folder}/work`)).toEqual(names);
        expect(namesIn(`${stateDir}/journal`)).toEqual([]);
      }
      expect(await Deno.readTextFile(`${folder}/work/.mine.tmp`)).toBe("not yours");
      expect(version).toBeGreaterThan(0);
      expect(isHit()).toBe(true);
      if (way === "by a rename") expect(repaired).toBe(0);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

/** Kills at a random moment after the edits have begun. */
async function killDuringEdits(args: readonly string[], windowMs: number): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", PROGRAM, ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = lineReader(child.stdout);
  await lines.until(/^editing$/);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * windowMs));
  child.kill("SIGKILL");
  await child.status;
  await lines.rest();
}

const PROGRAM = fileURLToPath(new URL("./edit_forever.ts", import.meta.url));

/** All lines must be of one version, not older than `least`. */
function checkWhole(text: string, least: number): number {
  const version = Number(text.match(/^version-(\d{8})/)?.[1]);
  expect(version).toBeGreaterThanOrEqual(least);
  const expected = LINE.replace(versionWord(0), versionWord(version)).repeat(LINES);
  expect(text === expected).toBe(true);
  return version;
}
