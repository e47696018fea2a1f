/** The colour of pixels on screens of every depth. */

import { expect } from "expect";
import { startDesktop } from "../../support/desktop.ts";
import { decodePng } from "../../support/png.ts";
import { TestX } from "../../support/x_client.ts";

const DEPTHS: Readonly<Record<number, (r: number, g: number, b: number) => number>> = {
  16: (r, g, b) => (r >> 3 << 11) | (g >> 2 << 5) | (b >> 3),
  24: (r, g, b) => (r << 16) | (g << 8) | b,
  30: (r, g, b) => (r * 1023 / 255 << 20) | (g * 1023 / 255 << 10) | (b * 1023 / 255),
};

const COLOURS = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [51, 102, 204]];

for (const [depth, pixelOf] of Object.entries(DEPTHS)) {
  Deno.test(`pixel_color and screenshot read the right colours at depth ${depth}`, async () => {
    await using desktop = await startDesktop({ server: { depth: Number(depth), size: "320x240" } });
    using x = await TestX.open(desktop.display);
    for (const [index, [r, g, b]] of COLOURS.entries()) {
      const pixel = pixelOf(r!, g!, b!) >>> 0;
      await x.openWindow({ x: 40 * index, y: 10, width: 40, height: 40, pixel });
    }
    const picture = await desktop.service.send("/api/display/screenshot");
    const { rgb } = decodePng(new Uint8Array(await picture.arrayBuffer()));
    const step = depth === "16" ? 8 : 0; // five bits are that coarse
    for (const [index, colour] of COLOURS.entries()) {
      for (const at of [{ x: 40 * index, y: 10 }, { x: 40 * index + 39, y: 49 }]) {
        const read = await desktop.service.call("/api/display/pixel_color", at) as number[];
        const start = 3 * (at.y * 320 + at.x);
        expect([...rgb.subarray(start, start + 3)]).toEqual(read);
        for (const [i, level] of read.entries()) {
          expect(Math.abs(level - colour[i]!)).toBeLessThanOrEqual(step);
        }
      }
    }
  });
}

Deno.test("pixel_color refuses a pixel off the screen, naming the field and the size", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const table: [Record<string, unknown>, string][] = [
    [{ x: 320, y: 0 }, '"loc":["body","x"]'],
    [{ x: -1, y: 0 }, '"loc":["body","x"]'],
    [{ x: 0, y: 240 }, '"loc":["body","y"]'],
    [{ x: 0, y: -1 }, '"loc":["body","y"]'],
  ];
  for (const [body, loc] of table) {
    const detail = await desktop.service.refused(422, "/api/display/pixel_color", body);
    expect(detail).toContain(loc);
    expect(detail).toContain("320x240");
    expect(detail).toContain("value_error");
  }
});
