/** One picture of a Wayland session beside `grim` (sway) and beside `gst-launch-1.0 pipewiresrc` (mutter). */

import { openBus } from "../src/platform/linux/bus/message_bus.ts";
import { openTextClient } from "../tests/support/wayland/clients.ts";
import { startWaylandDesktop, type WaylandDesktop } from "../tests/support/wayland/desktop.ts";
import { median } from "./median.ts";
import { type Started, startServer } from "./process.ts";
import { RawClient } from "./raw_client.ts";
import { row, section } from "./report.ts";
import { runProcess, sessionOf } from "./wayland_session.ts";

const SHOT = "/api/display/screenshot";
const SIZE = { width: 1920, height: 1080 };
/** What the pipeline of GStreamer needs; it would only notice at its end. */
const PLUGINS = [
  "/usr/lib/x86_64-linux-gnu/gstreamer-1.0/libgstpipewire.so",
  "/usr/lib/x86_64-linux-gnu/gstreamer-1.0/libgstvideoconvertscale.so",
  "/usr/lib/x86_64-linux-gnu/gstreamer-1.0/libgstpng.so",
].map((path) => path.replace("x86_64", Deno.build.arch));
const SCREEN_CAST = "org.gnome.Mutter.ScreenCast";

/** @param service runs on the desktop, which shows a terminal */
export async function benchSwayPictures(desktop: WaylandDesktop, service: Started): Promise<void> {
  const file = `${desktop.home}/grim.png`;
  const ours = await medianOfPictures(service);
  const grim = await median(() => runProcess("grim", [file], desktop), 20);
  section("Wayland (sway): one picture of 1920x1080, p50 ms");
  row("PNG over HTTP", [ours.toFixed(1)]);
  row("a process of grim", [grim.toFixed(1)]);
  row("  request / process (goal 0.25)", [(ours / grim).toFixed(2)]);
}

export async function benchMutterPictures(): Promise<void> {
  for (const path of PLUGINS) await Deno.stat(path);
  await using desktop = await startWaylandDesktop("mutter", SIZE);
  const args = ["--port", "0", "--wayland-backend", "mutter"];
  await using service = await startServer("../main.ts", args, sessionOf(desktop));
  await using _entry = await openTextClient(desktop, "zenity", () => Promise.resolve());
  const ours = await medianOfPictures(service);
  await using stream = await openStream(desktop);
  const pipeline = [
    ...["pipewiresrc", `path=${stream.node}`, "num-buffers=1", "!", "videoconvert", "!"],
    ...["pngenc", "!", "filesink", `location=${desktop.home}/gst.png`],
  ];
  const process = await median(() => runProcess("gst-launch-1.0", pipeline, desktop), 10);
  section("Wayland (mutter): one picture of 1920x1080, p50 ms");
  row("PNG over HTTP", [ours.toFixed(1)]);
  row("a process of gst-launch-1.0 pipewiresrc", [process.toFixed(1)]);
  row("  request / process (goal 0.25)", [(ours / process).toFixed(2)]);
}

async function medianOfPictures({ port }: Started): Promise<number> {
  using client = await RawClient.connect(port);
  const { status } = await client.get(SHOT);
  if (status !== 200) throw new Error(`A picture was answered with ${status}`);
  return await median(() => client.get(SHOT), 60);
}

/** A stream of the monitor for another program, for as long as it is not disposed. */
async function openStream(
  { env }: WaylandDesktop,
): Promise<AsyncDisposable & { readonly node: number }> {
  const bus = await openBus(env["DBUS_SESSION_BUS_ADDRESS"]!);
  const call = async (
    path: string,
    name: string,
    member: string,
    signature: string,
    body: unknown[],
  ) => await bus.call({ destination: SCREEN_CAST, path, interface: name, member, signature, body });
  const added = Promise.withResolvers<number>();
  await bus.on(
    { interface: `${SCREEN_CAST}.Stream`, member: "PipeWireStreamAdded" },
    ({ body }) => added.resolve(body[0] as number),
  );
  const root = `/${SCREEN_CAST.replaceAll(".", "/")}`;
  const created = await call(root, SCREEN_CAST, "CreateSession", "a{sv}", [[]]);
  const session = created.body[0] as string;
  await call(session, `${SCREEN_CAST}.Session`, "RecordMonitor", "sa{sv}", ["Meta-0", []]);
  await call(session, `${SCREEN_CAST}.Session`, "Start", "", []);
  const node = await added.promise;
  return {
    node,
    async [Symbol.asyncDispose]() {
      await call(session, `${SCREEN_CAST}.Session`, "Stop", "", []);
      bus[Symbol.dispose]();
    },
  };
}
