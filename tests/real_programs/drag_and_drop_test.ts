/** HTML5 drag and drop with the defaults of a drag: dropped every time, at the exact point. */

import { expect } from "expect";
import { pick } from "../support/extent.ts";
import { openDesktop } from "./support/desktop.ts";

const TIMES = pick({ short: 4, full: 50 });
const PAGE = `
<div id="thing" draggable="true" style="position: absolute; left: 60px; top: 60px; width: 80px;
  height: 60px; background: red">thing</div>
<div id="place" style="position: absolute; left: 400px; top: 300px; width: 300px; height: 200px;
  background: lightgreen">place</div>
<script>
  thing.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", "x"));
  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => event.preventDefault());
</script>`;

for (const name of ["chromium", "firefox"] as const) {
  Deno.test(`${name} gets every drop, at the exact point`, async () => {
    await using desktop = await openDesktop();
    const browser = await desktop[name]({ body: PAGE });
    const [from, place] = [await browser.pointOf("#thing"), await browser.pointOf("#place")];
    for (let i = 0; i < TIMES; i++) {
      browser.clear();
      const to = { x: place.x + i % 40, y: place.y - i % 30 };
      await desktop.call("mouse/drag", { ...to, from });
      await browser.waitFor((events) => events.length === 1, { type: "dragend" });
      expect(browser.events("drop")).toMatchObject([{ screenX: to.x, screenY: to.y }]);
    }
  });
}
