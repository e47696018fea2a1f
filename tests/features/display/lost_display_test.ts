/** A display that goes away, or changes its size, while somebody waits for it. */

import { expect } from "expect";
import { type Desktop, startDesktop } from "../../support/desktop.ts";
import { TestX } from "../../support/x_client.ts";
import { setResolution } from "../../support/resolution.ts";
import { shoot } from "../../support/pictures.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { waitFor } from "../../support/wait.ts";

const LONG = 30_000;

/** Begins to wait; resolves with the answer once the service is known to have begun. */
async function begin(desktop: Desktop, body: Record<string, unknown>) {
  const response = desktop.service.send("/api/display/wait", { timeout_ms: LONG, ...body });
  await desktop.service.call("/api/display/wait", { timeout_ms: 0 });
  for (let i = 0; i < 20; i++) {
    await desktop.service.call("/api/display/pixel_color", { x: 0, y: 0 });
  }
  return { response };
}

const CASES = [
  { until: "change" },
  { until: "stable", stable_ms: 20_000 },
  { until: { pixel: { x: 1, y: 1, rgb: [1, 2, 3] } } },
];

for (const body of CASES) {
  const { until } = body;
  Deno.test(`wait for ${JSON.stringify(until)} tells when the display has gone, and works on the next one`, async () => {
    await using desktop = await startDesktop({ server: { size: "320x240" } });
    const { response } = await begin(desktop, body);
    await desktop.server.kill();
    const answer = await response;
    expect([answer.status, await answer.text()]).toEqual([
      503,
      expect.stringContaining("went away"),
    ]);
    await using _server = await startXvfb({ size: "320x240", display: desktop.display });
    await waitFor(async () => {
      const again = await desktop.service.send("/api/display/wait", { timeout_ms: 0 });
      await again.body?.cancel();
      return again.status === 200;
    }, { what: "the display to be opened again" });
    await shoot(desktop.service);
  });
}

Deno.test("wait for the whole display also looks at what a larger resolution adds", async () => {
  await using desktop = await startDesktop({ server: { size: "640x480" } });
  await setResolution(desktop.display, "320x240");
  await waitFor(async () => (await shoot(desktop.service)).width === 320, {
    what: "the small size",
  });
  using x = await TestX.open(desktop.display);
  const times = { stable_ms: 2_000, timeout_ms: 5_000 };
  const { response } = await begin(desktop, { until: "stable", ...times });
  let place = { x: 100, y: 100 };
  // on a busy computer it takes longer than the display may be still
  const resized = setResolution(desktop.display, "640x480")
    .then(() => place = { x: 500, y: 300 });
  let answer: Response | undefined;
  response.then((one) => answer = one);
  for (let i = 0; answer === undefined; i++) {
    await x.openWindow({
      ...{ ...place, width: 60, height: 60 },
      pixel: i % 2 === 0 ? 0xffffff : 0x808080,
    });
    await desktop.service.call("/api/display/wait", {
      until: "stable",
      stable_ms: 0,
      timeout_ms: 50,
    });
  }
  await resized;
  expect((await answer.json()).status).toBe("timeout");
});
