/** The operations of the service on a real Windows desktop, as they are tested on X servers. */

import { expect } from "expect";
import { startService } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";
import { openEditWindow } from "../../support/windows/desktop.ts";

const ignore = Deno.build.os !== "windows";

Deno.test({
  name: "move goes there, to the nearest point for one off the screen, and along a line",
  ignore,
  fn: async () => {
    await using service = await startService({ displays: [] });
    const { width, height } = await service.call("/api/display/screen_size") as Size;
    const [right, bottom] = [width - 1, height - 1];
    const table = [
      [{ x: 10, y: 20 }, { x: 10, y: 20 }],
      [{ x: width, y: height }, { x: right, y: bottom }],
      [{ x: -5, y: 100 }, { x: 0, y: 100 }],
      [{ x: 2 ** 40, y: -(2 ** 40) }, { x: right, y: 0 }],
      [{ x: 300, y: 200, duration_ms: 100 }, { x: 300, y: 200 }],
    ];
    for (const [to, there] of table) {
      await service.call("/api/mouse/move", to);
      expect(await service.call("/api/mouse/position")).toEqual(there);
    }
    await service.refused(422, "/api/mouse/left-click", { x: width, y: 0 });
    await service.refused(422, "/api/display/pixel_color", { x: 0, y: height });
    expect(await service.call("/api/mouse/position")).toEqual({ x: 300, y: 200 });
  },
});

Deno.test({
  name: "clicks with modifiers, double clicks and drags arrive, and nothing stays down",
  ignore,
  fn: async () => {
    await using service = await startService({ displays: [] });
    await using editor = await openEditWindow();
    await service.call("/api/mouse/left-click", { ...editor.inside, modifiers: ["ctrl"] });
    await editor.received(["keydown", "leftdown", "leftup", "keyup"], 4);
    await service.call("/api/mouse/double-click", editor.inside);
    const names = (await editor.received(["leftdown", "doubleclick", "leftup"], 4))
      .map(({ name }) => name);
    expect(names).toEqual(["leftdown", "leftup", "doubleclick", "leftup"]);
    await service.call("/api/mouse/drag", { x: 350, y: 320, button: "right" });
    await editor.received(["rightdown", "rightup"], 2);
  },
});

Deno.test({
  name: "texts and combinations are typed in the order of their requests",
  ignore,
  fn: async () => {
    await using service = await startService({ displays: [] });
    await using editor = await openEditWindow();
    await Promise.all([
      service.call("/api/keyboard/type", { text: "é 漢字 😀\n", typing_delay: 1 }),
      service.call("/api/keyboard/key", { key: "a" }),
      service.call("/api/keyboard/hotkey", { keys: ["shift", "b"] }),
      service.call("/api/keyboard/type", { text: "end", typing_delay: 0 }),
    ]);
    await editor.holds("é 漢字 😀\naBend");
    await service.call("/api/keyboard/hold", { key: "shift" });
    await service.call("/api/keyboard/key", { key: "left" });
    await service.call("/api/keyboard/type", { text: "x", typing_delay: 0 });
    await service.call("/api/keyboard/release", { key: "shift" });
    await editor.holds("é 漢字 😀\naBenx");
    await service.call("/api/keyboard/type", { text: "new", clear: true });
    await editor.holds("new");
    await service.call("/api/keyboard/key", { key: "backspace", repeat: 2 });
    await editor.holds("n");
    const detail = await service.refused(501, "/api/keyboard/key", { key: "ctrl+漢" });
    expect(detail).toContain("not on the active keyboard layout");
  },
});

Deno.test({
  name: "release-all ends a text and releases what is held",
  ignore,
  fn: async () => {
    await using service = await startService({ displays: [] });
    await using editor = await openEditWindow();
    await service.call("/api/keyboard/hold", { key: "ctrl" });
    const text = "a".repeat(5_000); // for 40 minutes
    const refused = service.refused(409, "/api/keyboard/type", { text, typing_delay: 500 });
    await editor.received(["char"], 1);
    await service.call("/api/system/release-all", {});
    await refused;
    expect(await service.call("/api/keyboard/held")).toEqual([]);
  },
});

Deno.test({
  name:
    "a picture that has not changed is 304, since= sends what has, and wait sees a change and calm",
  ignore,
  fn: async () => {
    await using service = await startService({ displays: [] });
    await using _editor = await openEditWindow();
    await service.call("/api/mouse/move", { x: 900, y: 900 });
    const wait = (fields: object) => service.call("/api/display/wait", fields);
    // the text cursor blinks in the middle of what is looked at
    const region = { x: 0, y: 0, width: 64, height: 64 };
    await wait({ until: "stable", stable_ms: 1_000, timeout_ms: 20_000 });
    const picture = `${service.listen()}/api/display/screenshot`;
    const query = "?x=800&y=600&width=200&height=200";
    const shot = await waitFor(async () => {
      const first = await fetch(picture + query);
      const headers = { "if-none-match": first.headers.get("etag")! };
      await first.bytes();
      const second = await fetch(picture + query, { headers });
      await second.bytes();
      return second.status === 304 && first;
    });
    expect(shot.headers.get("content-type")).toBe("image/png");
    const frame = shot.headers.get("x-frame")!;
    const changed = wait({ until: "change", timeout_ms: 20_000, ignore_area: 300 });
    await waitFor(async () => {
      await service.call("/api/keyboard/type", { text: "WWWWWWWW\n", typing_delay: 0 });
      return await Promise.race([changed, new Promise((done) => setTimeout(done, 200))]);
    });
    expect(await changed).toMatchObject({ status: "changed" });
    expect(await wait({ region, timeout_ms: 300 })).toMatchObject({ status: "timeout" });
    // the window was drawn on, but not where that picture was taken
    const since = await fetch(`${picture}?since=${frame}`);
    expect(since.status).toBe(204);
    await since.bytes();
    const whole = await fetch(picture);
    await whole.bytes();
    await service.call("/api/keyboard/type", { text: "MMMM\n", typing_delay: 0 });
    await waitFor(async () => {
      const part = await fetch(`${picture}?since=${whole.headers.get("x-frame")}`);
      await part.bytes();
      return part.status === 200 && part.headers.get("x-region") !== null;
    }, { what: "a picture of what has changed" });
  },
});

Deno.test({
  name: "a display that is not there is 503, and the information names what was chosen",
  ignore,
  fn: async () => {
    await using service = await startService({ displays: [] });
    const detail = await service.refused(503, "/api/mouse/move", { x: 1, y: 1, display_num: 7 });
    expect(detail).toContain("Cannot open display 7");
    expect(await service.call("/api/system/info")).toMatchObject({
      system: "windows",
      backends: [{ job: "display", chosen: "gdi" }, { job: "input", chosen: "sendinput" }, {}],
    });
    expect(await service.call("/readyz")).toMatchObject({ ready: true });
  },
});

interface Size {
  readonly width: number;
  readonly height: number;
}
