/** What viewers have in the end is what the display shows, pixel for pixel, however slow they are. */

import { expect } from "expect";
import { LivePicture, type View } from "../../../src/features/live/live_picture.ts";
import { decodeJpeg, openJpeg } from "../../../src/imaging/jpeg.ts";
import { cutOut, type Picture } from "../../../src/imaging/picture.ts";
import type { CursorPicture, Region, Screen } from "../../../src/platform/types/mod.ts";
import { randomFrom, Watcher } from "../../support/live_viewer.ts";
import { waitFor } from "../../support/wait.ts";

const ADDRESS = { backend: "x11", name: ":fake" } as const;
const COPY = 255;
const JPEG = 1;

/** A screen in memory, on which a seed scrolls text, moves noise and blinks. */
class FakeScreen implements Screen {
  readonly connected = true;
  pixels: Uint32Array;
  cursor: CursorPicture | undefined;
  readonly captured: Region[] = [];

  constructor(readonly width: number, readonly height: number) {
    this.pixels = new Uint32Array(width * height);
  }

  get all(): Region {
    return { x: 0, y: 0, width: this.width, height: this.height };
  }

  capture: Screen["capture"] = (region, _options, use) => {
    this.captured.push(region);
    return Promise.resolve(use(cutOut(this as Picture, region)));
  };

  cursorPicture = () => Promise.resolve(this.cursor);
  close() {}

  fill(area: Region, colour: (x: number, y: number) => number): void {
    for (let y = area.y; y < area.y + area.height; y++) {
      for (let x = area.x; x < area.x + area.width; x++) {
        this.pixels[y * this.width + x] = colour(x, y);
      }
    }
  }

  scroll({ x, y, width, height }: Region, by: number, random: () => number): void {
    const before = this.pixels.slice();
    for (let row = y; row < y + height; row++) {
      const from = row + by;
      const isInside = from >= y && from < y + height;
      for (let column = x; column < x + width; column++) {
        this.pixels[row * this.width + column] = isInside
          ? before[from * this.width + column]!
          : text(random);
      }
    }
  }
}

/** Mostly paper. */
function text(random: () => number): number {
  return random() < 0.8 ? 0xffffff : random() * 0x1000000;
}

interface OpenOptions {
  readonly view?: View;
  readonly acknowledges?: boolean;
  readonly size?: { readonly width: number; readonly height: number };
}

async function open(options: OpenOptions = {}) {
  const { width, height } = options.size ?? { width: 500, height: 390 };
  const world = { screen: new FakeScreen(width, height), masks: [] as Region[] };
  const watchers = new Map<number, Watcher>();
  const live = await LivePicture.open(
    ({ viewer, message }) => watchers.get(viewer)?.send(message),
    () => Promise.resolve(world.screen),
  );
  const add = ({ view = "all", acknowledges = true }: OpenOptions = {}) => {
    const viewer = watchers.size + 1;
    const watcher = new Watcher({ acknowledges });
    watchers.set(viewer, watcher);
    watcher.connect((id) => live.acknowledge({ viewer, id }));
    live.setView({ viewer, view });
    return { watcher, number: viewer };
  };
  const viewer = add(options);
  const capture = async (...areas: Region[]) => {
    const { screen, masks } = world;
    const { width, height } = screen;
    const all = areas.length > 0 ? areas : [screen.all];
    return await live.capture({ screen: ADDRESS, size: { width, height }, areas: all, masks });
  };
  return {
    ...{ world, live, add, capture, watcher: viewer.watcher },
    /** Until all viewers have drawn exactly what they see. */
    async settle(view?: Region) {
      for (const [number, watcher] of watchers) {
        await waitFor(async () => {
          watcher.acknowledgeAll();
          await watcher.idle();
          expectSame(watcher, world.screen, number === 1 && view ? view : world.screen.all);
          return true;
        }, { what: `viewer ${number} to have the picture` });
      }
    },
    [Symbol.dispose]() {
      for (const viewer of watchers.keys()) live.remove({ viewer });
    },
  };
}

function expectSame({ surface }: Watcher, screen: FakeScreen, view: Region): void {
  const expected = cutOut(screen as Picture, view).pixels;
  const wrong = expected.findIndex((pixel, at) => ((pixel ^ surface.pixels[at]!) & 0xffffff) !== 0);
  expect([surface.width, surface.height, wrong]).toEqual([view.width, view.height, -1]);
}

for (let seed = 1; seed <= 12; seed++) {
  Deno.test(`viewers that are slow at random end with the exact picture (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const any = (below: number) => Math.floor(random() * below);
    const window = { x: 70, y: 33, width: 300, height: 280 };
    using opened = await open({ acknowledges: false, view: window });
    const { world: { screen }, capture, watcher, add } = opened;
    const watchers = [watcher, add({ acknowledges: false }).watcher, add().watcher];
    screen.fill(screen.all, () => text(random));
    await capture();
    for (let step = 0; step < 60; step++) {
      const area = { x: any(200), y: any(150), width: 1 + any(300), height: 1 + any(240) };
      const kind = any(5);
      if (kind === 0) screen.fill(area, () => random() * 0x1000000);
      else if (kind === 1) screen.fill(area, () => 0x336699);
      else screen.scroll(area, any(79) - 39, random);
      await capture(area);
      for (const each of watchers) {
        await each.idle();
        if (any(3) === 0) each.acknowledgeAll();
      }
    }
    await opened.settle(window);
    expect(watchers[2]!.codecs.flat()).toContain(COPY);
  });
}

Deno.test("a scroll is sent as a copy, and costs a part of the picture", async () => {
  using opened = await open();
  const { world: { screen }, capture, watcher } = opened;
  const random = randomFrom(1);
  screen.fill(screen.all, () => text(random));
  await capture();
  await opened.settle();
  const before = watcher.bytes;
  screen.scroll(screen.all, 20, random);
  await capture();
  await opened.settle();
  expect(watcher.codecs.at(-1)).toContain(COPY);
  expect(watcher.bytes - before).toBeLessThan(before / 3);
});

Deno.test("what comes into a view from outside of it is sent as a picture", async () => {
  const view = { x: 0, y: 100, width: 500, height: 200 };
  using opened = await open({ view });
  const { world: { screen }, capture, add } = opened;
  const { watcher: whole } = add();
  const random = randomFrom(1);
  screen.fill(screen.all, () => text(random));
  await capture();
  await opened.settle(view);
  const area = { x: 0, y: 40, width: 500, height: 260 };
  screen.scroll(area, -60, random);
  await capture(area);
  await opened.settle(view);
  expect(whole.codecs.at(-1)).toContain(COPY);
});

Deno.test("a photo is sent with losses first, and exactly when it is still", async () => {
  using opened = await open();
  const { world: { screen }, capture, watcher } = opened;
  const random = randomFrom(1);
  screen.fill(screen.all, () => random() * 0x1000000);
  await capture();
  await watcher.idle();
  expect(watcher.codecs[0]).toContain(JPEG);
  expect(() => expectSame(watcher, screen, screen.all)).toThrow();
  await opened.settle();
});

Deno.test("what is sent with losses is nearly right, also in half of the resolution and odd sizes", async () => {
  const size = { width: 1_999, height: 1_501 };
  using opened = await open({ size, view: { x: 3, y: 5, width: 1_601, height: 1_201 } });
  const { world: { screen }, capture, watcher } = opened;
  const random = randomFrom(1);
  for (let picture = 0; picture < 6; picture++) {
    // each pixel differs from its neighbours by a little
    const noise = () => Math.floor(random() * 8);
    screen.fill(
      screen.all,
      (x, y) =>
        ((x >> 4) + picture + noise() & 255) << 16 | (200 - (y >> 4) + noise()) << 8 | 40 + noise(),
    );
    await capture();
    await watcher.idle();
    const { surface } = watcher;
    let most = 0;
    for (let at = 0; at < surface.pixels.length; at += 97) {
      const [x, y] = [at % surface.width, Math.floor(at / surface.width)];
      const expected = screen.pixels[(y + 5) * screen.width + x + 3]!;
      for (const shift of [16, 8, 0]) {
        const off = (expected >> shift & 255) - (surface.pixels[at]! >> shift & 255);
        most = Math.max(most, Math.abs(off));
      }
    }
    expect(most).toBeLessThan(40);
  }
  expect(watcher.codecs.flat()).toContain(JPEG);
});

Deno.test("a viewer that acknowledges nothing gets two messages and no more", async () => {
  using opened = await open({ acknowledges: false });
  const { world: { screen }, capture, watcher, live } = opened;
  const wanted = () => live.wanted(undefined).then(() => true);
  for (let step = 0; step < 50; step++) {
    screen.fill({ x: step, y: step, width: 9, height: 9 }, () => step);
    await capture();
    await watcher.idle();
  }
  expect(watcher.codecs).toHaveLength(2);
  expect(await Promise.race([wanted(), Promise.resolve(false)])).toBe(false);
  for (const id of [0, 3, -1, 1e9, NaN]) live.acknowledge({ viewer: 1, id });
  await watcher.idle();
  expect(watcher.codecs).toHaveLength(2);
  watcher.acknowledgeAll();
  await wanted();
  await opened.settle();
});

Deno.test("areas that touch are captured as one, a few others each for itself, and many as one", async () => {
  using opened = await open();
  const { world: { screen }, capture } = opened;
  const aroundHole: Region[] = [
    { x: 0, y: 0, width: 500, height: 100 },
    { x: 0, y: 100, width: 60, height: 20 },
    { x: 80, y: 100, width: 420, height: 20 },
    { x: 0, y: 120, width: 500, height: 80 },
  ];
  const apart = { x: 10, y: 300, width: 5, height: 5 };
  await capture(...aroundHole, apart);
  expect(screen.captured).toEqual([{ x: 0, y: 0, width: 500, height: 200 }, apart]);
  await capture(...Array.from({ length: 9 }, (_, at) => ({ ...apart, x: at * 50 })));
  expect(screen.captured.at(-1)).toEqual({ ...apart, x: 0, width: 405 });
  expect(screen.captured).toHaveLength(3);
});

Deno.test("what differs nowhere is not sent", async () => {
  using opened = await open();
  const { world: { screen }, capture, watcher } = opened;
  await capture();
  await opened.settle();
  const sent = watcher.codecs.length;
  expect((await capture()).differs).toBe(false);
  screen.pixels[0] = 0xff000000; // the highest byte means nothing
  expect((await capture()).differs).toBe(false);
  await watcher.idle();
  expect(watcher.codecs).toHaveLength(sent);
});

Deno.test("a part that is encoded for one viewer is not encoded again for the others", async () => {
  using opened = await open();
  const { world: { screen }, capture, watcher, add } = opened;
  const others = Array.from({ length: 9 }, () => add().watcher);
  const random = randomFrom(1);
  screen.fill(screen.all, () => text(random));
  await capture();
  await opened.settle();
  for (const other of others) expect(other.bytes).toBe(watcher.bytes);
});

Deno.test("a screen of another size begins anew, and messages keep their numbers", async () => {
  using opened = await open();
  const { world, capture, watcher } = opened;
  const random = randomFrom(1);
  for (const [width, height] of [[500, 390], [640, 480], [64, 64], [1, 1], [129, 65]] as const) {
    world.screen = new FakeScreen(width, height);
    world.screen.fill(world.screen.all, () => random() * 0x1000000);
    const before = watcher.drawn;
    await opened.live.capture({
      screen: { ...ADDRESS, name: `${width}x${height}` },
      ...{ size: { width, height }, areas: [world.screen.all], masks: [] },
    });
    await opened.settle();
    expect(watcher.notesOf("size").at(-1)).toEqual({ kind: "size", x: 0, y: 0, width, height });
    expect(watcher.drawn).toBeGreaterThan(before);
  }
  await capture();
});

Deno.test("a viewer sees the part that it is shown, and nothing while there is none", async () => {
  using opened = await open({ view: { x: 10, y: 20, width: 100, height: 90 } });
  const { world: { screen }, capture, watcher, live } = opened;
  const random = randomFrom(1);
  screen.fill(screen.all, () => text(random));
  await capture();
  await opened.settle({ x: 10, y: 20, width: 100, height: 90 });
  const moved = { x: 400, y: 300, width: 200, height: 200 };
  live.setView({ viewer: 1, view: moved });
  const visible = { x: 400, y: 300, width: 100, height: 90 };
  await opened.settle(visible);
  expect(watcher.notesOf("size").at(-1)).toEqual({ kind: "size", ...visible });
  live.setView({ viewer: 1, view: "hidden" });
  const sent = [watcher.codecs.length, watcher.notes.length];
  screen.fill(screen.all, () => 0xff00ff);
  await capture();
  await watcher.idle();
  expect([watcher.codecs.length, watcher.notes.length]).toEqual(sent);
  live.setView({ viewer: 1, view: moved });
  await opened.settle(visible);
});

Deno.test("masks are black, and what changes below them is not sent", async () => {
  using opened = await open();
  const { world: { screen, masks }, capture, watcher } = opened;
  const area = { x: 60, y: 60, width: 100, height: 20 };
  masks.push(area, { x: -50, y: 380, width: 60, height: 900 });
  screen.fill(screen.all, () => 0xeeeeee);
  screen.fill(area, () => 0x123456);
  await capture();
  await watcher.idle();
  const { pixels } = watcher.surface;
  expect([pixels[65 * 500 + 70], pixels[59 * 500 + 70], pixels[389 * 500]]).toEqual([
    0,
    0xeeeeee,
    0,
  ]);
  expect(pixels.includes(0x123456)).toBe(false);
  expect(screen.pixels.includes(0x123456)).toBe(true); // it is not ours to change
  screen.fill(area, () => 0x654321);
  expect((await capture({ x: 0, y: 0, width: 300, height: 200 })).differs).toBe(false);
});

Deno.test("a photograph is small, black below masks, and the same until the picture changes", async () => {
  using opened = await open({ size: { width: 1_200, height: 300 } });
  const { world: { screen, masks }, capture, live } = opened;
  masks.push({ x: 600, y: 0, width: 600, height: 300 });
  screen.fill(screen.all, () => 0xff0000);
  expect(live.photograph(undefined)).toBe(undefined);
  await capture({ x: 0, y: 0, width: 600, height: 300 });
  expect(live.photograph(undefined)).toBe(undefined); // a part of it is not known yet
  await capture();
  const first = live.photograph(undefined)!;
  expect(first.size).toEqual({ width: 1_200, height: 300 });
  const { width, height, pixels } = decodeJpeg(await openJpeg(), first.file);
  expect([width, height]).toEqual([960, 240]);
  const pixel = (x: number) => pixels[120 * 960 + x]!;
  expect(pixel(200) >> 16).toBeGreaterThan(200);
  expect(pixel(700) & 0xfcfcfc).toBe(0); // JPEG is not exact
  await capture();
  expect(live.photograph(undefined)).toBe(first);
  screen.fill(screen.all, () => 0x0000ff);
  await capture();
  const changed = await waitFor(() => {
    const now = live.photograph(undefined)!;
    return now === first ? undefined : now;
  });
  const blue = decodeJpeg(await openJpeg(), changed.file).pixels[120 * 960 + 200]!;
  expect(blue & 0xff).toBeGreaterThan(200);
});

Deno.test("photographs of a picture that changes all the time are made a few times a second", async () => {
  using opened = await open();
  const { world: { screen }, capture, live } = opened;
  const made = new Set<unknown>();
  const began = performance.now();
  for (let step = 0; step < 200; step++) {
    screen.fill(screen.all, () => step * 0x010101);
    await capture();
    made.add(live.photograph(undefined));
  }
  const most = 1 + (performance.now() - began) / 100;
  expect(made.size).toBeLessThanOrEqual(Math.ceil(most));
});

Deno.test("findChanges() gives the box of what differs in a row, and all of it before there is a picture", async () => {
  using opened = await open();
  const { world: { screen }, capture, live } = opened;
  const look = { screen: ADDRESS, size: { width: 500, height: 390 }, masks: [] };
  const row = { x: 0, y: 100, width: 65_535, height: 100 };
  const visible = { x: 0, y: 100, width: 500, height: 100 };
  expect(await live.findChanges({ ...look, row })).toEqual(visible);
  await capture();
  expect(await live.findChanges({ ...look, row })).toBe(undefined);
  screen.fill({ x: 30, y: 190, width: 50, height: 50 }, () => 0xffffff);
  const box = { x: 30, y: 190, width: 50, height: 10 };
  expect(await live.findChanges({ ...look, row })).toEqual(box);
  expect(await live.findChanges({ ...look, row: { ...row, y: 400 } })).toBe(undefined);
});

Deno.test("the cursor is told when it comes, moves, looks different and goes", async () => {
  using opened = await open({ view: { x: 100, y: 100, width: 50, height: 50 } });
  const { world: { screen }, capture, watcher, add } = opened;
  const image = { width: 2, height: 1, pixels: Uint32Array.of(0x80800000, 0xff00ff00) };
  const hotspot = { x: 1, y: 0 };
  const last = () => watcher.notesOf("cursor").at(-1);
  const next = async (change: CursorPicture | undefined, expected: Record<string, unknown>) => {
    screen.cursor = change;
    await waitFor(() => {
      expect(last()).toMatchObject(expected);
      return true;
    });
    return last();
  };
  await capture();
  const shown = { position: { x: 120, y: 95 }, hotspot, image };
  const first = await next(shown, { visible: true, x: 20, y: -5, image: { hot_x: 1, hot_y: 0 } });
  const { image: look } = first as { image: { png: string } };
  const png = Uint8Array.fromBase64(look.png);
  expect([...png.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  const moved = await next({ ...shown, position: { x: 121, y: 95 } }, { x: 21 });
  expect(moved).not.toHaveProperty("image");
  const late = add({ view: { x: 100, y: 100, width: 50, height: 50 } }).watcher;
  await late.idle();
  expect(late.notesOf("cursor").at(-1)).toMatchObject({ x: 21, image: look });
  const other = { ...image, pixels: Uint32Array.of(1 << 31, 0xffffffff) };
  const second = await next({ ...shown, image: other }, { x: 20, image: { hot_x: 1 } });
  expect(second).not.toMatchObject({ image: look });
  await next(undefined, { visible: false });
  await next({ ...shown, image: other }, { visible: true, x: 20, image: { hot_x: 1 } });
});
