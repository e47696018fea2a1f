/** move to another file system is whole or not at all: what cannot be removed is not moved, and nothing is replaced. */

import { expect } from "expect";
import { recover } from "../../../src/features/filesystem/safe_write/recovery.ts";
import { asNobody, MAY_SWITCH } from "./as_user.ts";
import { type FilesApp, namesIn, openFilesApp } from "./files_app.ts";
import { bindReadOnly, cannotMount } from "./mounts.ts";
import { succeeds, unless } from "../../support/test_if.ts";
import { Files } from "../../../src/features/filesystem/files.ts";

const OTHER = "/dev/shm";
const ignore = await cannotMount();
const cannotMark = unless(await canMark(), "needs root, chattr, and a file system with marks");

async function canMark(): Promise<boolean> {
  const file = await Deno.makeTempFile();
  const can = await succeeds("chattr", ["+i", file]) && await succeeds("chattr", ["-i", file]);
  await Deno.remove(file);
  return can;
}

interface Places extends AsyncDisposable {
  /** Whose home holds the folder `source`. */
  readonly app: FilesApp;
  /** On another file system, with a file and an empty folder to replace. */
  readonly to: FilesApp;
}

async function openPlaces(): Promise<Places> {
  const [app, to] = [await openFilesApp(), await openFilesApp({ folder: OTHER })];
  for (const name of ["a/1", "b/2", "c/d/3"]) await app.put(`source/${name}`, name);
  await app.put("file", "moved");
  await to.put("file", "replaced");
  await Deno.mkdir(to.at("source"));
  await Deno.chmod(to.at("source"), 0o711);
  return {
    app,
    to,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await to[Symbol.asyncDispose]();
    },
  };
}

async function expectNothingMoved({ app, to }: Places): Promise<void> {
  expect(namesIn(app.home)).toEqual(["file", "source"]);
  for (const name of ["a/1", "b/2", "c/d/3"]) {
    expect(await Deno.readTextFile(app.at("source", name))).toBe(name);
  }
  expect(namesIn(app.at("source"))).toEqual(["a", "b", "c"]);
  expect(await Deno.readTextFile(app.at("file"))).toBe("moved");
  expect(namesIn(to.home)).toEqual(["file", "source"]);
  expect(namesIn(to.at("source"))).toEqual([]);
  expect((await Deno.stat(to.at("source"))).mode! & 0o777).toBe(0o711);
  expect(await Deno.readTextFile(to.at("file"))).toBe("replaced");
}

async function refuseBoth(places: Places): Promise<string[]> {
  const { app, to } = places;
  const said: string[] = [];
  for (const name of ["source", "file"]) {
    const body = { source: name, destination: to.at(name), overwrite: true };
    said.push(await app.refused(403, "filesystem/move", body));
    await expectNothingMoved(places);
  }
  return said;
}

Deno.test({
  name: "move from a read-only file system changes nothing",
  ignore,
  async fn() {
    await using places = await openPlaces();
    await using _mounted = await bindReadOnly(places.app.home);
    for (const message of await refuseBoth(places)) expect(message).toContain("read-only");
  },
});

for (const [mark, name] of [["+i", "c"], ["+i", "c/d/3"], ["+a", "b"]] as const) {
  Deno.test({
    name: `move of a folder with an entry marked ${mark} (${name}) changes nothing`,
    ignore: cannotMark,
    async fn() {
      await using places = await openPlaces();
      const { app, to } = places;
      const marked = app.at("source", name);
      await chattr(mark, marked);
      try {
        const body = { source: "source", destination: to.at("source"), overwrite: true };
        const message = await app.refused(403, "filesystem/move", body);
        expect(message).toContain(marked);
        await expectNothingMoved(places);
      } finally {
        await chattr(mark.replace("+", "-"), marked);
      }
      await app.call("filesystem/move", { source: "source", destination: to.at("new") });
      expect(namesIn(app.home)).toEqual(["file"]);
      expect(await Deno.readTextFile(to.at("new", "c/d/3"))).toBe("c/d/3");
    },
  });
}

async function chattr(mark: string, path: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("chattr", { args: [mark, path] }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

Deno.test({
  name: "move of a folder with one that this user may not change changes nothing",
  ignore: unless(MAY_SWITCH, "only root can act as another user"),
  async fn() {
    await using places = await openPlaces();
    const { app, to } = places;
    await app.app.session.use(Files).writing(); // the journal is opened while the folder is private
    for (const { home } of [app, to]) {
      await Deno.chmod(`${home}/..`, 0o755);
      await Deno.chmod(home, 0o777);
    }
    for (const name of ["", "/a", "/b", "/c"]) await Deno.chmod(app.at(`source${name}`), 0o777);
    await asNobody(async () => {
      const body = { source: "source", destination: to.at("new") };
      expect(await app.refused(403, "filesystem/move", body)).toContain(app.at("source/c/d/3"));
    });
    await expectNothingMoved(places);
  },
});

Deno.test("move that another program disturbs at the last moment changes nothing", async () => {
  await using places = await openPlaces();
  const { app, to } = places;
  const { journal } = await app.app.session.use(Files).writing();
  const begin = journal.begin.bind(journal);
  for (const disturb of [() => app.put("source/c/d/new", ""), () => to.put("source/full", "")]) {
    journal.begin = async (record) => { // the last thing before the source loses its name
      if (record.kind === "aside") await disturb();
      return await begin(record);
    };
    const body = { source: "source", destination: to.at("source"), overwrite: true };
    const { status } = await app.app.post("/api/filesystem/move", body);
    expect([400, 409]).toContain(status);
    await Deno.remove(app.at("source/c/d/new"));
    await Deno.remove(to.at("source/full")).catch(() => {});
    await expectNothingMoved(places);
    await app.put("source/c/d/new", "");
  }
});

Deno.test("a crash in the middle of a move gives the source its name back, and after the copy is in place takes it away", async () => {
  for (const [kind, expected] of [["aside", ["x"]], ["temporary", []]] as const) {
    await using app = await openFilesApp();
    const path = await app.put("x/inner", "bytes");
    const hex = "0123456789abcdef".repeat(2);
    const [folder, aside] = [app.at("x"), app.at(`.x.${hex}.tmp`)];
    await Deno.rename(folder, aside);
    const records = [
      { kind: "aside", path: folder, aside },
      ...(kind === "aside" ? [] : [{ kind, path: aside, target: folder }]),
    ];
    await Deno.mkdir(`${app.stateDir}/journal`, { recursive: true });
    const text = records.map((line) => JSON.stringify(line) + "\n").join("");
    await Deno.writeTextFile(`${app.stateDir}/journal/dead.journal`, text);
    await recover(app.stateDir, { info() {}, warn() {} });
    expect(namesIn(app.home)).toEqual(expected);
    if (kind === "aside") expect(await Deno.readTextFile(path)).toBe("bytes");
  }
});
