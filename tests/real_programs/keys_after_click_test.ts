/** Keys that are sent at once after a click go where it was, and after it. */

import { expect } from "expect";
import { pick } from "./support/counts.ts";
import { openDesk, type RealDesk } from "./support/desk.ts";

const TIMES = pick({ short: 25, full: 500 });

for (const name of ["mousepad", "featherpad"] as const) {
  Deno.test(`${name}: click, select all, delete and type never overtake each other`, async () => {
    await using desk = await openDesk();
    const editor = await desk.editor(name);
    const middle = await editor.window.middle();
    for (let i = 0; i < TIMES; i++) {
      await replaceAll(desk, { x: middle.x + 9 * (i % 7), y: middle.y }, `text ${i}`);
      expect((await editor.savedText()).trimEnd()).toBe(`text ${i}`);
    }
  });
}

Deno.test("Chromium: click, select all, delete and type never overtake each other", async () => {
  await using desk = await openDesk();
  const browser = await desk.chromium();
  const { x, y } = await browser.pointOf("#text");
  for (let i = 0; i < TIMES; i++) {
    await replaceAll(desk, { x: x + 9 * (i % 7), y: y + 100 }, `text ${i}`);
    await browser.expectValue("#text", `text ${i}`);
  }
});

async function replaceAll(
  desk: RealDesk,
  at: { readonly x: number; readonly y: number },
  text: string,
): Promise<void> {
  await desk.call("mouse/left-click", at);
  await desk.call("keyboard/key", { key: "ctrl+a" });
  await desk.call("keyboard/key", { key: "delete" });
  await desk.type(text);
}
