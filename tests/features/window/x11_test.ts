/** The window operations on windows of a real X server with a real window manager. */

import { expect } from "expect";
import { startWindowManager } from "../../real_programs/support/window_manager.ts";
import { startDesktop } from "../../support/desktop.ts";
import { openProgramWindow, type ProgramWindowOptions } from "../../support/program_window.ts";
import { TestX } from "../../support/x_client.ts";

const WINDOW = "/api/window";

interface Answered {
  readonly id: string;
  readonly title: string;
  readonly bounds: { x: number; y: number; width: number; height: number };
  readonly frame: { x: number; y: number; width: number; height: number };
  readonly states: string[];
}

async function startWindows(manager: "openbox" | "xfwm4" | "none") {
  const desktop = await startDesktop();
  const running = await startWindowManager(desktop.display, manager);
  const x = await TestX.open(desktop.display);
  const { service } = desktop;
  return {
    x,
    service,
    async open(options: ProgramWindowOptions) {
      const window = await openProgramWindow(x, options);
      await running.settled();
      return `0x${window.toString(16)}`;
    },
    async change(verb: string, body: Record<string, unknown>) {
      const answer = await service.call(`${WINDOW}/${verb}`, body);
      return answer as { result: string; window: Answered | null };
    },
    async list() {
      return await service.call(`${WINDOW}/list`) as Answered[];
    },
    async [Symbol.asyncDispose]() {
      x[Symbol.dispose]();
      await running[Symbol.asyncDispose]();
      await desktop[Symbol.asyncDispose]();
    },
  };
}

for (const manager of ["openbox", "xfwm4"] as const) {
  Deno.test(`each change of a window is there when it is answered, under ${manager}`, async (t) => {
    await using desktop = await startWindows(manager);
    const { change, service } = desktop;
    const id = await desktop.open({ x: 100, y: 100, title: "first", onClose: "closes" });
    const other = await desktop.open({ x: 300, y: 200, title: "second" });

    await t.step("focus", async () => {
      for (const each of [id, other, id]) {
        const { result, window } = await change("focus", { id: each });
        expect([result, window!.states]).toEqual(["confirmed", ["active"]]);
        expect((await service.call(`${WINDOW}/active`) as Answered).id).toBe(each);
        expect((await desktop.list())[0]!.id).toBe(each);
      }
    });

    await t.step("move and resize, by the frame", async () => {
      const moved = await change("move", { id, x: 333, y: 222 });
      expect(moved.result).toBe("confirmed");
      expect(moved.window!.frame).toMatchObject({ x: 333, y: 222 });
      const resized = await change("resize", { id, width: 450, height: 350 });
      expect(resized.result).toBe("confirmed");
      expect(resized.window!.frame).toEqual({ x: 333, y: 222, width: 450, height: 350 });
      expect((await change("move", { id, x: 333, y: 222 })).result).toBe("confirmed");
    });

    await t.step("maximize, restore, minimize, restore", async () => {
      const maximized = await change("maximize", { id });
      expect([maximized.result, maximized.window!.states.toSorted()])
        .toEqual(["confirmed", ["active", "maximized"]]);
      const restored = await change("restore", { id });
      expect(restored.window!.frame).toEqual({ x: 333, y: 222, width: 450, height: 350 });
      const minimized = await change("minimize", { id });
      expect(minimized.result).toBe("confirmed");
      expect(minimized.window!.states).toContain("minimized");
      const back = await change("restore", { id });
      expect(back.result).toBe("confirmed");
      expect(back.window!.states).not.toContain("minimized");
    });

    await t.step("a minimized window that is focused shows again", async () => {
      await change("minimize", { id });
      expect((await change("focus", { id })).window!.states).toEqual(["active"]);
    });

    await t.step("close", async () => {
      expect(await change("close", { id })).toEqual({ result: "confirmed", window: null });
      expect((await desktop.list()).map((each) => each.id)).toEqual([other]);
      const detail = await service.refused(404, `${WINDOW}/focus`, { id });
      expect(detail).toContain(id);
    });
  });
}

Deno.test("a window that refuses is said so", async (t) => {
  await using desktop = await startWindows("openbox");
  const { service } = desktop;
  const place = { x: 100, y: 100, width: 300, height: 200 };

  await t.step("one that ignores close", async () => {
    const id = await desktop.open({ ...place, title: "stubborn", onClose: "ignores" });
    const quiet = await service.refused(409, `${WINDOW}/close`, { id, timeout_ms: 300 });
    expect(JSON.parse(quiet)).toBe(
      `Window "stubborn" (${id}) is still open: its program may ask what to do first`,
    );
    expect((await desktop.list()).map((each) => each.id)).toContain(id);
  });

  await t.step("one that keeps its size", async () => {
    const id = await desktop.open({ ...place, title: "fixed", fixedSize: true });
    const body = { id, width: 500, height: 500, timeout_ms: 300 };
    const detail = await service.refused(409, `${WINDOW}/resize`, body);
    expect(detail).toContain("its program or the window manager does not allow it");
    const { window } = await desktop.change("focus", { id });
    expect(window!.bounds).toMatchObject({ width: 300, height: 200 });
  });

  await t.step("one that takes a size that is near", async () => {
    const id = await desktop.open({ ...place, title: "steps", sizeStep: 50 });
    const { result, window } = await desktop.change("resize", { id, width: 433, height: 333 });
    expect(result).toBe("adjusted");
    expect(window!.bounds.width % 50).toBe(0);
    expect(window!.bounds.width).toBeGreaterThan(300);
  });

  await t.step("a client that leaves while it waits", async () => {
    const id = await desktop.open({ ...place, title: "silent", onClose: "ignores" });
    const leaving = new AbortController();
    const body = { id, timeout_ms: 60_000 };
    const sent = service.send(`${WINDOW}/close`, body, leaving.signal);
    leaving.abort();
    await Promise.allSettled([sent]);
    expect((await desktop.change("focus", { id })).result).toBe("confirmed");
  });
});

Deno.test("without a window manager windows move, and what needs one is 501", async () => {
  await using desktop = await startWindows("none");
  const { change, service } = desktop;
  const below = await desktop.open({ x: 10, y: 10, title: "below", onClose: "closes" });
  const above = await desktop.open({ x: 20, y: 20, title: "above" });

  expect((await change("move", { id: above, x: 50, y: 60 })).window!.frame)
    .toMatchObject({ x: 50, y: 60 });
  expect((await change("resize", { id: above, width: 222, height: 111 })).window!.frame)
    .toMatchObject({ width: 222, height: 111 });
  expect((await change("focus", { id: below })).window!.states).toEqual(["active"]);
  expect((await desktop.list()).map((each) => each.id)).toEqual([below, above]);
  for (const verb of ["minimize", "maximize", "restore"]) {
    const detail = await service.refused(501, `${WINDOW}/${verb}`, { id: above });
    expect(detail).toContain("no window manager that could do it is running");
  }
  expect(await service.refused(501, `${WINDOW}/close`, { id: above })).toContain(
    "does not support",
  );
  expect(await change("close", { id: below })).toEqual({ result: "confirmed", window: null });
});

Deno.test("ten changes of one window at once", async () => {
  await using desktop = await startWindows("openbox");
  const id = await desktop.open({ x: 10, y: 10, title: "busy", onClose: "closes" });
  const moves = Array.from(
    { length: 10 },
    (_, index) => desktop.change("move", { id, x: 10 * index, y: 5 * index }),
  );
  const results = await Promise.all(moves);
  expect(results.map(({ result }) => result)).toEqual(results.map(() => "confirmed"));
  expect(results.map(({ window }) => window!.frame.x)).toEqual(results.map((_, at) => 10 * at));
});
