/** The page's decoder draws messages in their order, and refuses damaged ones. */

import { expect } from "expect";
import { decodeMessage, type Surface } from "../../src/console/page/picture.ts";
import { composeMessage, type Part } from "../../src/features/live/message.ts";
import { encodeQoi } from "../../src/imaging/qoi.ts";

const RED = { width: 2, height: 1, pixels: Uint32Array.of(0xff0000, 0x0000ff) };
const qoi: Part = {
  ...{ x: 110, y: 52, width: 2, height: 1, codec: 0, isLossy: false },
  bytes: encodeQoi(RED, { x: 0, y: 0, width: 2, height: 1 }),
};
const jpeg: Part = { ...qoi, x: 100, codec: 1, isLossy: true, bytes: Uint8Array.of(1, 2, 3) };
const copy = { x: 101, y: 60, width: 30, height: 40, dy: -5 };
const ORIGIN = { x: 100, y: 50 };
const message = () => composeMessage({ id: 7, copies: [copy], parts: [jpeg, qoi] }, ORIGIN);
const file = (bytes: Uint8Array) => Promise.resolve(`a file of ${bytes.length}`);

Deno.test("decodeMessage() draws copies and parts in their order, from the origin of the view", async () => {
  const calls: unknown[][] = [];
  const note = (name: string) => (...args: unknown[]) => void calls.push([name, ...args]);
  const surface = { put: note("put"), draw: note("draw"), copy: note("copy") } as Surface;
  const decoded = await decodeMessage(message(), file);
  expect(calls).toEqual([]);
  decoded.drawOn(surface);
  expect(decoded.id).toBe(7);
  expect(calls).toEqual([
    ["copy", 1, 10, 30, 40, 0, -5],
    ["draw", 0, 2, 2, 1, "a file of 3"],
    ["put", 10, 2, 2, 1, Uint8ClampedArray.of(255, 0, 0, 255, 0, 0, 255, 255)],
  ]);
});

Deno.test("decodeMessage() refuses every message that is cut off", async () => {
  const whole = message();
  for (let length = 0; length < whole.byteLength; length++) {
    await expect(decodeMessage(whole.slice(0, length), file)).rejects.toThrow(RangeError);
  }
});

Deno.test("decodeMessage() refuses an unknown codec, and passes on that a file is damaged", async () => {
  const unknown = message();
  new DataView(unknown).setUint8(8, 9);
  await expect(decodeMessage(unknown, file)).rejects.toThrow("Unknown codec 9");
  const damaged = () => Promise.reject(new Error("damaged"));
  await expect(decodeMessage(message(), damaged)).rejects.toThrow("damaged");
});
