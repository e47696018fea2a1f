/** Elements of pages on Wayland, where no page knows where its window is. */

import { expect } from "expect";
import { servePages } from "../../support/browser/pages.ts";
import { testIf } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";
import { missingFor, startWaylandDesktop } from "../../support/wayland/desktop.ts";

const missing = missingFor("sway", ["chromium", "zenity"]);

const PAGE = `<title>Order</title><body style="height:4000px">
<input aria-label="Name" style="position:absolute;top:100px" oninput="report(value)">
<button style="position:absolute;top:2500px;left:300px;width:30px;height:20px;padding:0"
  onclick="report('click ' + event.isTrusted + ' ' + (event.offsetX | 0) + ' ' + (event.offsetY | 0))">Buy</button>`;

testIf(missing === undefined, missing ?? "")(
  "input operations on Wayland reach elements of pages by their refs, at the very pixel",
  async () => {
    await using pages = servePages();
    await using desktop = await startWaylandDesktop("sway", {
      config: "default_border normal",
    });
    const service = await desktop.service({ openBrowser: "about:blank" });
    await service.call("/api/browser/navigate", { url: pages.serve("/order", PAGE) });
    const { text } = await service.call("/api/browser/snapshot", {}) as { text: string };
    const refOf = (name: string) => new RegExp(`"${name}" \\[ref=(e\\d+)\\]`).exec(text)![1]!;
    const click = async () => {
      pages.reports.length = 0;
      await service.call("/api/mouse/left-click", { ref: refOf("Buy") });
      await waitFor(() => pages.reports.length > 0, { what: "the click" });
      expect(pages.reports[0]).toMatch(/^click true 1[45] (9|10)$/); // the middle
    };
    await click();
    // a second window takes half of the output: the page is elsewhere, in a smaller window
    desktop.start("zenity", ["--info", "--title=half", "--text=under test"]);
    await waitFor(async () => {
      const all = await service.call("/api/window/list") as { title: string }[];
      return all.some(({ title }) => title === "half");
    }, { what: "the other window" });
    await waitFor(async () => {
      return (await service.send("/api/mouse/move", { ref: refOf("Buy") })).status === 204;
    }, { what: "the page in its new size" });
    await click();
    pages.reports.length = 0;
    await service.call("/api/keyboard/type", { text: "Grace", ref: refOf("Name") });
    await waitFor(() => pages.reports.includes("Grace"), { what: "the text" });
  },
);
