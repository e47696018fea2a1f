/** A lack of descriptors, which Deno must survive and callers must be told of. */

import { expect } from "expect";
import { shortageError } from "../../src/core/shortage.ts";
import { testFolder } from "../support/folder.ts";
import { unless } from "../support/test_if.ts";

const MODULE = new URL("../../src/core/shortage.ts", import.meta.url);
/** Without the dynamic import Deno does not measure the stack. */
const SCRIPT = `
import { readFirstStack } from "${MODULE}";
readFirstStack();
const files: Deno.FsFile[] = [];
try {
  while (true) files.push(Deno.openSync("/dev/null"));
} catch { /* there is none left */ }
if (Deno.args[0] === "never") await import("${MODULE}");
try {
  throw new Error("one more");
} catch (error) {
  console.log((error as Error).stack!.includes("one more"));
}
`;

Deno.test({
  name: "stacks of errors can be read without a descriptor, when one was read before",
  ignore: unless(Deno.build.os === "linux", "the limit of descriptors is set by a shell of Linux"),
  async fn() {
    await using folder = await testFolder();
    await Deno.writeTextFile(`${folder.path}/script.ts`, SCRIPT);
    const run = [Deno.execPath(), "run", "-A", `${folder.path}/script.ts`];
    const { code, stdout } = await new Deno.Command("sh", {
      args: ["-c", 'ulimit -n 100; exec "$@"', "sh", ...run],
      stderr: "null",
    }).output();
    expect([code, new TextDecoder().decode(stdout)]).toEqual([0, "true\n"]);
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
