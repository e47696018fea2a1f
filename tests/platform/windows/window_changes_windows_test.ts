/** The windows of real programs of Windows: what there is, and what becomes of a change. */

import { expect } from "expect";
import type { Window, WindowChange } from "../../../src/platform/types/mod.ts";
import { openDesktop, type WindowsDesktop } from "../../support/windows/desktop.ts";
import { openProgram } from "../../support/windows/program.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = Deno.build.os !== "windows";
const NEVER = new AbortController().signal;

/** How long a change has before it is asked for again. */
const AGAIN_MS = 1_500;

/** Asks again where something else came in between: wine hears late from X of the change before. */
async function change(
  { display }: WindowsDesktop,
  id: string,
  asked: WindowChange,
  isDone: (window: Window) => boolean,
): Promise<Window> {
  const { use } = display.windows;
  let askedAt = -Infinity;
  return await waitFor(async () => {
    if (performance.now() - askedAt > AGAIN_MS) {
      await use.change(id, asked, NEVER);
      askedAt = performance.now();
    }
    const window = await use.find(id, NEVER);
    return isDone(window) && window;
  }, { what: JSON.stringify(asked) });
}

Deno.test({
  name: "windows are listed with title, class, process and place, topmost first",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    const { use } = desktop.display.windows;
    await using notepad = await openProgram(desktop, "notepad");
    await using other = await openProgram(desktop, "notepad");
    const { window } = notepad;
    expect(window).toMatchObject({
      id: expect.stringMatching(/^0x[0-9a-f]+$/),
      title: expect.stringContaining("Notepad"),
      app: "Notepad",
      pid: notepad.pid,
      desktop: null,
    });
    const { bounds, frame } = window;
    expect(bounds!.width).toBeGreaterThan(100);
    expect(frame!.y).toBeLessThan(bounds!.y); // the title bar
    expect(frame!.x + frame!.width).toBeGreaterThanOrEqual(bounds!.x + bounds!.width);

    for (const { window: { id } } of [notepad, other]) {
      await waitFor(async () => {
        await change(desktop, id, { kind: "focus" }, ({ states }) => states.includes("active"));
        const [first] = await use.list(NEVER);
        if (first?.id !== id || (await use.active(NEVER))?.id !== id) return false;
        const { x, y } = first.bounds!;
        return await use.at({ x: x + 9, y: y + 9 }, NEVER) === id;
      }, { what: "the active window first, and at its place" });
    }
  },
});

Deno.test({
  name: "a window is moved, resized, maximized, minimized and restored",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using notepad = await openProgram(desktop, "notepad");
    const { id } = notepad.window;
    const to = { x: 123, y: 77 };
    const isThere = ({ frame }: Window) => frame?.x === to.x && frame.y === to.y;
    await change(desktop, id, { kind: "move", to }, isThere);
    const size = { width: 500, height: 321 };
    const isSized = ({ frame }: Window) =>
      frame?.width === size.width && frame.height === size.height;
    const isSmall = (window: Window) => isThere(window) && isSized(window);
    await change(desktop, id, { kind: "resize", ...size }, isSmall);
    const is = (state: "maximized" | "minimized") => ({ states }: Window) => states.includes(state);
    const isLarge = ({ bounds }: Window) => bounds !== null && bounds.width > size.width;
    await change(
      desktop,
      id,
      { kind: "maximize" },
      (window) => is("maximized")(window) && isLarge(window),
    );
    const gone = await change(desktop, id, { kind: "minimize" }, is("minimized"));
    expect([gone.bounds, gone.frame]).toEqual([null, null]);
    await change(desktop, id, { kind: "restore" }, (window) => !is("minimized")(window));
    await change(desktop, id, { kind: "move", to }, isSmall); // which restores it
  },
});

Deno.test({
  name: "a window closes when it is asked to, and then there is none",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    const { use } = desktop.display.windows;
    await using notepad = await openProgram(desktop, "notepad");
    const { id } = notepad.window;
    const changed = use.changed(NEVER);
    await use.change(id, { kind: "close" }, NEVER);
    await notepad.ended;
    await changed;
    const gone = { code: "not_found", message: expect.stringContaining(id) };
    await expect(use.find(id, NEVER)).rejects.toMatchObject(gone);
    for (const kind of ["focus", "close"] as const) {
      await expect(use.change(id, { kind }, NEVER)).rejects.toMatchObject(gone);
    }
    await expect(use.find("notepad", NEVER)).rejects.toMatchObject({ code: "not_found" });
  },
});
