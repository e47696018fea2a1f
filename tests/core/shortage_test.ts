/** A lack of descriptors, which Deno must survive and callers must be told of. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { shortageError } from "../../src/core/errors.ts";
import { testFolder } from "../support/folder.ts";
import { unless } from "../support/test_if.ts";

const MODULE = new URL("../../src/core/errors.ts", import.meta.url);
/**
 * Deno's first listener for signals opens a pipe, and panics without a descriptor. Deno adds one while it loads packages,
 * sooner or later; the service adds its own before it listens (src/cli/signals.ts).
 */
const SIGNALS = `Deno.addSignalListener("SIGTERM", () => Deno.exit(143));`;
/**
 * Takes every descriptor, also those that Deno's own threads give back: they write its caches after
 * the start, and open nothing more once there is none left.
 */
const TAKE_ALL = `
const files: Deno.FsFile[] = [];
async function takeAll() {
  ${SIGNALS}
  for (let idle = 0; idle < 20; idle++) {
    try {
      for (;; idle = 0) files.push(Deno.openSync("/dev/null"));
    } catch { /* there is none left */ }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
`;
/** For the first stack of a module Deno opens a file. */
const OTHER = `export const fail = (): never => { throw new Error("one more"); };`;
const SCRIPT = `
import { surviveStacksWithoutFiles } from "${MODULE}";
import { fail } from "./other.ts";
surviveStacksWithoutFiles();
console.log(new Error("before").stack!.includes("script.ts:5:"));
${TAKE_ALL}await takeAll();
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

const FIRST_USES = `
import { surviveStacksWithoutFiles } from "${MODULE}";
import { testApp } from "${new URL("../support/client.ts", import.meta.url)}";
import { openEncoder } from "${new URL("../../src/imaging/encode.ts", import.meta.url)}";
surviveStacksWithoutFiles();
const app = testApp();
const headers = { accept: "application/json, text/event-stream" };
const statuses = async () => [
  (await app.send("GET", "/api/mouse/position")).status,
  (await app.send("GET", "/openapi.json")).status,
  (await app.send("GET", "/docs/swagger-ui.css")).status,
  (await app.send("GET", "/favicon.ico")).status,
  (await app.post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, headers)).status,
  await openEncoder("jpeg", 80).then(() => 200, () => 503),
  await openEncoder("webp", 80).then(() => 200, () => 503),
];
${TAKE_ALL}await takeAll();
console.log((await statuses()).join());
files.splice(-2).forEach((file) => file.close()); // others may take them while modules are imported
console.log((await app.send("GET", "/api/mouse/position")).status);
files.forEach((file) => file.close());
console.log((await statuses()).join());
`;

Deno.test({
  name: "what is first asked for without free descriptors is there when there are some again",
  ignore: unless(Deno.build.os === "linux", "the limit of descriptors is set by a shell of Linux"),
  async fn() {
    await using folder = await testFolder();
    await Deno.writeTextFile(`${folder.path}/script.ts`, FIRST_USES);
    const config = fileURLToPath(new URL("../../deno.dev.json", import.meta.url));
    const run = [Deno.execPath(), "run", "-A", "-c", config, `${folder.path}/script.ts`];
    const args = ["-c", 'ulimit -n 100; exec "$@"', "sh", ...run];
    const { stdout } = await new Deno.Command("sh", { args, stderr: "null" }).output();
    expect(new TextDecoder().decode(stdout)).toBe(
      `${Array(7).fill(503)}\n503\n${Array(7).fill(200)}\n`,
    );
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
