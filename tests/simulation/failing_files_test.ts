/**
 * What the service keeps, while each call to the file system fails once, or the disk fails from there on: what was
 * acknowledged is there, the rest is as before or as wanted, errors are documented, and the next call works.
 */

import { expect } from "expect";
import { findInstances, recordInstance } from "../../src/cli/instances.ts";
import {
  type RecordingItem,
  RecordingStore,
} from "../../src/features/recording/recording_store.ts";
import { FileKeychain } from "../../src/platform/keychain/file_keychain.ts";
import { openStateFolder } from "../../src/platform/private_folder.ts";
import { RUNNING } from "../features/recording/recorded.ts";
import { testEach } from "./failing_files.ts";

// The encrypted keychain.

const OLD = "the value of before";
const NEW = "the value that is wanted";

const keychainPath = (folder: string) => `${folder}/keychain/items`;

/** @param allowed what may be stored; the first where it was acknowledged */
async function checkKeychain(
  keychain: FileKeychain,
  folder: string,
  allowed: readonly (string | undefined)[],
): Promise<void> {
  const found = await keychain.read("item");
  expect(allowed).toContain(found);
  await keychain.write("next", OLD);
  await keychain[Symbol.asyncDispose]();
  await using again = new FileKeychain({ path: keychainPath(folder) });
  expect(await again.read("item")).toBe(found);
  expect(await again.read("next")).toBe(OLD);
  expect(namesIn(`${folder}/keychain`)).toEqual(["items", "items.key", "items.lock"]);
}

testEach("a first item is stored or not", 20, async (folder, failing) => {
  await using keychain = new FileKeychain({ path: keychainPath(folder) });
  const isDone = await failing(() => keychain.write("item", NEW));
  await checkKeychain(keychain, folder, isDone ? [NEW] : [NEW, undefined]);
});

testEach("an item is replaced or not", 15, async (folder, failing) => {
  await using keychain = new FileKeychain({ path: keychainPath(folder) });
  await keychain.write("item", OLD);
  const isDone = await failing(() => keychain.write("item", NEW));
  await checkKeychain(keychain, folder, isDone ? [NEW] : [NEW, OLD]);
});

testEach("an item is removed or not", 15, async (folder, failing) => {
  await using keychain = new FileKeychain({ path: keychainPath(folder) });
  await keychain.write("item", OLD);
  const isDone = await failing(() => keychain.remove("item"));
  await checkKeychain(keychain, folder, isDone ? [undefined] : [undefined, OLD]);
});

testEach("an item is read as it is", 10, async (folder, failing) => {
  {
    await using first = new FileKeychain({ path: keychainPath(folder) });
    await first.write("item", OLD);
  }
  await using keychain = new FileKeychain({ path: keychainPath(folder) });
  await failing(async () => {
    expect((await keychain.readiness()).reason).not.toContain("nothing is stored yet");
    expect(await keychain.names()).toEqual(["item"]);
    expect(await keychain.read("item")).toBe(OLD);
  });
  await checkKeychain(keychain, folder, [OLD]);
});

// The records of recordings.

const { id } = RUNNING;
const LATER: RecordingItem = { ...RUNNING, id: "20260131-120001123-1a2b3c4d" };
const STOPPED: RecordingItem = { ...RUNNING, state: "finished", ended_by: "stop", frames: 12 };

testEach("a recording begins or not", 5, async (folder, failing) => {
  const store = new RecordingStore(folder);
  let lock: Deno.FsFile | undefined;
  const isDone = await failing(async () => {
    await store.open();
    lock = await store.lock(id);
  });
  expect(isDone).toBe(lock !== undefined);
  await store.open();
  const later = await store.lock(LATER.id);
  await store.unlock(LATER.id, later);
  if (lock !== undefined) await store.unlock(id, lock);
  await store.remove(RUNNING);
  expect(namesIn(`${folder}/recordings`)).toEqual([]);
});

testEach("the record of a recording is the old or the new one", 8, async (folder, failing) => {
  const store = new RecordingStore(folder);
  await store.open();
  const lock = await store.lock(id);
  await store.write({ ...RUNNING, detail: "a detail that makes the old one longer than the new" });
  const before = await store.find(id);
  const isDone = await failing(() => store.write(RUNNING));
  expect(isDone ? [RUNNING] : [RUNNING, before]).toContainEqual(await store.find(id));
  await store.write(STOPPED);
  await store.unlock(id, lock);
  expect(await store.find(id)).toEqual(STOPPED);
  expect(namesIn(`${folder}/recordings`)).toEqual([`${id}.json`]);
});

testEach("recordings are listed, all of them", 8, async (folder, failing) => {
  const store = new RecordingStore(folder);
  await store.open();
  await store.write(STOPPED);
  const lock = await store.lock(LATER.id);
  await store.write(LATER);
  await failing(async () => expect(await store.list()).toEqual([LATER, STOPPED]));
  expect(await store.list()).toEqual([LATER, STOPPED]);
  await store.unlock(LATER.id, lock);
});

testEach("a recording that was cut off keeps what there is of it", 8, async (folder, failing) => {
  const store = new RecordingStore(folder);
  await store.open();
  await store.write(RUNNING);
  const video = new Uint8Array([0x1a, 0x45, 0x1f, 0x43, 0xb6, 0x75, 0, 0]); // with a first picture
  await Deno.writeFile(store.path(RUNNING), video);
  const wanted = { state: "finished", ended_by: "service_ended", playable: true, bytes: 8 };
  await failing(async () => expect(await store.find(id)).toMatchObject(wanted));
  expect(await store.find(id)).toMatchObject(wanted);
});

testEach("a recording is removed in the end", 5, async (folder, failing) => {
  const store = new RecordingStore(folder);
  await store.open();
  await store.write(STOPPED);
  await Deno.writeFile(store.path(STOPPED), new Uint8Array(8));
  const isDone = await failing(() => store.remove(STOPPED));
  if (isDone) expect(namesIn(`${folder}/recordings`)).toEqual([]);
  await store.remove(STOPPED);
  expect(namesIn(`${folder}/recordings`)).toEqual([]);
});

// The state folder, and the records of the services there.

const ABOUT = {
  since: "2026-01-31T12:00:00.000Z",
  address: "http://127.0.0.1:4242",
  port: 4_242,
  name: null,
  version: "0.1.0",
  display: null,
  ready: false,
  stopWithinMs: 5_000,
};

testEach("the state folder is made, for its owner only", 5, async (folder, failing) => {
  const path = `${folder}/below/state`;
  await failing(async () => void await openStateFolder(path));
  expect(await openStateFolder(path)).toBe(path);
  expect((await Deno.stat(path)).mode! & 0o777).toBe(0o700);
});

testEach("a service starts without its record, and leaves nothing", 5, async (folder, failing) => {
  let record: Awaited<ReturnType<typeof recordInstance>> | undefined;
  expect(await failing(async () => void (record = await recordInstance(folder, ABOUT)))).toBe(true);
  await record!.update({ ready: true });
  const { running, refused } = await findInstances(folder);
  expect([running.length <= 1, refused]).toEqual([true, []]);
  await record![Symbol.asyncDispose]();
  expect(namesIn(`${folder}/instances`)).toEqual([]);
});

testEach("the record of a service that runs is never removed", 5, async (folder, failing) => {
  await using _record = await recordInstance(folder, ABOUT);
  await failing(async () => {
    const found = await findInstances(folder).catch(() => undefined); // `status` says why
    if (found) expect(found.running.length + found.refused.length).toBe(1);
  });
  const { running, refused } = await findInstances(folder);
  expect([running.length, refused]).toEqual([1, []]);
});

/** None where the folder is not there. */
function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
