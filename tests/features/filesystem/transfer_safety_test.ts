/** move and copy never lose what is there: one file under two paths, and files that appear meanwhile. */

import { expect } from "expect";
import { moveIntoPlace } from "../../../src/features/filesystem/transfer.ts";
import { namesIn, openFilesApp } from "./files_app.ts";
import { bindOver, cannotMount } from "./mounts.ts";
import { waitFor } from "../../support/wait.ts";

const LARGE_BYTES = 200 * 1024 * 1024;

const mountless = await cannotMount();

Deno.test("move of a file to itself through a link to its folder keeps it", async () => {
  await using app = await openFilesApp();
  await app.put("real/f", "only copy");
  await Deno.symlink("real", app.at("link"));
  const body = { source: "link/f", destination: "real/f", overwrite: true };
  await app.call("filesystem/move", body);
  expect(await Deno.readTextFile(app.at("real/f"))).toBe("only copy");
});

Deno.test("move of a file with two names to itself through a link keeps both", async () => {
  await using app = await openFilesApp();
  await app.put("real/f", "abc");
  await Deno.link(app.at("real/f"), app.at("other"));
  await Deno.symlink("real", app.at("link"));
  const body = { source: "link/f", destination: "real/f", overwrite: true };
  await app.call("filesystem/move", body);
  expect(namesIn(app.at("real"))).toEqual(["f"]);
});

Deno.test("move of one hard link over another leaves one name", async () => {
  await using app = await openFilesApp();
  await app.put("a", "abc");
  await Deno.link(app.at("a"), app.at("b"));
  await app.call("filesystem/move", { source: "a", destination: "b", overwrite: true });
  expect(namesIn(app.home)).toEqual(["b"]);
});

Deno.test(
  "move of a file to itself through a mount is refused",
  { ignore: mountless },
  async () => {
    await using app = await openFilesApp();
    await app.put("real/f", "only copy");
    await app.put("real/two", "two names");
    await Deno.link(app.at("real/two"), app.at("real/names"));
    await Deno.mkdir(app.at("alias"));
    await using _mounted = await bindOver(app.at("real"), app.at("alias"));
    for (const name of ["f", "two"]) {
      const body = { source: `alias/${name}`, destination: `real/${name}`, overwrite: true };
      expect(await app.refused(409, "filesystem/move", body)).toContain("both are the same");
    }
    expect(namesIn(app.at("real"))).toEqual(["f", "names", "two"]);
  },
);

for (const verb of ["move", "copy"] as const) {
  Deno.test(
    `${verb} of a folder into itself through a mount is refused`,
    { ignore: mountless },
    async () => {
      await using app = await openFilesApp();
      await app.put("real/inner/f", "");
      await Deno.mkdir(app.at("alias"));
      await Deno.mkdir(app.at("below"));
      await using _mounted = await bindOver(app.at("real"), app.at("alias"));
      await using _below = await bindOver(app.at("real/inner"), app.at("below"));
      await app.refused(422, `filesystem/${verb}`, { source: "real", destination: "alias/new" });
      await app.refused(422, `filesystem/${verb}`, { source: "real", destination: "below/new" });
      expect(namesIn(app.at("real"))).toEqual(["inner"]);
      expect(namesIn(app.at("real/inner"))).toEqual(["f"]);
    },
  );
}

Deno.test("copy of a link to a folder into that folder is refused", async () => {
  await using app = await openFilesApp();
  await app.put("real/f", "");
  await Deno.symlink("real", app.at("link"));
  const body = { source: "link", destination: "real/new" };
  const [error] = await app.refused(422, "filesystem/copy", body);
  expect(error).toMatchObject({ loc: ["body", "destination"], type: "value_error" });
  expect(namesIn(app.at("real"))).toEqual(["f"]);
});

Deno.test("copy of a link counts as what it leads to where something is in the way", async () => {
  await using app = await openFilesApp();
  await app.put("real/f", "");
  await app.put("file", "kept");
  await Deno.symlink("real", app.at("link"));
  const body = { source: "link", destination: "file", overwrite: true };
  expect(await app.refused(400, "filesystem/copy", body)).toContain("a file is there");
  await Deno.mkdir(app.at("empty"));
  await app.call("filesystem/copy", { source: "link", destination: "empty", overwrite: true });
  expect(namesIn(app.at("empty"))).toEqual(["f"]);
});

Deno.test("copy without overwrite keeps a file that appears while it copies", async () => {
  await using app = await openFilesApp();
  await app.put("large", new Uint8Array(LARGE_BYTES).fill(1)); // without holes, which take no time
  await Deno.mkdir(app.at("to"));
  const copying = app.refused(400, "filesystem/copy", { source: "large", destination: "to/x" });
  await waitFor(() => namesIn(app.at("to"))[0], { everyMs: 0 });
  await app.put("to/x", "of somebody else");
  expect(await copying).toContain('"overwrite": true');
  expect(await Deno.readTextFile(app.at("to/x"))).toBe("of somebody else");
  expect(namesIn(app.at("to"))).toEqual(["x"]);
});

Deno.test("of many that copy to two spellings of one place, one succeeds", async () => {
  await using app = await openFilesApp();
  await Deno.mkdir(app.at("real"));
  await Deno.symlink("real", app.at("link"));
  await app.put("s", "abc");
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      app.app.post("/api/filesystem/copy", {
        source: "s",
        destination: number % 2 === 0 ? "real/x" : "link/x",
      })),
  );
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
});

for (const rename of ["with", "without"] as const) {
  for (const kind of ["file", "folder"] as const) {
    Deno.test(`place() ${rename} exclusive rename puts a ${kind} over nothing that is there`, async () => {
      await using app = await openFilesApp();
      if (kind === "file") await app.put("from", "new");
      else await app.put("from/inner", "new");
      if (kind === "file") await app.put("to", "old");
      else await Deno.mkdir(app.at("to"));
      const { files } = app.app.platform;
      if (rename === "without") files.lose("exclusiveRename");
      const from = app.at("from");
      const info = await Deno.lstat(from);
      const transfer = { verb: "move", source: from, from, info, overwrite: false } as const;
      const placing = (name: string) =>
        moveIntoPlace(files, from, {
          ...transfer,
          destination: app.at(name),
          sameness: "different",
        });
      await expect(placing("to")).rejects.toMatchObject({ code: "already_exists" });
      expect(namesIn(app.home)).toEqual(["from", "to"]);
      await placing("free");
      expect(namesIn(app.home)).toEqual(["free", "to"]);
    });
  }
}
