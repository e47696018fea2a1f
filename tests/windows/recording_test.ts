/** Recordings on Windows, where each look compares the whole screen. */

import { expect } from "expect";
import { decodePage, isColour } from "../support/recorded_file.ts";
import { waitFor } from "../support/wait.ts";
import { openWine, wineTest } from "../support/wine.ts";
import { startWineService } from "../support/wine_service.ts";

wineTest("a recording on Windows is a page of what the screen showed", async () => {
  await using wine = await openWine();
  await using service = await startWineService(wine);
  const video = await service.refused(501, "/api/recording/start", { format: "mp4" });
  expect(video).toContain("ffmpeg is not installed");
  const { id, format, detail } = await service.call("/api/recording/start", { cursor: true });
  expect({ format, detail }).toEqual({
    format: "webp",
    detail: "No video: ffmpeg is not installed",
  });
  const find = async () => (await service.call(`/api/recording/list?id=${id}`))[0];
  await waitFor(async () => (await find()).frames > 0, { what: "the first picture" });
  const { frames } = await find();
  await service.call("/api/mouse/move", { x: 500, y: 400 });
  await waitFor(async () => (await find()).frames > frames, { what: "the cursor" });
  const item = await service.call("/api/recording/stop", { id });
  expect(item).toMatchObject({ state: "finished", ended_by: "stop", playable: true });
  expect(item.chapters.at(-1).title).toBe("mouse.move");
  const file = await (await service.send(`/api/recording/get?id=${id}`)).bytes();
  expect(file.length).toBe(item.bytes);
  const shown = await decodePage(file, { width: item.width, height: item.height });
  expect(shown.length).toBe(item.frames);
  const rgb = await service.call("/api/display/pixel_color", { x: 900, y: 800 });
  const colour = rgb[0] << 16 | rgb[1] << 8 | rgb[2];
  expect(isColour(shown.at(-1)!.pixel(900, 800), colour)).toBe(true);
});
