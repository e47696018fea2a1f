/** recording/start and stop on a real X server: what the file shows, and when. */

import { expect } from "expect";
import { Recordings } from "../../../src/features/recording/recordings.ts";
import { decodeVideo, isColour, readChapters } from "../../support/recorded_file.ts";
import { waitFor } from "../../support/wait.ts";
import { download, find, frames, paintedDesktop, start, stop } from "./recorded.ts";

const COLOURS = [0xff0000, 0x00ff00, 0x0000ff, 0x808080, 0xffffff];

for (const format of ["webm", "mp4"] as const) {
  Deno.test(`a ${format} recording shows each colour for as long as it was there`, async () => {
    await using desktop = await paintedDesktop();
    const { service, painter } = desktop;
    const { id, state } = await start(service, { format, max_fps: 20 });
    expect(state).toBe("recording");
    await frames(service, id, 1);
    const painted: number[] = [];
    for (const [index, colour] of COLOURS.entries()) {
      await painter.paint([0, 0, 320, 240], colour);
      painted.push((await find(service, id)).duration_ms);
      await frames(service, id, index + 2);
    }
    const item = await stop(service, id);
    expect(item).toMatchObject({ state: "finished", ended_by: "stop", detail: null, format });
    expect(item.frames).toBe(COLOURS.length + 1);
    const file = await download(service, id);
    expect(item.bytes).toBe(file.length);
    const shown = await decodeVideo(file);
    const firsts = COLOURS.map((colour) =>
      shown.find(({ pixel }) => isColour(pixel(160, 120), colour))
    );
    expect(firsts.map((each) => each !== undefined)).toEqual(COLOURS.map(() => true));
    for (const [index, first] of firsts.entries()) {
      const next = painted[index + 1] ?? item.duration_ms;
      expect(first!.atMs).toBeLessThanOrEqual(next); // it was shown before the next was painted
      if (index > 0) expect(first!.atMs).toBeGreaterThan(firsts[index - 1]!.atMs);
    }
    expect(shown.at(-1)!.atMs).toBe(item.duration_ms);
  });
}

Deno.test("a recording that is stopped at once has one picture", async () => {
  await using desktop = await paintedDesktop();
  const { service, painter } = desktop;
  await painter.paint([0, 0, 320, 240], 0x00ff00);
  for (const format of ["webm", "mp4"]) {
    for (let round = 0; round < 5; round++) {
      const item = await stop(service, (await start(service, { format })).id);
      expect(item).toMatchObject({ state: "finished", playable: true, frames: 1, detail: null });
      const file = await download(service, item.id);
      const [first] = await decodeVideo(file);
      expect(isColour(first!.pixel(160, 120), 0x00ff00)).toBe(true);
    }
  }
});

Deno.test("the record on the disk has the first picture as soon as there is one", async () => {
  await using desktop = await paintedDesktop();
  const { platform, config: { limits, stateDir } } = desktop.service;
  // it is never written just because time has passed
  await using recordings = new Recordings(limits, { stateDir, saveMs: 2 ** 31 - 1 });
  const { id } = await recordings.start({
    ...{ display: await platform.displays.open(1), format: "webm", cursor: "hidden" },
    ...{ maxFps: 10, maxMs: 60_000, maxBytes: limits.maxRecordingsBytes },
  }, new AbortController().signal);
  const path = `${stateDir}/recordings/${id}.json`;
  await waitFor(async () => JSON.parse(await Deno.readTextFile(path)).frames > 0);
});

Deno.test("nothing is recorded while nothing changes, and the times stay right", async () => {
  await using desktop = await paintedDesktop();
  const { service, painter } = desktop;
  const { id } = await start(service, { format: "webm" });
  await frames(service, id, 1);
  for (let i = 0; i < 5; i++) await painter.paint([0, 0, 320, 240], 0); // the same again
  await service.call("/api/bash/command", { command: "sleep 1" });
  await painter.paint([0, 0, 320, 240], 0xff0000);
  await frames(service, id, 2);
  const item = await stop(service, id);
  expect(item.frames).toBe(2);
  const shown = await decodeVideo(await download(service, id));
  const red = shown.find(({ pixel }) => isColour(pixel(10, 10), 0xff0000))!;
  expect(red.atMs).toBeGreaterThanOrEqual(1_000);
});

Deno.test("operations become chapters by their names, without what they were given", async () => {
  await using desktop = await paintedDesktop();
  const { service } = desktop;
  for (const format of ["webm", "mp4"]) {
    const { id } = await start(service, { format });
    await frames(service, id, 1);
    await service.call("/api/mouse/left-click", { x: 12, y: 34 });
    await service.call("/api/display/screen_size");
    await service.call("/api/keyboard/type", { text: "hunter2-typed" });
    await service.call("/api/batch", {
      steps: [{ operation: "mouse.move", input: { x: 5, y: 5 } }],
    });
    const input = { action: "right_click", coordinate: [6, 6] };
    const content = [{ type: "tool_use", id: "a", name: "computer", input }];
    await service.call("/api/agents/anthropic", { content, settle_ms: 0 });
    await service.call("/api/bash/command", { command: "echo hunter2-command" });
    const item = await stop(service, id);
    const titles = item.chapters!.map(({ title }) => title);
    const expected = [
      ...["start", "mouse.left-click", "keyboard.type", "mouse.move"],
      ...["mouse.right-click", "bash.command"],
    ];
    expect(titles).toEqual(expected);
    const file = await download(service, id);
    expect(await readChapters(file)).toEqual(item.chapters);
    const text = new TextDecoder("latin1").decode(file);
    expect(text).not.toContain("hunter2");
    for (const title of expected.slice(1)) expect(text).toContain(title);
  }
});
