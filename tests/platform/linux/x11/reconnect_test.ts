/** The X server dies and comes back: 503 in between, and afterwards everything works again. */

import { expect } from "expect";
import { openRecorder } from "../../../support/recorder.ts";
import { startService } from "../../../support/service.ts";
import { startXvfb } from "../../../support/xvfb.ts";
import { openXterm } from "../../../support/xterm.ts";
import { waitFor } from "../../../support/wait.ts";

const TEXT = "Hello é漢字😀";
/** Far from the numbers that other tests take while ours is free. */
const DISPLAY = `:${1000 + Deno.pid % 50_000}`;

Deno.test("a server that is killed and started again is used again, typing too", async () => {
  const display = DISPLAY;
  const first = await startXvfb({ display });
  await using service = await startService({ displays: [display] });
  {
    await using xterm = await openXterm(display);
    await service.type(TEXT);
    await xterm.expectNext(TEXT);
    await service.call("/api/keyboard/hold", { key: "ctrl" });
    await first.kill();
  }
  for (const [path, body] of requests()) {
    expect(await service.refused(503, path, body)).toContain(display);
  }
  expect((await service.send("/readyz")).status).toBe(503);

  for (let round = 0; round < 2; round++) {
    await using second = await startXvfb({ display, size: "640x480" });
    using recorder = await openRecorder(second.display);
    await waitFor(() => service.call("/api/mouse/position"), { what: "the service to be back" });
    expect(await service.call("/api/keyboard/held")).toEqual([]);
    await service.type(TEXT);
    await service.call("/api/mouse/left-click", { x: 20, y: 30 });
    await recorder.sync();
    expect(recorder.text).toBe(TEXT);
    expect(recorder.buttonEvents[0]).toMatchObject({ detail: 1, x: 20, y: 30, state: 0 });
    expect(await service.call("/api/display/screen_size")).toEqual({ width: 640, height: 480 });
    expect((await service.send("/readyz")).status).toBe(200);
    await second.kill();
  }
});

Deno.test("a text that is being typed when the server dies is answered with 503", async () => {
  const server = await startXvfb({ display: DISPLAY });
  await using service = await startService({ displays: [server.display] });
  const recorder = await openRecorder(server.display);
  const refused = service.refused(503, "/api/keyboard/type", { text: "a漢".repeat(5_000) });
  const waiting = service.refused(503, "/api/keyboard/key", { key: "x" });
  await waitFor(() => recorder.presses.length > 5, { what: "the text to begin" });
  await server.kill();
  await refused;
  await waiting;
});

Deno.test("a display that does not exist is answered with 503, and opened once it exists", async () => {
  await using service = await startService({ displays: [DISPLAY] });
  expect(await service.refused(503, "/api/mouse/move", { x: 1, y: 1 })).toContain(DISPLAY);
  await using _server = await startXvfb({ display: DISPLAY });
  await service.call("/api/mouse/move", { x: 1, y: 1 });
});

function requests(): [string, unknown?][] {
  return [
    ["/api/mouse/move", { x: 1, y: 1 }],
    ["/api/mouse/left-click", {}],
    ["/api/mouse/position"],
    ["/api/keyboard/type", { text: "x" }],
    ["/api/keyboard/key", { key: "x" }],
    ["/api/display/pixel_color", { x: 1, y: 1 }],
    ["/api/display/screenshot"],
    ["/api/display/screen_size"],
  ];
}
