/**
 * display/wait on a display that reports changes without end, on one that is resized twice at once, and while a picture
 * takes longer than the wait may.
 */

import { expect } from "expect";
import { ServiceError } from "../../../src/core/errors.ts";
import type { Changes, Region, Screen, Size } from "../../../src/platform/types/mod.ts";
import { testApp } from "../../support/client.ts";

/** Longer than the pause between two checks, in milliseconds. */
const PICTURE_MS = 20;
/** The time of a wait, or of a display to be still, in milliseconds. */
const SHORT_MS = 50;
/** Far more than are taken in the time of a wait. */
const MOST_PICTURES = 100;

/** A display of which a test says what it reports, and what comes of each picture. */
function displayWith({ size, next, take }: {
  size(): Size;
  /** Whether the next change is there already. */
  next(): boolean;
  /** Gives the colour. */
  take(region: Region): number | Promise<number>;
}) {
  let count = 0;
  const changes: Changes = {
    source: "events",
    poll: () => Promise.resolve({ run: "1", count, size: size() }),
    since: (from) => from === count ? [] : [{ x: 0, y: 0, ...size() }],
    next: (_, signal) => {
      if (next()) return Promise.resolve(void count++);
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason))
      );
    },
    cursor: () => Promise.reject(new Error("nobody draws the cursor")),
  };
  const screen: Screen = {
    connected: true,
    close() {},
    capture: async (region, _, use) => {
      const { width, height } = region;
      const pixels = new Uint32Array(width * height).fill(await take(region));
      return use({ width, height, pixels });
    },
  };
  const app = testApp();
  Object.assign(app.platform.screen(), { screen, watch: () => Promise.resolve(changes) });
  return app;
}

Deno.test("a wait for a still display ends when its time is over, however fast the display changes", async () => {
  let pictures = 0;
  const app = displayWith({
    size: () => ({ width: 30, height: 20 }),
    next: () => true,
    take: async () => {
      if (++pictures > MOST_PICTURES) throw new ServiceError("unavailable", "It goes on for ever");
      await new Promise((resolve) => setTimeout(resolve, PICTURE_MS));
      return pictures;
    },
  });
  for (const until of ["stable", { gone: { pixel: { x: 0, y: 0, rgb: [0, 0, 0] } } }]) {
    const { status, json } = await app.post("/api/display/wait", { until, timeout_ms: 200 });
    expect([status, json.status]).toEqual([200, "timeout"]);
  }
});

Deno.test("a display is not still because the time of the wait has ended while a picture was compared", async () => {
  let [reports, pictures] = [1, 0];
  const app = displayWith({
    size: () => ({ width: 10, height: 10 }),
    next: () => reports-- > 0,
    take: async () => {
      if (++pictures === 2) await new Promise((resolve) => setTimeout(resolve, 2 * SHORT_MS));
      return 0;
    },
  });
  const wait = { until: "stable", stable_ms: 60_000, timeout_ms: SHORT_MS };
  const { status, json } = await app.post("/api/display/wait", wait);
  expect([status, json.status, pictures]).toEqual([200, "timeout", 2]);
});

Deno.test("a display is not still that changes while it is compared, until the end of the time", async () => {
  const taken: number[] = [];
  let [reports, colour] = [2, 0];
  const app = displayWith({
    size: () => ({ width: 10, height: 10 }),
    next: () => reports-- > 0,
    take: async () => {
      taken.push(colour);
      if (taken.length !== 2) return colour;
      await new Promise((resolve) => setTimeout(resolve, 2 * SHORT_MS));
      return colour++;
    },
  });
  const wait = { until: "stable", stable_ms: SHORT_MS, timeout_ms: 60_000 };
  const { status, json } = await app.post("/api/display/wait", wait);
  expect([status, json.status, taken]).toEqual([200, "stable", [0, 0, 1]]);
});

Deno.test("a wait goes by the newest size of a display that is resized again while its picture is taken", async () => {
  const [small, large] = [{ width: 10, height: 10 }, { width: 20, height: 20 }];
  const taken: Size[] = [];
  let reports = 2;
  const app = displayWith({
    size: () => reports === 2 ? small : large,
    next: () => reports > 0 && reports-- > 0,
    take: ({ width, height }) => {
      taken.push({ width, height });
      if (taken.length === 2) throw new ServiceError("conflict", "It was resized meanwhile");
      return 0;
    },
  });
  const wait = { until: "stable", stable_ms: 50, timeout_ms: 60_000 };
  const { status, json } = await app.post("/api/display/wait", wait);
  expect([status, json.status]).toEqual([200, "stable"]);
  expect(taken).toEqual([small, large, large]);
});
