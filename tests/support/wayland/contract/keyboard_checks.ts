/** What the keyboard does, by the events and the text of a page. */

import { expect } from "expect";
import { TEXT } from "./text.ts";
import type { Check } from "./contract.ts";

const FIELD = `<textarea id="text" autofocus style="width: 100%; height: 90vh"></textarea>`;

/** The service's name of a key -> the browser's. */
const NAMED = {
  f5: "F5",
  home: "Home",
  pagedown: "PageDown",
  left: "ArrowLeft",
  escape: "Escape",
};

export const KEYBOARD_CHECKS: readonly Check[] = [
  {
    name: "500 mixed characters typed into a page are there, each once",
    async run({ service, browser }) {
      await browser.show({ body: FIELD });
      await service.call("keyboard/type", { text: TEXT, typing_delay: 0 });
      await browser.expectValue("#text", TEXT);
    },
  },
  {
    name: "text follows a click into another field, and clear replaces what was there",
    async run({ service, browser }) {
      const body = `${FIELD}<input id="other" value="old" style="position: fixed; left: 500px;
        top: 300px; width: 200px; height: 40px">`;
      await browser.show({ body });
      await service.call("mouse/left-click", { x: 600, y: 320 });
      await service.call("keyboard/type", { text: "new é", clear: true });
      await browser.expectValue("#other", "new é");
      await browser.expectValue("#text", "");
    },
  },
  {
    name: "keys and shortcuts are those keys, with their modifiers",
    async run({ service, browser }) {
      await browser.show({ body: FIELD });
      await service.call("keyboard/key", { key: "a" });
      await service.call("keyboard/key", { key: "shift+b" });
      await service.call("keyboard/hotkey", { keys: ["ctrl", "a"] });
      await browser.waitFor((events) => events.at(-1)?.selection === "aB", { type: "keyup" })
        .catch(() => {}); // the comparison says more
      const keys = browser.events("keydown").filter(({ key }) => key!.length === 1);
      expect(keys).toMatchObject([
        { key: "a", code: "KeyA", modifiers: [] },
        { key: "B", code: "KeyB", modifiers: ["shift"] },
        { key: "a", code: "KeyA", modifiers: ["ctrl"] },
      ]);
      await service.call("keyboard/key", { key: "delete" });
      await browser.expectValue("#text", "");
      await browser.evaluate(`addEventListener("keydown", (event) => event.preventDefault())`);
      for (const [key, name] of Object.entries(NAMED)) {
        await service.call("keyboard/key", { key });
        await browser.waitFor((events) => events.at(-1)?.key === name, { type: "keyup" });
      }
      const named = browser.events("keydown").map(({ key }) => key!).slice(-5);
      expect(named).toEqual(Object.values(NAMED));
    },
  },
  {
    name: "a held key stays down until it is released",
    async run({ service, browser }) {
      await browser.show({ body: FIELD });
      await service.call("keyboard/hold", { key: "shift" });
      expect(JSON.stringify(await service.get("keyboard/held"))).toContain("shift");
      await service.call("keyboard/key", { key: "left" });
      await browser.waitFor((events) => events.some(({ key }) => key === "ArrowLeft"), {
        type: "keyup",
      });
      const [pressed] = browser.events("keydown").filter(({ key }) => key === "ArrowLeft");
      expect(pressed!.modifiers).toEqual(["shift"]);
      await service.call("keyboard/release", { key: "shift" });
      await browser.waitFor((events) => events.at(-1)?.key === "Shift", { type: "keyup" });
      await service.call("keyboard/hold", { key: "ctrl" });
      await service.call("system/release-all");
      await browser.waitFor((events) => events.at(-1)?.key === "Control", { type: "keyup" });
      await service.call("keyboard/type", { text: "plain" });
      await browser.expectValue("#text", "plain");
    },
  },
];
