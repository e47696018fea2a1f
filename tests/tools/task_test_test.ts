/** The processes of `deno task test`: each beginning names files that are there, and no file is in two. */

import { expect } from "expect";
import { ALONE, LAST, LEFT_TO_ALL, OWN_TASKS, testFiles, WAITING, WINE } from "../../tools/test.ts";

const files = [...testFiles("tests")];
const starts = [...WINE, ...ALONE, ...WAITING, ...LAST];

Deno.test("each beginning of a path in the lists of `deno task test` names a file", () => {
  const all = [...starts, ...LEFT_TO_ALL.flatMap((left) => left.files)];
  expect(all.filter((start) => !files.some((file) => file.startsWith(start)))).toEqual([]);
});

Deno.test("what `deno task test` runs never has a task of its own", async () => {
  expect(OWN_TASKS.filter((file) => !files.includes(file))).toEqual([]);
  const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));
  const named = Object.values<string>(tasks).join("\n");
  expect(OWN_TASKS.filter((file) => !named.includes(file))).toEqual([]);
});

Deno.test("no file stands in two lists of `deno task test`", () => {
  const twice = files.filter((file) => starts.filter((start) => file.startsWith(start)).length > 1);
  expect(twice).toEqual([]);
});

Deno.test("tests that become another user, with their whole process, run one after the other", async () => {
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(file)));
  const switching = files.filter((_, index) => /\/as_user\.ts"/.test(texts[index]!));
  expect(switching.length).toBeGreaterThan(0);
  const isAlone = (file: string) => ALONE.some((start) => file.startsWith(start));
  expect(switching.filter((file) => !isAlone(file))).toEqual([]);
});
