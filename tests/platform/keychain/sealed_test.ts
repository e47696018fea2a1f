/** Sealed texts open with the same key and the same name only. */

import { expect } from "expect";
import { importKey, open, seal } from "../../../src/platform/keychain/sealed_file.ts";

const newKey = () => importKey(crypto.getRandomValues(new Uint8Array(32)));

for (const text of ["", "a", "é日本🙂", "x".repeat(251), "x".repeat(252), "x".repeat(70_000)]) {
  Deno.test(`seal() and open() give back a text of ${text.length} units`, async () => {
    const key = await newKey();
    expect(await open(key, await seal(key, text, "github"), "github")).toBe(text);
  });
}

Deno.test("open() refuses a text that is bound to another name or sealed with another key", async () => {
  const key = await newKey();
  const sealed = await seal(key, "secret", "github");
  await expect(open(key, sealed, "gitlab")).rejects.toThrow();
  await expect(open(await newKey(), sealed, "github")).rejects.toThrow();
});

Deno.test("seal() hides the exact length of short texts", async () => {
  const key = await newKey();
  const lengths = ["", "a", "x".repeat(250)].map(async (text) =>
    (await seal(key, text, "a")).byteLength
  );
  expect(new Set(await Promise.all(lengths)).size).toBe(1);
});
