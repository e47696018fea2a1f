/** Somebody who owns the folder swaps files for links while the service, as root, works there: no other file is touched. */

import { expect } from "expect";
import { join } from "node:path";
import { type Content, toContent } from "../../../src/features/filesystem/safe_write/content.ts";
import { createFile } from "../../../src/features/filesystem/safe_write/temporary.ts";
import { replaceFile } from "../../../src/features/filesystem/safe_write/replace_file.ts";
import { type FilesApp, namesIn, openFilesApp } from "../filesystem/files_app.ts";
import { Files } from "../../../src/features/filesystem/files.ts";

const NEW = new TextEncoder().encode("new");

/** A file to edit, and another one, whose bytes, mode and owner must stay. */
async function openBench(app: FilesApp) {
  const path = await app.put("folder/x", "old");
  await Deno.chmod(path, 0o666);
  const victim = await app.put("victim", "secret");
  await Deno.chmod(victim, 0o600);
  const info = await Deno.stat(path);
  const old = () => toContent(new TextEncoder().encode("old"));
  return {
    path,
    victim,
    old: { path, info, old },
    writing: await app.app.session.use(Files).writing(),
  };
}

function swapFor(path: string, victim: string): void {
  Deno.removeSync(path);
  Deno.symlinkSync(victim, path);
}

function exchangeFolder(app: FilesApp): void {
  Deno.renameSync(app.at("folder"), app.at("moved"));
  Deno.mkdirSync(app.at("folder"));
}

function temporaryIn(app: FilesApp): string {
  const name = namesIn(app.at("folder")).find((name) => name.endsWith(".tmp"));
  return join(app.at("folder"), name!);
}

async function expectUntouched(victim: string): Promise<void> {
  expect(await Deno.readTextFile(victim)).toBe("secret");
  expect((await Deno.stat(victim)).mode! & 0o7777).toBe(0o600);
}

Deno.test("replaceFile() never changes what a temporary file was swapped for while it was written", async () => {
  await using app = await openFilesApp();
  const { path, victim, old, writing } = await openBench(app);
  const swapping: Content = {
    size: NEW.length,
    *pieces() {
      swapFor(temporaryIn(app), victim);
      yield NEW;
    },
  };
  const error = await replaceFile(writing, old, swapping).catch((error) => error);
  expect(error).toMatchObject({ code: "conflict" });
  await expectUntouched(victim);
  expect(await Deno.readTextFile(path)).toBe("old");
  expect(namesIn(app.at("folder"))).toEqual(["x"]);
});

Deno.test("replaceFile() never renames what a temporary file was swapped for at the end", async () => {
  await using app = await openFilesApp();
  const { path, victim, old, writing } = await openBench(app);
  const swap = () => swapFor(temporaryIn(app), victim);
  app.app.platform.files.extendedAttributes = { ready: true, use: swap };
  const error = await replaceFile(writing, old, toContent(NEW)).catch((error) => error);
  expect(error).toMatchObject({ code: "conflict" });
  await expectUntouched(victim);
  expect((await Deno.lstat(path)).isFile).toBe(true);
  expect(await Deno.readTextFile(path)).toBe("old");
});

Deno.test("replaceFile() in place never writes through a link that the file was swapped for", async () => {
  await using app = await openFilesApp();
  const { path, victim, old, writing } = await openBench(app);
  await Deno.link(path, app.at("other"));
  const info = await Deno.stat(path);
  const { journal } = writing;
  const begin = journal.begin.bind(journal);
  journal.begin = async (record) => { // the last thing before the file is opened
    const entry = await begin(record);
    if (record.kind === "in_place") swapFor(path, victim);
    return entry;
  };
  const error = await replaceFile(writing, { ...old, info }, toContent(NEW)).catch((error) =>
    error
  );
  expect(error).toMatchObject({ code: "not_a_file" });
  await expectUntouched(victim);
  expect(await Deno.readTextFile(app.at("other"))).toBe("old");
});

Deno.test("a write whose folder gets another name meanwhile leaves no temporary file in it", async () => {
  await using app = await openFilesApp();
  const { path, old, writing } = await openBench(app);
  const moving: Content = {
    size: NEW.length,
    *pieces() {
      exchangeFolder(app);
      yield NEW;
    },
  };
  for (
    const write of [
      () => replaceFile(writing, old, moving),
      () => createFile(writing.journal, app.at("folder/new"), moving),
    ]
  ) {
    await expect(write()).rejects.toThrow();
    expect(namesIn(app.at("folder"))).toEqual([]);
    expect(namesIn(app.at("moved"))).toEqual(["x"]);
    await Deno.remove(app.at("folder"));
    await Deno.rename(app.at("moved"), app.at("folder"));
  }
  expect(await Deno.readTextFile(path)).toBe("old");
});
