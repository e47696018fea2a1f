/** The script of the console's page is what its sources make. */

import { expect } from "expect";
import { BUNDLE, bundlePage } from "../../tools/console.ts";

Deno.test("the console's bundle is up to date (deno task console makes it)", async () => {
  const made = await bundlePage();
  const kept = await Deno.readTextFile(new URL(`../../${BUNDLE}`, import.meta.url));
  expect(made === kept).toBe(true);
});
