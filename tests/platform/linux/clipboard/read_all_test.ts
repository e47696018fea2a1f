/** What is kept of a clipboard while something else is pasted. */

import { expect } from "expect";
import { pause } from "../../../../src/core/deadline.ts";
import { readAll } from "../../../../src/platform/linux/clipboard/pasting.ts";
import type { TypedClipboard } from "../../../../src/platform/linux/clipboard/typed_clipboard.ts";

Deno.test("an owner that goes on sending for ever is given up, and what came before is kept", async () => {
  const parts = [new TextEncoder().encode("kept")];
  const clipboard: TypedClipboard = {
    connected: true,
    isKeptByDesktop: false,
    types: () => Promise.resolve(["text/plain", "endless"]),
    readType: async (type, { signal }) => {
      if (type === "endless") await pause(60_000, signal);
      return { type, parts };
    },
    offer: () => Promise.reject(new Error("nothing is to be put there")),
    close: () => Promise.resolve(),
  };
  expect(await readAll(clipboard, undefined, 500)).toEqual(new Map([["text/plain", parts]]));

  const client = new AbortController();
  const reading = readAll(clipboard, client.signal);
  client.abort(new Error("the client has left"));
  await expect(reading).rejects.toThrow("the client has left");
});
