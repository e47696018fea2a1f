/** Changes that are found by comparing pictures of a screen. */

import { expect } from "expect";
import {
  ComparedChanges,
  type PollResult,
  type ScreenPoller,
} from "../../../src/platform/comparing/compared_changes.ts";
import { PictureComparer, sumOf } from "../../../src/imaging/picture_comparer.ts";
import type { CursorState, Picture, Seen } from "../../../src/platform/types/mod.ts";

Deno.test("PictureComparer finds no change in the first picture, nor in the same one", () => {
  const comparer = new PictureComparer();
  const picture = blank(200, 100);
  expect(comparer.compare(picture)).toEqual([]);
  expect(comparer.compare(picture)).toEqual([]);
});

Deno.test("PictureComparer tells the box of what differs in each band of rows", () => {
  const comparer = new PictureComparer();
  const picture = blank(200, 150);
  comparer.compare(picture);
  for (const [x, y] of [[0, 0], [70, 5], [70, 70], [199, 149]] as const) {
    picture.pixels[y * 200 + x] = 0x010203;
  }
  expect(comparer.compare(picture)).toEqual([
    { x: 0, y: 0, width: 71, height: 6 },
    { x: 70, y: 70, width: 1, height: 1 },
    { x: 199, y: 149, width: 1, height: 1 },
  ]);
  expect(comparer.compare(picture)).toEqual([]);
});

Deno.test("PictureComparer joins boxes that touch, and looks at colours only", () => {
  const comparer = new PictureComparer();
  const picture = blank(128, 192);
  comparer.compare(picture);
  for (let y = 0; y < 192; y++) picture.pixels[y * 128 + 3] = 0xff;
  expect(comparer.compare(picture)).toEqual([{ x: 3, y: 0, width: 1, height: 192 }]);
  picture.pixels.forEach((pixel, at) => picture.pixels[at] = (pixel | 0xff000000) >>> 0);
  expect(comparer.compare(picture)).toEqual([]);
});

Deno.test("PictureComparer takes another size for a change of everything", () => {
  const comparer = new PictureComparer();
  comparer.compare(blank(10, 10));
  expect(comparer.compare(blank(20, 10))).toEqual([{ x: 0, y: 0, width: 20, height: 10 }]);
});

Deno.test("PictureComparer tells whether its last picture shows what another one does", () => {
  const comparer = new PictureComparer();
  const region = { x: 2, y: 1, width: 2, height: 2 };
  const part = { width: 2, height: 2, pixels: Uint32Array.of(1, 2, 3, 4) };
  const whole = blank(5, 4);
  whole.pixels.set([1, 2], 5 + 2);
  whole.pixels.set([3, 4], 10 + 2);
  expect(comparer.shows(region, sumOf(part))).toBe(false); // there was none yet
  comparer.compare(whole);
  expect(comparer.shows(region, sumOf(part))).toBe(true);
  expect(comparer.shows({ x: 0, y: 0, width: 5, height: 4 }, sumOf(whole))).toBe(true);
  expect(comparer.shows({ ...region, x: 1 }, sumOf(part))).toBe(false);
  expect(comparer.shows({ ...region, x: 4 }, sumOf(part))).toBe(false); // beyond it
  for (let index = 0; index < 4; index++) {
    for (const bit of [0, 7, 23]) {
      const pixels = part.pixels.slice();
      pixels[index]! ^= 1 << bit;
      expect(comparer.shows(region, sumOf({ ...part, pixels }))).toBe(false);
    }
  }
  const opaque = part.pixels.map((pixel) => (pixel | 0xff000000) >>> 0);
  expect(comparer.shows(region, sumOf({ ...part, pixels: opaque }))).toBe(true);
  whole.pixels[7] = 9;
  comparer.compare(whole);
  expect(comparer.shows(region, sumOf(part))).toBe(false);
});

Deno.test("poll() counts changes, and since() gives their areas", async () => {
  const screen = new FakeScreen();
  using changes = new ComparedChanges(screen);
  const first = await changes.poll();
  expect(first.count).toBe(0);
  screen.paint(5, 5);
  expect(await changes.poll()).toEqual({ ...first, count: 1 });
  expect(changes.since(0)).toEqual([{ x: 5, y: 5, width: 1, height: 1 }]);
  expect(changes.since(1)).toEqual([]);
});

Deno.test("looks that are asked for during a look share the next one", async () => {
  const screen = new FakeScreen();
  using changes = new ComparedChanges(screen);
  const first = changes.poll();
  await Promise.resolve();
  await Promise.all([first, changes.poll(), changes.poll(), changes.poll()]);
  expect(screen.looks).toBe(2);
});

Deno.test("next() looks again and again until something has changed", async () => {
  const screen = new FakeScreen();
  using changes = new ComparedChanges(screen);
  const { count } = await changes.poll();
  const waiting = changes.next(count, new AbortController().signal);
  screen.after(3, () => screen.paint(99, 99));
  await waiting;
  expect(changes.since(count)).toEqual([{ x: 99, y: 99, width: 1, height: 1 }]);
});

Deno.test("next() rejects when its signal aborts, and with the error of a look that fails", async () => {
  const screen = new FakeScreen();
  using changes = new ComparedChanges(screen);
  const { count } = await changes.poll();
  const stop = new AbortController();
  const waiting = changes.next(count, stop.signal);
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  screen.after(1, () => {
    throw new Error("gone");
  });
  await expect(changes.next(count, new AbortController().signal)).rejects.toThrow("gone");
});

class FakeScreen implements ScreenPoller {
  readonly connected = true;
  looks = 0;
  readonly #comparer = new PictureComparer();
  readonly #picture = blank(100, 100);
  #later: { at: number; run: () => void } | undefined;

  paint(x: number, y: number): void {
    this.#picture.pixels[y * 100 + x]! ^= 0xffffff;
  }

  /** Runs something in the middle of the look that comes so many looks from now. */
  after(looks: number, run: () => void): void {
    this.#later = { at: this.looks + looks, run };
  }

  async poll(): Promise<PollResult> {
    this.looks++;
    await Promise.resolve();
    if (this.#later?.at === this.looks) this.#later.run();
    const { width, height } = this.#picture;
    return { size: { width, height }, areas: this.#comparer.compare(this.#picture) };
  }

  shows({ region, sum }: Seen): Promise<boolean> {
    return Promise.resolve(this.#comparer.shows(region, sum));
  }

  cursor(): Promise<CursorState> {
    return Promise.resolve({ box: { x: 0, y: 0, width: 1, height: 1 }, key: "" });
  }

  [Symbol.dispose](): void {}
}

function blank(width: number, height: number): Picture {
  return { width, height, pixels: new Uint32Array(width * height) };
}
