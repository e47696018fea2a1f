/** Buttons and keys that are pressed in pages are released, whatever ends the operation that pressed them. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

const PAGE = `<title>Buttons</title><body style="margin: 0; height: 100vh">
<script>
addEventListener("contextmenu", (event) => event.preventDefault());
for (const type of ["mousedown", "mouseup", "keydown", "keyup"])
  addEventListener(type, ({ button, buttons, key }) => report([type, key ?? button + "/" + buttons].join(" ")));
</script>`;

Deno.test({
  name: "whatever is pressed in a page is released",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop();
    const { service, pages } = desktop;
    const reported = async (...wanted: string[]) => {
      await waitFor(() => pages.reports.length >= wanted.length, { what: wanted.join() });
      expect(pages.reports.splice(0)).toEqual(wanted);
    };
    const pointer = (action: string, more = {}) =>
      service.call("/api/browser/pointer", { action, x: 50, y: 50, ...more });

    await test.step("moves press no other button than the one that is held", async () => {
      const moves = `addEventListener("mousemove", ({ buttons }) => report("move " + buttons));`;
      await desktop.show("/moves", `${PAGE}<script>${moves}</script>`);
      await pointer("down", { button: "right" });
      await pointer("move", { x: 90 });
      await pointer("up", { button: "right", x: 90 });
      const { reports } = pages;
      await waitFor(() => reports.includes("mouseup 2/0"), { what: "the release" });
      const held = reports.slice(reports.indexOf("mousedown 2/2"), reports.indexOf("mouseup 2/0"));
      expect(held.slice(1).filter((each) => each !== "move 2")).toEqual([]);
      expect(held).toContain("move 2");
    });

    await test.step("by release-all", async () => {
      await desktop.show("/plain", PAGE);
      await pointer("down");
      await pointer("down", { button: "middle" });
      await service.call("/api/system/release-all", {});
      await reported("mousedown 0/1", "mousedown 1/5", "mouseup 0/4", "mouseup 1/0");
    });

    await test.step("by the end of a batch that fails, and only what that batch has pressed", async () => {
      await desktop.show("/batch", PAGE);
      await pointer("down", { button: "right" });
      await service.call("/api/batch", {
        steps: [
          { operation: "browser.pointer", input: { action: "down", x: 50, y: 50 } },
          { operation: "browser.close", input: { tab_id: "none" } },
        ],
      });
      await reported("mousedown 2/2", "mousedown 0/3", "mouseup 0/2");
      await pointer("up", { button: "right" });
      await reported("mouseup 2/0");
    });

    await test.step("by a drag or a key whose caller leaves, and the next operation goes on", async () => {
      await desktop.show("/leave", PAGE);
      const path = Array.from({ length: 1_000 }, (_, index) => ({ x: index % 50, y: 50 }));
      for (
        const [operation, input, down, up] of [
          ["drag", { path }, "mousedown 0/1", "mouseup 0/0"],
          ["key", { key: "a", duration_ms: 60_000 }, "keydown a", "keyup a"],
        ] as const
      ) {
        const leaving = new AbortController();
        const left = service.send(`/api/browser/${operation}`, input, leaving.signal);
        await reported(down);
        leaving.abort();
        await left.catch(() => {});
        await reported(up);
      }
      await service.call("/api/browser/click", { x: 30, y: 30 });
      await reported("mousedown 0/1", "mouseup 0/0");
    });

    await test.step("a drag ends with release-all", async () => {
      await desktop.show("/dropped", PAGE);
      const path = Array.from({ length: 1_000 }, (_, index) => ({ x: index % 50, y: 50 }));
      const dragged = service.refused(409, "/api/browser/drag", { path });
      await reported("mousedown 0/1");
      await service.call("/api/system/release-all", {});
      expect(await dragged).toContain("all input was released");
      await reported("mouseup 0/0");
    });

    await test.step("by a click on a page that hangs, whose caller leaves", async () => {
      const hang = `let last = 0;
        addEventListener("mousedown", () => { while (!last) {
          const asked = new XMLHttpRequest(); asked.open("GET", "/go", false); asked.send();
          last = asked.responseText === "go" ? 1 : 0; } });`;
      let go = false;
      pages.serve("/go", () => new Response(go ? "go" : "wait"));
      await desktop.show("/hang", `${PAGE}<script>${hang}</script>`);
      const leaving = new AbortController();
      const left = service.send("/api/browser/click", { x: 30, y: 30 }, leaving.signal);
      await reported("mousedown 0/1");
      leaving.abort();
      await left.catch(() => {});
      go = true;
      await reported("mouseup 0/0");
    });
  },
});
