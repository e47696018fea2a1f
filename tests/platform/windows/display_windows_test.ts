/** The monitors of Windows: pixels, pictures and changes, on a real desktop. */

import { expect } from "expect";
import { openGdi32 } from "../../../ffi/windows/graphics.ts";
import { openScreen } from "../../../src/platform/screens.ts";
import type { CursorState, Picture } from "../../../src/platform/types/mod.ts";
import { openDesktop, openEditWindow } from "../../support/windows/desktop.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = Deno.build.os !== "windows";
const GDI_OBJECTS = 0;
const USER_OBJECTS = 1;

Deno.test({
  name: "display 1 is the primary monitor, and one that is not there is refused",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    const [first] = await desktop.displays.list();
    expect(first).toEqual({
      displayNum: 1,
      name: expect.stringMatching(/^\\\\\.\\DISPLAY\d+$/),
      ...desktop.display.size,
      scale: 1,
      primary: true,
    });
    expect(desktop.display.size.width).toBeGreaterThan(0);
    expect(() => desktop.displays.open(0)).toThrow("Cannot open display 0");
    expect(() => desktop.displays.open(9)).toThrow("Cannot open display 9");
    expect(await desktop.displays.readiness()).toMatchObject({ ready: true });
  },
});

Deno.test({
  name: "a pixel and a picture show the same, the white of a window",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    const { x, y } = editor.inside;
    await waitFor(async () => String(await desktop.display.pixel({ x, y })) === "255,255,255");
    await using screen = await opened(desktop.display.screen);
    const corner = await screen.read({ x, y, width: 3, height: 2 });
    expect([...corner.pixels].map((pixel) => pixel & 0xffffff)).toEqual(Array(6).fill(0xffffff));
    const whole = await screen.read({ x: 0, y: 0, ...desktop.display.size });
    for (const at of [{ x, y }, { x: 1, y: 1 }, { x: 101, y: 110 }]) {
      const [red, green, blue] = await desktop.display.pixel(at);
      expect(whole.pixels[at.y * whole.width + at.x]! & 0xffffff)
        .toBe(red << 16 | green << 8 | blue);
    }
  },
});

Deno.test({
  name: "the cursor is drawn where it is, when it is asked for",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    const { x, y } = editor.inside;
    desktop.input.mouse.move({ x, y });
    await desktop.input.confirm();
    await using screen = await opened(desktop.display.screen);
    const region = { x: x - 20, y: y - 20, width: 40, height: 40 };
    const without = (await screen.read(region)).pixels;
    await waitFor(async () => {
      const shown = (await screen.read(region, "shown")).pixels;
      return shown.some((pixel, at) => (pixel & 0xffffff) !== (without[at]! & 0xffffff));
    }, { what: "the cursor in the picture" });
    const changes = await desktop.display.watch();
    // the window may give it another shape late
    const { box, key } = await waitFor(async () => {
      const told = await changes.cursor();
      const { drawn } = await screen.read(region, "shown");
      expect(drawn).toEqual({ box: told.box, key: told.key });
      return told;
    }, { what: "the cursor that is told of in the picture" });
    expect((await screen.read(region)).drawn).toBe(undefined);
    expect(box.width).toBeGreaterThan(0);
    expect(key).not.toBe("hidden");
    expect(x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height).toBe(true);
  },
});

Deno.test({
  name: "a picture beyond the edge is a conflict, because the screen has changed its size",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    const { width, height } = desktop.display.size;
    await using screen = await opened(desktop.display.screen);
    await expect(screen.read({ x: 0, y: 0, width: width + 1, height })).rejects
      .toMatchObject({ code: "conflict" });
    await using other = await opened({ backend: "gdi", name: "\\\\.\\DISPLAY99" });
    await expect(other.read({ x: 0, y: 0, width: 1, height: 1 })).rejects
      .toMatchObject({ code: "unavailable" });
  },
});

Deno.test({
  name: "watch() tells which areas have changed, and wakes up who waits",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    const changes = await desktop.display.watch();
    await waitFor(async () => (await changes.poll()).count === (await changes.poll()).count);
    const before = await changes.poll();
    const waiting = changes.next(before.count, AbortSignal.timeout(20_000));
    await using plan = await desktop.input.keyboard.use.plan("WWWW\n".repeat(4));
    await plan.send(0, plan.length);
    await desktop.input.confirm();
    await waiting;
    const after = await changes.poll();
    expect(after.count).toBeGreaterThan(before.count);
    expect(after.run).toBe(before.run);
    const areas = changes.since(before.count)!;
    const { x, y } = editor.inside;
    for (const area of areas) {
      expect(area.x).toBeGreaterThanOrEqual(64);
      expect(area.x + area.width).toBeLessThanOrEqual(768);
      expect(area.y + area.height).toBeLessThanOrEqual(y + 300);
    }
    expect(x).toBeGreaterThan(0);
    const stopped = changes.next(after.count + 1_000, AbortSignal.timeout(50));
    await expect(stopped).rejects.toMatchObject({ name: "TimeoutError" });
  },
});

Deno.test({
  name: "1,000 pictures, cursors and pixels leave no handle open",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    desktop.input.mouse.move(editor.inside);
    await desktop.input.confirm();
    await using screen = await opened(desktop.display.screen);
    const region = { x: editor.inside.x - 20, y: editor.inside.y - 20, width: 40, height: 40 };
    const hidden = (await screen.read(region)).pixels.toString();
    await waitFor(async () => (await screen.read(region, "shown")).pixels.toString() !== hidden);
    const round = async (times: number) => {
      for (let i = 0; i < times; i++) {
        // another size each time: the memory is made anew
        await screen.read({ x: 1, y: 1, width: 8 + i % 7, height: 8 }, "shown");
        await desktop.display.pixel({ x: 5, y: 5 });
        desktop.displays.open(1);
      }
    };
    await round(20);
    const before = handles();
    await round(1_000);
    const after = handles();
    expect(after.gdi - before.gdi).toBeLessThan(10);
    expect(after.user - before.user).toBeLessThan(10);
  },
});

async function opened(address: Parameters<typeof openScreen>[0] | object) {
  const screen = await openScreen(address as Parameters<typeof openScreen>[0]);
  return {
    read: (
      region: { x: number; y: number; width: number; height: number },
      cursor: "shown" | "hidden" = "hidden",
    ) =>
      screen.capture(region, { cursor }, (picture, drawn): Picture & { drawn?: CursorState } => ({
        ...picture,
        pixels: picture.pixels.slice(),
        ...(drawn && { drawn }),
      })),
    [Symbol.asyncDispose]() {
      screen.close();
      return Promise.resolve();
    },
  };
}

/** How many objects of Windows this process has open. */
function handles(): { gdi: number; user: number } {
  const user32 = Deno.dlopen("user32.dll", {
    GetGuiResources: { parameters: ["pointer", "u32"], result: "u32" },
  });
  const process = Deno.UnsafePointer.create(0xffff_ffff_ffff_ffffn); // GetCurrentProcess()
  const count = (kind: number) => user32.symbols.GetGuiResources(process, kind);
  const counts = { gdi: count(GDI_OBJECTS) || highestGdiHandle(), user: count(USER_OBJECTS) };
  user32.close();
  return counts;
}

/** Wine does not count: there the numbers of new objects grow where old ones are not given back. */
function highestGdiHandle(): number {
  const gdi32 = openGdi32();
  const made = Array.from({ length: 50 }, () => gdi32.symbols.CreateCompatibleDC(null));
  const numbers = made.map((handle) => Number(Deno.UnsafePointer.value(handle) & 0xffffn));
  for (const handle of made) gdi32.symbols.DeleteDC(handle);
  gdi32.close();
  return Math.max(...numbers);
}
