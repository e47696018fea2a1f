/** Bytes in parts are counted, joined, written completely and padded. */

import { expect } from "expect";
import { countBytes, joinBytes, roundUp, writeAll } from "../../src/core/bytes.ts";

const PARTS = [[1, 2], [], [3]].map((part) => Uint8Array.from(part));

Deno.test("joinBytes() copies all parts, one after the other", () => {
  const joined = joinBytes(PARTS);
  expect([...joined]).toEqual([1, 2, 3]);
  expect(countBytes(PARTS)).toBe(3);
  joined[0] = 9;
  expect(PARTS[0]![0]).toBe(1);
  expect(joinBytes([]).length).toBe(0);
});

Deno.test("writeAll() goes on until a sink that takes little has everything", async () => {
  const taken: number[] = [];
  const sink = {
    write(bytes: Uint8Array) {
      taken.push(...bytes.subarray(0, 2));
      return Promise.resolve(Math.min(2, bytes.length));
    },
  };
  await writeAll(sink, Uint8Array.of(1, 2, 3, 4, 5));
  expect(taken).toEqual([1, 2, 3, 4, 5]);
});

Deno.test("writeAll() fails as its sink does", async () => {
  const sink = { write: () => Promise.reject(new Error("the disk is full")) };
  await expect(writeAll(sink, Uint8Array.of(1))).rejects.toThrow("the disk is full");
});

Deno.test("roundUp() gives the next multiple, also beyond 32 bits", () => {
  expect([0, 1, 7, 8, 9].map((length) => roundUp(length, 8))).toEqual([0, 8, 8, 8, 16]);
  expect(roundUp(2 ** 33 + 1, 4)).toBe(2 ** 33 + 4);
});
