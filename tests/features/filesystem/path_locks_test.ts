/** What waits for what: one file in two spellings, and a folder for what goes on in it. */

import { expect } from "expect";
import { Files, PathLocks } from "../../../src/features/filesystem/files.ts";
import { namesIn, openFilesApp } from "./files_app.ts";

const NEVER = new AbortController().signal;

/** Work that lasts until it is told to end. */
function openWork(events: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const work = async () => {
    events.push(`${name} starts`);
    started.resolve();
    await promise;
    events.push(`${name} ends`);
  };
  return { work, started: started.promise, end: resolve };
}

for (
  const { operation, body } of [
    { operation: "move", body: { source: "a", destination: "b" } },
    { operation: "delete", body: { path: "a", recursive: true } },
  ]
) {
  Deno.test(`${operation} of a folder waits for an edit below it`, async () => {
    await using app = await openFilesApp();
    await app.put("a/b/f", "abc");
    const events: string[] = [];
    const edit = openWork(events, "edit");
    const editing = app.app.session.use(Files).locks.runOnFile(app.at("a/b/f"), NEVER, async () => {
      await edit.work();
      expect(namesIn(app.at("a/b"))).toEqual(["f"]);
    });
    await edit.started;
    const done = app.call(`filesystem/${operation}`, body).then(() => events.push("done"));
    await app.call("filesystem/mkdir", { path: "c" }); // time to overtake
    await app.call("filesystem/move", { source: "c", destination: "d" });
    edit.end();
    await Promise.all([editing, done]);
    expect(events).toEqual(["edit starts", "edit ends", "done"]);
  });
}

Deno.test("PathLocks.run() takes two spellings for one path", async () => {
  await using app = await openFilesApp();
  await Deno.mkdir(app.at("real"));
  await Deno.symlink("real", app.at("link"));
  const locks = new PathLocks();
  const events: string[] = [];
  const first = openWork(events, "first");
  const running = locks.run(app.at("link/new/x"), NEVER, first.work);
  await first.started;
  const second = locks.run(
    app.at("real/new/x"),
    NEVER,
    () => Promise.resolve(events.push("second")),
  );
  await locks.run(app.at("real/new/y"), NEVER, () => Promise.resolve(events.push("other")));
  first.end();
  await Promise.all([running, second]);
  expect(events).toEqual(["first starts", "other", "first ends", "second"]);
});

Deno.test("PathLocks.runOnAll() lets those that only read run together", async () => {
  const locks = new PathLocks();
  const claim = { path: "/nowhere/a", tree: true, shared: true };
  const inner = () => locks.runOnAll([claim], NEVER, () => Promise.resolve("read"));
  expect(await locks.runOnAll([claim], NEVER, inner)).toBe("read");
});
