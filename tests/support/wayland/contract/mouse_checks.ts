/** What the mouse does, by the events of a page. */

import { expect } from "expect";
import { waitFor } from "../../wait.ts";
import type { Bench, Check } from "./contract.ts";

const EMPTY = `<div style="position: fixed; inset: 0; background: #def"></div>
<script>addEventListener("contextmenu", (event) => event.preventDefault())</script>`;

const LONG = `<div style="height: 20000px; width: 5000px; background: linear-gradient(red, blue)">
  </div>`;

const DROP = `
<div id="thing" draggable="true" style="position: absolute; left: 60px; top: 60px; width: 80px;
  height: 60px; background: red">thing</div>
<div id="place" style="position: absolute; left: 400px; top: 300px; width: 300px; height: 200px;
  background: lightgreen">place</div>
<script>
  thing.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", "x"));
  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => event.preventDefault());
</script>`;

export const MOUSE_CHECKS: readonly Check[] = [
  {
    name: "a move reaches the exact point, and the position is that point",
    async run({ service, browser }) {
      await browser.show({ body: EMPTY });
      for (const [x, y] of [[5, 7], [1279, 799], [640, 401], [641, 401], [0, 0]] as const) {
        browser.clear();
        await service.call("mouse/move", { x, y });
        await browser.waitFor((events) => {
          const last = events.at(-1);
          return last?.clientX === x && last.clientY === y;
        }, { type: "mousemove", what: `a move to ${x},${y}` });
        expect(await service.get("mouse/position")).toEqual({ x, y });
      }
    },
  },
  {
    name: "each button is pressed and released at its point",
    async run({ service, browser }) {
      await browser.show({ body: EMPTY });
      const buttons = [["left-click", 0], ["middle-click", 1], ["right-click", 2]] as const;
      for (const [operation, button] of buttons) {
        browser.clear();
        await service.call(`mouse/${operation}`, { x: 300 + button, y: 200 });
        await browser.waitFor((events) => events.length > 0, { type: "mouseup" });
        const pressed = browser.events().filter(({ type }) => /^mouse(down|up)$/.test(type));
        const at = { clientX: 300 + button, clientY: 200, isTrusted: true };
        expect(pressed).toMatchObject([
          { type: "mousedown", button, ...at },
          { type: "mouseup", button, ...at },
        ]);
      }
    },
  },
  {
    name: "double and triple clicks count, and single ones do not become double",
    async run({ service, browser }) {
      await browser.show({ body: EMPTY });
      await service.call("mouse/double-click", { x: 500, y: 300 });
      await browser.waitFor((events) => events.length === 1, { type: "dblclick" });
      expect(browser.events("click").map(({ detail }) => detail)).toEqual([1, 2]);
      browser.clear();
      await service.call("mouse/triple-click", { x: 700, y: 350 });
      await browser.waitFor((events) => events.length === 3, { type: "click" });
      expect(browser.events("click").map(({ detail }) => detail)).toEqual([1, 2, 3]);
    },
  },
  {
    name: "a click with a modifier has it, and the next one has none",
    async run({ service, browser }) {
      await browser.show({ body: EMPTY });
      await service.call("mouse/left-click", { x: 200, y: 300, modifiers: ["shift"] });
      await service.call("mouse/left-click", { x: 400, y: 310 });
      await browser.waitFor((events) => events.length === 2, { type: "click" });
      expect(browser.events("click").map(({ modifiers }) => modifiers)).toEqual([["shift"], []]);
    },
  },
  {
    name: "a drag goes from its start to its end with the button down, and a drop arrives",
    async run({ service, browser }) {
      await browser.show({ body: EMPTY });
      await service.call("mouse/drag", { from: { x: 100, y: 120 }, x: 301, y: 222 });
      await browser.waitFor((events) => events.length === 1, { type: "mouseup" });
      expect(browser.events("mousedown")).toMatchObject([{ clientX: 100, clientY: 120 }]);
      expect(browser.events("mouseup")).toMatchObject([{ clientX: 301, clientY: 222 }]);
      const held = browser.events("mousemove").filter(({ buttons }) => buttons === 1);
      expect(held.length).toBeGreaterThan(1);

      await browser.show({ body: DROP });
      await service.call("mouse/drag", { from: { x: 100, y: 90 }, x: 551, y: 402 });
      await browser.waitFor((events) => events.length === 1, { type: "dragend" });
      expect(browser.events("drop")).toMatchObject([{ clientX: 551, clientY: 402 }]);
    },
  },
  {
    name: "each notch of the wheel counts, in all four directions",
    run: (bench) => scrolls(bench),
  },
  {
    name: "buttons stay down until up, and release-all releases them",
    async run({ service, browser }) {
      await browser.show({ body: EMPTY });
      await service.call("mouse/move", { x: 333, y: 222 });
      await service.call("mouse/down", { button: "left" });
      await browser.waitFor((events) => events.length === 1, { type: "mousedown" });
      await service.call("mouse/move", { x: 335, y: 225 });
      await browser.waitFor((events) => events.at(-1)?.buttons === 1, { type: "mousemove" });
      expect(browser.events("mouseup")).toEqual([]);
      await service.call("mouse/up", { button: "left" });
      await browser.waitFor((events) => events.length === 1, { type: "mouseup" });
      await service.call("mouse/down", { button: "middle" });
      await browser.waitFor((events) => events.at(-1)?.button === 1, { type: "mousedown" });
      await service.call("system/release-all");
      await browser.waitFor((events) => events.at(-1)?.button === 1, { type: "mouseup" });
    },
  },
];

async function scrolls({ service, browser }: Bench): Promise<void> {
  await browser.show({ body: LONG });
  const place = () => browser.evaluate<number[]>("[Math.round(scrollX), Math.round(scrollY)]");
  const turn = async (body: Record<string, number>, expected: readonly number[]) => {
    await service.call("mouse/scroll", { clicks: 0, x: 640, y: 400, ...body });
    await waitFor(async () => `${await place()}` === `${expected}`)
      .catch(async () => expect({ ...body, at: await place() }).toEqual({ ...body, at: expected }));
  };
  await service.call("mouse/scroll", { clicks: -1, x: 640, y: 400 });
  await browser.waitFor((events) => events.length > 0, { type: "wheel" });
  const notch = browser.events("wheel").reduce((sum, { deltaY }) => sum + deltaY!, 0);
  expect(notch).toBeGreaterThan(0);
  await turn({}, [0, notch]);
  await turn({ clicks: -20 }, [0, 21 * notch]);
  await turn({ clicks: 2 }, [0, 19 * notch]);
  await turn({ horizontal_clicks: 3 }, [3 * notch, 19 * notch]);
  await turn({ horizontal_clicks: -1 }, [2 * notch, 19 * notch]);
}
