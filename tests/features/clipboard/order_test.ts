/** Writes to one clipboard come one after the other, also those whose callers have left. */

import { expect } from "expect";
import { available } from "../../../src/platform/capability.ts";
import type { Clipboard, ClipboardContent } from "../../../src/platform/types/mod.ts";
import { testApp } from "../../support/client.ts";
import { waitFor } from "../../support/wait.ts";

/**
 * As on macOS a program writes, which goes on for a while after its caller has left; the first one
 * takes longer than all others.
 */
function setUp() {
  const app = testApp();
  const events: string[] = [];
  const change = async (content: string) => {
    const ms = events.length === 0 ? 100 : 0;
    events.push(`begins "${content}"`);
    await new Promise((resolve) => setTimeout(resolve, ms));
    events.push(`ends "${content}"`);
  };
  app.platform.screen().clipboard = available<Clipboard>({
    read: () => Promise.reject(new Error("Nobody reads")),
    write: async (content) => await change(await textOf(content)),
    clear: () => change(""),
    beginPasting: () => {
      throw new Error("Nobody pastes");
    },
  });
  const call = (operation: "set" | "clear", body: object, signal?: AbortSignal) =>
    app.fetch(
      new Request(`http://localhost/api/clipboard/${operation}`, {
        method: "POST",
        headers: { host: "localhost", "content-type": "application/json" },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      }),
    );
  return { events, call };
}

async function textOf({ text = [] }: ClipboardContent): Promise<string> {
  return await new Blob([...text]).text();
}

Deno.test("what is set comes after what a caller who has left still writes", async () => {
  const { events, call } = setUp();
  const caller = new AbortController();
  const left = call("set", { text: "left" }, caller.signal);
  await waitFor(() => events.length === 1, { what: "the first write to begin" });
  caller.abort();
  expect((await call("set", { text: "later" })).status).toBe(204);
  await left;
  expect(events).toEqual(['begins "left"', 'ends "left"', 'begins "later"', 'ends "later"']);
});

Deno.test("clear comes after the write that has begun before it", async () => {
  const { events, call } = setUp();
  const set = call("set", { text: "first" });
  await waitFor(() => events.length === 1, { what: "the write to begin" });
  expect((await call("clear", {})).status).toBe(204);
  expect((await set).status).toBe(204);
  expect(events).toEqual(['begins "first"', 'ends "first"', 'begins ""', 'ends ""']);
});
