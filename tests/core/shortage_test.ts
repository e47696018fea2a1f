/** A lack of descriptors, which Deno must survive and callers must be told of. */

import { expect } from "expect";
import { shortageError } from "../../src/core/errors.ts";
import { testFolder } from "../support/folder.ts";
import { unless } from "../support/test_if.ts";

const MODULE = new URL("../../src/core/errors.ts", import.meta.url);
/** For the first stack of a module Deno opens a file. */
const OTHER = `export const fail = (): never => { throw new Error("one more"); };`;
const SCRIPT = `
import { surviveStacksWithoutFiles } from "${MODULE}";
import { fail } from "./other.ts";
surviveStacksWithoutFiles();
console.log(new Error("before").stack!.includes("script.ts:5:"));
const files: Deno.FsFile[] = [];
try {
  while (true) files.push(Deno.openSync("/dev/null"));
} catch { /* there is none left */ }
const stackOf = () => {
  try {
    return fail();
  } catch (error) {
    return (error as Error).stack!;
  }
};
console.log(stackOf());
files.forEach((file) => file.close());
console.log(stackOf().includes("other.ts:1:"));
`;

Deno.test({
  name: "stacks of errors can be read without a descriptor, and name lines with one",
  ignore: unless(Deno.build.os === "linux", "the limit of descriptors is set by a shell of Linux"),
  async fn() {
    await using folder = await testFolder();
    await Deno.writeTextFile(`${folder.path}/script.ts`, SCRIPT);
    await Deno.writeTextFile(`${folder.path}/other.ts`, OTHER);
    const run = [Deno.execPath(), "run", "-A", `${folder.path}/script.ts`];
    const args = ["-c", 'ulimit -n 100; exec "$@"', "sh", ...run];
    for (const _cache of ["empty", "filled"]) {
      const { code, stdout } = await new Deno.Command("sh", { args, stderr: "null" }).output();
      const text = new TextDecoder().decode(stdout);
      expect([code, text]).toEqual([0, "true\nError: one more\ntrue\n"]);
    }
  },
});

Deno.test("shortageError() recognises what Deno throws, and nothing else", () => {
  const coded = Object.assign(new Error("open"), { code: "EMFILE" });
  const worded = new TypeError("Unable to load: Too many open files (os error 24)");
  for (const error of [coded, worded]) {
    expect(shortageError(error)).toMatchObject({ code: "unavailable", cause: error });
  }
  for (const error of [new Error("other"), Object.assign(new Error(), { code: "EIO" })]) {
    expect(shortageError(error)).toBeUndefined();
  }
});
