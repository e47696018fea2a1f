/** A double click is one double click in every toolkit, and two of them are two. */

import { expect } from "expect";
import { pick } from "../support/extent.ts";
import { openDesktop } from "./support/desktop.ts";

const TIMES = pick({ short: 10, full: 200 });
const PAIRS = pick({ short: 2, full: 20 });
const WORDS = `<p style="font: 30px monospace; margin: 60px">` +
  `<span id="first">first</span> and <span id="second">second</span></p>`;

for (const name of ["chromium", "firefox"] as const) {
  Deno.test(`${name} counts every double click, and two quick clicks as one`, async () => {
    await using desktop = await openDesktop();
    const browser = await desktop[name]({ body: WORDS });
    const points = [await browser.pointOf("#first"), await browser.pointOf("#second")];
    for (let i = 0; i < TIMES; i++) {
      const at = points[i % 2]!;
      if (i % 4 < 2) await desktop.call("mouse/double-click", at);
      else {await Promise.all([
          desktop.call("mouse/left-click", at),
          desktop.call("mouse/left-click", at),
        ]);}
    }
    const clicks = await browser.waitFor((events) => events.length === 2 * TIMES, {
      type: "click",
    });
    expect(clicks.map(({ detail }) => detail)).toEqual(
      Array.from({ length: TIMES }, () => [1, 2]).flat(),
    );
    expect(browser.events("dblclick").length).toBe(TIMES);
  });

  Deno.test(`${name} takes two double clicks at one place for two, and counts a triple click`, async () => {
    await using desktop = await openDesktop();
    const browser = await desktop[name]({ body: WORDS });
    const at = await browser.pointOf("#first");
    for (let i = 0; i < PAIRS; i++) await desktop.call("mouse/double-click", at);
    await desktop.call("mouse/triple-click", at);
    const clicks = await browser.waitFor((events) => events.length === 2 * PAIRS + 3, {
      type: "click",
    });
    expect(clicks.map(({ detail }) => detail)).toEqual([
      ...Array.from({ length: PAIRS }, () => [1, 2]).flat(),
      ...[1, 2, 3],
    ]);
  });
}

const WORD = "m".repeat(30);
/** As long, so that the words stay where they are. */
const TYPED = "Z".repeat(30);
const LINES = 60;
const WORDS_PER_LINE = 40;
const EDITOR_TIMES = pick({ short: 4, full: 200 });

for (const name of ["mousepad", "gnome-text-editor", "featherpad"] as const) {
  Deno.test(`${name} selects the word that is double-clicked, and what is typed replaces it`, async () => {
    await using desktop = await openDesktop();
    const line = Array.from({ length: WORDS_PER_LINE }, () => WORD).join(" ");
    // some editors end every file with a line break, others show one more line for it
    const end = name === "gnome-text-editor" ? "" : "\n";
    const text = Array.from({ length: LINES }, () => line).join("\n") + end;
    const editor = await desktop.editor(name, { text });
    const { x, y } = await editor.window.middle();
    let { length } = text;
    for (let i = 1; i <= EDITOR_TIMES; i++) {
      // GTK takes no double click for one that comes too soon after a click elsewhere
      if (i % 2 === 0) {
        await desktop.call(`mouse/${i % 4 ? "left" : "double"}-click`, { x, y: y + 150 });
      }
      await desktop.call("mouse/double-click", { x: x + i % 50, y: y + 7 * (i % 11) });
      await desktop.call("keyboard/type", { text: TYPED, typing_delay: 0 });
      const now = await editor.savedText();
      // a click between two words selects what is between them
      expect(now.replaceAll(WORD, "").replaceAll(TYPED, "").trim()).toBe("");
      expect(now.length).not.toBe(length + TYPED.length);
      length = now.length;
    }
  });
}
