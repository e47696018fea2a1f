/** Pages in Chromium on the service's own sway, where nothing but Chromium tells of its popups. */

import { expect } from "expect";
import { testFolder } from "../../support/folder.ts";
import { testIf } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";
import { CHROMIUM } from "../support/browser_kinds.ts";
import { servePages } from "../support/page.ts";
import type { ElementNode } from "./support/element_desktop.ts";
import { missingForSway, openSwayDesktop } from "./support/sway_desktop.ts";

const missing = await missingForSway(["chromium"]);

/** What Chromium proposes below the field covers the middle of one button, and all of the other. */
const BODY = `<style>* { position: absolute }</style>
<button id="At the top" style="left: 300px; top: 1px; height: 20px">At the top</button>
<input id="field" list="names" aria-label="Name" style="left: 200px; top: 80px; width: 160px">
<datalist id="names"><option value="Bernardine"><option value="Bernadette"></datalist>
<button id="Wide" style="left: 60px; top: 118px; width: 500px; height: 20px">Wide</button>
<button id="Narrow" style="left: 260px; top: 150px; width: 80px; height: 20px">Narrow</button>`;

testIf(missing === undefined, missing ?? "")(
  "what Chromium opens over a page on sway is clicked by ref, and what it covers is not",
  async () => {
    await using folder = await testFolder();
    await using pages = servePages({ body: BODY });
    await using desktop = await openSwayDesktop();
    const { call, refused } = desktop;
    const find = (role: string, name: string) =>
      waitFor(async () => {
        const found = await call<{ elements: ElementNode[] }>("accessibility/find", {
          role,
          name,
          window: "all",
        });
        return found.elements[0];
      }, { what: `the ${role} ${name}`, timeoutMs: 60_000 });
    const click = async (role: string, name: string) => {
      const { ref } = await find(role, name);
      pages.clear();
      await call("mouse/left-click", { ref });
      return (await waitFor(() => pages.events("click").at(-1), { what: "the click" })).target;
    };
    await call("window/open", {
      program: "chromium",
      args: [
        ...["--ozone-platform=wayland", "--force-renderer-accessibility"],
        ...CHROMIUM.args(folder.path, pages.address).map((arg) => arg.replace("--app=", "")),
      ],
    });
    await pages.loaded();
    expect(await click("button", "At the top")).toBe("At the top"); // below what Chromium keeps, and does not show
    expect(await click("button", "Narrow")).toBe("Narrow");

    expect(await click("combobox", "Name")).toBe("field");
    await call("keyboard/key", { key: "Down" });
    const option = await find("option", "Bernardine");
    const { text } = await call<{ text: string }>("accessibility/snapshot"); // of the focused window
    expect(text).toContain("Bernadette");
    const { ref } = await find("button", "Narrow");
    pages.clear();
    expect(await refused(409, "mouse/left-click", { ref })).toContain(
      'The button \\"Narrow\\" is covered by the option \\"Bern',
    );
    expect(pages.events("mousedown")).toEqual([]);
    await call("mouse/left-click", { ref: option.ref });
    const value = () => pages.evaluate<string>("document.querySelector('#field').value");
    await waitFor(async () => await value() === "Bernardine", { what: "the value" });

    await call("keyboard/key", { key: "ctrl+a" });
    await call("keyboard/type", { text: "Bern" });
    await find("option", "Bernadette");
    expect(await click("button", "Wide")).toBe("Wide");
  },
);
