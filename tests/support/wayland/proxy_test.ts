/** The proxy hands on what a real program and a real compositor say, with descriptors, but for what a test wants changed. */

import { expect } from "expect";
import { WaylandClient } from "../../../src/platform/linux/wayland/client.ts";
import { closeFile } from "../../../src/platform/linux/sockets/message_socket.ts";
import { waitFor } from "../wait.ts";
import { testIf } from "../test_if.ts";
import { missingFor, startWaylandDesktop } from "./desktop.ts";
import { openEventLog } from "./event_log.ts";
import { WaylandProxy } from "./proxy.ts";
import { countDescriptors } from "./socket_pair.ts";

const missing = missingFor("sway", ["foot"]);
const testSway = testIf(missing === undefined, missing ?? "");

testSway("a terminal works through the proxy, and nothing is left of it", async () => {
  await using desktop = await startWaylandDesktop("sway");
  const before = countDescriptors();
  {
    using proxy = new WaylandProxy(`${desktop.runtime}/proxy`, desktop.socket);
    await Deno.chmod(proxy.path, 0o777);
    const env = { WAYLAND_DISPLAY: "proxy" };
    const start: typeof desktop.start = (program, args, options) =>
      desktop.start(program, args, { ...options, env: { ...options?.env, ...env } });
    await using log = await openEventLog({ home: desktop.home, start });
    expect(proxy.connections).toBe(1);
    expect(log.program.running()).toBe(true);
    proxy.hangUp();
    await waitFor(() => !log.program.running(), { what: "the terminal to end" });
    await waitFor(() => proxy.connections === 0, { what: "its connection to end" });
  }
  await waitFor(() => countDescriptors() <= before, { what: "the descriptors to be closed" });
});

testSway("the proxy hides globals, keeps descriptors back and falls silent", async () => {
  await using desktop = await startWaylandDesktop("sway");
  const { socket, runtime } = desktop;
  using proxy = new WaylandProxy(`${runtime}/proxy`, socket, { hidden: ["wl_shm"] });
  {
    using client = await WaylandClient.open(proxy.path);
    using real = await WaylandClient.open(socket);
    const names = real.globals.list().map((each) => each.interface);
    expect(client.globals.list().map((each) => each.interface))
      .toEqual(names.filter((name) => name !== "wl_shm"));
    proxy.isMute = true;
    const answer = client.roundtrip();
    await real.roundtrip();
    proxy.hangUp();
    await expect(answer).rejects.toThrow("went away");
    proxy.isMute = false;
  }
  for (const change of [undefined, "without its descriptor"] as const) {
    proxy.change = ({ opcode, body }) =>
      opcode === 0 && body.length === 8 && body[0] === 1 && body[5]! > 0 ? change : undefined;
    using client = await WaylandClient.open(proxy.path);
    const seat = client.bind("wl_seat", 5);
    const keyboards = client.bind("zwp_virtual_keyboard_manager_v1", 1);
    keyboards.send("create_virtual_keyboard", seat);
    let keymaps = 0;
    seat.send("get_keyboard").on("keymap", (_format, file) => {
      keymaps++;
      closeFile(file);
    });
    if (change === undefined) await client.roundtrip();
    else expect((await client.closed).message).toContain("went away");
    expect(keymaps).toBe(change === undefined ? 1 : 0);
  }
});
