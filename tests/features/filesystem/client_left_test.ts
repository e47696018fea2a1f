/** Whoever has left changes nothing any more: what waits is not begun, what copies stops and cleans up. */

import { expect } from "expect";
import { type FilesApp, namesIn, openFilesApp } from "./files_app.ts";
import { waitFor } from "../../support/wait.ts";
import { Files } from "../../../src/features/filesystem/files.ts";

/** Asks for something with the signal of its client. */
function ask(app: FilesApp, operation: string, body: unknown, signal: AbortSignal) {
  const headers = { "content-type": "application/json", host: "127.0.0.1:4242" };
  const request = new Request(`http://127.0.0.1:4242/api/${operation}`, {
    ...{ method: "POST", headers, body: JSON.stringify(body), signal },
  });
  return app.app.fetch(request);
}

const WAITING: readonly (readonly [string, object])[] = [
  ["filesystem/delete", { path: "folder", recursive: true }],
  ["filesystem/move", { source: "folder", destination: "elsewhere" }],
  ["filesystem/copy", { source: "other", destination: "folder/copy" }],
  ["filesystem/write", { path: "folder/x", content: "new", overwrite: true }],
  ["filesystem/write", { path: "folder/new", content: "new" }],
  ["editor/create", { path: "folder/new" }],
  ["editor/insert", { path: "folder/x", text: "new" }],
  ["editor/apply-patch", { path: "folder/x", diff: "@@\n-old\n+new\n" }],
  ["editor/str-replace", { path: "folder/x", old_str: "old", new_str: "new" }],
];

for (const [operation, body] of WAITING) {
  Deno.test(`${operation} ${Object.keys(body)} that waits is not done when its client leaves`, async () => {
    await using app = await openFilesApp();
    await app.put("folder/x", "old");
    await app.put("other", "other");
    const { locks } = app.app.session.use(Files);
    const [begun, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const never = new AbortController().signal;
    const claim = { path: app.at("folder"), tree: true, shared: false };
    const held = locks.runOnAll([claim], never, () => (begun.resolve(), holding.promise));
    await begun.promise;
    const client = new AbortController();
    const asked = ask(app, operation, body, client.signal);
    await app.call("filesystem/mkdir", { path: "time-to-wait" });
    await app.call("filesystem/write", { path: "time-to-wait/x", content: "" });
    client.abort();
    expect((await asked).status).toBe(499); // while the lock is still held
    holding.resolve();
    await held;
    await app.call("filesystem/write", { path: "folder/last", content: "" });
    expect(namesIn(app.home)).toEqual(["folder", "other", "time-to-wait"]);
    expect(namesIn(app.at("folder"))).toEqual(["last", "x"]);
    expect(await Deno.readTextFile(app.at("folder/x"))).toBe("old");
  });
}

for (const verb of ["copy", "move"] as const) {
  Deno.test(`${verb} of a large file stops when its client leaves, and leaves nothing`, async () => {
    await using app = await openFilesApp({ folder: "/dev/shm" });
    await using other = await openFilesApp();
    const size = 512 * 1024 ** 2;
    await fill(await app.put("large", ""), size);
    const client = new AbortController();
    const body = { source: "large", destination: other.at("to/copy") };
    const asked = ask(app, `filesystem/${verb}`, body, client.signal);
    const copied = await waitFor(() => {
      const name = namesIn(other.at("to"))[0];
      return name !== undefined && Deno.statSync(other.at("to", name)).size > 0;
    }, { what: "the copy to begin" });
    expect(copied).toBe(true);
    client.abort();
    expect((await asked).status).toBe(499);
    expect(namesIn(other.home)).toEqual([]); // with the folder that was made for it
    expect((await Deno.stat(app.at("large"))).size).toBe(size);
  });
}

/** Without holes. */
async function fill(path: string, size: number): Promise<void> {
  using file = await Deno.open(path, { write: true });
  const bytes = new Uint8Array(16 * 1024 ** 2).fill(1);
  for (let at = 0; at < size; at += bytes.length) await file.write(bytes);
}
