/** Another program appends to a file that is edited all the time: none of its lines is lost. */

import { expect } from "expect";
import { lineReader } from "../../support/lines.ts";
import { type FilesApp, namesIn, openFilesApp } from "../filesystem/files_app.ts";

const APPENDER = new URL("./appender.py", import.meta.url).pathname;

/** Edits until the program has appended all; gives how many edits were made and refused. */
async function editMeanwhile(
  app: FilesApp,
  { pause, count }: { readonly pause: number; readonly count: number },
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
    // one longer, one shorter, one of the same size
    const [old_str, new_str] = [`version-${version}\n`, `version-${version + 1}\n`];
    const { status } = await app.app.post("/api/editor/str-replace", { path, old_str, new_str });
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
  expect(text.startsWith(`version-${version}\n`)).toBe(true);
  expect(text.match(/text that stays\n/g)).toHaveLength(2_000);
  expect(text).toHaveLength(`version-${version}\n`.length + 2_000 * 16 + count * 16);
  expect(namesIn(app.home)).toEqual(["log"]);
  return [version, refused];
}

for (const [pause, count] of [[0, 20_000], [0.004, 1_000]] as const) {
  Deno.test(`${count} lines that another program appends, ${pause} s apart, outlive edits of the file`, async () => {
    await using app = await openFilesApp();
    const [edits, refused] = await editMeanwhile(app, { pause, count });
    // a program that never pauses may be done with all after one edit, or leave no moment for any
    if (pause === 0) expect(edits! + refused!).toBeGreaterThan(0);
    else expect(edits).toBeGreaterThan(1);
  });
}
