/** A recording that starts: what is filled in meanwhile is covered, and what fails removes nothing. */

import { expect } from "expect";
import { startDesktop } from "../../support/desktop.ts";
import { testFolder } from "../../support/folder.ts";
import { waitFor } from "../../support/wait.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { RecordingStore } from "../../../src/features/recording/recording_store.ts";
import type { RecordingRequest } from "../../../src/features/recording/recording.ts";
import { Recordings } from "../../../src/features/recording/recordings.ts";
import { decodeVideo, isColour } from "../../support/recorded_file.ts";
import { openPainter } from "../../support/painter.ts";
import { RUNNING } from "./recorded.ts";

const WHITE = 0xffffff;

/** Calls `at` before a record is put in place for the first time, and goes on when it has ended. */
function atFirstRecord(at: () => Promise<void>): Disposable {
  const { rename } = Deno;
  let isFirst = true;
  Deno.rename = async (from, to) => {
    if (isFirst && String(from).endsWith(".json.new")) {
      isFirst = false;
      await at();
    }
    await rename(from, to);
  };
  return { [Symbol.dispose]: () => void (Deno.rename = rename) };
}

Deno.test("a secret is covered that is filled in while the first record is written", async () => {
  for (const field of [{ x: 100, y: 100 }, undefined]) {
    await using desktop = await startDesktop({ server: { size: "320x240" } });
    using painter = await openPainter(desktop.display);
    const { platform, session } = desktop.service;
    const recordings = session.use(Recordings);
    const display = await platform.displays.open(1);
    using _slow = atFirstRecord(async () => {
      using _hidden = recordings.hideField(display, field);
      await painter.paint([90, 90, 20, 20], WHITE);
    });
    const { signal } = new AbortController();
    const request = {
      display,
      format: "webm",
      maxFps: 30,
      maxMs: 60_000,
      cursor: "hidden",
    } as const;
    const { id } = await recordings.start({ ...request, maxBytes: 10_000_000 }, signal);
    await waitFor(async () => (await recordings.find(id)).blacked_out === 1, { what: "a cover" });
    await painter.paint([300, 0, 10, 10], WHITE); // what is recorded in any case
    await waitFor(async () => (await recordings.find(id)).frames > 0, { what: "a picture" });
    const stopped = await recordings.stop(id, 10_000, signal);
    const shown = await decodeVideo(
      await Deno.readFile(recordings.pathOf(await recordings.find(id))),
    );
    expect(stopped.frames).toBeGreaterThan(0);
    for (const { pixel } of shown) expect(isColour(pixel(100, 100), 0)).toBe(true);
  }
});

Deno.test("a field that is being filled in when a recording begins is covered", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  using painter = await openPainter(desktop.display);
  const { platform, session } = desktop.service;
  const recordings = session.use(Recordings);
  const display = await platform.displays.open(1);
  const { signal } = new AbortController();
  const filling = recordings.hideField(display, undefined); // only its program knows where it is
  await painter.paint([90, 90, 20, 20], WHITE);
  const request = { display, format: "webm", maxFps: 30, maxMs: 60_000, cursor: "hidden" } as const;
  const { id } = await recordings.start({ ...request, maxBytes: 10_000_000 }, signal);
  filling[Symbol.dispose]();
  await waitFor(async () => (await recordings.find(id)).blacked_out === 1, { what: "a cover" });
  await recordings.stop(id, 10_000, signal);
});

Deno.test("what is filled in before a recording has opened its display is covered, too", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  using painter = await openPainter(desktop.display);
  const { platform, session } = desktop.service;
  const recordings = session.use(Recordings);
  const display = await platform.displays.open(1);
  const { signal } = new AbortController();
  const late = Object.create(display, {
    screen: { value: display.screen },
    displayNum: { value: display.displayNum },
    watch: {
      value: async () => {
        using _hidden = recordings.hideField(display, undefined);
        await painter.paint([90, 90, 20, 20], WHITE);
        return await display.watch();
      },
    },
  });
  const request = { display: late, format: "webm", maxFps: 30, maxMs: 60_000 } as const;
  const limits = { maxBytes: 10_000_000, cursor: "hidden" } as const;
  const { id } = await recordings.start({ ...request, ...limits }, signal);
  await waitFor(async () => (await recordings.find(id)).blacked_out === 1, { what: "a cover" });
  await painter.paint([300, 0, 10, 10], WHITE);
  await waitFor(async () => (await recordings.find(id)).frames > 0, { what: "a picture" });
  await recordings.stop(id, 10_000, signal);
  const file = await Deno.readFile(recordings.pathOf(await recordings.find(id)));
  for (const { pixel } of await decodeVideo(file)) {
    expect(isColour(pixel(100, 100), 0)).toBe(true);
  }
});

Deno.test("a start that fails removes no recording, and leaves nothing of its own", async () => {
  await using folder = await testFolder();
  const store = new RecordingStore(folder.path);
  await store.open();
  for (let day = 1; day <= 3; day++) {
    const item = { ...RUNNING, state: "finished", ended_by: "stop", bytes: 400_000 } as const;
    const kept = { ...item, id: `2026010${day}-120000123-1a2b3c4d` };
    await store.write(kept);
    await Deno.writeFile(store.path(kept), new Uint8Array(400_000));
  }
  const limits = { ...DEFAULT_LIMITS, maxRecordingsBytes: 1_300_000 };
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const recordings = new Recordings(limits, { stateDir: folder.path });
  const entries = async () =>
    (await Array.fromAsync(Deno.readDir(`${folder.path}/recordings`))).map(({ name }) => name)
      .sort();
  const before = await entries();
  const display = await desktop.service.platform.displays.open(1);
  const request: RecordingRequest = {
    ...{ display, format: "webm", maxFps: 1, maxMs: 60_000, maxBytes: 1_200_000, cursor: "hidden" },
  };
  const never = new AbortController().signal;
  const fails = async (change: object, signal: AbortSignal, error: string) => {
    await expect(recordings.start({ ...request, ...change }, signal)).rejects.toThrow(error);
    expect(await entries()).toEqual(before);
  };
  await fails({ display: { ...display, screen: { capture() {} } } }, never, "cannot be recorded");
  const gone = { ...display, watch: () => Promise.reject(new Error("The display has gone")) };
  await fails({ display: gone }, never, "The display has gone");
  const leaving = new AbortController();
  using _leaving = atFirstRecord(() =>
    Promise.resolve(leaving.abort(new Error("The client left")))
  );
  await fails({}, leaving.signal, "The client left");
  using _full = atFirstRecord(() => Promise.reject(new Error("No space is left")));
  const { open } = Deno; // nor into the record before, which there is none of
  Deno.open = (path, options) =>
    String(path).endsWith(".json") ? Promise.reject(new Error("full")) : open(path, options);
  await fails({}, never, "cannot be written").finally(() => Deno.open = open);
  const { id } = await recordings.start(request, never); // makes room at last
  expect((await recordings.list()).map((each) => each.id)).toEqual([id]);
  await recordings.stop(id, 10_000, never);
});

Deno.test("links, FIFOs and devices among the records are none", async () => {
  await using folder = await testFolder();
  const store = new RecordingStore(folder.path);
  await store.open();
  await store.write({ ...RUNNING, state: "finished", ended_by: "stop" });
  const at = (name: string) => `${folder.path}/recordings/${name}`;
  await Deno.symlink("/dev/zero", at("zero.json"));
  await Deno.mkdir(at("folder.json"));
  await Deno.writeTextFile(at("deep.json"), "{".repeat(100_000));
  for (const name of ["fifo.json", "lock.lock"]) {
    await new Deno.Command("mkfifo", { args: [at(name)] }).output();
  }
  await store.write({ ...RUNNING, id: "lock" });
  await new Deno.Command("mkfifo", { args: [at("lock.json.new")] }).output();
  const found = await store.list();
  expect(found.map(({ id, state }) => [id, state])).toEqual([
    ...[["lock", "failed"], [RUNNING.id, "finished"]],
  ]);
});

Deno.test("the file of a recording that is a FIFO or a link to a device is 503", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { service } = desktop;
  const { id } = await service.call("/api/recording/start", { format: "webm" }) as { id: string };
  await service.call("/api/recording/stop", { id });
  const path = `${service.config.stateDir}/recordings/${id}.webm`;
  await Deno.remove(path);
  await new Deno.Command("mkfifo", { args: [path] }).output();
  const get = () => service.refused(503, `/api/recording/get?id=${id}`);
  expect(await get()).toContain("not a regular file");
  await Deno.remove(path);
  await Deno.symlink("/dev/zero", path);
  expect(await get()).toContain("not a regular file");
});
