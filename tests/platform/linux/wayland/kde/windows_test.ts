/** The windows of KWin, and what it does with them. */

import { expect } from "expect";
import type { Window } from "../../../../../src/platform/types/mod.ts";
import { testIf } from "../../../../support/test_if.ts";
import { waitFor } from "../../../../support/wait.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";

const missing = missingFor("kwin", ["zenity"]);
/** A dialog that tells its elements. */
const ZENITY = ["-u", "NO_AT_BRIDGE", "-u", "GTK_A11Y", "zenity", "--entry", "--text=under test"];

testIf(missing === undefined, missing ?? "")(
  "the windows of KWin, and their changes",
  async (t) => {
    await using desktop = await startWaylandDesktop("kwin", { scale: 2 });
    const service = await desktop.service();
    const list = async () => await service.call("/api/window/list") as Window[];
    const find = async (title: string) => (await list()).find((each) => each.title === title);
    const open = async (title: string) => {
      const process = desktop.start("env", [...ZENITY, `--title=${title}`]);
      const window = await waitFor(async () => {
        const found = await find(title);
        return found?.states.includes("active") && found;
      }, { what: `${title}, with the focus` });
      return { process, window };
    };
    const change = async (verb: string, body: Record<string, unknown>) =>
      await service.call(`/api/window/${verb}`, body) as { result: string; window: Window };

    const { window: one } = await open("one");
    const { window: two, process } = await open('two "日本" 🙂');

    await t.step("list and active, in pixels of the display", async () => {
      expect(two).toMatchObject({
        app: "zenity",
        pid: process.pid,
        desktop: 0,
        states: ["active"],
      });
      expect((await list()).map(({ id }) => id)).toEqual([two.id, one.id]); // topmost first
      expect((await service.call("/api/window/active") as Window).id).toBe(two.id);
      const { bounds, frame } = two;
      expect(bounds).toEqual(frame); // this KWin has no decoration
      for (const { frame } of await list()) {
        expect(frame!.width).toBeGreaterThan(300); // 194 units
        expect(frame!.x + frame!.width).toBeLessThanOrEqual(desktop.size.width * 2);
      }
    });

    await t.step("focus", async () => {
      expect(await change("focus", { id: one.id })).toMatchObject({
        result: "confirmed",
        window: { id: one.id, states: ["active"] },
      });
      expect((await list()).map(({ id }) => id)).toEqual([one.id, two.id]);
    });

    await t.step("move and resize", async () => {
      const moved = await change("move", { id: two.id, x: 200, y: 100 });
      expect([moved.result, moved.window.frame]).toMatchObject(["confirmed", { x: 200, y: 100 }]);
      const { result, window } = await change("resize", { id: two.id, width: 800, height: 600 });
      expect([result, window.frame]).toEqual(["confirmed", {
        ...{ x: 200, y: 100, width: 800, height: 600 },
      }]);
    });

    await t.step("maximize, minimize and restore", async () => {
      const { window: large } = await change("maximize", { id: two.id });
      expect(large.states).toContain("maximized");
      const { window: gone } = await change("minimize", { id: two.id });
      expect(gone.states).toContain("minimized");
      const { window: back } = await change("restore", { id: two.id });
      expect(back.states).not.toContain("minimized");
      const { result, window } = await change("restore", { id: two.id });
      expect([result, window.frame]).toEqual(["confirmed", {
        ...{ x: 200, y: 100, width: 800, height: 600 },
      }]);
    });

    await t.step("a wait for a window ends when it is there", async () => {
      const waiting = service.call("/api/display/wait", {
        ...{ until: { window: { title: "three" } }, timeout_ms: 20_000 },
      }) as Promise<{ status: string }>;
      await open("three");
      expect((await waiting).status).toBe("found");
    });

    await t.step("close", async () => {
      expect(await change("close", { id: one.id })).toEqual({ result: "confirmed", window: null });
      await service.refused(404, "/api/window/focus", { id: one.id });
      await service.refused(404, "/api/window/focus", { id: '"});answer(1);//' });
    });
  },
);

testIf(missing === undefined, missing ?? "")(
  "elements of programs on KWin are clicked where they show",
  async () => {
    await using desktop = await startWaylandDesktop("kwin");
    const service = await desktop.service();
    const { running } = desktop.start("env", [...ZENITY, "--title=asks"]);
    const look = async () => {
      const { elements } = await service.call("/api/accessibility/find", {
        ...{ role: "button", name: "OK", window: "all" },
      }) as { elements: { ref: string; bounds: object | null }[] };
      return elements.find(({ bounds }) => bounds);
    };
    const ok = await waitFor(look, { what: "the button, and where it is" });
    const [window] = await service.call("/api/window/list") as Window[];
    await service.call("/api/window/move", { id: window!.id, x: 40, y: 60 });
    await service.call("/api/mouse/left-click", { ref: ok.ref });
    await waitFor(() => !running(), { what: "the end of the dialog" });
  },
);
