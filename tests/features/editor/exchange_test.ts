/** What another program does with a file at the last moment before it is replaced, and what a crash then leaves. */

import { expect } from "expect";
import { hashBytes, toContent } from "../../../src/features/filesystem/safe_write/content.ts";
import { replaceFile } from "../../../src/features/filesystem/safe_write/replace_file.ts";
import { type FilesApp, namesIn, openFilesApp } from "../filesystem/files_app.ts";
import { cannotMount, mountSmall } from "../filesystem/mounts.ts";
import { openBench } from "./recovery_bench.ts";
import { Files } from "../../../src/features/filesystem/files.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Replaces `old` by `new`, while another program does something when nothing can be looked at any more. */
async function replaceMeanwhile(
  app: FilesApp,
  path: string,
  meanwhile: () => unknown,
  afterwards = () => {},
): Promise<unknown> {
  const bytes = await Deno.readFile(path);
  const old = { path, info: await Deno.stat(path), bytes, old: () => toContent(bytes) };
  const { journal, files } = await app.app.session.use(Files).writing();
  const begin = journal.begin.bind(journal);
  journal.begin = async (record) => {
    const entry = await begin(record);
    const [replace, end] = [entry.replace.bind(entry), entry.end.bind(entry)];
    entry.replace = async (record) => {
      await replace(record);
      await meanwhile();
    };
    entry.end = () => {
      end();
      afterwards(); // the name of the old file has gone
    };
    return entry;
  };
  const writing = { journal, files };
  return await replaceFile(writing, old, toContent(encode("new\n"))).catch((error) => error);
}

Deno.test("what is appended at the last moment is in the new file", async () => {
  await using app = await openFilesApp();
  const path = await app.put("x", "old\n");
  const append = () => Deno.writeTextFile(path, "theirs\n", { append: true });
  expect(await replaceMeanwhile(app, path, append)).toBe(hashBytes(encode("new\n")));
  expect(await Deno.readTextFile(path)).toBe("new\ntheirs\n");
  expect(namesIn(app.home)).toEqual(["x"]);
});

Deno.test("what a program appends that holds the file open a little longer is in the new file", async () => {
  await using app = await openFilesApp();
  const path = await app.put("x", "old\n");
  await replaceMeanwhile(app, path, async () => {
    const file = await Deno.open(path, { append: true });
    setTimeout(async () => {
      await file.write(encode("late\n"));
      file.close();
    }, 100);
  });
  expect(await Deno.readTextFile(path)).toBe("new\nlate\n");
});

Deno.test("what a program appends after the old file has lost its name is in the new file", async () => {
  await using app = await openFilesApp();
  const path = await app.put("x", "old\n");
  using theirs = await Deno.open(path, { append: true });
  const done = await replaceMeanwhile(app, path, () => {}, () => {
    theirs.writeSync(encode("late\n"));
  });
  expect(done).toBe(hashBytes(encode("new\n")));
  expect(await Deno.readTextFile(path)).toBe("new\nlate\n");
});

for (const fresh of ["new and longer\n", "now\n", "x\n"]) {
  Deno.test(`what is appended before a file with two names gets ${fresh.length} bytes is behind them`, async () => {
    await using app = await openFilesApp();
    const path = await app.put("x", "old\n");
    await Deno.link(path, app.at("y"));
    const bytes = await Deno.readFile(path);
    const old = { path, info: await Deno.stat(path), bytes, old: () => toContent(bytes) };
    await Deno.writeTextFile(path, "theirs\n", { append: true });
    await replaceFile(await app.app.session.use(Files).writing(), old, toContent(encode(fresh)));
    expect(await Deno.readTextFile(app.at("y"))).toBe(`${fresh}theirs\n`);
    expect(app.journal().filter((name) => name.endsWith(".bytes"))).toEqual([]);
  });
}

Deno.test("what is appended while a file with two names becomes shorter is behind the edit", async () => {
  await using app = await openFilesApp();
  const path = await app.put("x", "a long old line\n");
  await Deno.link(path, app.at("y"));
  const bytes = await Deno.readFile(path);
  const old = { path, info: await Deno.stat(path), bytes, old: () => toContent(bytes) };
  const append = () => Deno.writeTextFileSync(path, "theirs\n", { append: true });
  let rounds = 0;
  const content = {
    size: 4,
    *pieces() {
      if (++rounds === 2) append(); // first it is copied to the state folder, then to the file
      yield encode("new\n");
    },
  };
  await replaceFile(await app.app.session.use(Files).writing(), old, content);
  expect(await Deno.readTextFile(app.at("y"))).toBe("new\ntheirs\n");
});

const CHANGES: Readonly<Record<string, (path: string) => Promise<void>>> = {
  "written anew in place": (path) => Deno.writeTextFile(path, "theirs, and longer\n"),
  "changed without becoming longer": (path) => Deno.writeTextFile(path, "abc\n"),
  "cut": (path) => Deno.truncate(path, 2),
  "replaced by a new file": async (path) => {
    await Deno.writeTextFile(`${path}.theirs`, "theirs\n");
    await Deno.rename(`${path}.theirs`, path);
  },
  "replaced by a link": async (path) => {
    await Deno.writeTextFile(`${path}.target`, "target\n");
    await Deno.remove(path);
    await Deno.symlink("x.target", path);
  },
};

for (const [what, change] of Object.entries(CHANGES)) {
  Deno.test(`a file that is ${what} at the last moment stays so, and the edit is a conflict`, async () => {
    await using app = await openFilesApp();
    const path = await app.put("x", "old\n");
    let [text, names] = ["", [""]];
    const error = await replaceMeanwhile(app, path, async () => {
      await change(path);
      [text, names] = [await Deno.readTextFile(path), namesIn(app.home)];
    });
    expect(["conflict", "not_a_file"]).toContain((error as { code: string }).code);
    expect(await Deno.readTextFile(path)).toBe(text);
    expect(namesIn(app.home)).toEqual(names.filter((name) => !name.endsWith(".tmp")));
  });
}

Deno.test("a file that is deleted at the last moment stays deleted", async () => {
  await using app = await openFilesApp();
  const path = await app.put("x", "old\n");
  const error = await replaceMeanwhile(app, path, () => Deno.remove(path));
  expect(error).toBeInstanceOf(Error);
  expect(namesIn(app.home)).toEqual([]);
});

Deno.test({
  name: "a disk that is full when appended lines are taken over gives the old file back with them",
  ignore: await cannotMount(),
  async fn() {
    await using disk = await mountSmall("64k");
    await using app = await openFilesApp();
    const path = `${disk.folder}/x`;
    await Deno.writeTextFile(path, "old\n");
    const error = await replaceMeanwhile(app, path, async () => {
      await Deno.writeTextFile(path, "theirs\n".repeat(3_000), { append: true });
      await Deno.writeFile(`${disk.folder}/filler`, new Uint8Array(64_000)).catch(() => {});
    });
    expect((error as { code: string }).code).toBe("ENOSPC");
    expect(await Deno.readTextFile(path)).toBe("old\n" + "theirs\n".repeat(3_000));
    expect(namesIn(disk.folder)).toEqual(["filler", "x"]);
  },
});

/** What lies aside after the crash, what is in place, and what is there after the next start. */
const CRASHES: Readonly<Record<string, readonly [string, string, Record<string, string>]>> = {
  "before the exchange": ["made", "old\n", { x: "old\n" }],
  "after the exchange": ["old\n", "made", { x: "new\n" }],
  "after the exchange of a file that grew": ["old\nmore\n", "made", { x: "new\nmore\n" }],
  "after the exchange of a file that changed": [
    "another\n",
    "made",
    { x: "new\n", aside: "another\n" },
  ],
};

for (const [when, [aside, inPlace, expected]] of Object.entries(CRASHES)) {
  Deno.test(`a crash ${when} loses nothing`, async () => {
    await using bench = await openBench();
    const [target, path] = [`${bench.folder}/x`, `${bench.folder}/.x.${"0a".repeat(16)}.tmp`];
    const [madeAt, oldAt] = aside === "made" ? [path, target] : [target, path];
    await Deno.writeTextFile(oldAt, aside === "made" ? inPlace : aside);
    await Deno.writeTextFile(madeAt, "new\n");
    const { dev, ino } = await Deno.stat(madeAt);
    const record = {
      ...{ kind: "exchanged", path, target, made: `${dev}:${ino}` },
      ...{ state: "4 1000", hash: hashBytes(encode("old\n")) },
    };
    await bench.died("dead", [{ kind: "temporary", path, target }, record]);
    await bench.recover();
    const names = namesIn(bench.folder).filter((name) => name !== "state");
    const found = await Promise.all(names.map(async (name) => [
      name === "x" ? "x" : "aside",
      await Deno.readTextFile(`${bench.folder}/${name}`),
    ]));
    expect(Object.fromEntries(found)).toEqual(expected);
    expect(namesIn(`${bench.stateDir}/journal`)).toEqual([]);
  });
}
