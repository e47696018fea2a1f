/** Windows that pages open, and what pages tell of theirs, in a real Chromium. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

Deno.test({
  name: "windows that pages open load, hold up nothing, and cover what is below them",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop({ evaluate: true });
    const { service, pages } = desktop;
    const [opener] = await service.call("/api/browser/tabs") as Json;

    await test.step("a window loads, and its opener goes on", async () => {
      pages.serve("/popup", "<title>Popup</title><body onclick=report('popup')><p>Opened</p>");
      await desktop.show(
        "/opener",
        `<title>Opener</title>
        <button style="position:fixed;left:200px;top:150px" onclick="report('below')">Below</button>
        <button onclick="open('/popup', '', 'left=60,top=60,width=500,height=500')">Open</button>`,
      );
      const below = await desktop.refOf('"Below"');
      await service.call("/api/browser/click", { ref: await desktop.refOf('"Open"') });
      const popup = await waitFor(async () => {
        const tabs = await service.call("/api/browser/tabs") as Json;
        return tabs.find(({ title }: Json) => title === "Popup");
      }, { what: "the window with its title" });
      const tick = { expression: "new Promise((done) => setTimeout(done, 1, 'tick'))" };
      for (const { id } of [opener, popup]) {
        const { text } = await service.call("/api/browser/evaluate", {
          ...tick,
          tab_id: id,
        }) as Json;
        expect(text).toBe('"tick"');
      }
      expect(await desktop.snapshot({ tab_id: popup.id })).toContain("Opened");

      expect(await service.refused(409, "/api/mouse/left-click", { ref: below }))
        .toContain("covered by the window");
      await service.call("/api/browser/click", { ref: below });
      await waitFor(() => pages.reports.includes("below"), { what: "the click inside the page" });
      await service.call("/api/browser/close", { tab_id: popup.id });
      await waitFor(async () => {
        const windows = await service.call("/api/window/list") as Json;
        return windows.every(({ title }: Json) => !title.startsWith("Popup"));
      }, { what: "the end of the window" });
      await service.call("/api/mouse/left-click", { ref: below });
      await waitFor(() => pages.reports.length === 2, { what: "the click on the display" });
      expect(pages.reports).toEqual(["below", "below"]);
    });

    await test.step("a page that tells another place, or that it shows, moves no click", async () => {
      const lies = `<script>
        for (const name of ["screenX", "screenY"]) {
          Object.defineProperty(window, name, { get: () => 200 });
        }
        Object.defineProperty(document, "visibilityState", { get: () => "visible" });
        </script>`;
      await desktop.show(
        "/lies",
        `<title>Lies</title>${lies}<button onclick="report('true')">True</button>`,
      );
      const ref = await desktop.refOf('"True"');
      const url = pages.serve("/other", "<title>Other</title><body onclick=report('other')>");
      await service.call("/api/browser/open", { url }); // hides the page
      await service.call("/api/mouse/left-click", { ref });
      await waitFor(() => pages.reports.length > 0, { what: "a click" });
      expect(pages.reports).toEqual(["true"]);
    });
  },
});
