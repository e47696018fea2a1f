/** What the service remembers for each display. */

import { expect } from "expect";
import { Session } from "../../src/features/session.ts";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import type { Displays, Input } from "../../src/platform/types/mod.ts";
import { FakePlatform } from "../support/fake_platform.ts";
import { DisplaySessions } from "../../src/features/input/display_sessions.ts";

Deno.test("displaySession() gives displays that share a keyboard one order of input and the same held keys", async () => {
  const platform = new FakePlatform({ displays: [1, 2] });
  await using session = new Session(monitors(platform), DEFAULT_LIMITS, { stateDir: "/nowhere" });
  const [one, two] = [
    await session.use(DisplaySessions).open(1),
    await session.use(DisplaySessions).open(2),
  ];
  expect(two.inputLock).toBe(one.inputLock);
  expect(two.held).toBe(one.held);
  expect(two.display).not.toBe(one.display);
});

Deno.test("displaySession() gives displays with devices of their own an order of their own", async () => {
  const platform = new FakePlatform({ displays: [1, 2] });
  await using session = new Session(platform, DEFAULT_LIMITS, { stateDir: "/nowhere" });
  const [one, two] = [
    await session.use(DisplaySessions).open(1),
    await session.use(DisplaySessions).open(2),
  ];
  expect(two.inputLock).not.toBe(one.inputLock);
  expect(two.held).not.toBe(one.held);
});

/** The displays of a platform as monitors of one desktop. */
function monitors(platform: FakePlatform): FakePlatform {
  const { keyboard } = platform.screen(1).fake.port;
  const open: Displays["open"] = (displayNum) => {
    const display = platform.screen(displayNum);
    const use: Input = { ...display.fake.port, keyboard };
    return Object.assign(Object.create(display), { input: { ready: true, use } });
  };
  return Object.assign(Object.create(platform), { displays: { open } });
}
