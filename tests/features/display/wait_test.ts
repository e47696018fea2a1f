/** display/wait on a real server: what counts as a change, and what does not. */

import { expect } from "expect";
import { run, startDesktop } from "../../support/desktop.ts";
import { setResolution } from "../../support/resolution.ts";
import { shoot } from "../../support/pictures.ts";
import { openBlinking, openTk } from "../../support/still_programs.ts";
import { LONG, painted, stillOpen, wait } from "./waiting.ts";

Deno.test("wait answers when something changes, and not before", async () => {
  await using world = await painted();
  const { desktop, painter } = world;
  const waiting = wait(desktop, {});
  expect(await stillOpen(desktop, waiting)).toBe(true);
  await painter.paint([100, 100, 1, 1], 0xffffff);
  expect((await waiting).status).toBe("changed");
});

Deno.test("wait sees no change where the same is drawn again", async () => {
  await using world = await painted();
  const { desktop, painter } = world;
  const waiting = wait(desktop, {});
  expect(await stillOpen(desktop, waiting)).toBe(true);
  for (let i = 0; i < 5; i++) await painter.paint([0, 0, 320, 240], 0);
  expect(await stillOpen(desktop, waiting)).toBe(true);
  await painter.paint([0, 0, 320, 240], 0x10000);
  expect((await waiting).status).toBe("changed");
});

Deno.test("wait looks at its region only, also in the pixels of a picture", async () => {
  await using world = await painted();
  const { desktop, painter } = world;
  const response = await desktop.service.send("/api/display/screenshot?max_width=160");
  await response.arrayBuffer();
  const frame = response.headers.get("x-frame");
  const table = [
    { region: { x: 200, y: 100, width: 50, height: 50 } },
    { region: { x: 100, y: 50, width: 25, height: 25 }, frame },
  ];
  for (const [i, body] of table.entries()) {
    const waiting = wait(desktop, body);
    expect(await stillOpen(desktop, waiting)).toBe(true);
    await painter.paint([150, 100, 50, 50], 0xff0000 + i);
    await painter.paint([250, 100, 50, 50], 0xff0000 + i);
    expect(await stillOpen(desktop, waiting)).toBe(true);
    await painter.paint([249, 149, 10, 10], 0xff0000 + i);
    expect((await waiting).status).toBe("changed");
  }
});

Deno.test("wait times out, with 0 at once", async () => {
  await using world = await painted();
  for (const timeout_ms of [0, 50]) {
    const { status, elapsed_ms } = await wait(world.desktop, { timeout_ms });
    expect(status).toBe("timeout");
    expect(elapsed_ms).toBeGreaterThanOrEqual(timeout_ms);
  }
});

Deno.test("wait ignores small changes until they add up", async () => {
  await using world = await painted();
  const { desktop, painter } = world;
  const waiting = wait(desktop, { ignore_area: 100 });
  for (let i = 0; i < 20; i++) {
    await painter.paint([10, 10, 2, 16], i % 2 ? 0 : 0xffffff); // blinks
  }
  expect(await stillOpen(desktop, waiting)).toBe(true);
  let width = 2;
  for (let ended = false; !ended; width += 2) {
    await painter.paint([10, 10, width, 16], 0xffffff); // grows
    ended = !await stillOpen(desktop, waiting);
  }
  expect((await waiting).status).toBe("changed");
  expect(width).toBeGreaterThan(6);
});

Deno.test("wait is stable when changes have ended, not between them", async () => {
  await using world = await painted();
  const { desktop, painter } = world;
  const waiting = wait(desktop, { until: "stable", stable_ms: 1_000 });
  let ended = false;
  waiting.finally(() => ended = true);
  // one request between two changes: many would take a second themselves on a busy computer
  for (let i = 0; i < 300; i++) {
    await painter.paint([0, 0, 100, 100], i);
    await desktop.service.call("/api/display/pixel_color", { x: 0, y: 0 });
    expect(ended).toBe(false);
  }
  const { status, elapsed_ms } = await waiting;
  expect(status).toBe("stable");
  expect(elapsed_ms).toBeGreaterThanOrEqual(1_000);
});

Deno.test("wait is stable while what has changed is drawn again and again as it is", async () => {
  await using world = await painted();
  const { desktop, painter } = world;
  const waiting = wait(desktop, { until: "stable", stable_ms: 400 });
  let ended = false;
  waiting.finally(() => ended = true);
  await wait(desktop, { timeout_ms: 0 }); // looks after the other one
  while (!ended) await painter.paint([0, 0, 100, 100], 0xff8800);
  const { status, elapsed_ms } = await waiting;
  expect(status).toBe("stable");
  expect(elapsed_ms).toBeGreaterThanOrEqual(400);
});

Deno.test("wait is stable beside the blinking cursor of a text field", async () => {
  await using desktop = await startDesktop({ server: { size: "400x300" } });
  const { display, service } = desktop;
  await using _tk = await openTk(display, "200x150+0+0");
  await using _entry = await openBlinking(display);
  await service.call("/api/display/wait", {
    region: { x: 200, y: 150, width: 200, height: 30 },
    timeout_ms: LONG,
  });
  const { status } = await wait(desktop, { until: "stable", stable_ms: 500 });
  expect(status).toBe("stable");
  expect((await wait(desktop, { ignore_area: 0 })).status).toBe("changed"); // it does blink
});

Deno.test("wait finds a pixel when it has the colour, within the tolerance", async () => {
  await using world = await painted();
  const { desktop, painter } = world;
  const pixel = { x: 50, y: 60, rgb: [10, 20, 30], tolerance: 2 };
  const waiting = wait(desktop, { until: { pixel } });
  await painter.paint([50, 60, 1, 1], 0x0a1421); // blue is 33
  expect(await stillOpen(desktop, waiting)).toBe(true);
  await painter.paint([50, 60, 1, 1], 0x0c1220);
  expect((await waiting).status).toBe("found");
  expect((await wait(desktop, { until: { pixel } })).status).toBe("found");
});

Deno.test("wait finds an image when it is shown", async () => {
  await using world = await painted();
  const { desktop, painter } = world;
  const path = await Deno.makeTempFile({ suffix: ".png" });
  try {
    await run("convert", [
      "-size",
      "20x20",
      "xc:#00ff00",
      "-fill",
      "red",
      "-draw",
      "rectangle 5,5 14,9",
      path,
    ]);
    const waiting = wait(desktop, { until: { image: path, confidence: 0.95 } });
    expect(await stillOpen(desktop, waiting)).toBe(true);
    await painter.paint([33, 44, 20, 20], 0x00ff00);
    expect(await stillOpen(desktop, waiting)).toBe(true);
    await painter.paint([38, 49, 10, 5], 0xff0000);
    const { status, match } = await waiting;
    expect(status).toBe("found");
    expect(match).toMatchObject({ x: 33, y: 44, width: 20, height: 20 });
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("wait goes on after the resolution has changed", async () => {
  await using world = await painted();
  const { desktop } = world;
  const waiting = wait(desktop, {});
  expect(await stillOpen(desktop, waiting)).toBe(true);
  await setResolution(desktop.display, "300x200");
  expect((await waiting).status).toBe("changed");
  expect((await wait(desktop, { until: "stable", stable_ms: 50 })).status).toBe("stable");
});

Deno.test("wait ends when its client goes away", async () => {
  await using world = await painted();
  const { desktop } = world;
  const gone = new AbortController();
  const waiting = desktop.service.send("/api/display/wait", { timeout_ms: LONG }, gone.signal);
  await desktop.service.call("/api/display/pixel_color", { x: 0, y: 0 });
  gone.abort();
  expect((await waiting).status).toBe(499);
});

Deno.test("wait refuses what cannot be", async () => {
  await using world = await painted();
  const { service } = world.desktop;
  const { frame } = await shoot(service, "?max_width=160");
  const table: [Record<string, unknown>, string][] = [
    [{ until: "quiet" }, `["body","until"]`],
    [{ until: { pixel: { x: 320, y: 0, rgb: [0, 0, 0] } } }, `["body","until","pixel","x"]`],
    [{ until: { pixel: { x: 0, y: 0, rgb: [0, 0] } } }, `"until"`],
    [{ timeout_ms: 300_001 }, `["body","timeout_ms"]`],
    [{ stable_ms: -1 }, `["body","stable_ms"]`],
    [{ region: { x: 0, y: 0, width: 0, height: 5 } }, `["body","region","width"]`],
    [{ region: { x: 300, y: 0, width: 21, height: 5 } }, `["body","region","width"]`],
    [{ region: { x: 5 } }, `["body","region","y"]`],
    [{ ignore_area: -1 }, `["body","ignore_area"]`],
    [{ ignore_area: 1.5 }, "int_from_float"],
    [{ ignore_area: "100" }, `["body","ignore_area"]`],
    [{ ignore_area: [] }, "too_short"],
    [{ ignore_area: new Array(101).fill({ x: 0, y: 0, width: 1, height: 1 }) }, "too_long"],
    [{ ignore_area: { x: 0, y: 0, width: 1 } }, `["body","ignore_area","height"]`],
    [
      { ignore_area: [{ x: 0, y: 0, width: 1, height: 1 }, { x: -1, y: 0, width: 1, height: 1 }] },
      `["body","ignore_area",1,"x"]`,
    ],
    [{ frame: "none" }, `["body","frame"]`],
    [{ frame, until: { pixel: { x: 160, y: 0, rgb: [0, 0, 0] } } }, `["body","until","pixel","x"]`],
    [{ frame, region: { x: 160, y: 0, width: 1, height: 1 } }, `["body","region","x"]`],
    [{ until: { image: "a".repeat(300), confidence: 1 } }, `["body","until","image"]`],
  ];
  for (const [body, error] of table) {
    expect(await service.refused(422, "/api/display/wait", body)).toContain(error);
  }
});
