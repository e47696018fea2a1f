/**
 * What the display of the bench of the live picture shows: nothing, a blinking text cursor, or a video,
 * and the probe. Each line of the input is a command: `still`, `blink`, `video` or `probe 5`, which is
 * answered with the time of drawing. A click on the probe gives it the next colour.
 */

import { Buffer } from "node:buffer";
import { lineReader } from "../tests/support/lines.ts";
import { TestX, type TestXClient } from "../tests/support/x_client.ts";
import { MARK, nextColour, pixelOf, PROBE } from "./live_probe.ts";

const [display, framesFile] = Deno.args;
const SIZE = { width: 1920, height: 1080 };
const FRAME_BYTES = SIZE.width * SIZE.height * 4;
/** What fits into one request of X. */
const ROWS = 32;
const VIDEO_MS = 1_000 / 30;
const BLINK_MS = 500;
/** An event of X, and its mask. */
const BUTTON_PRESS = 4;
const BUTTON_PRESS_MASK = 4;

const x = await TestX.open(display!);
const client = x.client as TestXClient & {
  CreateGC(id: number, drawable: number, values: object): void;
  PutImage(...args: unknown[]): void;
  ClearArea(...numbers: number[]): void;
  UnmapWindow(window: number): void;
};
const screen = await x.openWindow(SIZE);
const caret = await x.openWindow({ x: 1500, y: 100, width: 10, height: 20 });
const probe = await x.openWindow({ ...PROBE, eventMask: BUTTON_PRESS_MASK });
const gc = client.AllocID();
client.CreateGC(gc, screen, {});
client.UnmapWindow(screen);
const frames = Buffer.from(await Deno.readFile(framesFile!));
const count = Math.floor(frames.length / FRAME_BYTES);
for (let frame = 0, colour = 1; frame < count; frame++, colour = nextColour(colour)) {
  for (let y = MARK.y; y < MARK.y + MARK.height; y++) {
    const from = frame * FRAME_BYTES + (y * SIZE.width + MARK.x) * 4;
    for (let at = from; at < from + MARK.width * 4; at += 4) {
      frames.writeUInt32LE(pixelOf(colour), at);
    }
  }
}

const fill = (window: number, pixel: number, { width, height }: typeof SIZE) => {
  client.ChangeWindowAttributes(window, { backgroundPixel: pixel } as never);
  client.ClearArea(window, 0, 0, width, height, 0);
};

let probed = 0;
function showProbe(colour: number): Promise<unknown> {
  probed = colour;
  fill(probe, pixelOf(colour), PROBE);
  return x.pointer();
}
client.on("event", ({ type }: { readonly type: number }) => {
  if (type === BUTTON_PRESS) void showProbe(nextColour(probed));
});

let shown = 0;
async function showFrame(): Promise<void> {
  const at = shown++ % (2 * count - 2);
  const frame = (at < count ? at : 2 * count - 2 - at) * FRAME_BYTES;
  for (let y = 0; y < SIZE.height; y += ROWS) {
    const rows = Math.min(ROWS, SIZE.height - y);
    const from = frame + y * SIZE.width * 4;
    const data = frames.subarray(from, from + rows * SIZE.width * 4);
    client.PutImage(2, screen, gc, SIZE.width, rows, 0, y, 0, x.screen.root_depth, data);
  }
  await x.pointer();
}

let timer: ReturnType<typeof setTimeout> | undefined;
function repeat(ms: number, draw: () => Promise<unknown>): void {
  const began = performance.now();
  const next = async () => {
    await draw();
    const mode = timer;
    const wait = ms - (performance.now() - began) % ms;
    if (mode === timer) timer = setTimeout(next, wait);
  };
  timer = setTimeout(next, 0);
}

const lines = lineReader(Deno.stdin.readable);
console.log("ready");
for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
  const [command, colour = 0] = line.split(" ");
  if (command === "probe") {
    client.ConfigureWindow(probe, { stackMode: 0 }); // a terminal can have come above it
    console.log(performance.timeOrigin + performance.now());
    await showProbe(Number(colour));
    continue;
  }
  clearTimeout(timer);
  timer = undefined;
  if (command === "video") client.MapWindow(screen);
  else client.UnmapWindow(screen);
  client.ConfigureWindow(probe, { stackMode: 0 });
  await x.pointer();
  if (command === "video") repeat(VIDEO_MS, showFrame);
  if (command === "blink") {
    repeat(BLINK_MS, () => {
      fill(caret, shown++ % 2 === 0 ? 0xffffff : 0, { width: 10, height: 20 });
      return x.pointer();
    });
  }
  console.log(command);
}
x[Symbol.dispose]();
