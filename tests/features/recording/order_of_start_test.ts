/** A recording that starts: what is filled in meanwhile is covered, and what fails removes nothing. */

import { expect } from "expect";
import { startDesktop } from "../../support/desktop.ts";
import { testFolder } from "../../support/folder.ts";
import { waitFor } from "../../support/wait.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../src/config/limits.ts";
import {
  type RecordingItem,
  RecordingStore,
} from "../../../src/features/recording/recording_store.ts";
import type { RecordingRequest } from "../../../src/features/recording/recording.ts";
import type { Field } from "../../../src/features/recording/masks.ts";
import { Recordings } from "../../../src/features/recording/recordings.ts";
import { decodeVideo, isColour } from "../../support/recorded_file.ts";
import { log } from "../../../src/core/log.ts";
import { paintedDesktop, RUNNING } from "./recorded.ts";

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

/** What records a display of one black window. */
async function openRecorded(limits: Partial<Limits> = {}) {
  const desktop = await paintedDesktop(limits);
  const { platform, session } = desktop.service;
  const { signal } = new AbortController();
  const recordings = session.use(Recordings);
  const display = await platform.displays.open(1);
  const request = { display, format: "webm", maxFps: 30, maxMs: 60_000, cursor: "hidden" } as const;
  return {
    ...desktop,
    recordings,
    display,
    begin: (change: Partial<RecordingRequest> = {}) =>
      recordings.start({ ...request, maxBytes: 10_000_000, ...change }, signal),
    /** A secret that is drawn while its field is hidden. */
    async fillIn(field: Field) {
      using _hidden = await recordings.hideField(display, field);
      await desktop.painter.paint([90, 90, 20, 20], WHITE);
    },
    async checkCovered({ id }: RecordingItem) {
      const find = () => recordings.find(id);
      await waitFor(async () => (await find()).blacked_out === 1, { what: "a cover" });
      await desktop.painter.paint([300, 0, 10, 10], WHITE); // what is recorded in any case
      await waitFor(async () => (await find()).frames > 0, { what: "a picture" });
      await recordings.stop(id, 10_000, signal);
      for (
        const { pixel } of await decodeVideo(await Deno.readFile(recordings.pathOf(await find())))
      ) {
        expect(isColour(pixel(100, 100), 0)).toBe(true);
      }
    },
  };
}

Deno.test("a secret is covered that is filled in while the first record is written", async () => {
  for (const field of [{ x: 100, y: 100 }, undefined]) {
    await using recorded = await openRecorded();
    using _slow = atFirstRecord(() => recorded.fillIn(field));
    await recorded.checkCovered(await recorded.begin());
  }
});

Deno.test("a field that is being filled in when a recording begins is covered", async () => {
  await using recorded = await openRecorded();
  const { recordings, display, painter } = recorded;
  const filling = await recordings.hideField(display, undefined); // only its program knows where it is
  await painter.paint([90, 90, 20, 20], WHITE);
  const item = await recorded.begin();
  filling[Symbol.dispose]();
  await recorded.checkCovered(item);
});

Deno.test("a recording that is stopped while it looks for what was filled in does not show it", async () => {
  await using recorded = await openRecorded();
  const { recordings, display, painter } = recorded;
  const filling = await recordings.hideField(display, undefined);
  await painter.paint([90, 90, 20, 20], WHITE);
  const { id } = await recorded.begin();
  filling[Symbol.dispose]();
  const item = await recordings.stop(id, 10_000, new AbortController().signal);
  // stopped before the value was looked for it has no picture
  const file = await Deno.readFile(recordings.pathOf(item));
  const shown = item.playable ? await decodeVideo(file) : [];
  for (const { pixel } of shown) expect(isColour(pixel(100, 100), 0)).toBe(true);
});

Deno.test("what is filled in before a recording has opened its display is covered, too", async () => {
  await using recorded = await openRecorded();
  const { display } = recorded;
  const late = Object.create(display, {
    screen: { value: display.screen },
    displayNum: { value: display.displayNum },
    watch: {
      value: async () => {
        await recorded.fillIn(undefined);
        return await display.watch();
      },
    },
  });
  await recorded.checkCovered(await recorded.begin({ display: late }));
});

Deno.test("a recording that starts is in the list, and can be stopped, before start has answered", async () => {
  await using recorded = await openRecorded();
  const { recordings } = recorded;
  let stopped: RecordingItem | undefined;
  using _slow = atFirstRecord(async () => {
    const [found] = await recordings.list();
    stopped = await recordings.stop(found!.id, 0, new AbortController().signal);
  });
  expect((await recorded.begin()).ended_by).toBe("stop");
  expect(stopped!.ended_by).toBe("stop");
});

Deno.test("a recording that has ended before older ones make room for it does not make room itself", async () => {
  await using recorded = await openRecorded({ maxRecordingsBytes: 300_000 }); // all of it
  const { recordings } = recorded;
  const { readDir } = Deno;
  Deno.readDir = async function* (path) {
    Deno.readDir = readDir;
    const [found] = await recordings.list();
    await recordings.stop(found!.id, 10_000, new AbortController().signal);
    yield* readDir(path);
  };
  const { id, bytes, state } = await recorded.begin();
  expect({ state, isEmpty: bytes === 0 }).toEqual({ state: "finished", isEmpty: false });
  expect(await recordings.list()).toMatchObject([{ id }]);
});

Deno.test("a recording is deleted when its last record is written, which leaves nothing", async () => {
  await using recorded = await openRecorded();
  const { recordings } = recorded;
  const { id } = await recorded.begin();
  const { rename, remove } = Deno;
  const order: string[] = [];
  let removing: Promise<void> | undefined;
  Deno.rename = async (from, to) => {
    const { state } = await recordings.find(id);
    if (state === "finished" && String(to).endsWith(".json")) removing ??= recordings.remove(id);
    await rename(from, to);
    if (removing !== undefined) order.push("written");
  };
  Deno.remove = async (path, options) => {
    if (String(path).endsWith(".webm")) order.push("removed");
    await remove(path, options);
  };
  using _own = { [Symbol.dispose]: () => void Object.assign(Deno, { rename, remove }) };
  await recordings.stop(id, 10_000, new AbortController().signal);
  await removing;
  expect(order).toEqual(["written", "removed"]);
  expect(await recordings.list()).toEqual([]);
});

/** Recordings of three days, which leave no room for another one. */
async function openFull(folder: string) {
  const store = new RecordingStore(folder);
  await store.open();
  const ids = [1, 2, 3].map((day) => `2026010${day}-120000123-1a2b3c4d`);
  for (const id of ids) {
    const kept = { ...RUNNING, id, state: "finished", ended_by: "stop", bytes: 400_000 } as const;
    await store.write(kept);
    await Deno.writeFile(store.path(kept), new Uint8Array(400_000));
  }
  const limits = { ...DEFAULT_LIMITS, maxRecordingsBytes: 1_300_000 };
  const desktop = await startDesktop({ server: { size: "320x240" } });
  const display = await desktop.service.platform.displays.open(1);
  const request: RecordingRequest = {
    ...{ display, format: "webm", maxFps: 1, maxMs: 60_000, maxBytes: 1_200_000, cursor: "hidden" },
  };
  return {
    ids,
    display,
    request,
    recordings: new Recordings(limits, { stateDir: folder }),
    entries: async () =>
      (await Array.fromAsync(Deno.readDir(`${folder}/recordings`))).map(({ name }) => name).sort(),
    [Symbol.asyncDispose]: () => desktop[Symbol.asyncDispose](),
  };
}

Deno.test("a start that fails removes no recording, and leaves nothing of its own", async () => {
  await using folder = await testFolder();
  await using full = await openFull(folder.path);
  const { recordings, request, display, entries } = full;
  const before = await entries();
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
  await fails({}, never, "cannot be written: No space is left");
  const { open } = Deno;
  for (
    const [name, error] of [[".json.new", "cannot be written: full"], [
      ".lock",
      "begin the recording: full",
    ]]
  ) {
    Deno.open = (path, options) =>
      String(path).endsWith(name!) ? Promise.reject(new Error("full")) : open(path, options);
    await fails({}, never, error!).finally(() => Deno.open = open);
  }
  {
    using _busy = unremovable(`${full.ids[0]}.webm`);
    await fails({}, never, "cannot be removed: busy");
  }
  const { id } = await recordings.start(request, never); // makes room at last
  expect((await recordings.list()).map((each) => each.id)).toEqual([id]);
  await recordings.stop(id, 10_000, never);
});

Deno.test("once a recording was removed for a new one that has started, whatever else cannot be", async () => {
  const warned: unknown[] = [];
  const { warn } = log;
  using _log = { [Symbol.dispose]: () => void Object.assign(log, { warn }) };
  Object.assign(log, { warn: (event: string, fields: object) => warned.push([event, fields]) });
  const cases = [
    [1, "webm", "recording not removed to make room", {}],
    [0, "json", "recording removed to make room, but not its record", { bytes: 400_000 }],
  ] as const;
  for (const [day, ending, text, more] of cases) {
    await using folder = await testFolder();
    await using full = await openFull(folder.path);
    const { recordings, ids } = full;
    const stays = ids[day]!;
    using _busy = unremovable(`${stays}.${ending}`);
    const never = new AbortController().signal;
    const { id } = await recordings.start(full.request, never);
    expect((await recordings.list()).map((each) => each.id)).toEqual([id, stays]);
    await recordings.stop(id, 10_000, never);
    const error = expect.stringContaining("busy");
    expect(warned.splice(0)).toEqual([[text, { id: stays, error, ...more }]]);
  }
});

/** A file that another program has open on Windows, for example. */
function unremovable(name: string): Disposable {
  const { remove } = Deno;
  Deno.remove = (path, options) =>
    String(path).endsWith(name)
      ? Promise.reject(Object.assign(new Error("busy"), { code: "EBUSY" }))
      : remove(path, options);
  return { [Symbol.dispose]: () => void (Deno.remove = remove) };
}

Deno.test("links, FIFOs and devices among the records are none, which the log says", async () => {
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
  const { warn } = log;
  const warned: unknown[] = [];
  using _log = { [Symbol.dispose]: () => void Object.assign(log, { warn }) };
  Object.assign(log, { warn: (_: string, fields: object) => warned.push(fields) });
  for (let round = 0; round < 2; round++) {
    const found = await store.list();
    expect(found.map(({ id, state }) => [id, state])).toEqual([
      ...[["lock", "failed"], [RUNNING.id, "finished"]],
    ]);
  }
  const damaged = ["zero.json", "folder.json", "fifo.json", "deep.json"].map((name) => at(name));
  expect(warned).toEqual(damaged.map((record) => ({ record }))); // once
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
