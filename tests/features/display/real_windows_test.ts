/** Pictures of real windows, pixel for pixel what other programs see. */

import { expect } from "expect";
import { unless } from "../../support/test_if.ts";
import { startDesktop } from "../../support/desktop.ts";
import { cut, difference, imported, shoot } from "../../support/pictures.ts";
import { setResolution } from "../../support/resolution.ts";
import type { Service } from "../../support/service.ts";
import { hasChromium, openChromium, openStillXterm, openTk } from "../../support/still_programs.ts";
import { TestX } from "../../support/x_client.ts";
import { type Dump, dumpScreen } from "../../support/xwd.ts";

/** Waits until the windows are painted. */
async function settled(service: Service): Promise<void> {
  const answer = await service.call("/api/display/wait", {
    until: "stable",
    stable_ms: 400,
    timeout_ms: 30_000,
  });
  expect(answer).toMatchObject({ status: "stable" });
}

/** The whole screen and regions along its edges, beside xwd (exact) and import. */
async function comparePictures(service: Service, display: string, depth: number): Promise<void> {
  const rounding = depth === 24 ? 0 : 1; // ImageMagick rounds five bits down
  const whole = await shoot(service);
  const dump = await dumpScreen(display);
  expect([whole.width, whole.height]).toEqual([dump.width, dump.height]);
  expect(difference(whole.rgb, dump.rgb)).toBe(0);
  expect(difference(whole.rgb, await imported(display))).toBeLessThanOrEqual(rounding);
  const { width, height } = whole;
  const regions = [
    [0, 0, 37, 23],
    [width - 61, 0, 61, 40],
    [0, height - 33, 90, 33],
    [width - 1, height - 1, 1, 1],
    [13, 11, 301, 177],
  ] as const;
  for (const region of regions) {
    const [x, y, w, h] = region;
    const part = await shoot(service, `?x=${x}&y=${y}&width=${w}&height=${h}`);
    expect(difference(part.rgb, cut(whole, region))).toBe(0);
    const other = await imported(display, ["-crop", `${w}x${h}+${x}+${y}`]);
    expect(difference(part.rgb, other)).toBeLessThanOrEqual(rounding);
  }
}

for (const depth of [16, 24]) {
  Deno.test(`screenshot equals xwd and import: xterm, Tk and a window off the edges, depth ${depth}`, async () => {
    await using desktop = await startDesktop({ server: { size: "641x479", depth } });
    const { display, service } = desktop;
    await using _xterm = await openStillXterm(display, "60x20+-30+-20");
    await using _tk = await openTk(display, "250x180+420+330");
    using x = await TestX.open(display);
    await x.openWindow({ x: -20, y: 300, width: 60, height: 400, pixel: 0x1f });
    const shown = { pixel: { x: 5, y: 310, rgb: depth === 16 ? [0, 0, 255] : [0, 0, 31] } };
    await service.call("/api/display/wait", { until: shown });
    await settled(service);
    await comparePictures(service, display, depth);
  });

  const name = `screenshot equals xwd and import: Chromium, depth ${depth}`;
  Deno.test({ name, ignore: unless(hasChromium(), "there is no Chromium") }, async () => {
    await using desktop = await startDesktop({ server: { size: "700x500", depth } });
    const { display, service } = desktop;
    const page =
      "<body style='background:linear-gradient(45deg,red,#08f);font:20px serif'>Ünïcode 漢字 text " +
      "<button>Button</button><p style='background:#00f;width:100%;height:99px'></p>";
    await using _chromium = await openChromium(display, page);
    const blue = { pixel: { x: 200, y: 180, rgb: [0, 0, 255] } };
    const answer = await service.call("/api/display/wait", { until: blue, timeout_ms: 60_000 });
    expect(answer).toMatchObject({ status: "found" });
    await settled(service);
    await comparePictures(service, display, depth);
  });
}

Deno.test("screenshot has the right size and pixels right after a change of the resolution", async () => {
  await using desktop = await startDesktop({ server: { size: "1280x800" } });
  const { display, service } = desktop;
  await using _tk = await openTk(display, "250x180+300+200");
  await settled(service);
  const etag = (await shoot(service)).headers.get("etag")!;
  for (const size of ["800x600", "640x480", "1280x800"]) {
    await setResolution(display, size);
    // the window paints itself again meanwhile: what is compared was taken between two equal dumps
    let [before, picture, after] = await between(display, () => shoot(service));
    expect(`${picture.width}x${picture.height}`).toBe(size);
    expect(picture.headers.get("etag")).not.toBe(etag);
    while (difference(before.rgb, after.rgb) > 0) {
      [before, picture, after] = await between(display, () => shoot(service));
    }
    expect(difference(picture.rgb, after.rgb)).toBe(0);
  }
});

/** What `take` gives, between a dump of the screen before it and one after it. */
async function between<T>(display: string, take: () => Promise<T>): Promise<[Dump, T, Dump]> {
  return [await dumpScreen(display), await take(), await dumpScreen(display)];
}

Deno.test("screenshot is taken while another program has grabbed the server", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { display, service } = desktop;
  using x = await TestX.open(display);
  await shoot(service);
  x.client.GrabServer();
  await x.pointer();
  expect((await shoot(service)).width).toBe(320);
  x.client.UngrabServer();
  await x.pointer();
});
