/** Records that cannot be saved while a recording runs: the log and the recording say so. */

import { expect } from "expect";
import { testFolder } from "../../support/folder.ts";
import { waitFor } from "../../support/wait.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { isOver } from "../../../src/features/recording/recording_store.ts";
import { Recordings } from "../../../src/features/recording/recordings.ts";
import { log } from "../../../src/core/log.ts";
import { paintedDesktop } from "./recorded.ts";

/** A recording whose record is written all the time, once it has begun. */
async function openSaving() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await testFolder());
  const desktop = stack.use(await paintedDesktop());
  const options = { stateDir: folder.path, saveMs: 1 };
  const recordings = stack.use(new Recordings(DEFAULT_LIMITS, options));
  const display = await desktop.service.platform.displays.open(1);
  const request = {
    ...{ display, format: "webm", maxFps: 30, maxMs: 60_000, maxBytes: 1_000_000 } as const,
    cursor: "hidden" as const,
  };
  const { signal } = new AbortController();
  const { id } = await recordings.start(request, signal);
  const { rename } = Deno;
  stack.defer(() => void Object.assign(Deno, { rename }));
  const own = stack.move();
  return {
    id,
    desktop,
    recordings,
    signal,
    /** Calls `before` before each record of it is put in its place. */
    beforeRecord(before: () => Promise<void>) {
      Deno.rename = async (from, to) => {
        if (String(to).endsWith(`${id}.json`)) await before();
        await rename(from, to);
      };
    },
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  };
}

Deno.test("records that cannot be saved are in the log once, and in the detail of every end", async () => {
  await using saving = await openSaving();
  const { id, recordings } = saving;
  const { warn } = log;
  const warned: unknown[] = [];
  using _log = { [Symbol.dispose]: () => void Object.assign(log, { warn }) };
  Object.assign(log, { warn: (event: string, fields: object) => warned.push([event, fields]) });
  let failures = 0;
  saving.beforeRecord(() => {
    failures++;
    return Promise.reject(new Error("full"));
  });
  await waitFor(() => failures > 3, { what: "records that cannot be saved" });
  await saving.desktop.server[Symbol.asyncDispose](); // an end that has a detail of its own
  await waitFor(async () => isOver(await recordings.find(id)), { what: "the end" });
  const error = "The record of a recording cannot be written: full";
  const detail = expect.stringMatching(/.; The record of a recording cannot be written: full$/);
  await waitFor(async () => (await recordings.find(id)).detail?.endsWith(error), {
    what: "the last record",
  });
  expect(await recordings.find(id)).toMatchObject({ ended_by: "display_gone", detail });
  expect(warned.filter((line) => JSON.stringify(line).includes(id))).toEqual([
    ["recording not saved", { id, error }],
  ]);
});

Deno.test("a disk that is slower than the records come does not get more and more of them", async () => {
  await using saving = await openSaving();
  const { id, recordings } = saving;
  const held = Promise.withResolvers<void>();
  let written = 0;
  saving.beforeRecord(async () => {
    written++;
    await held.promise;
  });
  let looks = 0; // in each of them a record is due
  await waitFor(() => written > 0 && ++looks > 50, { what: "many records", everyMs: 2 });
  const stopping = recordings.stop(id, 10_000, saving.signal);
  await waitFor(async () => (await recordings.find(id)).state === "finished", { what: "the end" });
  held.resolve();
  expect(await stopping).toMatchObject({ state: "finished", detail: null });
  expect(written).toBeLessThanOrEqual(2);
});
