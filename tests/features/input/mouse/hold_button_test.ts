/** Buttons that stay down after their request. */

import { expect } from "expect";
import { startRecordedDesktop } from "../../../support/desktop.ts";

Deno.test("down and up hold and release every button", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/mouse/move", { x: 10, y: 10 });
  const table = { left: 1, middle: 2, right: 3, back: 8, forward: 9 };
  for (const [button, detail] of Object.entries(table)) {
    await recorder.sync();
    recorder.clear();
    expect(await service.call("/api/mouse/down", { button })).toBe(undefined);
    await recorder.sync();
    expect(recorder.buttonEvents).toMatchObject([{ what: "button down", detail }]);
    await service.call("/api/mouse/down", { button }); // again: nothing more happens
    expect(await service.call("/api/mouse/up", { button })).toBe(undefined);
    await service.call("/api/mouse/up", { button }); // not held: left alone
    await recorder.sync();
    expect(recorder.buttonEvents).toMatchObject([
      { what: "button down", detail },
      { what: "button up", detail },
    ]);
  }
});

Deno.test("down keeps the left button down while the cursor moves, until up", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/mouse/move", { x: 10, y: 10 });
  await service.call("/api/mouse/down", {});
  await service.call("/api/mouse/move", { x: 100, y: 100 });
  await service.call("/api/mouse/up", {});
  await recorder.sync();
  expect(recorder.buttonEvents).toMatchObject([
    { what: "button down", detail: 1, x: 10, y: 10 },
    { what: "button up", detail: 1, x: 100, y: 100 },
  ]);
});

Deno.test("buttons that are down are released when the service ends", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/mouse/down", { button: "left" });
  await service.call("/api/keyboard/hold", { key: "ctrl" });
  await service[Symbol.asyncDispose]();
  expect(await recorder.x.buttonsDown()).toBe(0);
  expect(await recorder.x.keysDown()).toEqual([]);
});

Deno.test("down and up go to their point first, and refuse one off the screen or half a point", async () => {
  await using desktop = await startRecordedDesktop({ server: { size: "640x480" } });
  const { service, recorder } = desktop;
  for (const path of ["/api/mouse/down", "/api/mouse/up"]) {
    expect(await service.refused(422, path, { x: 640, y: 1 })).toContain('"loc":["body","x"]');
    expect(await service.refused(422, path, { x: 1 })).toContain('"loc":["body","y"]');
    expect(await service.refused(422, path, { y: 1 })).toContain('"loc":["body","x"]');
  }
  await service.call("/api/mouse/down", { x: 30, y: 40 });
  await service.call("/api/mouse/up", { x: 130, y: 140 });
  await recorder.sync();
  expect(recorder.buttonEvents).toMatchObject([
    { what: "button down", detail: 1, x: 30, y: 40 },
    { what: "button up", detail: 1, x: 130, y: 140 },
  ]);
});
