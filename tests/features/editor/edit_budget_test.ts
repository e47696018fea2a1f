/** Edits that run at once share a bound of memory. */

import { expect } from "expect";
import { openFilesApp } from "../filesystem/files_app.ts";
import { Edits } from "../../../src/features/editor/edits.ts";
import { Files } from "../../../src/features/filesystem/files.ts";
import { waitFor } from "../../support/wait.ts";

Deno.test("edits of many files at once hold at most twice the largest file in memory", async () => {
  const maxEditBytes = 100_000;
  await using app = await openFilesApp({ limits: { maxEditBytes } });
  const { session } = app.app;
  const files = session.use(Files);
  const edits = session.use(Edits);
  const names = Array.from({ length: 20 }, (_, number) => `x${number}`);
  for (const name of names) await app.put(name, "a".padEnd(90_000, "-"));
  let most = 0;
  let running = 0;
  const { writing } = files;
  files.writing = async () => { // asked for while an edit holds the bytes of its file
    most = Math.max(most, ++running);
    const what = await writing.call(files);
    await waitFor(() => most > 1, { what: "a second edit" });
    await new Promise((resolve) => setTimeout(resolve, 2));
    running--;
    return what;
  };
  await Promise.all(
    names.map((path) => app.call("editor/str-replace", { path, old_str: "a", new_str: "b" })),
  );
  expect(most).toBe(2);
  expect(edits.budget.taken).toBe(0);
});
