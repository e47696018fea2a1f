/** Who exports to one path at the same time: one of them has it all, and the others are told why they have not. */

import { expect } from "expect";
import { EXPORT_FORMATS } from "../../../../src/features/trail/trajectory/exports.ts";
import { testApp } from "../../../support/client.ts";
import { testFolder } from "../../../support/folder.ts";

const STEPS = 12;
const ROUNDS = 20;

/** A service that has recorded steps, each with another picture. */
async function openRecorded(stateDir: string, y: number) {
  const app = testApp({ config: { stateDir }, platform: { size: { width: 64, height: 48 } } });
  const { json } = await app.post("/api/trail/start", { trees: false });
  for (let x = 0; x < STEPS; x++) await app.post("/api/mouse/move", { x, y });
  await app.post("/api/trail/stop", {});
  return { app, id: json.id as string };
}

/** The names and contents of all that an export has written, which is a folder or one file. */
async function listing(path: string): Promise<readonly [name: string, content: string][]> {
  if (!(await Deno.lstat(path)).isDirectory) {
    return [["", (await Deno.readFile(path)).toBase64()]];
  }
  const all: [string, string][] = [];
  for await (const { name } of Deno.readDir(path)) {
    const inside = await listing(`${path}/${name}`);
    all.push(...inside.map(([inner, content]): [string, string] => [`${name}/${inner}`, content]));
  }
  return all.sort();
}

for (const format of EXPORT_FORMATS) {
  Deno.test(`of exports to one path as ${format}, by two services and twice by one, one is there completely`, async () => {
    await using folder = await testFolder();
    const one = await openRecorded(`${folder.path}/one`, 1);
    const other = await openRecorded(`${folder.path}/other`, 20);
    await using _one = one.app.session;
    await using _other = other.app.session;
    const write = async ({ app, id }: typeof one, path: string) => {
      const { status, json } = await app.post("/api/trail/export", { format, path });
      return { status, code: json.code, id };
    };
    const whole = new Map<string, unknown>();
    for (const each of [one, other]) {
      const path = `${folder.path}/whole-${each.id}`;
      expect(await write(each, path)).toMatchObject({ status: 200 });
      whole.set(each.id, await listing(path));
    }
    for (let round = 0; round < ROUNDS; round++) {
      const path = `${folder.path}/round-${round}`;
      const answers = await Promise.all([one, other, one].map((each) => write(each, path)));
      const [done, ...more] = answers.filter(({ status }) => status === 200);
      expect([answers, more]).toEqual([answers, []]);
      const refused = answers.filter((each) => each !== done);
      expect(refused.map(({ code }) => code)).toEqual(["already_exists", "already_exists"]);
      expect(await listing(path)).toEqual(whole.get(done!.id));
    }
    const entries = await Array.fromAsync(Deno.readDir(folder.path));
    expect(entries.filter(({ name }) => name.startsWith("."))).toEqual([]);
  });
}
