/** Another program appends to a file that is edited all the time: none of its lines is lost. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { pick } from "../../support/extent.ts";
import { lineReader } from "../../support/lines.ts";
import { type FilesApp, namesIn, openFilesApp } from "../filesystem/files_app.ts";

/** How many lines come as fast as they can, and how many 4 ms apart. */
const FAST = pick({ short: 5_000, full: 20_000 });
const SLOW = pick({ short: 400, full: 2_000 });
const APPENDER = fileURLToPath(new URL("./appender.py", import.meta.url));

/** Edits until the program has appended all; gives how many edits were made and refused. */
async function editMeanwhile(
  app: FilesApp,
  { pause, count, body = replacing }: {
    readonly pause: number;
    readonly count: number;
    readonly body?: typeof replacing;
  },
): Promise<number[]> {
  const path = await app.put("log", "version-0\n" + "text that stays\n".repeat(2_000));
  const child = new Deno.Command("/usr/bin/python3", {
    args: [APPENDER, path, String(count), String(pause)],
    ...{ stdin: "null", stdout: "piped", stderr: "inherit" },
  }).spawn();
  const lines = lineReader(child.stdout);
  await lines.until(/^appending$/);
  let over = false;
  child.status.then(() => over = true);
  let [version, refused] = [0, 0];
  while (!over) {
    const [old_str, new_str] = [headOf(version), headOf(version + 1)];
    const [operation, fields] = body(old_str, new_str);
    const { status } = await app.app.post(`/api/editor/${operation}`, { path, ...fields });
    expect([204, 409]).toContain(status);
    if (status === 204) version++;
    else refused++;
  }
  await child.status;
  await lines.rest();
  const text = await Deno.readTextFile(path);
  const appended = text.match(/^appended-\d{6}$/gm) ?? [];
  expect(new Set(appended).size).toBe(count);
  expect(appended).toHaveLength(count);
  expect(text.startsWith(headOf(version))).toBe(true);
  expect(text.match(/text that stays\n/g)).toHaveLength(2_000);
  expect(text).toHaveLength(headOf(version).length + 2_000 * 16 + count * 16);
  expect(namesIn(app.home)).toEqual(["log"]);
  return [version, refused];
}

/** The operation that changes the first line, and its fields. */
function replacing(old_str: string, new_str: string): readonly [string, object] {
  return ["str-replace", { old_str, new_str }];
}

function patching(old: string, fresh: string): readonly [string, object] {
  return ["apply-patch", { diff: `@@\n-${old}+${fresh} text that stays\n` }];
}

/** Now longer than the one before, now shorter, now of the same length. */
function headOf(version: number): string {
  return `version-${version}${".".repeat([0, 7, 7, 3][version % 4]!)}\n`;
}

for (const [pause, count] of [[0, FAST], [0.004, SLOW / 2]] as const) {
  Deno.test(`${count} lines that another program appends, ${pause} s apart, outlive edits of the file`, async () => {
    await using app = await openFilesApp();
    const [edits, refused] = await editMeanwhile(app, { pause, count });
    // a program that never pauses may be done with all after one edit, or leave no moment for any
    if (pause === 0) expect(edits! + refused!).toBeGreaterThan(0);
    else expect(edits).toBeGreaterThan(1);
  });
}

Deno.test(`${SLOW / 2} lines that another program appends outlive diffs applied to the file`, async () => {
  await using app = await openFilesApp();
  const [edits] = await editMeanwhile(app, { pause: 0.004, count: SLOW / 2, body: patching });
  expect(edits).toBeGreaterThan(1);
});
