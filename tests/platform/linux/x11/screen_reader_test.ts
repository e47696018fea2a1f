/** Reading the screen through shared memory and through the socket: the same pixels, and nothing is left behind. */

import { expect } from "expect";
import { openScreen } from "../../../../src/platform/screens.ts";
import { X11Connection } from "../../../../src/platform/linux/x11/connection.ts";
import { SharedMemory, X11Screen } from "../../../../src/platform/linux/x11/screen.ts";
import { X11ScreenReader } from "../../../../src/platform/linux/x11/screen_reader.ts";
import { waitFor } from "../../../support/wait.ts";
import { TestX } from "../../../support/x_client.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const HIDDEN = { cursor: "hidden" } as const;

for (const depth of [16, 24]) {
  Deno.test(`SharedMemory gives the pixels that the socket gives, depth ${depth}`, async () => {
    await using server = await startXvfb({ size: "333x222", depth });
    using x = await TestX.open(server.display);
    for (let i = 0; i < 20; i++) {
      await x.openWindow({
        x: 15 * i,
        y: 9 * i,
        width: 31,
        height: 17,
        pixel: (i * 0x31357) % 2 ** depth,
      });
    }
    using connection = await X11Connection.open(server.display);
    const shared = new X11Screen(connection, await SharedMemory.open(connection));
    expect(shared.reading.way).toBe("shared_memory");
    const plain = new X11Screen(connection, "to compare");
    const whole = { x: 0, y: 0, width: 333, height: 222 };
    for (
      const region of [{ x: 9, y: 7, width: 33, height: 21 }, whole, {
        x: 332,
        y: 221,
        width: 1,
        height: 1,
      }]
    ) {
      const pixels = [...await plain.pixels(region)];
      expect([...await shared.pixels(region)]).toEqual(pixels);
      expect(new Set(pixels).size > 1 || pixels.length === 1).toBe(true);
    }
    shared.close();
  });
}

Deno.test("SharedMemory is not used where the server has none", async () => {
  await using server = await startXvfb({ size: "64x48", args: ["-extension", "MIT-SHM"] });
  using connection = await X11Connection.open(server.display);
  expect(await SharedMemory.open(connection)).toBe("the X server has no MIT-SHM extension");
  const reader = await X11ScreenReader.open(server.display);
  const region = { x: 0, y: 0, width: 64, height: 48 };
  expect(await reader.capture(region, HIDDEN, ({ pixels }) => pixels.length)).toBe(64 * 48);
  reader.close();
});

Deno.test("SharedMemory leaves no segment behind, not even when the screen has grown", async () => {
  const before = segments();
  await using server = await startXvfb({ size: "64x48" });
  const reader = await X11ScreenReader.open(server.display);
  for (const width of [1, 10, 64]) {
    await reader.capture({ x: 0, y: 0, width, height: 48 }, HIDDEN, () => {});
  }
  const marked = [...segments()].filter((id) => !before.has(id));
  expect(marked.length).toBeLessThanOrEqual(1); // the one in use, which ends with its users
  reader.close();
  await waitFor(() => !marked.some((id) => segments().has(id)), { what: "the end of the segment" });
});

/** The System V segments that this process has made, by shmid. */
function segments(): Set<string> {
  try {
    const lines = Deno.readTextFileSync("/proc/sysvipc/shm").trim().split("\n").slice(1);
    const fields = lines.map((line) => line.trim().split(/\s+/));
    return new Set(fields.filter((each) => Number(each[4]) === Deno.pid).map((each) => each[1]!));
  } catch {
    return new Set(); // this kernel does not tell
  }
}

Deno.test("X11ScreenReader takes one picture after the other, each used before the next", async () => {
  await using server = await startXvfb({ size: "64x48" });
  const reader = await openScreen({ backend: "x11", name: server.display });
  const order: number[] = [];
  const region = { x: 0, y: 0, width: 64, height: 48 };
  const failing = reader.capture(region, HIDDEN, () => {
    throw new Error("a user that fails");
  });
  await Promise.all([
    failing.catch(({ message }) => expect(message).toBe("a user that fails")),
    ...[1, 2, 3].map((n) => reader.capture(region, HIDDEN, () => void order.push(n))),
  ]);
  expect(order).toEqual([1, 2, 3]);
  await expect(reader.capture({ ...region, width: 65 }, HIDDEN, () => {})).rejects
    .toMatchObject({ code: "conflict" });
  reader.close();
  expect(reader.connected).toBe(false);
  await expect(openScreen({ backend: "x11", name: ":59000" })).rejects
    .toMatchObject({ code: "unavailable" });
});

Deno.test("X11ScreenReader keeps the memory of a picture that is used while it is closed", async () => {
  await using server = await startXvfb({ size: "640x480" });
  const before = segments();
  const reader = await X11ScreenReader.open(server.display);
  const region = { x: 0, y: 0, width: 640, height: 480 };
  const used = reader.capture(region, HIDDEN, ({ pixels }) => {
    reader.close();
    return pixels.reduce((count) => count + 1, 0); // reads each, and takes no memory that could lie there now
  });
  const next = reader.capture(region, HIDDEN, () => {});
  const [{ status, value }, { reason }] = await Promise.allSettled([used, next]) as [
    PromiseFulfilledResult<number>,
    PromiseRejectedResult,
  ];
  expect([status, value]).toEqual(["fulfilled", 640 * 480]);
  expect(reason).toMatchObject({ code: "unavailable" });
  await waitFor(() => [...segments()].every((id) => before.has(id)), {
    what: "the end of the segment",
  });
});

Deno.test("X11ScreenReader tells which cursor it drew, and where", async () => {
  await using server = await startXvfb({ size: "64x48" });
  const reader = await X11ScreenReader.open(server.display);
  using x = await TestX.open(server.display);
  await x.openWindow({ width: 64, height: 48, pixel: 0x3366cc });
  const region = { x: 0, y: 0, width: 64, height: 48 };
  const drawn = await reader.capture(region, { cursor: "shown" }, ({ pixels }, cursor) => {
    const places = [...pixels.keys()].filter((at) => (pixels[at]! & 0xffffff) !== 0x3366cc);
    return { places, cursor };
  });
  const { x: left, y: top, width, height } = drawn.cursor!.box;
  expect(drawn.places.length).toBeGreaterThan(10);
  for (const at of drawn.places) {
    const [column, row] = [at % 64 - left, Math.floor(at / 64) - top];
    expect(column >= 0 && column < width && row >= 0 && row < height).toBe(true);
  }
  expect(await reader.capture(region, HIDDEN, (_, cursor) => cursor)).toBe(undefined);
  reader.close();
});
