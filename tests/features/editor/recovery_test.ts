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
  for (const name of ["one", "unknown"]) await Deno.writeTextFile(at(name), "");
  await Deno.mkdir(`${at("tree")}/deep`, { recursive: true });
  const record = (name: string) => ({
    kind: "temporary",
    path: at(name),
    target: `${bench.folder}/${name}`,
  });
  for (const name of ["one", "tree", "never-made"]) await bench.died(name, [record(name)]);
  await bench.died("torn", [], `{"kind":"temporary","path":"${at("unknown")}"`);
  await bench.recover();
  expect(namesIn(bench.folder)).toEqual([temporary("unknown"), "state"]);
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
  await bench.recover();
});

Deno.test("recover() gives a file that was moved aside its name back, unless that is taken", async () => {
  await using bench = await openBench();
  const [path, aside] = [`${bench.folder}/x`, `${bench.folder}/${temporary("x")}`];
  await Deno.writeTextFile(aside, "bytes");
  for (const names of [["state", "x"], [temporary("x"), "state", "x"]]) {
    await bench.died("dead", [{ kind: "aside", path, aside }]);
    await bench.recover();
    expect(namesIn(bench.folder)).toEqual(names);
    expect(await Deno.readTextFile(path)).toBe("bytes");
    await Deno.writeTextFile(aside, "other");
  }
  expect(await Deno.readTextFile(aside)).toBe("other");
});

Deno.test("recover() leaves alone what was deleted since, and a state folder that is not there", async () => {
  await using bench = await openBench();
  await bench.died("dead", [{ kind: "in_place", path: `${bench.folder}/gone` }]);
  await bench.recover();
  expect(namesIn(bench.folder)).toEqual(["state"]);
  await recover(`${bench.folder}/nowhere`, { info() {}, warn() {} });
  expect(namesIn(bench.folder)).toEqual(["state"]);
});

Deno.test("recover() leaves the records of a run that is alive", async () => {
  await using bench = await openBench();
  const journal = await Journal.open(bench.stateDir);
  const path = `${bench.folder}/${temporary("busy")}`;
  const target = `${bench.folder}/busy`;
  const entry = await journal.begin({ kind: "temporary", path, target });
  await Deno.writeTextFile(path, "");
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", RECOVER_ELSEWHERE, bench.stateDir],
    stderr: "inherit",
  }).output();
  expect(success).toBe(true);
  expect(namesIn(bench.folder)).toEqual([temporary("busy"), "state"]);
  entry.end();
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
});

const RECOVERY = import.meta.resolve("../../../src/features/filesystem/safe_write/recovery.ts");
const RECOVER_ELSEWHERE = `
import { recover } from "${RECOVERY}";
await recover(Deno.args[0], { info() {}, warn() { Deno.exit(1); } });
`;

Deno.test("recover() reports records that it cannot read, works off the others, and keeps saved bytes", async () => {
  await using bench = await openBench();
  const [path, target] = [`${bench.folder}/${temporary("one")}`, `${bench.folder}/one`];
  await Deno.writeTextFile(path, "");
  await Deno.writeTextFile(`${bench.stateDir}/journal/0.before.bytes`, "saved");
  const texts = ["no JSON\n", "null\n", `{"kind":"temp{"kind":"aside"}\n`, "{}\n"];
  for (const [name, text] of texts.entries()) await bench.died(`${name}`, [], text);
  await bench.died("good", [{ kind: "temporary", path, target }]);
  await bench.recover();
  expect(bench.said.filter((each) => each.includes("cannot be read"))).toHaveLength(4);
  expect(namesIn(bench.folder)).toEqual(["state"]);
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual(["0.before.bytes", "0.journal"]);
  await Deno.utime(`${bench.stateDir}/journal/0.journal`, 0, 0);
  await bench.recover();
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
});

Deno.test("recover() reports a journal that it cannot open, and starts all the same", async () => {
  await using bench = await openBench();
  await Deno.mkdir(`${bench.stateDir}/journal/bad.journal`);
  await bench.recover();
  expect(bench.said.join()).toContain("cannot be recovered");
});
