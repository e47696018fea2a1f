/** Finding images: one, all, in a region, and what a template may be. */

import { expect } from "expect";
import { crc32 } from "node:zlib";
import { match } from "../../../src/imaging/match/match.ts";
import type { Picture } from "../../../src/platform/types/mod.ts";
import { type Desktop, startDesktop } from "../../support/desktop.ts";
import { type Found, locate, snapshot } from "../../support/locate.ts";
import { TestX } from "../../support/x_client.ts";

/** Small windows with a pattern each, on an otherwise black screen. */
async function patterned(desktop: Desktop, places: readonly (readonly [number, number])[]) {
  const x = await TestX.open(desktop.display);
  for (const [left, top] of places) {
    await x.openWindow({ x: left, y: top, width: 24, height: 16, pixel: 0x2040a0 });
    await x.openWindow({ x: left + 4, y: top + 3, width: 9, height: 5, pixel: 0xffcc00 });
    await x.openWindow({ x: left + 15, y: top + 9, width: 5, height: 5, pixel: 0xff0000 });
  }
  return x;
}

Deno.test("locate finds all, the best one, one in a region, and null", async () => {
  await using desktop = await startDesktop({ server: { size: "400x300" } });
  const places = [[31, 17], [201, 40], [77, 203], [350, 270]] as const;
  using _x = await patterned(desktop, places);
  await using screen = await snapshot(desktop);
  const image_path = await screen.cut("icon.png", "24x16+77+203");
  const all = await locate(desktop, { image_path, all: true }) as unknown as Found[];
  expect(all).toEqual(places.map(([x, y]) => ({ x, y, width: 24, height: 16, confidence: 1 })));
  expect(await locate(desktop, { image_path })).toEqual(all[0]);
  const region = { x: 60, y: 190, width: 100, height: 60 };
  expect(await locate(desktop, { image_path, region })).toEqual(all[2]);
  expect(await locate(desktop, { image_path, region: { ...region, x: 80 } })).toBe(null);
  expect(await locate(desktop, { image_path, region: { ...region, x: 80 }, all: true })).toEqual(
    [],
  );

  const response = await desktop.service.send(
    "/api/display/screenshot?x=50&y=100&width=200&height=200&max_width=100",
  );
  await response.arrayBuffer();
  const frame = response.headers.get("x-frame");
  const framed = await locate(desktop, {
    image_path,
    frame,
    region: { x: 0, y: 40, width: 60, height: 40 },
  });
  expect(framed).toMatchObject({ x: 14, y: 52, width: 12, height: 8 });
});

Deno.test("locate takes transparent pixels for anything, and reads palettes, grey, 16 bits and JPEG", async () => {
  await using desktop = await startDesktop({ server: { size: "400x300" } });
  using _x = await patterned(desktop, [[120, 90]]);
  await using screen = await snapshot(desktop);
  const hole = ["-alpha", "set", "-region", "9x5+4+3", "-alpha", "transparent", "+region"];
  const wrong = ["-fill", "#00ff00", "-draw", "rectangle 4,3 12,7"];
  expect(
    await locate(desktop, { image_path: await screen.cut("wrong.png", "24x16+120+90", ...wrong) }),
  ).toBe(null);
  const files = [
    await screen.cut("hole.png", "24x16+120+90", ...wrong, ...hole),
    // one colour that stands for transparent, here that of the wrong pixels
    await keyed(
      await screen.cut("rgb.png", "24x16+120+90", ...wrong, "-define", "png:color-type=2"),
      [0, 255, 0],
    ),
    await screen.cut("palette.png", "24x16+120+90", "-type", "Palette"),
    await screen.cut("deep.png", "24x16+120+90", "-depth", "16"),
    await screen.cut(
      "woven.png",
      "24x16+120+90",
      "-interlace",
      "PNG",
      "-define",
      "png:color-type=2",
    ),
    await screen.cut("photo.jpg", "24x16+120+90", "-quality", "97"),
    await screen.cut("photo.webp", "24x16+120+90", "-quality", "97"),
  ];
  for (const image_path of files) {
    expect(await locate(desktop, { image_path })).toMatchObject({ x: 120, y: 90 });
  }
});

Deno.test("locate finds an image of one colour where that colour is", async () => {
  await using desktop = await startDesktop({ server: { size: "400x300" } });
  using x = await TestX.open(desktop.display);
  await x.openWindow({ x: 100, y: 50, width: 60, height: 40, pixel: 0x00ff88 });
  await using screen = await snapshot(desktop);
  const image_path = await screen.cut("flat.png", "20x20+110+60");
  expect(await locate(desktop, { image_path })).toMatchObject({ x: 100, y: 50, confidence: 1 });
  const all = await locate(desktop, {
    image_path,
    all: true,
    confidence: 0.99,
  }) as unknown as Found[];
  expect(all.length).toBeGreaterThan(3);
  for (const { x, y, width, height } of all) {
    expect([x >= 98, y >= 48, x + width <= 162, y + height <= 92]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  }
});

Deno.test("match() finds a template wherever it is put, also at the edges", () => {
  let state = 3;
  const random = (below: number) => (state = state * 48271 % 2147483647) % below;
  const picture: Picture = { width: 300, height: 200, pixels: new Uint32Array(300 * 200) };
  for (let i = 0; i < 900; i++) {
    const [x, y, colour] = [random(290), random(190), random(0xffffff)];
    for (let row = y; row < y + 2 + random(8); row++) {
      picture.pixels.fill(colour, row * 300 + x, row * 300 + x + 2 + random(8));
    }
  }
  for (
    const [width, height] of [[10, 10], [40, 9], [9, 40], [64, 64], [5, 5], [300, 200], [
      1,
      30,
    ]] as const
  ) {
    const corners = [[0, 0], [300 - width, 0], [0, 200 - height], [300 - width, 200 - height]];
    for (
      const [x, y] of [...corners, [random(301 - width), random(201 - height)]] as [
        number,
        number,
      ][]
    ) {
      const pixels = new Uint32Array(width * height);
      for (let row = 0; row < height; row++) {
        const from = (y + row) * 300 + x;
        pixels.set(picture.pixels.subarray(from, from + width), row * width);
      }
      const [found] = match(picture, { width, height, pixels, mask: undefined }, {
        confidence: 0.9,
        all: false,
      });
      expect(found).toMatchObject({ confidence: 1 });
      const at = (found!.y * 300) + found!.x;
      expect(picture.pixels[at]! & 0xffffff).toBe(pixels[0]! & 0xffffff);
    }
  }
});

Deno.test("locate says of an interlaced PNG of few bits what to do", async () => {
  await using desktop = await startDesktop({ server: { size: "400x300" } });
  using _x = await patterned(desktop, [[120, 90]]);
  await using screen = await snapshot(desktop);
  const few = ["-type", "Palette", "-colors", "4", "-interlace", "PNG"];
  const image_path = await screen.cut("few.png", "24x16+120+90", ...few);
  expect(await desktop.service.refused(422, "/api/display/locate", { image_path }))
    .toContain("save it without interlacing");
});

/** Puts a tRNS chunk behind the header of a PNG without a palette; returns the path. */
async function keyed(path: string, colour: readonly number[]): Promise<string> {
  const bytes = await Deno.readFile(path);
  const body = new Uint8Array([
    ...new TextEncoder().encode("tRNS"),
    ...colour.flatMap((c) => [0, c]),
  ]);
  const chunk = new Uint8Array(body.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length - 4);
  chunk.set(body, 4);
  view.setUint32(body.length + 4, crc32(body));
  await Deno.writeFile(
    path,
    new Uint8Array([...bytes.subarray(0, 33), ...chunk, ...bytes.subarray(33)]),
  );
  return path;
}
