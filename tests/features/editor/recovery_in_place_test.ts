/** recover() of files written in place: the old bytes or the new ones, and the saved bytes are never thrown away too early. */

import { expect } from "expect";
import { namesIn } from "../filesystem/files_app.ts";
import { NEW, OLD, openBench } from "./recovery_bench.ts";

const found: [string, string, string][] = [
  ["nothing written yet", OLD, OLD],
  ["a part written", NEW.slice(0, 5_000) + OLD.slice(5_000), OLD],
  ["a part written in the middle of a block", NEW.slice(0, 5_001) + OLD.slice(5_001), OLD],
  ["all written", NEW, NEW],
  ["the start of the old bytes", OLD.slice(0, 7_000), OLD],
  [
    "a part written, and a part restored",
    OLD.slice(0, 1_000) + NEW.slice(1_000, 9_000) + OLD.slice(9_000),
    OLD,
  ],
  [
    "a part written, and a part restored, in one block",
    OLD.slice(0, 5_000) + NEW.slice(5_000, 5_010) + OLD.slice(5_010),
    OLD,
  ],
];

for (const [what, now, then] of found) {
  Deno.test(`recover() of a file written in place that holds ${what}`, async () => {
    await using bench = await openBench();
    const { path } = await bench.diedInPlace(now);
    await bench.recover();
    expect(await Deno.readTextFile(path)).toBe(then);
    expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
  });
}

const DAY_S = 24 * 60 * 60;
const SAVED = ["dead.after.bytes", "dead.before.bytes", "dead.journal"];

for (
  const [what, now] of [
    ["another program's bytes", "another"],
    ["another program's bytes at the end", OLD + "more"],
    ["nothing", ""],
  ] as const
) {
  Deno.test(`recover() leaves a file that holds ${what}, and keeps the saved bytes for 30 days`, async () => {
    await using bench = await openBench();
    const { path, before } = await bench.diedInPlace(now);
    await bench.recover();
    expect(await Deno.readTextFile(path)).toBe(now);
    expect(bench.said.join()).toContain(before);
    expect(namesIn(`${bench.stateDir}/journal`)).toEqual(SAVED);
    const age = (days: number) => Deno.utime(before, 0, Date.now() / 1000 - days * DAY_S);
    await age(29);
    await bench.recover();
    expect(await Deno.readTextFile(before)).toBe(OLD);
    await age(31);
    await bench.recover();
    expect(await Deno.readTextFile(path)).toBe(now);
    expect(bench.said.join()).toContain("abandoned");
    expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
  });
}

Deno.test("recover() restores a file whose disk is mounted later", async () => {
  await using bench = await openBench();
  const { path, before } = await bench.diedInPlace(undefined, { name: "disk/x" });
  await bench.recover();
  await Deno.mkdir(`${bench.folder}/disk`); // where it will be mounted
  await bench.recover();
  expect(bench.said.join()).toContain(before);
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual(SAVED);
  await Deno.writeTextFile(path, NEW.slice(0, 5_000) + OLD.slice(5_000));
  await bench.recover();
  expect(await Deno.readTextFile(path)).toBe(OLD);
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
});

Deno.test("recover() removes the bytes of an edit in place that was not begun", async () => {
  await using bench = await openBench();
  const { path } = await bench.diedInPlace("another");
  await Deno.remove(`${bench.stateDir}/journal/dead.after.bytes`);
  await bench.recover();
  expect(await Deno.readTextFile(path)).toBe("another");
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
});

Deno.test("recover() opens no FIFO and follows no link", async () => {
  await using bench = await openBench();
  const { path } = await bench.diedInPlace(undefined);
  await new Deno.Command("mkfifo", { args: [path] }).output();
  await bench.recover();
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual(SAVED);
  await Deno.remove(path);
  const torn = NEW.slice(0, 5_000) + OLD.slice(5_000);
  await Deno.writeTextFile(`${bench.folder}/target`, torn);
  await Deno.symlink("target", path);
  await bench.recover();
  expect(await Deno.readTextFile(`${bench.folder}/target`)).toBe(torn);
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual(SAVED);
});

Deno.test("recover() does not look again at what is finished while something else is kept", async () => {
  await using bench = await openBench();
  const { path } = await bench.diedInPlace(OLD, { record: "other" });
  await bench.diedInPlace(undefined, { name: "gone" });
  await bench.recover();
  const edited = NEW.slice(0, 5_000) + OLD.slice(5_000); // by its user, since
  await Deno.writeTextFile(path, edited);
  await bench.recover();
  expect(await Deno.readTextFile(path)).toBe(edited);
  expect(namesIn(`${bench.stateDir}/journal`)).toEqual(SAVED);
});

Deno.test("recover() restores a file that becomes shorter and was not cut yet", async () => {
  await using bench = await openBench();
  const torn = OLD + NEW.slice(OLD.length);
  const { path } = await bench.diedInPlace(torn, { old: NEW, fresh: OLD });
  await bench.recover();
  expect(await Deno.readTextFile(path)).toBe(NEW);
});
