/** Clicks at a model's coordinates: in pixels of a picture made for it, seen by a window on the screen. */

import { expect } from "expect";
import { type RecordedDesktop, startRecordedDesktop } from "../../support/desktop.ts";
import { pick } from "../../support/extent.ts";
import { shoot } from "../../support/pictures.ts";

const FITS = ["claude", "claude-standard", "openai", "gemini"] as const;

const SCREENS = pick({
  short: ["1024x768", "1456x819", "1080x1920"],
  full: [
    ...["1024x768", "1280x800", "1456x819", "1920x1080", "3840x2160"],
    ...["1080x1920", "2160x3840"],
  ],
});

for (const size of SCREENS) {
  Deno.test(`clicks at the coordinates of a picture for a model land on the pixel that they show on ${size}`, async () => {
    await using desktop = await startRecordedDesktop({ server: { size } });
    const [width, height] = size.split("x").map(Number) as [number, number];
    for (const fit of FITS) {
      const picture = await shoot(desktop.service, `?fit=${fit}`);
      // one pixel of the screen, or half a pixel of a picture that shows several in one
      const within = Math.max(1, Math.ceil(width / picture.width / 2));
      for (
        const [right, down] of [[0, 0], [0.371, 0.618], [0.5, 0.5], [0.84, 0.13], [1, 1]] as const
      ) {
        const target = { x: Math.round(right * (width - 1)), y: Math.round(down * (height - 1)) };
        const x = Math.floor((target.x + 0.5) * picture.width / width);
        const y = Math.floor((target.y + 0.5) * picture.height / height);
        await desktop.service.call("/api/mouse/left-click", { x, y, frame: picture.frame });
        const clicked = await lastClick(desktop);
        expect(Math.abs(clicked.x - target.x)).toBeLessThanOrEqual(within);
        expect(Math.abs(clicked.y - target.y)).toBeLessThanOrEqual(within);
      }
    }
  });
}

async function lastClick({ recorder }: RecordedDesktop) {
  await recorder.sync();
  const [down, up] = recorder.buttonEvents;
  expect([down?.what, up?.what]).toEqual(["button down", "button up"]);
  expect([up!.x, up!.y]).toEqual([down!.x, down!.y]);
  recorder.clear();
  return down!;
}
