/** Many edits at once: none is lost, also under several names of one file. */

import { expect } from "expect";
import { toContent } from "../../../src/features/filesystem/safe_write/content.ts";
import { replaceFile } from "../../../src/features/filesystem/safe_write/replace_file.ts";
import { pick } from "../../support/extent.ts";
import { namesIn, openFilesApp } from "../filesystem/files_app.ts";
import { Files } from "../../../src/features/filesystem/files.ts";

const EDITS = pick({ short: 100, full: 200 });

for (
  const [what, names] of [
    ["one name", ["x"]],
    ["a link and the file itself", ["x", "link", "folder/x"]],
    ["several hard links", ["x", "hard1", "hard2"]],
  ] as const
) {
  Deno.test(`${EDITS} inserts and replaces at once by ${what} lose none`, async () => {
    await using app = await openFilesApp();
    const marks = Array.from({ length: EDITS }, (_, number) => `<${number}>`);
    await app.put("x", marks.filter((_, number) => number % 2 === 0).join("\n") + "\n");
    await Deno.symlink("x", app.at("link"));
    await Deno.symlink(".", app.at("folder"));
    if (names.some((name) => name === "hard1")) {
      await Deno.link(app.at("x"), app.at("hard1"));
      await Deno.link(app.at("x"), app.at("hard2"));
    }
    await Promise.all(marks.map((mark, number) => {
      const path = names[number % names.length];
      return number % 2 === 0
        ? app.call("editor/str-replace", { path, old_str: mark, new_str: `done${mark}` })
        : app.call("editor/insert", { path, text: mark, insert_line: number % 3 });
    }));
    const lines = (await Deno.readTextFile(app.at("x"))).trim().split("\n").sort();
    const expected = marks.map((mark, number) => number % 2 === 0 ? `done${mark}` : mark).sort();
    expect(lines).toEqual(expected);
  });
}

for (const links of [1, 2]) {
  Deno.test(`a file with ${links} names that another program changes during the edit keeps that change`, async () => {
    await using app = await openFilesApp();
    const path = await app.put("x", "ours");
    if (links === 2) await Deno.link(path, app.at("other"));
    const bytes = await Deno.readFile(path);
    const old = { path, info: await Deno.stat(path), old: () => toContent(bytes) };
    await Deno.writeTextFile(path, "theirs"); // after we have read, before we write
    const content = toContent(new TextEncoder().encode("ours, edited"));
    const writing = await app.app.session.use(Files).writing();
    const error = await replaceFile(writing, old, content).catch((error) => error);
    expect(error).toMatchObject({ code: "conflict" });
    expect(error.message).toContain("another program has changed it");
    expect(await Deno.readTextFile(path)).toBe("theirs");
    expect(namesIn(app.home)).toEqual(links === 2 ? ["other", "x"] : ["x"]);
    expect(app.journal().filter((name) => name.endsWith(".bytes"))).toEqual([]);
  });
}
