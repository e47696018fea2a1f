/** How recordings end: each reason is said, and the file so far can be played. */

import { expect } from "expect";
import { setResolution } from "../../support/resolution.ts";
import { cannotMount, mountSmall } from "../filesystem/mounts.ts";
import { fillBut } from "../../support/full_disk.ts";
import { waitFor } from "../../support/wait.ts";
import { decodeVideo, isColour } from "../../support/recorded_file.ts";
import { RecordingStore } from "../../../src/features/recording/recording_store.ts";
import {
  download,
  ended,
  find,
  frames,
  paintedDesktop,
  paintUntilEnded,
  start,
  stop,
} from "./recorded.ts";

Deno.test("a recording ends by itself after its time", async () => {
  await using desktop = await paintedDesktop();
  const { service } = desktop;
  const { id } = await start(service, { format: "webm", max_seconds: 0.5 });
  const item = await ended(service, id);
  expect(item).toMatchObject({ state: "finished", ended_by: "time_limit", playable: true });
  expect(item.duration_ms).toBeGreaterThanOrEqual(500);
  expect((await decodeVideo(await download(service, id))).length).toBeGreaterThan(0);
});

for (const format of ["webm", "mp4"]) {
  Deno.test(`a ${format} recording whose display ends is finished`, async () => {
    await using desktop = await paintedDesktop();
    const { service, painter, server } = desktop;
    const { id } = await start(service, { format });
    await frames(service, id, 1);
    await painter.paint([0, 0, 320, 240], 0xff0000);
    await frames(service, id, 2);
    await server[Symbol.asyncDispose]();
    const item = await ended(service, id);
    expect(item).toMatchObject({ state: "finished", ended_by: "display_gone", playable: true });
    const shown = await decodeVideo(await download(service, id));
    expect(isColour(shown.at(-1)!.pixel(50, 50), 0xff0000)).toBe(true);
  });
}

Deno.test("a recording goes on when its display gets another size", async () => {
  await using desktop = await paintedDesktop();
  const { service, painter, display } = desktop;
  const { id } = await start(service, { format: "webm" });
  await frames(service, id, 1);
  await painter.paint([0, 0, 320, 240], 0x00ff00);
  await frames(service, id, 2);
  await setResolution(display, "160x200");
  await waitFor(async () => (await find(service, id)).resizes === 1);
  await frames(service, id, 3);
  const item = await stop(service, id);
  expect(item).toMatchObject({ state: "finished", ended_by: "stop", width: 320, height: 240 });
  const last = (await decodeVideo(await download(service, id))).at(-1)!;
  expect(isColour(last.pixel(100, 100), 0x00ff00)).toBe(true);
  expect(isColour(last.pixel(250, 220), 0)).toBe(true);
});

Deno.test("a recording says that ffmpeg has died, and what it wrote can be played", async () => {
  await using desktop = await paintedDesktop();
  const { service, painter } = desktop;
  const { id } = await start(service, { format: "mp4", max_fps: 30 });
  for (let i = 1; i < 40; i++) {
    await painter.paint([0, 0, 320, 240], i * 5);
    await frames(service, id, i);
  }
  await waitFor(async () => (await find(service, id)).bytes > 2_000);
  Deno.kill(await encoderOf(), "SIGKILL");
  const item = await ended(service, id);
  expect(item).toMatchObject({ state: "finished", ended_by: "encoder_failed", playable: true });
  expect(item.detail).toContain("ffmpeg has ended: signal SIGKILL");
  expect((await decodeVideo(await download(service, id))).length).toBeGreaterThan(0);
});

for (const by of ["encoder_failed", "stop"]) {
  Deno.test(`an ffmpeg that hangs holds up neither the service nor the end by ${by}`, async () => {
    await using desktop = await paintedDesktop();
    const { service, painter } = desktop;
    const { id } = await start(service, { format: "webm" });
    await frames(service, id, 1);
    Deno.kill(await encoderOf(), "SIGSTOP");
    if (by === "stop") await service.call("/api/recording/stop", { id, timeout_ms: 0 });
    for (let i = 1; i < 5; i++) await painter.paint([0, 0, 320, 240], i);
    await service.call("/api/display/screen_size");
    expect(await ended(service, id)).toMatchObject({
      ended_by: by,
      detail: expect.stringMatching(/^ffmpeg does not accept more pictures/),
    });
  });
}

const ignore = await cannotMount();

Deno.test({
  name: "a full disk ends a recording, which can be played",
  ignore,
  async fn() {
    await using desktop = await paintedDesktop();
    await using disk = await mountSmall("1m");
    await Deno.symlink(disk.folder, `${desktop.service.config.stateDir}/recordings`);
    await using _full = await fillBut(disk.folder, 56);
    const { service } = desktop;
    const { id } = await start(service, { format: "webm", max_fps: 30 });
    await paintUntilEnded(desktop, id);
    const item = await ended(service, id);
    expect(item).toMatchObject({ state: "finished", ended_by: "disk_full", playable: true });
    const file = await download(service, id);
    const shown = await decodeVideo(file);
    expect(shown.length).toBeGreaterThan(1);
    // the next service knows it, too
    const store = new RecordingStore(service.config.stateDir);
    const last = await waitFor(async () => {
      const found = await store.find(id);
      return found?.state === "finished" ? found : undefined;
    }, { what: "the last record" });
    expect(last).toMatchObject({ ended_by: "disk_full", frames: item.frames });
  },
});

Deno.test("a recording says that ffmpeg has died after it was stopped", async () => {
  await using desktop = await paintedDesktop();
  const { service } = desktop;
  const { id } = await start(service, { format: "mp4" });
  await frames(service, id, 1);
  const encoder = await encoderOf();
  Deno.kill(encoder, "SIGSTOP");
  await service.call("/api/recording/stop", { id, timeout_ms: 0 });
  Deno.kill(encoder, "SIGKILL");
  expect(await ended(service, id)).toMatchObject({
    ended_by: "stop",
    detail: expect.stringContaining("ffmpeg has ended: signal SIGKILL"),
  });
});

Deno.test({
  name: "a recording that a full disk does not let begin is 503, and leaves nothing",
  ignore,
  async fn() {
    await using desktop = await paintedDesktop();
    await using disk = await mountSmall("1m");
    await Deno.symlink(disk.folder, `${desktop.service.config.stateDir}/recordings`);
    const { service } = desktop;
    {
      await using _full = await fillBut(disk.folder, 0);
      const detail = await service.refused(503, "/api/recording/start", { format: "webm" });
      expect(detail).toContain("No space left");
    }
    expect([...Deno.readDirSync(disk.folder)].map(({ name }) => name)).toEqual([]);
    const { id } = await start(service, { format: "webm" });
    await stop(service, id);
    expect(await service.call("/api/recording/list")).toMatchObject([{ id }]);
  },
});

Deno.test("a recording ends before its file is larger than allowed", async () => {
  await using desktop = await paintedDesktop();
  const { service } = desktop;
  const { id } = await start(service, { format: "webm", max_fps: 30, max_bytes: 1_048_576 });
  await paintUntilEnded(desktop, id);
  const item = await ended(service, id);
  expect(item).toMatchObject({ state: "finished", ended_by: "size_limit", playable: true });
  const file = await download(service, id);
  expect(file.length).toBeLessThanOrEqual(1_048_576);
  expect((await decodeVideo(file)).length).toBeGreaterThan(1);
});

/** The one ffmpeg that this process has started. */
async function encoderOf(): Promise<number> {
  const found = await waitFor(async () => {
    const { stdout } = await new Deno.Command("pgrep", {
      args: ["-P", String(Deno.pid), "-x", "ffmpeg"],
    }).output();
    const pid = Number(new TextDecoder().decode(stdout).trim().split("\n")[0]);
    return pid > 0 ? pid : undefined;
  });
  return found;
}

Deno.test("without ffmpeg a recording is 501, names the package and leaves nothing", async () => {
  await using desktop = await paintedDesktop();
  const { service } = desktop;
  const path = Deno.env.get("PATH")!;
  Deno.env.set("PATH", "/nonexistent");
  try {
    for (const format of ["auto", "mp4"]) {
      const detail = await service.refused(501, "/api/recording/start", { format });
      expect(detail).toContain("ffmpeg is not installed: install the package");
    }
  } finally {
    Deno.env.set("PATH", path);
  }
  const left = await Array.fromAsync(Deno.readDir(`${service.config.stateDir}/recordings`));
  expect(left).toEqual([]);
});
