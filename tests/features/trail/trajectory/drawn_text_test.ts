/** What a row showed before a stored value was typed there is remembered in time, or not at all, and forgotten. */

import { expect } from "expect";
import type { Context } from "../../../../src/features/context.ts";
import { ScreenMasks } from "../../../../src/features/recording/masks.ts";
import { DrawnText } from "../../../../src/features/trail/trajectory/looker.ts";
import type { Display } from "../../../../src/platform/types/mod.ts";
import { waitFor } from "../../../support/wait.ts";

const display = { size: { width: 800, height: 600 } } as Display;
const FIELD = { x: 100, y: 100 };

/** Remembers names as the thread that compares pictures does, when a test lets it. */
function openPictures() {
  const remembered = new Set<string>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const pictures = {
    async run(job: string, _display: Display, { name }: { readonly name: string }) {
      await begun;
      if (job === "remember") remembered.add(name);
      if (job === "forget") remembered.delete(name);
    },
  };
  const session = { use: () => pictures };
  const context = { session, signal: new AbortController().signal } as unknown as Context;
  return { context, remembered, begin };
}

Deno.test("a value that is still typed when the trajectory ends leaves no picture behind", async () => {
  const { context, remembered, begin } = openPictures();
  begin();
  {
    using drawn = new DrawnText(context, display, 0);
    await drawn.noteField(new ScreenMasks().add(FIELD, 0));
    expect(remembered.size).toBe(1);
  }
  await waitFor(() => remembered.size === 0, { what: "nothing remembered" });
});

Deno.test("typing does not wait for a thread that is busy, and what it remembers later is no use", async () => {
  const { context, remembered, begin } = openPictures();
  using drawn = new DrawnText(context, display, 0);
  const mask = new ScreenMasks().add(FIELD, 0);
  await drawn.noteField(mask);
  begin();
  // all of the row, as nothing was remembered in time
  expect(await drawn.findText(FIELD, mask)).toMatchObject({ x: 0 });
  await waitFor(() => remembered.size === 0, { what: "nothing remembered" });
});
