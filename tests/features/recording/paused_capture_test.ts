/** A picture that was asked for before a secret was filled in is not kept afterwards. */

import { expect } from "expect";
import { decodeVideo, isColour } from "../../support/recorded_file.ts";
import { waitFor } from "../../support/wait.ts";
import type { Display, ScreenAddress } from "../../../src/platform/types/mod.ts";
import { paintedDesktop } from "./recorded.ts";
import { Recordings } from "../../../src/features/recording/recordings.ts";

const WHITE = 0xffffff;

Deno.test("a picture whose connection takes longer than filling in a secret is not kept", async () => {
  await using desktop = await paintedDesktop();
  const { painter, service: { platform, session } } = desktop;
  const recordings = session.use(Recordings);
  const display = await platform.displays.open(1);
  const { signal } = new AbortController();
  let suffix = "";
  let asked = () => {};
  const slow = withScreen(display, () => {
    asked();
    const { backend, name } = display.screen as ScreenAddress;
    return { backend, name: name + suffix };
  });
  const { id } = await recordings.start({
    ...{ display: slow, format: "webm", maxFps: 30, cursor: "hidden" },
    ...{ maxMs: 60_000, maxBytes: 10_000_000 },
  }, signal);
  const find = () => recordings.find(id);
  await waitFor(async () => (await find()).frames === 1, { what: "the first picture" });
  suffix = ".0"; // a new connection
  asked = () => {
    asked = () => {};
    queueMicrotask(async () => {
      using _hidden = await recordings.hideField(display, undefined); // only its program knows where it is
      await painter.paint([90, 90, 20, 20], WHITE);
    });
  };
  await painter.paint([100, 200, 10, 10], WHITE);
  await waitFor(async () => (await find()).blacked_out === 1, { what: "a mask" });
  expect((await find()).frames).toBe(1);
  await painter.paint([310, 230, 5, 5], WHITE);
  await waitFor(async () => (await find()).frames > 1, { what: "a picture with the mask" });
  await recordings.stop(id, 10_000, signal);
  const shown = await decodeVideo(await Deno.readFile(recordings.pathOf(await find())));
  expect(isColour(shown.at(-1)!.pixel(312, 232), WHITE)).toBe(true);
  for (const { pixel } of shown) expect(isColour(pixel(100, 100), 0)).toBe(true);
});

/** The display with another address of its screen. */
function withScreen(display: Display, screen: () => ScreenAddress): Display {
  return new Proxy(display, {
    get(target, key) {
      if (key === "screen") return screen();
      const value = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
