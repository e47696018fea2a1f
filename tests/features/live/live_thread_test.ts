/** A thread that cannot start, or cannot read its screen, leaves nobody waiting. */

import { expect } from "expect";
import { LiveThread } from "../../../src/features/live/live_screen.ts";
import { within } from "../../../src/core/deadline.ts";

const JOB = {
  screen: { backend: "x11", name: ":no-such-display" },
  ...{ size: { width: 10, height: 10 }, areas: [], masks: [] },
} as const;

Deno.test("jobs fail when there are no descriptors for a thread", async () => {
  const failed = withoutDescriptors(() => new LiveThread(() => {}));
  const job = failed.ask("capture", JOB); // a thread that is started now would serve nobody
  const later = failed.ask("capture", JOB);
  await expect(job).rejects.toThrow("too many open files");
  await expect(later).rejects.toThrow("too many open files");
  expect(failed.failure).toMatchObject({ code: "unavailable" });
  await failed[Symbol.asyncDispose]();
});

Deno.test("a screen that cannot be opened fails its job, and no other", async () => {
  await using thread = new LiveThread(() => {});
  await expect(thread.ask("capture", JOB)).rejects.toMatchObject({ code: "unavailable" });
  expect(thread.failure).toBe(undefined);
  thread.post("setView", { viewer: 1, view: "all" });
  await thread.ask("wanted", undefined);
});

Deno.test("jobs that wait fail when the thread ends", async () => {
  const thread = new LiveThread(() => {});
  const wanted = thread.ask("wanted", undefined);
  wanted.catch(() => {});
  await thread[Symbol.asyncDispose]();
  expect(await within(wanted.catch(() => {}), 20_000)).toBe(true);
  await expect(wanted).rejects.toMatchObject({ code: "unavailable" });
});

function withoutDescriptors<T>(make: () => T): T {
  const { openSync } = Deno;
  Deno.openSync = () => {
    throw Object.assign(new Error("Too many open files"), { code: "EMFILE" });
  };
  try {
    return make();
  } finally {
    Deno.openSync = openSync;
  }
}
