/** The Wayland client, against a compositor that says what a test makes it say. */

import { expect } from "expect";
import { WaylandClient } from "../../../../src/platform/linux/wayland/client.ts";
import { Connection } from "../../../../src/platform/linux/wayland/wire/connection.ts";
import { closeFile } from "../../../../src/platform/linux/sockets/message_socket.ts";
import { MemoryFile } from "../../../../src/platform/linux/wayland/wire/memory_file.ts";
import { encodeMessage } from "../../../../src/platform/linux/wayland/wire/encoding.ts";
import { FakeCompositor } from "../../../support/wayland/fake_compositor.ts";
import { waitFor } from "../../../support/wait.ts";
import { countDescriptors, socketPair } from "../../../support/wayland/socket_pair.ts";

const GLOBALS = [["wl_shm", 1], ["wl_output", 4], ["wl_output", 3], ["strange", 9]] as const;
const ignore = Deno.build.os !== "linux"; // no other system has such sockets

Deno.test({
  name: "open() lists the globals, also when they come byte by byte",
  ignore,
  async fn() {
    await using compositor = await FakeCompositor.start({ globals: GLOBALS, inPieces: true });
    using client = await WaylandClient.open(compositor.path);
    expect(client.name).toBe("wayland-7");
    expect(client.globals.list().map((each) => each.interface)).toEqual(GLOBALS.map(([n]) => n));
    expect(client.globals.version("wl_output")).toBe(4);
    expect(client.globals.missing(["wl_shm", "wl_seat"])).toEqual(["wl_seat"]);
    expect(client.bind("wl_output", 9).version).toBe(4);
    expect(client.bind("wl_output", 2).version).toBe(2);
    expect(() => client.bind("wl_seat", 1)).toThrow('The Wayland compositor at "wayland-7" has no');
    await client.roundtrip();
    expect(compositor.requests.length).toBe(2);
  },
});

Deno.test({
  name: "numbers of objects are used again, so that a long session needs no more of them",
  ignore,
  async fn() {
    await using compositor = await FakeCompositor.start({ globals: GLOBALS });
    using client = await WaylandClient.open(compositor.path);
    for (let i = 0; i < 100; i++) await client.roundtrip();
    expect(client.bind("wl_shm", 1).id).toBeLessThan(6);
  },
});

Deno.test({
  name: "open() says that no compositor listens, or that it does not respond",
  ignore,
  async fn() {
    await using compositor = await FakeCompositor.start({ isMute: true });
    const before = countDescriptors();
    await expect(WaylandClient.open(`${compositor.path}0`)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("no program listens"),
    });
    await expect(WaylandClient.open(compositor.path, { openTimeoutMs: 50 })).rejects.toMatchObject({
      code: "unavailable",
      message: 'The Wayland compositor at "wayland-7" does not respond',
    });
    // the fake keeps its end of the connection
    await waitFor(() => countDescriptors() <= before + 1);
  },
});

Deno.test({
  name: "a compositor that stops answering is lost, and with it what waits for it",
  ignore,
  async fn() {
    await using compositor = await FakeCompositor.start({ globals: GLOBALS });
    using client = await WaylandClient.open(compositor.path, { answerTimeoutMs: 50 });
    compositor.isMute = true;
    const first = client.roundtrip();
    client.bind("wl_shm", 1);
    const second = expect(client.roundtrip()).rejects.toMatchObject({ code: "unavailable" });
    await expect(first).rejects.toThrow("does not respond");
    await second;
    expect(client.connected).toBe(false);
    await expect(client.roundtrip()).rejects.toThrow("does not respond");
  },
});

Deno.test({
  name: "a compositor that goes away is reported to everyone who waits",
  ignore,
  async fn() {
    await using compositor = await FakeCompositor.start({ globals: GLOBALS });
    using client = await WaylandClient.open(compositor.path);
    compositor.isMute = true;
    const waiting = expect(client.roundtrip()).rejects.toThrow('at "wayland-7" went away');
    compositor.hangUp();
    await waiting;
    expect((await client.closed).code).toBe("unavailable");
    const late = client.bind("wl_shm", 1).send("create_pool", 0, 1); // has no effect
    expect(late.isAlive).toBe(false);
  },
});

Deno.test({
  name: "a refused request is reported with the object, the error and the message",
  ignore,
  async fn() {
    await using compositor = await FakeCompositor.start({ globals: GLOBALS });
    using client = await WaylandClient.open(compositor.path);
    const shm = client.bind("wl_shm", 1);
    await client.roundtrip();
    compositor.isMute = true;
    await compositor.send(1, "wl_display", "error", shm.id, 1, "stride too small");
    await expect(client.roundtrip()).rejects.toThrow(
      'The Wayland compositor at "wayland-7" refused a request: wl_shm: invalid_stride: stride too small',
    );
  },
});

const DAMAGED = {
  "a length of 4": [1, 0x0004_0000],
  "a length that is no whole word": [1, 0x0009_0000, 0, 0],
  "an unknown object": [99, 0x0008_0000],
  "an unknown event": [1, 0x0008_0063],
  "arguments that are missing": [1, 0x0008_0001],
  "arguments too many": [1, 0x0010_0001, 3, 4],
  "a text longer than its message": [2, 0x0014_0000, 1, 0xffff_fff0, 1],
  "a text whose length overflows": [2, 0x0014_0000, 1, 0xffff_ffff, 1],
  "a text without its end": [2, 0x0018_0000, 1, 4, 0x6161_6161, 1],
};

for (const [what, words] of Object.entries(DAMAGED)) {
  Deno.test({
    name: `a message with ${what} ends the connection`,
    ignore,
    async fn() {
      await using compositor = await FakeCompositor.start({ globals: GLOBALS });
      using client = await WaylandClient.open(compositor.path);
      await compositor.sendBytes(new Uint8Array(Uint32Array.from(words).buffer));
      expect((await client.closed).message).toContain("went away");
      expect(client.connected).toBe(false);
    },
  });
}

Deno.test({
  name: "descriptors reach their listener, and are closed where there is none",
  ignore,
  async fn() {
    const before = countDescriptors();
    const [left, right] = socketPair();
    const connection = new Connection(left, "test");
    const heard = connection.create("wl_keyboard", 7);
    const unheard = connection.create("wl_keyboard", 7);
    const keymap = Promise.withResolvers<[number, number, number]>();
    heard.on("keymap", (...args) => keymap.resolve(args));
    const types = [{ type: "uint" }, { type: "fd" }, { type: "uint" }] as const;
    const all = types.map((each) => ({ ...each, isNullable: false, interface: undefined }));
    const memory = MemoryFile.from(new Uint8Array(5));
    for (const { id } of [unheard, heard]) {
      const { bytes, files } = encodeMessage(id, 0, all, [1, memory.file, 5]);
      right.send(bytes, files);
    }
    const [format, file, size] = await keymap.promise;
    expect([format, size]).toEqual([1, 5]);
    await Deno.stat(`/proc/self/fd/${file}`);
    memory[Symbol.dispose]();
    closeFile(file);
    expect(countDescriptors()).toBe(before + 2);
    // one that never comes
    right.send(encodeMessage(heard.id, 0, all, [1, 0, 5]).bytes);
    expect((await connection.closed).message).toContain("a descriptor is missing");
    right[Symbol.dispose]();
    expect(countDescriptors()).toBe(before);
  },
});
