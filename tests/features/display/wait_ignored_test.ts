/** display/wait where parts of the screen change all the time. */

import { expect } from "expect";
import { shoot } from "../../support/pictures.ts";
import { painted, stillOpen, wait } from "./waiting.ts";

const CLOCK = { x: 10, y: 10, width: 60, height: 20 };
const VIDEO = { x: 100, y: 50, width: 50, height: 50 };
const OFF_THE_SCREEN = { x: 5_000, y: 5_000, width: 10, height: 10 };

for (
  const [what, ignore_area, scale] of [
    ["a region", { x: 0, y: 0, width: 200, height: 110 }, 1],
    ["a list of regions", [OFF_THE_SCREEN, CLOCK, VIDEO], 1],
    ["a list of regions of a picture of half the size", [
      { x: 5, y: 5, width: 30, height: 10 },
      { x: 50, y: 25, width: 25, height: 25 },
    ], 2],
  ] as const
) {
  Deno.test(`wait ignores what changes in ${what}, and sees what changes beside it`, async () => {
    await using world = await painted();
    const { desktop, painter } = world;
    const frame = scale === 1
      ? {}
      : { frame: (await shoot(desktop.service, "?max_width=160")).frame };
    const change = wait(desktop, { ignore_area, ...frame });
    const stable = wait(desktop, { until: "stable", stable_ms: 300, ignore_area, ...frame });
    let steady = false;
    stable.then(() => steady = true);
    for (let i = 0; !steady; i++) {
      const color = i * 0x31357 & 0xffffff;
      await painter.paint([CLOCK.x, CLOCK.y, CLOCK.width, CLOCK.height], color);
      await painter.paint([VIDEO.x, VIDEO.y, VIDEO.width, VIDEO.height], color ^ 0xffffff);
    }
    expect((await stable).status).toBe("stable");
    expect(await stillOpen(desktop, change)).toBe(true);
    await painter.paint([280, 200, 3, 3], 0xffffff);
    expect((await change).status).toBe("changed");
  });
}

Deno.test("wait sees a change that covers an ignored region and more, and the regions keep the limit for small ones", async () => {
  await using world = await painted();
  const { desktop, painter } = world;
  const ignore_area = [CLOCK];
  const around = wait(desktop, { ignore_area });
  expect(await stillOpen(desktop, around)).toBe(true);
  await painter.paint([CLOCK.x - 1, CLOCK.y - 1, CLOCK.width + 2, CLOCK.height + 2], 0x00ff00);
  expect((await around).status).toBe("changed");

  const stable = wait(desktop, { until: "stable", stable_ms: 300, ignore_area });
  let steady = false;
  stable.then(() => steady = true);
  for (let i = 0; !steady; i++) await painter.paint([200, 100, 2, 16], i % 2 ? 0 : 0xffffff);
  expect((await stable).status).toBe("stable"); // it blinks, as without regions
});
