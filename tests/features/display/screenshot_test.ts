/** Pictures of a real screen, compared pixel for pixel with those of another program. */

import { expect } from "expect";
import { type Desktop, run, startDesktop } from "../../support/desktop.ts";
import { decodePng } from "../../support/png.ts";
import { TestX } from "../../support/x_client.ts";
import { openXterm } from "../../support/xterm.ts";

async function screenshot(desktop: Desktop, query: string) {
  const response = await desktop.service.send(`/api/display/screenshot${query}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("content-disposition")).toContain(".png");
  return decodePng(new Uint8Array(await response.arrayBuffer()));
}

/** What ImageMagick sees: raw red, green and blue bytes. */
function imported(desktop: Desktop, crop: readonly string[]): Promise<Uint8Array> {
  const args = ["-display", desktop.display, "-silent", "-window", "root", ...crop];
  return run("import", [...args, "+repage", "-depth", "8", "rgb:-"]);
}

/** The greatest difference of two pictures; a deep comparison of a million numbers would take seconds. */
function difference(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return Infinity;
  return a.reduce((greatest, value, index) => Math.max(greatest, Math.abs(value - b[index]!)), 0);
}

for (const depth of [16, 24]) {
  Deno.test(`screenshot shows what another program sees, depth ${depth}`, async () => {
    await using desktop = await startDesktop({ server: { size: "500x401", depth } });
    await using xterm = await openXterm(desktop.display);
    await desktop.service.type("Picture é漢\n");
    await xterm.expectNext("Picture é漢\n");
    const rounding = depth === 24 ? 0 : 1; // ImageMagick rounds five bits down
    using x = await TestX.open(desktop.display);
    for (const [i, pixel] of [0xff8000, 0x1234, 0xc0ffee].entries()) {
      await x.openWindow({ x: 5 + 30 * i, y: 20, width: 20, height: 9, pixel: pixel % 2 ** depth });
    }
    const whole = await screenshot(desktop, "");
    expect([whole.width, whole.height]).toEqual([500, 401]);
    expect(difference(whole.rgb, await imported(desktop, []))).toBeLessThanOrEqual(rounding);
    expect(new Set(whole.rgb).size).toBeGreaterThan(5);

    const part = await screenshot(desktop, "?x=7&y=3&width=101&height=57");
    expect([part.width, part.height]).toEqual([101, 57]);
    const other = await imported(desktop, ["-crop", "101x57+7+3"]);
    expect(difference(part.rgb, other)).toBeLessThanOrEqual(rounding);
  });
}

Deno.test("screenshot takes the rest of the screen where no size is given", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const rest = await screenshot(desktop, "?x=300&y=200");
  expect([rest.width, rest.height]).toEqual([20, 40]);
  const one = await screenshot(desktop, "?x=319&y=239&width=1&height=1");
  expect([one.width, one.height]).toEqual([1, 1]);
});

Deno.test("screenshot refuses a region that is not on the screen as a whole", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const table = {
    "?x=320": "x",
    "?x=-1": "x",
    "?y=240": "y",
    "?x=1&width=320": "width",
    "?y=200&height=41": "height",
    "?width=0": "width",
    "?height=-5": "height",
  };
  for (const [query, field] of Object.entries(table)) {
    const detail = await desktop.service.refused(422, `/api/display/screenshot${query}`);
    expect(detail).toContain(`"loc":["query","${field}"]`);
  }
});
