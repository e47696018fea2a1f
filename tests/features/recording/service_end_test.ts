/** A service that ends during a recording, in order or killed: the next one has what was recorded. */

import { expect } from "expect";
import { type RunningCommand, startCommand, startWatched } from "../../support/command.ts";
import { testFolder } from "../../support/folder.ts";
import { openPainter } from "../../support/painter.ts";
import { isRunning } from "../../support/processes.ts";
import { stallsOf } from "../../support/watchdog.ts";
import { waitFor } from "../../support/wait.ts";
import { startXvfb } from "../../support/xvfb.ts";
import type { RecordingItem } from "../../../src/features/recording/recording_store.ts";
import { decodeVideo, isColour } from "../../support/recorded_file.ts";

type Found = readonly RecordingItem[];

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  Deno.test(`after ${signal} the next service has the recordings, and no ffmpeg is left`, async () => {
    await using folder = await testFolder();
    await using server = await startXvfb({ size: "320x240" });
    using painter = await openPainter(server.display);
    const args = ["--state-dir", folder.path, "--display", server.display];
    const service = await startWatched(args);
    const ids = await Promise.all(["webm", "mp4"].map(async (format) => {
      const answer = await service.post("/api/recording/start", { format, max_fps: 30 });
      return (await answer.json() as RecordingItem).id;
    }));
    await waitForFrames(service, 1);
    await painter.paint([0, 0, 320, 240], 0x0000ff);
    await waitForFrames(service, 2);
    // one change for each picture: wherever the file ends, the red is there
    for (let i = 1; i <= 40; i++) {
      await painter.paint([i, i, 100, 100], 0xff0000);
      await waitForFrames(service, i + 2);
    }
    const encoders = await childrenOf(service.pid, "ffmpeg");
    expect(encoders.length).toBe(ids.length);
    if (signal === "SIGKILL") {
      // the records that are written meanwhile say that they can be played
      await waitFor(async () => (await recordsIn(folder.path)).every(({ playable }) => playable));
    }
    service.signal(signal);
    await service.ended;
    await waitFor(() => !encoders.some(isRunning), { what: "the end of ffmpeg" });
    expect(stallsOf(await service.errors.rest())).toEqual([]);
    await using next = await startCommand(args);
    const all = await list(next);
    expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort());
    for (const { id, ...item } of all) {
      expect(item).toMatchObject({ state: "finished", ended_by: "service_ended", playable: true });
      const file = await (await fetch(`${next.address}/api/recording/get?id=${id}`)).bytes();
      expect(item.bytes).toBe(file.length);
      const shown = await decodeVideo(file);
      expect(isColour(shown.at(-1)!.pixel(80, 80), 0xff0000)).toBe(true);
    }
    await service[Symbol.asyncDispose]();
  });
}

Deno.test("what a service has recorded when it is killed soon after the start can be played", async () => {
  await using folder = await testFolder();
  await using server = await startXvfb({ size: "320x240" });
  using painter = await openPainter(server.display);
  const args = ["--state-dir", folder.path, "--display", server.display];
  await using service = await startCommand(args);
  const started = await Promise.all(["webm", "mp4"].map(async (format) => {
    const answer = await service.post("/api/recording/start", { format });
    return await answer.json() as RecordingItem;
  }));
  let colour = 0;
  for (const { id, format } of started) {
    const path = `${folder.path}/recordings/${id}.${format}`;
    await waitFor(async () => {
      await painter.paint([0, 0, 320, 240], colour ^= 0xff0000);
      const shown = await decodeVideo(await Deno.readFile(path)).catch(() => []);
      return shown.length > 0;
    }, { what: `a picture in the ${format} file` });
  }
  const encoders = await childrenOf(service.pid, "ffmpeg");
  service.signal("SIGKILL");
  await service.ended;
  await waitFor(() => !encoders.some(isRunning), { what: "the end of ffmpeg" });
  await using next = await startCommand(args);
  const all = await list(next);
  expect(all.length).toBe(started.length);
  for (const { id, format, ...item } of all) {
    expect({ format, ...item }).toMatchObject({ format, state: "finished", playable: true });
    const file = await (await fetch(`${next.address}/api/recording/get?id=${id}`)).bytes();
    const shown = await decodeVideo(file);
    expect(shown.length).toBeGreaterThan(0);
  }
});

async function list(service: RunningCommand): Promise<Found> {
  const answer = await fetch(`${service.address}/api/recording/list`);
  const found = await answer.json();
  expect({ status: answer.status, found }).toMatchObject({ status: 200 });
  return found;
}

async function waitForFrames(service: RunningCommand, count: number): Promise<void> {
  await waitFor(async () => (await list(service)).every(({ frames }) => frames >= count), {
    what: `picture ${count}`,
  });
}

async function recordsIn(folder: string): Promise<RecordingItem[]> {
  const records: RecordingItem[] = [];
  for await (const { name } of Deno.readDir(`${folder}/recordings`)) {
    if (!name.endsWith(".json")) continue;
    records.push(JSON.parse(await Deno.readTextFile(`${folder}/recordings/${name}`)));
  }
  return records;
}

async function childrenOf(pid: number, name: string): Promise<number[]> {
  const { stdout } = await new Deno.Command("pgrep", {
    args: ["-P", String(pid), "-x", name],
  }).output();
  return new TextDecoder().decode(stdout).trim().split("\n").map(Number);
}
