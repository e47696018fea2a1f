/** recover(): tidies up exactly what a dead run has left, and nothing else. */

import { expect } from "expect";
import { Journal } from "../../../src/features/filesystem/safe_write/journal.ts";
import { recover } from "../../../src/features/filesystem/safe_write/recovery.ts";
import { namesIn } from "../filesystem/files_app.ts";
import { openBench } from "./recovery_bench.ts";

/** The name of what lies beside a file of that name. */
function temporary(name: string): string {
  return `.${name}.${"0123456789abcdef".repeat(2)}.tmp`;
}

Deno.test("recover() removes temporary files and folders of the journal, and no others", async () => {
  await using bench = await openBench();
  const at = (name: string) => `${bench.folder}/${temporary(name)}`;
  for (const name of ["one", "ended", "unknown"]) {
    await Deno.writeTextFile(at(name), "");
  }
  await Deno.mkdir(`${at("tree")}/deep`, { recursive: true });
  const record = (name: string) => ({
    kind: "temporary",
    path: at(name),
    target: `${bench.folder}/${name}`,
  });
  await bench.died([
    { begin: 1, record: record("one") },
    { begin: 2, record: record("ended") },
    { begin: 3, record: record("tree") },
    { begin: 4, record: record("never-made") },
    { end: 2 },
  ], `{"begin":5,"record":{"kind":"temporary","path":"${at("unknown")}"`);
  await bench.recover();
  expect(namesIn(bench.folder)).toEqual([temporary("ended"), temporary("unknown"), "state"]);
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
  await bench.recover();
});

Deno.test("recover() gives a file that was moved aside its name back, unless that is taken", async () => {
  await using bench = await openBench();
  const [path, aside] = [`${bench.folder}/x`, `${bench.folder}/${temporary("x")}`];
  await Deno.writeTextFile(aside, "bytes");
  for (const names of [["state", "x"], [temporary("x"), "state", "x"]]) {
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
  const at = (side: number) => `${bench.stateDir}/journal/dead.${side}.bytes`;
  const sides = { before: at(1), after: at(2) };
  await bench.died([{
    begin: 1,
    record: { kind: "in_place", path, ...sides },
  }]);
  await bench.recover();
  expect(namesIn(bench.folder)).toEqual(["state"]);
  await recover(`${bench.folder}/nowhere`, { info() {}, warn() {} });
  expect(namesIn(bench.folder)).toEqual(["state"]);
});

Deno.test("recover() leaves the journal of a run that is alive", async () => {
  await using bench = await openBench();
  const journal = await Journal.open(bench.stateDir);
  const path = `${bench.folder}/${temporary("busy")}`;
  const target = `${bench.folder}/busy`;
  const id = await journal.begin({ kind: "temporary", path, target });
  await Deno.writeTextFile(path, "");
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", RECOVER_ELSEWHERE, bench.stateDir],
    stderr: "inherit",
  }).output();
  expect(success).toBe(true);
  expect(namesIn(bench.folder)).toEqual([temporary("busy"), "state"]);
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
  const [path, target] = [`${bench.folder}/${temporary("one")}`, `${bench.folder}/one`];
  await Deno.writeTextFile(path, "");
  await Deno.writeTextFile(`${bench.stateDir}/journal/bad.9.bytes`, "saved");
  const line = JSON.stringify({ begin: 1, record: { kind: "temporary", path, target } });
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
  expect(bench.said.join()).toContain("cannot be recovered");
});
