/** A recording that a program has started shows nothing of what a person does in control. */

import { expect } from "expect";
import { Control } from "../../../src/features/control/control.ts";
import { Curtain } from "../../../src/features/curtain.ts";
import { Recordings } from "../../../src/features/recording/recordings.ts";
import { ANNA } from "../../support/control.ts";
import { decodeVideo, isColour } from "../../support/recorded_file.ts";
import { waitFor } from "../../support/wait.ts";
import { download, frames, paintedDesktop, start, stop } from "./recorded.ts";

const WHITE = 0xffffff;
const BLACK = 0;

Deno.test("what is visible only while a person has control is in no picture", async () => {
  await using desktop = await paintedDesktop();
  const { painter, service } = desktop;
  const control = service.session.use(Control);
  const { id } = await start(service, { max_fps: 30 });
  await frames(service, id, 1);
  await control.takeOver(ANNA);
  // a person's own recording shows when the display has been read again
  const own = await service.session.use(Recordings).start({
    ...{ display: await service.platform.displays.open(1), format: "webm", maxFps: 30 },
    ...{ cursor: "hidden", maxMs: 60_000, maxBytes: 10_000_000 },
  }, new AbortController().signal);
  const find = () => service.session.use(Recordings).find(own.id);
  await waitFor(async () => (await find()).frames >= 1, { what: "the person's picture" });
  const before = (await service.session.use(Recordings).find(id)).frames;
  await painter.paint([90, 90, 20, 20], WHITE);
  await waitFor(async () => (await find()).frames >= 2, { what: "the person's other picture" });
  expect((await service.session.use(Recordings).find(id)).frames).toBe(before);
  await painter.paint([90, 90, 20, 20], BLACK);
  await control.handBack(ANNA);
  await painter.paint([300, 220, 10, 10], WHITE);
  await frames(service, id, before + 1);
  await stop(service, id);
  await stop(service, own.id);
  const shown = await decodeVideo(await download(service, id));
  expect(isColour(shown.at(-1)!.pixel(305, 225), WHITE)).toBe(true);
  for (const { pixel } of shown) expect(isColour(pixel(100, 100), BLACK)).toBe(true);
  const seen = await decodeVideo(await download(service, own.id));
  expect(seen.some(({ pixel }) => isColour(pixel(100, 100), WHITE))).toBe(true);
});

Deno.test("a recording that is stopped while a person has control ends in order", async () => {
  await using desktop = await paintedDesktop();
  const { service } = desktop;
  const control = service.session.use(Control);
  const { id } = await start(service);
  await frames(service, id, 1);
  await control.takeOver(ANNA);
  const { signal } = new AbortController();
  const stopped = await service.session.use(Recordings).stop(id, 60_000, signal);
  expect(stopped).toMatchObject({ state: "finished", ended_by: "stop" });
});

Deno.test("a recording without a picture, because a person had control all the time, says so", async () => {
  await using desktop = await paintedDesktop();
  const { service } = desktop;
  await service.session.use(Control).takeOver(ANNA);
  const recordings = service.session.use(Recordings);
  const { signal } = new AbortController();
  const { id } = await recordings.start({
    ...{ display: await service.platform.displays.open(1), format: "webm", maxFps: 30 },
    ...{ cursor: "hidden", maxMs: 60_000, maxBytes: 10_000_000 },
    curtain: service.session.use(Curtain),
  }, signal);
  expect(await recordings.stop(id, 60_000, signal)).toMatchObject({
    state: "failed",
    ended_by: "stop",
    detail: "There is no picture: a person had control",
  });
});
