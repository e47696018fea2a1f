/** Keys that are sent at once after a click go where it was, and after it. */

import { expect } from "expect";
import { pick } from "../support/extent.ts";
import { openDesktop, type RealDesktop } from "./support/desktop.ts";
import type { Editor } from "./support/editor.ts";

const TIMES = pick({ short: 25, full: 500 });

for (const name of ["mousepad", "featherpad"] as const) {
  Deno.test(`${name}: click, select all, delete and type never overtake each other`, async () => {
    await using desktop = await openDesktop();
    const editor = await desktop.editor(name);
    const middle = await editor.window.middle();
    for (let i = 0; i < TIMES; i++) {
      await replaceAll(desktop, { x: middle.x + 9 * (i % 7), y: middle.y }, `text ${i}`);
      const saved = (await editor.savedText()).trimEnd();
      const later = saved === `text ${i}` ? "" : await saveAgain(editor);
      expect({ saved, later }).toEqual({ saved: `text ${i}`, later: "" });
    }
  });
}

Deno.test("Chromium: click, select all, delete and type never overtake each other", async () => {
  await using desktop = await openDesktop();
  const browser = await desktop.chromium();
  const { x, y } = await browser.pointOf("#text");
  for (let i = 0; i < TIMES; i++) {
    await replaceAll(desktop, { x: x + 9 * (i % 7), y: y + 100 }, `text ${i}`);
    await browser.expectValue("#text", `text ${i}`);
  }
});

/** Tells keys that came late from keys that were lost, when an editor has saved something else. */
async function saveAgain(editor: Editor): Promise<string> {
  const title = await editor.window.title();
  const text = await editor.savedText().catch(({ message }) => message);
  return `the window "${title}", and then ${JSON.stringify(text)}`;
}

async function replaceAll(
  desktop: RealDesktop,
  at: { readonly x: number; readonly y: number },
  text: string,
): Promise<void> {
  await desktop.call("mouse/left-click", at);
  await desktop.call("keyboard/key", { key: "ctrl+a" });
  await desktop.call("keyboard/key", { key: "delete" });
  await desktop.type(text);
}
