/** What the system has not pressed is not held. */

import { expect } from "expect";
import { ServiceError } from "../../../src/core/errors.ts";
import { testApp } from "../../support/client.ts";
import { DisplaySessions } from "../../../src/features/input/display_sessions.ts";

Deno.test("hold and down that fail leave nothing held, and can be tried again", async () => {
  const app = testApp();
  const { fake: devices } = app.platform.screen();
  const lost = Promise.reject(new ServiceError("unavailable", "It is not there"));
  lost.catch(() => {});
  for (
    const [path, body, pressed] of [
      ["/api/keyboard/hold", { key: "a" }, "press key a"],
      ["/api/mouse/down", { button: "left" }, "press left"],
    ] as const
  ) {
    devices.held = lost;
    expect((await app.post(path, body)).status).toBe(503);
    expect((await app.send("GET", "/api/keyboard/held")).json).toEqual([]);
    devices.held = undefined;
    devices.sent.length = 0;
    expect((await app.post(path, body)).status).toBeLessThan(300);
    expect(devices.sent.filter((one) => !one.startsWith("separate"))).toEqual([pressed]);
    await app.session.use(DisplaySessions).releaseAll();
  }
});
