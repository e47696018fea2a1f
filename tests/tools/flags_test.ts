/** `docs/limits-and-flags.md` is made from the table of options. */

import { expect } from "expect";
import { FLAGS_FILE, flagsPage } from "../../tools/flags.ts";

Deno.test("docs/limits-and-flags.md is what `deno task flags` writes", async () => {
  expect(await Deno.readTextFile(FLAGS_FILE)).toBe(flagsPage());
});
