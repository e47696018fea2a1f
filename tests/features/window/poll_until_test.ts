/** Looks at windows whose programs change them all the time. */

import { expect } from "expect";
import { pollUntil } from "../../../src/features/window/window_answer.ts";
import type { Windows } from "../../../src/platform/types/mod.ts";

Deno.test("lookUntil() rests between two looks, however often the windows change", async () => {
  const windows = { changed: () => Promise.resolve() } as unknown as Windows;
  const end = new AbortController();
  setTimeout(() => end.abort());
  let looks = 0;
  await pollUntil(windows, end.signal, () => {
    if (++looks > 1_000) throw new Error("it never rests");
    return Promise.resolve(false);
  });
  expect(looks).toBeLessThan(10);
});
