/** Windows that pages open, in a real Chromium. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

Deno.test({
  name: "a window that a page opens loads, and holds up neither itself nor its opener",
  ignore,
  async fn() {
    await using desktop = await startBrowserDesktop({ evaluate: true });
    const { service, pages } = desktop;
    pages.serve("/popup", "<title>Popup</title><p>Opened</p>");
    await desktop.show(
      "/opener",
      `<title>Opener</title>
      <button onclick="open('/popup', '', 'left=60,top=60,width=400,height=300')">Open</button>`,
    );
    const [opener] = await service.call("/api/browser/tabs") as Json;
    await service.call("/api/browser/click", { ref: await desktop.refOf('"Open"') });
    const popup = await waitFor(async () => {
      const tabs = await service.call("/api/browser/tabs") as Json;
      return tabs.find(({ title }: Json) => title === "Popup");
    }, { what: "the window with its title" });
    const tick = { expression: "new Promise((done) => setTimeout(done, 1, 'tick'))" };
    for (const { id } of [opener, popup]) {
      const { text } = await service.call("/api/browser/evaluate", { ...tick, tab_id: id }) as Json;
      expect(text).toBe('"tick"');
    }
    expect(await desktop.snapshot({ tab_id: popup.id })).toContain("Opened");
  },
});
