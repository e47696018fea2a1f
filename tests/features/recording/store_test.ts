/** The records of recordings, while several read and write them at once. */

import { expect } from "expect";
import { testFolder } from "../../support/folder.ts";
import { fillBut } from "../../support/full_disk.ts";
import { cannotMount, mountSmall } from "../filesystem/mounts.ts";
import {
  MAX_CHAPTERS,
  type RecordingItem,
  RecordingStore,
} from "../../../src/features/recording/recording_store.ts";
import { RUNNING } from "./recorded.ts";

const STOPPED: RecordingItem = { ...RUNNING, state: "finished", ended_by: "stop" };

Deno.test("a recording that is stopped while it is looked up is never one that was cut off", async () => {
  await using folder = await testFolder();
  const store = new RecordingStore(folder.path);
  await store.open();
  for (let round = 0; round < 100; round++) {
    const lock = await store.lock(RUNNING.id);
    await store.write(RUNNING);
    const finish = async () => {
      await store.write(STOPPED);
      await store.unlock(RUNNING.id, lock);
    };
    const found = [];
    const finishing = finish();
    let isFinishing = true;
    finishing.finally(() => isFinishing = false);
    while (isFinishing) {
      found.push(store.find(RUNNING.id));
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    for (const each of await Promise.all(found)) expect([null, "stop"]).toContain(each!.ended_by);
    expect(await store.find(RUNNING.id)).toEqual(STOPPED);
    await store.remove(RUNNING);
  }
});

Deno.test("a video that was cut off can be played from its first picture on", async () => {
  await using folder = await testFolder();
  const store = new RecordingStore(folder.path);
  await store.open();
  const files = {
    webm: [new Uint8Array([0x1a, 0x45, 0xdf, 0xa3]), new Uint8Array([0x1f, 0x43, 0xb6, 0x75])],
    mp4: ["ftyp....moov", "moof"].map((text) => new TextEncoder().encode(text)),
  };
  for (const format of ["webm", "mp4"] as const) {
    const [header, picture] = files[format];
    for (const playable of [true, false]) {
      const record = { ...RUNNING, format, playable };
      await store.write(record);
      await Deno.writeFile(store.path(record), header!);
      expect(await store.find(record.id)).toMatchObject({ state: "failed", playable: false });
      await store.write(record);
      await Deno.writeFile(store.path(record), picture!, { append: true });
      expect(await store.find(record.id)).toMatchObject({ state: "finished", playable: true });
      await store.remove(record);
    }
  }
});

Deno.test("of several writes of a record the last one counts", async () => {
  await using folder = await testFolder();
  const store = new RecordingStore(folder.path);
  await store.open();
  const long = Array.from({ length: 5_000 }, (_, at_ms) => ({ at_ms, title: "mouse/left_click" }));
  for (let round = 0; round < 50; round++) {
    await Promise.all([
      store.write({ ...RUNNING, chapters: long }),
      store.write({ ...RUNNING, chapters: [] }),
      store.write(STOPPED),
    ]);
    expect(await store.find(RUNNING.id)).toEqual(STOPPED);
  }
});

Deno.test("a folder of recordings that cannot be read is 503, and says why", async () => {
  await using folder = await testFolder();
  await Deno.writeTextFile(`${folder.path}/recordings`, "no folder");
  const list = new RecordingStore(folder.path).list();
  await expect(list).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/^The recordings cannot be listed: Not a directory/),
  });
});

/** Of the longest operations: what a record needs at most. */
const LONG: RecordingItem = {
  ...STOPPED,
  detail: "The disk is full: No space left on device (os error 28)".repeat(10),
  chapters: Array.from({ length: MAX_CHAPTERS }, () => ({
    at_ms: 86_399_999,
    title: "accessibility.a-very-long-name-of-an-operation",
  })),
};

Deno.test({
  name: "a full disk leaves the record that there is, and has room for the last one",
  ignore: await cannotMount(),
  async fn() {
    await using disk = await mountSmall("1m");
    const store = new RecordingStore(disk.folder);
    await store.open();
    const lock = await store.lock(RUNNING.id);
    await store.write(RUNNING);
    await using _full = await fillBut(disk.folder, 1);
    await expect(store.write(LONG)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("No space left"),
    });
    expect(await store.find(RUNNING.id)).toEqual(RUNNING);
    await store.freeReserve(lock);
    await store.write(LONG);
    await store.unlock(RUNNING.id, lock);
    expect(await store.find(RUNNING.id)).toEqual(LONG);
  },
});

Deno.test({
  name: "a recording that was cut off on a full disk is listed, and its record says so",
  ignore: await cannotMount(),
  async fn() {
    await using disk = await mountSmall("1m");
    const store = new RecordingStore(disk.folder);
    await store.open();
    (await store.lock(RUNNING.id)).close(); // as the end of a process does
    await store.write({ ...LONG, state: "recording", ended_by: null });
    await using _full = await fillBut(disk.folder, 0);
    const cut = { state: "failed", ended_by: "service_ended", chapters: LONG.chapters };
    expect(await store.find(RUNNING.id)).toMatchObject(cut);
    const text = await Deno.readTextFile(`${disk.folder}/recordings/${RUNNING.id}.json`);
    expect(JSON.parse(text)).toMatchObject(cut);
  },
});
