/** recover(): tidies up exactly what a dead run has left, and nothing else. */

import { expect } from "expect";
import { Journal } from "../../../src/features/filesystem/safe_write/journal.ts";
import { recover } from "../../../src/features/filesystem/safe_write/recovery.ts";
import { namesIn } from "../filesystem/files_app.ts";

interface Bench extends AsyncDisposable {
  readonly folder: string;
  readonly stateDir: string;
  readonly said: string[];
  /** Writes a journal as a run that has died would have left it. */
  died(lines: readonly unknown[], torn?: string): Promise<void>;
  recover(): Promise<void>;
}

async function openBench(): Promise<Bench> {
  const folder = await Deno.makeTempDir();
  const stateDir = `${folder}/state`;
  await Deno.mkdir(`${stateDir}/journal`, { recursive: true });
  const said: string[] = [];
  const say = (event: string, fields: object = {}) =>
    said.push(`${event} ${JSON.stringify(fields)}`);
  return {
    folder,
    stateDir,
    said,
    async died(lines, torn = "") {
      const text = lines.map((line) => JSON.stringify(line) + "\n").join("") + torn;
      await Deno.writeTextFile(`${stateDir}/journal/dead.journal`, text);
    },
    recover: () => recover(stateDir, { info: say, warn: say }),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

Deno.test("recover() removes temporary files and folders of the journal, and no others", async () => {
  await using bench = await openBench();
  const at = (name: string) => `${bench.folder}/${name}`;
  for (const name of ["one.tmp", "ended.tmp", "unknown.tmp"]) {
    await Deno.writeTextFile(at(name), "");
  }
  await Deno.mkdir(at("tree.tmp/deep"), { recursive: true });
  await bench.died([
    { begin: 1, record: { kind: "temporary", path: at("one.tmp") } },
    { begin: 2, record: { kind: "temporary", path: at("ended.tmp") } },
    { begin: 3, record: { kind: "temporary", path: at("tree.tmp") } },
    { begin: 4, record: { kind: "temporary", path: at("never-made.tmp") } },
    { end: 2 },
  ], `{"begin":5,"record":{"kind":"temporary","path":"${at("unknown.tmp")}"`);
  await bench.recover();
  expect(namesIn(bench.folder)).toEqual(["ended.tmp", "state", "unknown.tmp"]);
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
  await bench.recover();
});

const OLD = "o".repeat(10_000);
const NEW = "n".repeat(12_000);

const found: [string, string, string][] = [
  ["nothing written yet", OLD, OLD],
  ["a part written", NEW.slice(0, 5_000) + OLD.slice(5_000), OLD],
  ["a part written in the middle of a block", NEW.slice(0, 5_001) + OLD.slice(5_001), OLD],
  ["all written", NEW, NEW],
  ["another program's bytes", "another", "another"],
  ["another program's bytes at the end", OLD + "more", OLD + "more"],
  ["an empty file", "", ""],
];

for (const [what, now, then] of found) {
  Deno.test(`recover() of a file written in place that holds ${what}`, async () => {
    await using bench = await openBench();
    const path = `${bench.folder}/x`;
    const [before, after] = ["old", "new"].map((name) =>
      `${bench.stateDir}/journal/dead.${name}.bytes`
    );
    await Deno.writeTextFile(before!, OLD);
    await Deno.writeTextFile(after!, NEW);
    await Deno.writeTextFile(path, now);
    await bench.died([{ begin: 1, record: { kind: "in_place", path, before, after } }]);
    await bench.recover();
    expect(await Deno.readTextFile(path)).toBe(then);
    expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
  });
}

Deno.test("recover() restores a file that becomes shorter and was not cut yet", async () => {
  await using bench = await openBench();
  const path = `${bench.folder}/x`;
  const [before, after] = ["old", "new"].map((name) =>
    `${bench.stateDir}/journal/dead.${name}.bytes`
  );
  await Deno.writeTextFile(before!, NEW);
  await Deno.writeTextFile(after!, OLD);
  await Deno.writeTextFile(path, OLD + NEW.slice(OLD.length));
  await bench.died([{ begin: 1, record: { kind: "in_place", path, before, after } }]);
  await bench.recover();
  expect(await Deno.readTextFile(path)).toBe(NEW);
});

Deno.test("recover() leaves alone what was deleted since, and a state folder that is not there", async () => {
  await using bench = await openBench();
  const path = `${bench.folder}/gone`;
  await bench.died([{
    begin: 1,
    record: { kind: "in_place", path, before: "/no/1", after: "/no/2" },
  }]);
  await bench.recover();
  expect(namesIn(bench.folder)).toEqual(["state"]);
  await recover(`${bench.folder}/nowhere`, { info() {}, warn() {} });
  expect(namesIn(bench.folder)).toEqual(["state"]);
});

Deno.test("recover() leaves the journal of a run that is alive", async () => {
  await using bench = await openBench();
  const journal = await Journal.open(bench.stateDir);
  const path = `${bench.folder}/busy.tmp`;
  const id = await journal.begin({ kind: "temporary", path });
  await Deno.writeTextFile(path, "");
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", RECOVER_ELSEWHERE, bench.stateDir],
    stderr: "inherit",
  }).output();
  expect(success).toBe(true);
  expect(namesIn(bench.folder)).toEqual(["busy.tmp", "state"]);
  journal.end(id);
  await journal[Symbol.asyncDispose]();
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
});

const RECOVERY = import.meta.resolve("../../../src/features/filesystem/safe_write/recovery.ts");
const RECOVER_ELSEWHERE = `
import { recover } from "${RECOVERY}";
await recover(Deno.args[0], { info() {}, warn() { Deno.exit(1); } });
`;

Deno.test("recover() reports a journal that it cannot read, and starts all the same", async () => {
  await using bench = await openBench();
  await Deno.writeTextFile(`${bench.stateDir}/journal/bad.journal`, "no JSON\n");
  await bench.recover();
  expect(bench.said.join()).toContain("cannot be worked off");
});
