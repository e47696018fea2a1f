/** The live picture of a real X server: at rest it is what the server shows, pixel for pixel. */

import { Buffer } from "node:buffer";
import { expect } from "expect";
import { LiveDisplays } from "../../../src/features/live/live_displays.ts";
import { Recordings } from "../../../src/features/recording/recordings.ts";
import { startDesktop } from "../../support/desktop.ts";
import { randomFrom, Watcher, type WatcherOptions } from "../../support/live_viewer.ts";
import { openPainter } from "../../support/painter.ts";
import { setResolution } from "../../support/resolution.ts";
import { waitFor } from "../../support/wait.ts";
import { TestX, type TestXClient } from "../../support/x_client.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { dumpScreen } from "../../support/xwd.ts";

const COPY = 255;
const JPEG = 1;

type Watched = Omit<Parameters<LiveDisplays["watch"]>[0], "display_num">;

async function startLive(size = "640x480", args: readonly string[] = []) {
  const desktop = await startDesktop({ server: { size, args } });
  const { display, service, server } = desktop;
  const live = service.session.use(LiveDisplays);
  return {
    ...{ desktop, display, service, server, live },
    async watch(watched: Watched = {}, options: WatcherOptions = {}) {
      const watcher = new Watcher(options);
      const viewer = await live.watch({ display_num: 1, ...watched }, watcher.send);
      watcher.connect((id) => viewer.acknowledge(id));
      return Object.assign(watcher, { viewer });
    },
    [Symbol.asyncDispose]: () => desktop[Symbol.asyncDispose](),
  };
}

/** Waits until the viewer has what `xwd` sees, at a moment when nothing changes. */
async function showsAll(watcher: Watcher, display: string): Promise<void> {
  await waitFor(async () => {
    const { width, height, rgb } = await dumpScreen(display);
    await watcher.idle();
    const { surface } = watcher;
    const wrong = surface.pixels.findIndex((pixel, at) =>
      pixel !== (rgb[at * 3]! << 16 | rgb[at * 3 + 1]! << 8 | rgb[at * 3 + 2]!)
    );
    expect([surface.width, surface.height, wrong]).toEqual([width, height, -1]);
    return true;
  }, { what: "the viewer to have the picture", everyMs: 100 });
}

/** Draws pictures of noise into the corner of the screen, as a video does. */
async function openVideo(display: string, { width, height }: { width: number; height: number }) {
  const x = await TestX.open(display);
  const window = await x.openWindow({ width, height });
  const client = x.client as TestXClient & {
    CreateGC(id: number, drawable: number, values: object): void;
    PutImage(...args: unknown[]): void;
  };
  const gc = client.AllocID();
  client.CreateGC(gc, window, {});
  const random = randomFrom(5);
  return {
    async play(pictures: number) {
      for (; pictures > 0; pictures--) {
        const pixels = Uint32Array.from({ length: width * height }, () => random() * 0x1000000);
        const data = Buffer.from(pixels.buffer);
        client.PutImage(2, window, gc, width, height, 0, 0, 0, x.screen.root_depth, data);
        await x.pointer();
      }
    },
    [Symbol.dispose]: () => x[Symbol.dispose](),
  };
}

Deno.test("ten viewers of a terminal that scrolls have its picture exactly at rest", async () => {
  await using live = await startLive();
  const watchers = await Promise.all(Array.from({ length: 10 }, () => live.watch()));
  const command = "for i in $(seq 400); do echo line $i of some text; sleep 0.002; done; sleep 60";
  const terminal = new Deno.Command("xterm", {
    args: ["-display", live.display, "-geometry", "80x24+0+0", "-e", "sh", "-c", command],
    ...{ stdin: "null", stdout: "null", stderr: "null" },
  }).spawn();
  try {
    const scrolls = () => watchers[0]!.codecs.some((codecs) => codecs.includes(COPY));
    await waitFor(scrolls, { what: "a copy" });
    for (const watcher of watchers) await showsAll(watcher, live.display);
  } finally {
    terminal.kill();
    await terminal.status;
  }
});

Deno.test("a video is sent with losses while it moves, and is exact at rest", async () => {
  await using live = await startLive();
  using video = await openVideo(live.display, { width: 300, height: 200 });
  const watcher = await live.watch();
  await showsAll(watcher, live.display);
  await waitFor(async () => {
    await video.play(1);
    return watcher.codecs.flat().includes(JPEG);
  }, { what: "a picture with losses" });
  await showsAll(watcher, live.display);
});

Deno.test("a viewer that acknowledges nothing gets no more, keeps nobody else waiting, and catches up", async () => {
  await using live = await startLive();
  using video = await openVideo(live.display, { width: 300, height: 200 });
  const slow = await live.watch({}, { acknowledges: false });
  const fast = await live.watch();
  await waitFor(async () => {
    await video.play(1);
    return fast.codecs.length > 20;
  }, { what: "pictures for the fast one" });
  await slow.idle();
  expect(slow.codecs).toHaveLength(2);
  for (const id of [-1, 0, 3, 1e12, NaN, Infinity]) slow.viewer.acknowledge(id);
  await showsAll(fast, live.display);
  await waitFor(async () => {
    slow.acknowledgeAll();
    await slow.idle();
    return slow.codecs.length > 2;
  }, { what: "the slow one to go on" });
  const going = setInterval(() => slow.acknowledgeAll(), 5);
  await showsAll(slow, live.display).finally(() => clearInterval(going));
});

Deno.test("a display that gets another size is followed", async () => {
  await using live = await startLive("800x600");
  const watcher = await live.watch();
  await showsAll(watcher, live.display);
  for (const size of ["640x480", "500x310", "800x600"]) {
    await setResolution(live.display, size);
    const [width, height] = size.split("x").map(Number);
    await waitFor(() => watcher.surface.width === width && watcher.surface.height === height, {
      what: size,
    });
    await showsAll(watcher, live.display);
  }
});

Deno.test("a display that goes and comes back is shown again, to viewers old and new", async () => {
  await using live = await startLive();
  const { display } = live;
  const watcher = await live.watch();
  await showsAll(watcher, display);
  await live.server.kill();
  await waitFor(() => watcher.notesOf("gone").length > 0, { what: "the end" });
  expect(watcher.notesOf("back")).toEqual([]);
  await waitFor(async () => {
    await expect(live.watch()).rejects.toThrow(display);
    return true;
  }, { what: "nobody to be let in" });
  await using _again = await startXvfb({ display, size: "500x300" });
  using painter = await openPainter(display);
  await painter.paint([10, 10, 50, 60], 0x00ff00);
  await waitFor(() => watcher.notesOf("back").length > 0, { what: "the display" });
  await showsAll(watcher, display);
  await showsAll(await live.watch(), display);
  expect(watcher.notesOf("gone")).toHaveLength(1);
});

Deno.test("one window is shown alone, and followed as it moves, hides and closes", async () => {
  await using live = await startLive();
  using x = await TestX.open(live.display);
  await x.openWindow({ x: 0, y: 0, width: 640, height: 480, pixel: 0x222222 });
  const window = await x.openWindow({ x: 40, y: 50, width: 100, height: 80, pixel: 0x00ff00 });
  const id = `0x${window.toString(16)}`;
  const watcher = await live.watch({ window: id });
  const isGreen = () => watcher.surface.pixels.every((pixel) => pixel === 0x00ff00);
  const shows = (expected: Record<string, unknown>) =>
    waitFor(async () => {
      await watcher.idle();
      expect(watcher.notesOf("size").at(-1)).toMatchObject(expected);
      return isGreen();
    }, { what: "the window" });
  await shows({ x: 40, y: 50, width: 100, height: 80 });
  x.client.ConfigureWindow(window, { x: 300, y: 200, width: 130, height: 90 });
  await shows({ x: 300, y: 200, width: 130, height: 90 });
  x.client.ConfigureWindow(window, { x: -30, y: 200 });
  await shows({ x: 0, y: 200, width: 100, height: 90 });
  x.client.DestroyWindow(window);
  await waitFor(() => watcher.notesOf("gone").length > 0, { what: "the end of the window" });
  await expect(live.watch({ window: id })).rejects.toThrow("0x");
});

Deno.test("nothing is shown while a secret is filled in, and its place is black from then on", async () => {
  await using live = await startLive("320x240");
  const { session, platform } = live.service;
  using painter = await openPainter(live.display);
  const watcher = await live.watch();
  const other = await live.watch();
  await showsAll(watcher, live.display);
  const display = await platform.displays.open(1);
  const filling = await session.use(Recordings).hideField(display, undefined);
  const SECRET = 0xff0000;
  await painter.paint([90, 90, 20, 20], SECRET);
  await painter.paint([200, 200, 10, 10], 0x0000ff); // drawn beside it, and found together with it
  filling[Symbol.dispose]();
  await session.use(Recordings).masksOf(display).allClosed(new AbortController().signal);
  await painter.paint([10, 10, 30, 30], 0x00ff00);
  for (const each of [watcher, other, await live.watch()]) {
    const pixel = (x: number, y: number) => each.surface.pixels[y * 320 + x];
    await waitFor(async () => {
      await each.idle();
      return pixel(20, 20) === 0x00ff00;
    }, { what: "what was drawn afterwards" });
    expect(pixel(100, 100)).toBe(0);
    expect(each.surface.pixels.includes(SECRET)).toBe(false);
  }
});

Deno.test("no picture that was asked for before a secret was filled in shows it", async () => {
  await using live = await startLive("320x240");
  const { session, platform } = live.service;
  using painter = await openPainter(live.display);
  const display = await platform.displays.open(1);
  const watcher = await live.watch();
  await showsAll(watcher, live.display);
  const seen = new Set<number>();
  const look = watcher.surface.put.bind(watcher.surface);
  watcher.surface.put = (x, y, width, height, rgba) => {
    for (const pixel of new Uint32Array(rgba.buffer)) seen.add(pixel & 0xffffff);
    look(x, y, width, height, rgba);
  };
  for (let round = 0; round < 20; round++) {
    await painter.paint([0, 0, 5, 5], 0x010101 * (round + 1)); // a picture is on its way
    const hidden = await session.use(Recordings).hideField(display, { x: 100, y: 100 });
    await painter.paint([90, 90, 20, 20], 0xff0000);
    hidden[Symbol.dispose]();
  }
  await painter.paint([300, 200, 5, 5], 0x00ff00);
  await waitFor(async () => {
    await watcher.idle();
    return seen.has(0x00ff00);
  }, { what: "what was drawn afterwards" });
  expect(seen.has(0x0000ff)).toBe(false); // red, least significant byte first
});

Deno.test("the cursor is sent beside the picture, and moves with the mouse", async () => {
  await using live = await startLive();
  const watcher = await live.watch();
  for (const at of [{ x: 50, y: 60 }, { x: 600, y: 400 }]) {
    await live.service.call("/api/mouse/move", at);
    await waitFor(async () => {
      await watcher.idle();
      expect(watcher.notesOf("cursor").at(-1)).toMatchObject({ visible: true, ...at });
      return true;
    }, { what: "the cursor" });
  }
  const looks = watcher.notesOf("cursor").flatMap(({ image }) => image ?? []);
  expect(looks).toHaveLength(1);
  await showsAll(watcher, live.display); // xwd has no cursor
});

Deno.test("a display that reports no changes is compared", async () => {
  await using live = await startLive("640x480", ["-extension", "DAMAGE"]);
  using video = await openVideo(live.display, { width: 300, height: 200 });
  const watcher = await live.watch();
  await showsAll(watcher, live.display);
  await video.play(3);
  await showsAll(watcher, live.display);
});

Deno.test("who leaves gets nothing more, and what is sent to who throws ends", async () => {
  await using live = await startLive();
  using painter = await openPainter(live.display);
  const left = await live.watch();
  const stays = await live.watch();
  let throwing = 0;
  await live.live.watch({ display_num: 1 }, () => {
    throwing++;
    throw new Error("The socket is closed");
  });
  await showsAll(left, live.display);
  left.viewer[Symbol.dispose]();
  const had = left.codecs.length;
  await painter.paint([10, 10, 50, 60], 0x00ff00);
  await showsAll(stays, live.display);
  await left.idle();
  expect([left.codecs.length, throwing]).toEqual([had, 1]);
  left.viewer.acknowledge(1);
  left.viewer[Symbol.dispose]();
});

Deno.test("at most 100 watch", async () => {
  await using live = await startLive("64x64");
  const send = () => {};
  const all = await Promise.all(
    Array.from({ length: 100 }, () => live.live.watch({ display_num: 1 }, send)),
  );
  await expect(live.live.watch({ display_num: 1 }, send)).rejects.toThrow("maximum");
  all[50]![Symbol.dispose]();
  await live.live.watch({ display_num: 1 }, send);
  await expect(live.live.watch({ display_num: 7 }, send)).rejects.toThrow();
});
