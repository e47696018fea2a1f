/** The windows of sway: by its own interface, and by the protocol for taskbars that other compositors have. */

import { expect } from "expect";
import { WaylandClient } from "../../../../src/platform/linux/wayland/client.ts";
import { ToplevelWindows } from "../../../../src/platform/linux/wayland/wlroots/toplevel_windows.ts";
import { testIf } from "../../../support/test_if.ts";
import { waitFor } from "../../../support/wait.ts";
import { missingFor, startWaylandDesktop } from "../../../support/wayland/desktop.ts";

const { signal } = new AbortController();
const missing = missingFor("sway", ["foot"]);

interface Answered {
  readonly id: string;
  readonly title: string;
  readonly app: string;
  readonly frame: { x: number; y: number; width: number; height: number };
  readonly bounds: { x: number; y: number; width: number; height: number };
  readonly states: string[];
  readonly desktop: number;
  readonly pid: number;
}

testIf(missing === undefined, missing ?? "")(
  "the windows of sway, and their changes",
  async (t) => {
    await using desktop = await startWaylandDesktop("sway", {
      config: 'default_border normal\nfor_window [title="floats"] floating enable',
      scale: 2,
    });
    const service = await desktop.service();
    const list = async () => await service.call("/api/window/list") as Answered[];
    const opened = async (title: string) => {
      desktop.start("foot", ["-T", title, "sh", "-c", "sleep 600"]);
      return await waitFor(async () => (await list()).find((each) => each.title === title), {
        what: title,
      });
    };
    const change = async (verb: string, body: Record<string, unknown>) =>
      await service.call(`/api/window/${verb}`, body) as { result: string; window: Answered };

    const tiled = await opened("tiled");
    const floats = await opened("floats");

    await t.step("list and active", async () => {
      expect(floats).toMatchObject({ app: "foot", desktop: 0 });
      expect(floats.pid).toBeGreaterThan(1);
      expect((await list()).map(({ title }) => title)).toEqual(["floats", "tiled"]);
      // all of the output but the bar, in its pixels
      expect(tiled.frame).toMatchObject({ x: 0, y: 0, width: desktop.size.width });
      expect(tiled.bounds.y).toBeGreaterThan(0); // below the title
      expect((await change("focus", { id: tiled.id })).window.states).toEqual(["active"]);
      expect((await service.call("/api/window/active") as Answered).id).toBe(tiled.id);
    });

    await t.step("move and resize, in pixels of the display", async () => {
      const moved = await change("move", { id: floats.id, x: 200, y: 100 });
      expect([moved.result, moved.window.frame]).toMatchObject(["confirmed", { x: 200, y: 100 }]);
      const { window } = await change("resize", { id: floats.id, width: 600, height: 400 });
      expect(window.frame).toMatchObject({ x: 200, y: 100, width: 600, height: 400 });
    });

    await t.step("a picture of the frame shows the window", async () => {
      await change("focus", { id: floats.id });
      const answer = await service.send(`/api/window/screenshot?id=${floats.id}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
      await answer.body?.cancel();
      expect(await service.refused(409, `/api/window/screenshot?id=${tiled.id}`))
        .toContain("is covered");
    });

    await t.step("what sway does not do", async () => {
      expect(await service.refused(501, "/api/window/minimize", { id: tiled.id }))
        .toContain("sway cannot");
      expect(await service.refused(409, "/api/window/move", { id: tiled.id, x: 0, y: 0 }))
        .toContain("tiled");
    });

    await t.step("close", async () => {
      expect(await change("close", { id: floats.id })).toEqual({
        result: "confirmed",
        window: null,
      });
      await service.refused(404, "/api/window/focus", { id: floats.id });
    });

    await t.step("by the protocol for taskbars", async () => {
      await opened("other");
      using client = await WaylandClient.open(desktop.socket);
      const windows = await ToplevelWindows.open(client);
      const all = await windows.list();
      expect(all.map(({ title }) => title)).toEqual(["other", "tiled"]); // the active one first
      expect(all[0]).toMatchObject({ app: "foot", bounds: null, frame: null, states: ["active"] });
      const second = all[1]!.id;

      await windows.change(second, { kind: "focus" });
      await waitFor(async () => (await windows.active(signal))?.id === second);

      const changed = windows.changed(signal);
      await windows.change(second, { kind: "close" });
      await changed;
      await waitFor(async () => (await windows.list()).length === 1);
      await expect(windows.find(second, signal)).rejects.toMatchObject({ code: "not_found" });
      await expect(windows.change(all[0]!.id, { kind: "move", to: { x: 0, y: 0 } }))
        .rejects.toMatchObject({ code: "unsupported" });
    });
  },
);
