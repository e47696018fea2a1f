/**
 * Harbor's own validator takes the exports of random sessions. `deno test ... harbor_test.ts -- 1000 7` tries so many,
 * from that seed on.
 */

import { expect } from "expect";
import { join } from "node:path";
import { pick } from "../../../support/extent.ts";
import { testFolder } from "../../../support/folder.ts";
import { harborModels } from "../../../support/harbor.ts";
import { exportSessions, SECRET } from "./support/random_sessions.ts";

const DAY_MS = 86_400_000;
const [SESSIONS = pick({ short: 100, full: 1_000 }), SEED = Math.floor(Date.now() / DAY_MS)] = Deno
  .args.map(Number);
const harbor = await harborModels();

Deno.test({
  name: `Harbor's validator takes ${SESSIONS} exports of random sessions, from seed ${SEED} on${
    typeof harbor === "string" ? ` (${harbor.split("\n").at(-1)})` : ""
  }`,
  ignore: typeof harbor === "string",
  async fn() {
    if (typeof harbor === "string") throw new TypeError("This test is ignored");
    await using folder = await testFolder();
    const seen = await exportSessions(folder.path, { count: SESSIONS, seed: SEED });
    console.log(seen);
    const verdicts = JSON.parse(await harbor.run([folder.path]));
    expect(verdicts).toEqual({ valid: SESSIONS, refused: [], broken: "refused" });
    for (const [what, count] of Object.entries(seen)) {
      expect([what, count > 0]).toEqual([what, true]);
    }
    expect(await filesWith(SECRET, folder.path)).toEqual([]);
  },
});

async function filesWith(text: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) found.push(...await filesWith(text, path));
    else if (new TextDecoder("latin1").decode(await Deno.readFile(path)).includes(text)) {
      found.push(path);
    }
  }
  return found;
}
