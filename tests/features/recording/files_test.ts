/** recording/list, get and delete, and the limits of all recordings together. */

import { expect } from "expect";
import { testFolder } from "../../support/folder.ts";
import { testApp } from "../../support/client.ts";
import { openFiles } from "../../support/processes.ts";
import { waitFor } from "../../support/wait.ts";
import {
  download,
  ended,
  find,
  frames,
  paintedDesktop,
  paintUntilEnded,
  RUNNING,
  start,
  stop,
} from "./recorded.ts";
import {
  type RecordingItem,
  RecordingStore,
} from "../../../src/features/recording/recording_store.ts";

const MIB = 1024 * 1024;

Deno.test("recording/get sends parts of the file, and says whether it has changed", async () => {
  await using desktop = await paintedDesktop();
  const { service, painter } = desktop;
  const { id } = await start(service, { format: "webm" });
  await frames(service, id, 1);
  await painter.paint([0, 0, 320, 240], 0x123456);
  await frames(service, id, 2);
  await stop(service, id);
  const base = service.listen();
  const get = (headers: Record<string, string> = {}, method = "GET") =>
    fetch(`${base}/api/recording/get?id=${id}`, { headers, method });
  const whole = await get();
  expect(whole.status).toBe(200);
  const file = await whole.bytes();
  const etag = whole.headers.get("etag")!;
  expect(whole.headers.get("content-type")).toBe("video/webm");
  expect(whole.headers.get("content-length")).toBe(String(file.length));
  expect(whole.headers.get("content-disposition")).toBe(`inline; filename="recording-${id}.webm"`);
  const table: [string, number, number][] = [
    ["bytes=0-99", 0, 100],
    [`bytes=100-${file.length + 999}`, 100, file.length],
    ["bytes=-10", file.length - 10, file.length],
    ["bytes=5-", 5, file.length],
  ];
  for (const [range, from, to] of table) {
    const part = await get({ range });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes ${from}-${to - 1}/${file.length}`);
    expect(await part.bytes()).toEqual(file.subarray(from, to));
  }
  for (const range of ["bytes=9-5", `bytes=${file.length}-`, "lines=0-1", "bytes=0-1,4-5", "x"]) {
    const all = await get({ range });
    expect(all.status).toBe(200);
    expect((await all.bytes()).length).toBe(file.length);
  }
  const other = await get({ "range": "bytes=0-9", "if-range": '"another"' });
  expect(other.status).toBe(200);
  await other.body?.cancel();
  expect((await get({ "if-none-match": etag })).status).toBe(304);
  const head = await get({}, "HEAD");
  expect(head.headers.get("content-length")).toBe(String(file.length));
  await head.body?.cancel();
});

Deno.test("no other user may read what a recording leaves on the disk, whatever its format", async () => {
  await using desktop = await paintedDesktop();
  const { service } = desktop;
  for (const format of ["webm", "mp4"]) {
    const { id } = await start(service, { format });
    await frames(service, id, 1);
    expect(await stop(service, id)).toMatchObject({ state: "finished", detail: null });
  }
  const folder = `${service.config.stateDir}/recordings`;
  const modes: Record<string, string> = {};
  for await (const { name } of Deno.readDir(folder)) {
    const { mode } = await Deno.stat(`${folder}/${name}`);
    modes[name] = (mode! & 0o777).toString(8);
  }
  expect(Object.keys(modes).length).toBe(4);
  expect(new Set(Object.values(modes))).toEqual(new Set(["600"]));
});

Deno.test("recordings are listed, newest first, and deleted with their files", async () => {
  await using desktop = await paintedDesktop();
  const { service } = desktop;
  const list = async () => await service.call("/api/recording/list") as readonly RecordingItem[];
  expect(await list()).toEqual([]);
  const first = await start(service, { format: "webm" });
  await frames(service, first.id, 1);
  expect(await service.refused(409, "/api/recording/delete", { id: first.id })).toContain("stop");
  await stop(service, first.id);
  const second = await start(service, { format: "webm" });
  await frames(service, second.id, 1);
  const stopped = await stop(service, second.id);
  expect(await stop(service, second.id)).toEqual(stopped); // once more
  const all = await list();
  expect(all.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect(all.map((each) => "chapters" in each)).toEqual([false, false]);
  expect((await find(service, first.id)).chapters).toEqual([{ at_ms: 0, title: "start" }]);
  for (const { id } of all) await service.call("/api/recording/delete", { id });
  expect(await list()).toEqual([]);
  const left = await Array.fromAsync(Deno.readDir(`${service.config.stateDir}/recordings`));
  expect(left).toEqual([]);
  for (const id of [first.id, "../instances", "a/b", "%00"]) {
    for (const path of ["delete", "stop"]) {
      await service.refused(404, `/api/recording/${path}`, { id });
    }
    await service.refused(404, `/api/recording/get?id=${encodeURIComponent(id)}`);
  }
});

Deno.test("a recording that another service runs is listed, and cannot be stopped here", async () => {
  await using folder = await testFolder();
  const store = new RecordingStore(folder.path);
  await store.open();
  const lock = await store.lock(RUNNING.id);
  await store.write(RUNNING);
  const app = testApp({ config: { stateDir: folder.path } });
  const stop = () => app.post("/api/recording/stop", { id: RUNNING.id });
  const refused = await stop();
  expect(refused.status).toBe(409);
  expect(refused.json.detail).toContain("another service runs it");
  await store.write({ ...RUNNING, state: "finishing", ended_by: "stop" });
  expect((await stop()).json).toMatchObject({ state: "finishing" });
  await store.write({ ...RUNNING, state: "finished", ended_by: "stop" });
  await store.unlock(RUNNING.id, lock);
  expect((await stop()).status).toBe(200);
});

Deno.test("so many recordings run at once, and another place is free after each", async () => {
  await using desktop = await paintedDesktop({ maxRecordings: 2 });
  const { service } = desktop;
  const results = await Promise.allSettled(
    [1, 2, 3, 4].map(() => start(service, { format: "webm" })),
  );
  const started = results.flatMap((each) => each.status === "fulfilled" ? [each.value.id] : []);
  expect(started.length).toBe(2);
  const refusal = await service.refused(503, "/api/recording/start", {});
  expect(refusal).toContain("which is the maximum");
  await stop(service, started[0]!);
  const next = await start(service, { format: "webm" });
  for (const id of [started[1]!, next.id]) await stop(service, id);
});

Deno.test("the oldest recordings make room for new ones, running ones keep theirs", async () => {
  await using desktop = await paintedDesktop({
    maxRecordingBytes: 2 * MIB,
    maxRecordingsBytes: 3 * MIB,
  });
  const { service } = desktop;
  for (let i = 0; i < 3; i++) {
    const { id } = await start(service, { format: "webm", max_bytes: MIB, max_fps: 30 });
    await paintUntilEnded(desktop, id);
    await ended(service, id);
  }
  const { id } = await start(service, { format: "webm" }); // its 2 MiB take the room of two
  const all = await service.call("/api/recording/list") as { id: string }[];
  expect(all.length).toBe(2);
  expect(all.map((each) => each.id)).toContain(id);
  const other = await start(service, { format: "webm" }); // gets what is left
  expect(await service.refused(503, "/api/recording/start", {})).toContain("--max-recordings-size");
  for (const each of [id, other.id]) await stop(service, each);
});

Deno.test("a client that leaves while start runs leaves no recording behind", async () => {
  await using desktop = await paintedDesktop();
  const { service } = desktop;
  const leaving = new AbortController();
  const starting = service.send("/api/recording/start", { format: "webm" }, leaving.signal);
  const entries = () => Array.fromAsync(Deno.readDir(`${service.config.stateDir}/recordings`));
  await waitFor(async () => (await entries()).length > 0, { what: "the start", everyMs: 0 });
  leaving.abort();
  expect((await starting).status).toBe(499);
  await waitFor(async () => (await entries()).length === 0, { what: "an empty folder" });
  expect(await service.call("/api/recording/list")).toEqual([]);
});

Deno.test("a client that leaves in the middle of a file closes it", async () => {
  await using desktop = await paintedDesktop();
  const { service } = desktop;
  const { id } = await start(service, { format: "webm" });
  await frames(service, id, 1);
  await stop(service, id);
  const openFiles = () => openFilesIn(`${service.config.stateDir}/recordings/`);
  const before = openFiles();
  for (let i = 0; i < 20; i++) {
    const response = await service.send(`/api/recording/get?id=${id}`);
    await response.body!.cancel();
  }
  await waitFor(() => openFiles() <= before, { what: "closed files" });
  expect((await download(service, id)).length).toBeGreaterThan(0);
});

Deno.test("a display that only the main thread reads cannot be recorded, and says so", async () => {
  await using folder = await testFolder();
  const app = testApp({ config: { stateDir: folder.path } });
  const refused = await app.post("/api/recording/start", {});
  expect(refused.status).toBe(501);
  expect(refused.json.detail).toContain("cannot be recorded");
  expect((await app.send("GET", "/api/recording/list")).json).toEqual([]);
});

Deno.test("--disable and --read-only take recordings away", async () => {
  const disabled = testApp({ config: { disabled: new Set(["recording"]) } });
  expect((await disabled.send("GET", "/api/recording/list")).status).toBe(403);
  await using folder = await testFolder();
  const stateDir = `${folder.path}/none`;
  const readOnly = testApp({ config: { readOnly: true, stateDir } });
  expect((await readOnly.post("/api/recording/start", {})).status).toBe(403);
  expect((await readOnly.send("GET", "/api/recording/list")).status).toBe(200);
});

/** Files in a folder that this process has open; other tests record beside this one. */
function openFilesIn(folder: string): number {
  return openFiles("self").filter((file) => file.startsWith(folder)).length;
}
