/** The wheel, as it arrives at a window. */

import { expect } from "expect";
import { startRecordedDesk } from "../../support/desk.ts";

const WHEEL = { up: 4, down: 5, left: 6, right: 7 };

Deno.test("scroll() turns the wheel up and right for positive numbers, down and left for negative", async () => {
  await using desk = await startRecordedDesk();
  const { service, recorder } = desk;
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
  await using desk = await startRecordedDesk();
  const { service, recorder } = desk;
  await service.call("/api/mouse/scroll", { clicks: 1, x: 80, y: 81 });
  await recorder.sync();
  expect(recorder.buttonEvents[0]).toMatchObject({ detail: WHEEL.up, x: 80, y: 81 });
});

Deno.test("scroll() turns a thousand notches, and refuses more, half a point and a point off the screen", async () => {
  await using desk = await startRecordedDesk({ server: { size: "640x480" } });
  const { service, recorder } = desk;
  await service.call("/api/mouse/scroll", { clicks: 1000 });
  await recorder.sync();
  expect(recorder.buttonEvents.length).toBe(2000);
  recorder.clear();
  await service.refused(422, "/api/mouse/scroll", { clicks: 1001 });
  await service.refused(422, "/api/mouse/scroll", { clicks: 0, horizontal_clicks: -1001 });
  await service.refused(422, "/api/mouse/scroll", { clicks: 1, x: 1 });
  const detail = await service.refused(422, "/api/mouse/scroll", { clicks: 1, x: 1, y: 480 });
  expect(detail).toContain('"loc":["body","y"]');
  await recorder.sync();
  expect(recorder.events).toEqual([]);
});
