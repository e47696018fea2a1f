/** The wheel, as it arrives at a window. */

import { expect } from "expect";
import { startRecordedDesktop } from "../../../support/desktop.ts";
import { waitFor } from "../../../support/wait.ts";

const CONTROL = 4;
const WHEEL = { up: 4, down: 5, left: 6, right: 7 };

Deno.test("scroll() turns the wheel up and right for positive numbers, down and left for negative", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const table: [Record<string, number>, number[]][] = [
    [{ clicks: 3 }, [WHEEL.up, WHEEL.up, WHEEL.up]],
    [{ clicks: -2 }, [WHEEL.down, WHEEL.down]],
    [{ clicks: 0 }, []],
    [{ clicks: 0, horizontal_clicks: 2 }, [WHEEL.right, WHEEL.right]],
    [{ clicks: 0, horizontal_clicks: -1 }, [WHEEL.left]],
    [{ clicks: 1, horizontal_clicks: -1 }, [WHEEL.up, WHEEL.left]],
  ];
  for (const [body, buttons] of table) {
    recorder.clear();
    expect(await service.call("/api/mouse/scroll", body)).toBe(undefined);
    await recorder.sync();
    const downs = recorder.buttonEvents.filter(({ what }) => what === "button down");
    expect(downs.map(({ detail }) => detail)).toEqual(buttons);
    expect(recorder.buttonEvents.length).toBe(2 * buttons.length);
  }
});

Deno.test("scroll() moves to the point first", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/mouse/scroll", { clicks: 1, x: 80, y: 81 });
  await recorder.sync();
  expect(recorder.buttonEvents[0]).toMatchObject({ detail: WHEEL.up, x: 80, y: 81 });
});

Deno.test("scroll() turns every notch of many, and refuses more, half a point and a point off the screen", async () => {
  await using desktop = await startRecordedDesktop({ server: { size: "640x480" } });
  const { service, recorder } = desktop;
  await service.call("/api/mouse/scroll", { clicks: 40 });
  await recorder.sync();
  expect(recorder.buttonEvents.length).toBe(80);
  recorder.clear();
  await service.refused(422, "/api/mouse/scroll", { clicks: 1001 });
  await service.refused(422, "/api/mouse/scroll", { clicks: 0, horizontal_clicks: -1001 });
  await service.refused(422, "/api/mouse/scroll", { clicks: 1, x: 1 });
  await service.refused(422, "/api/mouse/scroll", { clicks: 1, unit: "lines" });
  await service.refused(422, "/api/mouse/scroll", { clicks: 1, modifiers: ["ctlr"] });
  await service.refused(422, "/api/mouse/scroll", { clicks: 1, modifiers: "ctrl" });
  expect(await service.refused(501, "/api/mouse/scroll", { clicks: 1, unit: "pixels" }))
    .toContain("only has notches");
  const detail = await service.refused(422, "/api/mouse/scroll", { clicks: 1, x: 1, y: 480 });
  expect(detail).toContain('"loc":["body","y"]');
  await recorder.sync();
  expect(recorder.events).toEqual([]);
});

Deno.test("scroll() leaves time between notches, so that no program joins them", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/mouse/scroll", { clicks: -3, horizontal_clicks: 1 });
  await recorder.sync();
  const times = recorder.buttonEvents
    .filter(({ what }) => what === "button down").map(({ time }) => time);
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  expect(gaps.length).toBe(3);
  expect(Math.min(...gaps)).toBeGreaterThan(5);
});

Deno.test("scroll() holds the modifiers while the wheel turns, and only then", async () => {
  await using desktop = await startRecordedDesktop({ recorder: { ping: true } });
  const { service, recorder } = desktop;
  await service.call("/api/mouse/scroll", { clicks: 2, modifiers: ["ctrl"] });
  await service.call("/api/mouse/scroll", { clicks: 1 });
  await recorder.sync();
  const downs = recorder.buttonEvents.filter(({ what }) => what === "button down");
  expect(downs.map(({ state }) => state & CONTROL)).toEqual([CONTROL, CONTROL, 0]);
  expect(await recorder.x.keysDown()).toEqual([]);
});

Deno.test("scroll() that is stopped by its client leaves the rest", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const client = new AbortController();
  const body = { clicks: 1000, modifiers: ["ctrl"] };
  const answer = service.send("/api/mouse/scroll", body, client.signal).catch(() => {});
  await waitFor(() => recorder.buttonEvents.length > 4, { what: "some notches" });
  client.abort();
  await answer;
  await service.type("Q"); // its turn comes when the wheel has ended
  await recorder.sync();
  expect(await recorder.x.keysDown()).toEqual([]);
  const notches = recorder.buttonEvents.filter(({ what }) => what === "button down").length;
  expect(notches).toBeLessThan(body.clicks);
  const last = recorder.events.findLastIndex(({ what }) => what === "button up");
  expect(recorder.events.findIndex(({ keysym }) => keysym === 0x51)).toBeGreaterThan(last);
});
