/** Records that cannot be saved while a recording runs: the log and the recording say so. */

import { expect } from "expect";
import { testFolder } from "../../support/folder.ts";
import { waitFor } from "../../support/wait.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { isOver } from "../../../src/features/recording/recording_store.ts";
import { Recordings } from "../../../src/features/recording/recordings.ts";
import { log } from "../../../src/core/log.ts";
import { paintedDesktop } from "./recorded.ts";

Deno.test("records that cannot be saved are in the log once, and in the detail of every end", async () => {
  await using folder = await testFolder();
  await using desktop = await paintedDesktop();
  await using recordings = new Recordings(DEFAULT_LIMITS, { stateDir: folder.path, saveMs: 1 });
  const display = await desktop.service.platform.displays.open(1);
  const request = {
    ...{ display, format: "webm", maxFps: 30, maxMs: 60_000, maxBytes: 1_000_000 } as const,
    cursor: "hidden" as const,
  };
  const { signal } = new AbortController();
  const { id } = await recordings.start(request, signal);
  const { rename } = Deno;
  const { warn } = log;
  const warned: unknown[] = [];
  let failures = 0;
  using _own = {
    [Symbol.dispose]() {
      Object.assign(Deno, { rename });
      Object.assign(log, { warn });
    },
  };
  Object.assign(log, { warn: (event: string, fields: object) => warned.push([event, fields]) });
  Deno.rename = (from, to) => {
    if (!String(to).endsWith(`${id}.json`)) return rename(from, to);
    failures++;
    return Promise.reject(new Error("full"));
  };
  await waitFor(() => failures > 3, { what: "records that cannot be saved" });
  await desktop.server[Symbol.asyncDispose](); // an end that has a detail of its own
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
