/** Pictures of a real compositor by PipeWire, in the threads that take them. */

import { expect } from "expect";
import { openBus } from "../../../../src/platform/linux/bus/message_bus.ts";
import { openPipeWireStream } from "../../../../src/platform/linux/pipewire/stream.ts";
import { MutterSession } from "../../../../src/platform/linux/wayland/mutter/session.ts";
import { connectFile } from "../../../../src/platform/linux/sockets/message_socket.ts";
import { openScreen } from "../../../../src/platform/screens.ts";
import type { ScreenAddress } from "../../../../src/platform/types/mod.ts";
import { countOpenFiles } from "../../../support/processes.ts";
import { testIf } from "../../../support/test_if.ts";
import { waitFor } from "../../../support/wait.ts";
import { missingFor, startWaylandDesktop } from "../../../support/wayland/desktop.ts";

const MISSING = missingFor("mutter", ["zenity"]);
const test = testIf(MISSING === undefined, MISSING ?? "");
const WINDOW = ["--info", "--text", "a window"];

async function openStream() {
  await using opening = new AsyncDisposableStack();
  const desktop = opening.use(await startWaylandDesktop("mutter", { width: 640, height: 480 }));
  const bus = opening.use(await openBus(desktop.env["DBUS_SESSION_BUS_ADDRESS"]!));
  const session = opening.use(await MutterSession.open(bus));
  const connect = () => connectFile(`${desktop.runtime}/pipewire-0`);
  const { node } = session.monitors[0]!;
  const stream = opening.use(await openPipeWireStream({ node, file: connect() }));
  const open = opening.move();
  return {
    ...{ desktop, bus, session, stream, connect },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

async function readPixels(address: ScreenAddress, region: Parameters<typeof capture>[1]) {
  const screen = await openScreen(address);
  try {
    return await capture(screen, region);
  } finally {
    screen.close();
  }
}

async function capture(
  screen: Awaited<ReturnType<typeof openScreen>>,
  region: { x: number; y: number; width: number; height: number },
) {
  return await screen.capture(
    region,
    { cursor: "hidden" },
    ({ pixels }) => [...pixels].map((pixel) => pixel & 0xffffff),
  );
}

test("pictures have the size of the monitor, and regions are parts of them", async () => {
  await using opened = await openStream();
  const { stream, desktop } = opened;
  expect(stream.size).toEqual({ width: 640, height: 480 });
  const changes = stream.watch();
  const { count } = await changes.poll();
  await using _window = desktop.start("zenity", WINDOW);
  await changes.next(count, AbortSignal.timeout(20_000));
  expect(changes.since(count)).not.toEqual([]);
  await waitFor(async () => new Set(await readPixels(stream.address, WHOLE)).size > 20, {
    what: "the window in the picture",
  });
  const part = { x: 100, y: 90, width: 211, height: 101 };
  await waitFor(async () => {
    const [whole, cut, at] = [
      await readPixels(stream.address, WHOLE),
      await readPixels(stream.address, part),
      await stream.pixel({ x: part.x + 5, y: part.y + 7 }),
    ];
    const index = (x: number, y: number) => (part.y + y) * 640 + part.x + x;
    const isCut = cut.every((pixel, i) => pixel === whole[index(i % 211, Math.floor(i / 211))]);
    const pixel = whole[index(5, 7)]!;
    return isCut && [pixel >> 16, pixel >> 8 & 255, pixel & 255].join() === at.join();
  }, { what: "the region to be a part of the picture" });
});

test("a region beyond the screen is a conflict, not memory of others", async () => {
  await using opened = await openStream();
  const beyond = { x: 600, y: 0, width: 100, height: 10 };
  await expect(readPixels(opened.stream.address, beyond)).rejects.toMatchObject({
    code: "conflict",
  });
  await expect(opened.stream.pixel({ x: 640, y: 0 })).rejects.toMatchObject({ code: "conflict" });
});

test("the pointer is followed, and no frame is counted as a change that shows none", async () => {
  await using opened = await openStream();
  const { stream, session } = opened;
  const { count } = await stream.watch().poll();
  for (const [x, y] of [[10, 20], [630, 470], [320, 200]]) {
    session.send("NotifyPointerMotionAbsolute", "sdd", [session.monitors[0]!.stream, x, y]);
    await waitFor(async () => {
      const { position } = (await stream.cursor())!;
      return position.x === x && position.y === y;
    }, { what: `the pointer at ${x},${y}` });
  }
  expect((await stream.watch().poll()).count).toBe(count);
});

test("many pictures by several readers leave no descriptor behind", async () => {
  await using opened = await openStream();
  const { stream } = opened;
  const screens = await Promise.all([1, 2, 3].map(() => openScreen(stream.address)));
  const take = () => Promise.all(screens.map((screen) => capture(screen, SMALL)));
  await take();
  const before = countOpenFiles(Deno.pid);
  for (let i = 0; i < 200; i++) await take();
  expect(countOpenFiles(Deno.pid)).toBe(before);
  for (const screen of screens) screen.close();
});

test("streams that are closed leave no descriptor behind", async () => {
  await using opened = await openStream();
  const { bus, connect } = opened;
  const open = async () => {
    await using session = await MutterSession.open(bus);
    await using _stream = await openPipeWireStream({
      node: session.monitors[0]!.node,
      file: connect(),
    });
  };
  await open();
  const before = countOpenFiles(Deno.pid);
  for (let i = 0; i < 3; i++) await open();
  await waitFor(() => countOpenFiles(Deno.pid) <= before, { what: "the descriptors to be closed" });
});

test("a stream ends with its compositor, and pictures then are unavailable", async () => {
  await using opened = await openStream();
  const { stream, desktop } = opened;
  await desktop.crash();
  expect((await stream.closed).message).toContain("The pictures of the screen have ended");
  expect(stream.connected).toBe(false);
  await expect(stream.pixel({ x: 0, y: 0 })).rejects.toMatchObject({ code: "unavailable" });
});

test("a node that does not exist is unavailable in time", async () => {
  await using opened = await openStream();
  const opening = openPipeWireStream({ node: 9_999, file: opened.connect() });
  await expect(opening).rejects.toMatchObject({ code: "unavailable" });
});

const WHOLE = { x: 0, y: 0, width: 640, height: 480 };
const SMALL = { x: 0, y: 0, width: 64, height: 64 };
