/** recover(): tidies up exactly what a dead run has left, and nothing else. */

import { expect } from "expect";
import { Journal } from "../../../src/features/filesystem/safe_write/journal.ts";
import { recover } from "../../../src/features/filesystem/safe_write/recovery.ts";
import { namesIn } from "../filesystem/files_app.ts";
import { openBench } from "./recovery_bench.ts";

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

Deno.test("recover() gives a file that was moved aside its name back, unless that is taken", async () => {
  await using bench = await openBench();
  const [path, aside] = [`${bench.folder}/x`, `${bench.folder}/.x.tmp`];
  await Deno.writeTextFile(aside, "bytes");
  for (const names of [["state", "x"], [".x.tmp", "state", "x"]]) {
    await bench.died([{ begin: 1, record: { kind: "aside", path, aside } }]);
    await bench.recover();
    expect(namesIn(bench.folder)).toEqual(names);
    expect(await Deno.readTextFile(path)).toBe("bytes");
    await Deno.writeTextFile(aside, "other");
  }
  expect(await Deno.readTextFile(aside)).toBe("other");
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

Deno.test("recover() reports lines that it cannot read, works off the others, and keeps saved bytes", async () => {
  await using bench = await openBench();
  const path = `${bench.folder}/one.tmp`;
  await Deno.writeTextFile(path, "");
  await Deno.writeTextFile(`${bench.stateDir}/journal/bad.9.bytes`, "saved");
  const line = JSON.stringify({ begin: 1, record: { kind: "temporary", path } });
  const lines = ["no JSON", "null", `{"begin":4,"rec{"end":7}`, `{"begin":2,"record":{}}`, line];
  const journal = `${bench.stateDir}/journal/bad.journal`;
  await Deno.writeTextFile(journal, lines.join("\n") + "\n");
  await bench.recover();
  expect(bench.said.join()).toContain('cannot be read {"journal"');
  expect(bench.said.join()).toContain('"lines":4');
  expect(namesIn(bench.folder)).toEqual(["state"]);
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual(["bad.9.bytes", "bad.journal"]);
  await Deno.utime(journal, 0, 0);
  await bench.recover();
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
});

Deno.test("recover() reports a journal that it cannot open, and starts all the same", async () => {
  await using bench = await openBench();
  await Deno.mkdir(`${bench.stateDir}/journal/bad.journal`);
  await bench.recover();
  expect(bench.said.join()).toContain("cannot be worked off");
});
