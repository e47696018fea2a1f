/** Coordinates in the pixels of a picture, mapped back to the screen. */

import { expect } from "expect";
import { areaOnScreen, type Frame } from "../../../src/features/input/frames.ts";
import { startDesktop, startRecordedDesktop } from "../../support/desktop.ts";
import { testFolder } from "../../support/folder.ts";
import { shoot } from "../../support/pictures.ts";
import { setResolution } from "../../support/resolution.ts";
import { waitFor } from "../../support/wait.ts";
import { TestX } from "../../support/x_client.ts";
import { startXvfb } from "../../support/xvfb.ts";

Deno.test("frame maps every pixel of a scaled region to the middle of what it shows", async () => {
  await using desktop = await startDesktop({ server: { size: "640x480" } });
  const { service } = desktop;
  const { frame, width, height, headers } = await shoot(
    service,
    "?x=101&y=53&width=301&height=207&max_width=100",
  );
  expect([width, height]).toEqual([100, 69]);
  expect(Number(headers.get("x-scale"))).toBeCloseTo(100 / 301, 5);
  expect(headers.get("x-display")).toBe("1");
  for (const [x, y] of [[0, 0], [99, 68], [50, 30], [33, 1]] as const) {
    await service.call("/api/mouse/move", { x, y, frame });
    expect(await service.call("/api/mouse/position")).toEqual({
      x: 101 + Math.floor((x + 0.5) * 301 / 100),
      y: 53 + Math.floor((y + 0.5) * 207 / 69),
    });
  }
});

Deno.test("frame of a picture at full size is the region's own offset", async () => {
  await using desktop = await startDesktop({ server: { size: "640x480" } });
  const { service } = desktop;
  const { frame } = await shoot(service, "?x=100&y=50&width=200&height=100");
  for (const x of [0, 1, 57, 199]) {
    await service.call("/api/mouse/move", { x, y: 99, frame });
    expect(await service.call("/api/mouse/position")).toEqual({ x: 100 + x, y: 149 });
  }
});

Deno.test("frame is taken by clicks, scroll, drag and pixel_color", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder, display } = desktop;
  const { frame } = await shoot(service, "?x=100&y=50&max_width=300");
  const there = async () => (await service.call("/api/mouse/position")) as { x: number; y: number };
  const { width } = (await service.call("/api/display/screen_size")) as { width: number };
  const scale = (width - 100) / 300;
  const expected = (x: number) => 100 + Math.floor((x + 0.5) * scale);
  for (const click of ["left-click", "right-click", "middle-click", "triple-click"]) {
    const x = 10 + click.length;
    await service.call(`/api/mouse/${click}`, { x, y: 10, frame });
    expect((await there()).x).toBe(expected(x));
  }
  await service.call("/api/mouse/scroll", { clicks: 1, x: 40, y: 10, frame });
  expect((await there()).x).toBe(expected(40));
  await recorder.sync();
  recorder.clear();
  const [from, passed] = [{ x: 50, y: 20 }, { x: 90, y: 20 }];
  await service.call("/api/mouse/drag", { x: 20, y: 12, from, path: [passed], frame });
  expect((await there()).x).toBe(expected(20));
  await recorder.sync();
  expect(recorder.buttonEvents[0]?.x).toBe(expected(50));
  expect(recorder.motions.map(({ x }) => x)).toContain(expected(90));
  for (const body of [{ from: { x: 300, y: 1 } }, { path: [{ x: -1, y: 1 }] }]) {
    await service.refused(422, "/api/mouse/drag", { x: 20, y: 12, frame, ...body });
  }
  await service.call("/api/mouse/down", { x: 60, y: 10, frame });
  expect((await there()).x).toBe(expected(60));
  await service.call("/api/mouse/up", { x: 70, y: 10, frame });
  expect((await there()).x).toBe(expected(70));
  await recorder.sync();
  expect(recorder.buttonEvents.length).toBe(4);

  using x = await TestX.open(display);
  await x.openWindow({ x: expected(200), y: 0, width: 1, height: 400, pixel: 0xc0ffee });
  expect(await service.call("/api/display/pixel_color", { x: 200, y: 5, frame }))
    .toEqual([0xc0, 0xff, 0xee]);
});

Deno.test("frame that is unknown, or a point off its picture, is refused and nothing moves", async () => {
  await using desktop = await startDesktop({ server: { size: "640x480" } });
  const { service } = desktop;
  const { frame } = await shoot(service, "?width=100&height=80");
  await service.call("/api/mouse/move", { x: 300, y: 200 });
  const table: [string, Record<string, unknown>, string][] = [
    ["left-click", { x: 5, y: 5, frame: "no-such" }, `"loc":["body","frame"]`],
    ["move", { x: 5, y: 5, frame: "no-such" }, `"loc":["body","frame"]`],
    ["left-click", { x: 100, y: 5, frame }, `"loc":["body","x"]`],
    ["left-click", { x: 5, y: -1, frame }, `"loc":["body","y"]`],
    ["drag", { x: 5, y: 80, frame }, `"loc":["body","y"]`],
    ["left-click", { x: 5, frame }, `"loc":["body","y"]`],
    ["left-click", { x: 5, y: 5, frame, display_num: 3 }, `"loc":["body","display_num"]`],
    ["left-click", { x: 5, y: 5, frame: 7 }, "string_type"],
  ];
  for (const [operation, body, error] of table) {
    expect(await service.refused(422, `/api/mouse/${operation}`, body)).toContain(error);
  }
  expect(await service.call("/api/mouse/position")).toEqual({ x: 300, y: 200 });
  await service.call("/api/mouse/move", { x: 500, y: -5, frame });
  expect(await service.call("/api/mouse/position")).toEqual({ x: 99, y: 0 });
});

Deno.test("frame says which display is meant", async () => {
  await using one = await startDesktop({ server: { size: "320x240" } });
  await using two = await startDesktop({ server: { size: "320x240" } });
  const number = Number(two.display.slice(1));
  const { service } = one;
  const { frame, headers } = await shoot(service, `?display_num=${number}`);
  expect(headers.get("x-display")).toBe(String(number));
  await service.call("/api/mouse/move", { x: 7, y: 9, frame });
  expect(await service.call(`/api/mouse/position?display_num=${number}`)).toEqual({ x: 7, y: 9 });
});

Deno.test("frames of the last 256 pictures are kept, and a picture can be cut out of another", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { service } = desktop;
  const first = await shoot(service, "?x=20&y=10&width=200&height=200&max_width=50");
  const zoomed = await shoot(service, `?frame=${first.frame}&x=10&y=5&width=10&height=5`);
  expect([zoomed.width, zoomed.height]).toEqual([40, 20]);
  await service.call("/api/mouse/move", { x: 0, y: 0, frame: zoomed.frame });
  expect(await service.call("/api/mouse/position")).toEqual({ x: 60, y: 30 });
  for (let i = 0; i < 254; i++) await shoot(service, "?width=1&height=1");
  await service.call("/api/mouse/move", { x: 1, y: 1, frame: first.frame });
  await shoot(service, "?width=1&height=1");
  expect(await service.refused(422, "/api/mouse/move", { x: 1, y: 1, frame: first.frame }))
    .toContain("take a new one");
});

Deno.test("a frame of a display that got another size since, or whose server was started again, is refused", async (test) => {
  await using folder = await testFolder();
  const image = `${folder.path}/image.png`;
  await using desktop = await startDesktop({ server: { size: "640x480" } });
  const { service, display } = desktop;
  const { frame } = await shoot(service, "?max_width=320");
  const picture = await service.send("/api/display/screenshot?width=20&height=20");
  await Deno.writeFile(image, await picture.bytes());
  const at = { x: 5, y: 5 };
  const requests: [string, Record<string, unknown>][] = [
    ...["left-click", "double-click", "move", "drag"]
      .map((name): [string, Record<string, unknown>] => [`mouse/${name}`, at]),
    ["mouse/scroll", { ...at, clicks: 1 }],
    ["display/pixel_color", at],
    ["display/locate", { image_path: image }],
    ["display/wait", { timeout_ms: 0 }],
    ["keychain/authenticate", {
      service: "none",
      authElements: [{ type: "password", coordinates: at }],
    }],
  ];
  const refusals = async (frame: string) => {
    const texts = requests.map(([path, body]) =>
      service.refused(422, `/api/${path}`, { ...body, frame })
    );
    const picture = await service.send(`/api/display/screenshot?frame=${frame}`);
    expect(picture.status).toBe(422);
    return [...await Promise.all(texts), await picture.text()];
  };

  await test.step("another size", async () => {
    await setResolution(display, "320x240");
    await waitFor(async () => (await shoot(service)).width === 320, { what: "the new size" });
    for (const text of await refusals(frame)) {
      expect(text).toContain("when it was 640x480 pixels, not 320x240 as now: take a new one");
      expect(text).toMatch(/"loc":\["(body|query)","frame"\]/);
    }
    await service.call("/api/mouse/move", { ...at, frame: (await shoot(service)).frame });
  });

  await test.step("the same size, but another server", async () => {
    const { frame } = await shoot(service);
    await desktop.server.kill();
    await using _server = await startXvfb({ size: "320x240", display });
    await waitFor(async () => (await shoot(service)).width === 320, { what: "the new server" });
    for (const text of await refusals(frame)) {
      expect(text).toContain("before its X server was restarted: take a new one");
    }
    await service.call("/api/mouse/move", { ...at, frame: (await shoot(service)).frame });
    expect(await service.call("/api/mouse/position")).toEqual(at);
  });
});

Deno.test("areaOnScreen() is exact for every part of every scale", () => {
  for (const whole of [1920, 1080, 333]) {
    for (let scaled = 1; scaled <= whole; scaled++) {
      const frame = {
        region: { x: 0, y: 0, width: whole, height: whole },
        size: { width: scaled, height: scaled },
        window: { x: 0, y: 0, width: scaled, height: scaled },
      } as Frame;
      const all = areaOnScreen(frame, frame.window);
      if (all.width !== whole || all.height !== whole) throw new Error(`${scaled} of ${whole}`);
    }
  }
});
