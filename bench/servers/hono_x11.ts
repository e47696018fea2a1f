/** The usual way: plain Hono and zod, and the same X requests, each awaited; nothing of the service around it. */

import { Hono } from "hono";
import { z } from "zod";
import { createClient, type XSetup, type XTest } from "../../src/platform/linux/x11/client.ts";

const A_KEYCODE = 38;
const Move = z.object({ x: z.int(), y: z.int(), display_num: z.int().min(0).default(1) });
const Press = z.object({ key: z.string(), display_num: z.int().min(0).default(1) });

const setup = await new Promise<XSetup>((resolve, reject) => {
  const display = Deno.args[0]!;
  createClient({ display, bufferRequests: true }, (error, opened) => {
    if (error) reject(error);
    else resolve(opened);
  });
});
const { client } = setup;
const root = setup.screen[0]!.root;
const xtest = await new Promise<XTest>((resolve) =>
  client.require("xtest", ((_error: unknown, extension: XTest) => resolve(extension)) as never)
);
const sync = () => new Promise<void>((resolve) => client.GetInputFocus(() => resolve()));

const app = new Hono();
app.post("/api/mouse/move", async (c) => {
  const { x, y } = Move.parse(await c.req.json());
  xtest.FakeInput(xtest.MotionNotify, 0, 0, root, x, y);
  await sync();
  return c.body(null, 204);
});
app.post("/api/keyboard/key", async (c) => {
  Press.parse(await c.req.json());
  xtest.FakeInput(xtest.KeyPress, A_KEYCODE, 0, 0, 0, 0);
  xtest.FakeInput(xtest.KeyRelease, A_KEYCODE, 0, 0, 0, 0);
  await sync();
  return c.json(null);
});
app.post("/api/display/pixel_color", async (c) => {
  const { x, y } = Move.parse(await c.req.json());
  const pixel = await new Promise<Uint8Array>((resolve) =>
    client.GetImage(2, root, x, y, 1, 1, 0xffffffff, (_error, image) => resolve(image.data))
  );
  return c.json([pixel[2], pixel[1], pixel[0]]);
});

const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, app.fetch);
console.log(server.addr.port);
