/** Local sockets as streams: whole, told when they end, and closed once. */

import { expect } from "expect";
import { UnixStream } from "../../../../src/platform/linux/x11/local_stream.ts";
import { testFolder } from "../../../support/folder.ts";
import { startKeyring } from "../../../support/keyring.ts";
import { succeeds, unless } from "../../../support/test_if.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const LINUX = Deno.build.os === "linux";

Deno.test({
  name: "UnixStream brings large and small pieces whole, both ways",
  ignore: !LINUX,
  async fn() {
    await using folder = await testFolder();
    using server = echoAt(`${folder.path}/socket`);
    const stream = new UnixStream(server.path);
    const sent = crypto.getRandomValues(new Uint8Array(60_000));
    const received: number[] = [];
    const done = new Promise<void>((resolve) => {
      stream.on("data", (bytes: Uint8Array) => received.push(...bytes));
      stream.on("close", resolve);
    });
    stream.write(sent.subarray(0, 1)); // before it is connected
    stream.end(sent.subarray(1));
    await done;
    expect(new Uint8Array(received)).toEqual(sent);
  },
});

Deno.test({
  name: "UnixStream tells that nobody listens, and that the other side has gone",
  ignore: !LINUX,
  async fn() {
    await using folder = await testFolder();
    const missing = new UnixStream(`${folder.path}/nothing`);
    const error = await new Promise<Error>((resolve) => missing.on("error", resolve));
    expect(error).toBeInstanceOf(Deno.errors.NotFound);
    using server = echoAt(`${folder.path}/socket`);
    const stream = new UnixStream(server.path);
    await new Promise((resolve) => stream.on("connect", resolve));
    const ended = new Promise((resolve) => stream.on("close", resolve));
    stream.resume();
    server.closeConnections();
    await ended;
  },
});

Deno.test({
  name: "a stream that is destroyed while it connects leaves nothing open",
  ignore: !LINUX,
  async fn() {
    await using folder = await testFolder();
    using server = echoAt(`${folder.path}/socket`);
    const stream = new UnixStream(server.path);
    const closed = new Promise((resolve) => stream.on("close", resolve));
    stream.destroy();
    await closed;
  },
});

Deno.test({
  name: "connections to the X server and to the session bus close no descriptor twice",
  ignore: unless(LINUX && await succeeds("strace", ["true"]), "strace cannot trace here"),
  async fn() {
    await using folder = await testFolder();
    await using xvfb = await startXvfb();
    await using keyring = await startKeyring("unlocked");
    const log = `${folder.path}/strace`;
    const { code, stderr } = await new Deno.Command("strace", {
      args: [
        ...["-f", "-Z", "-e", "trace=close", "-o", log],
        ...[Deno.execPath(), "run", "-A", import.meta.resolve("../../../support/connections.ts")],
        ...[xvfb.display, keyring.address],
      ],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    expect(new TextDecoder().decode(stderr)).not.toContain("error");
    expect(code).toBe(0);
    expect((await Deno.readTextFile(log)).match(/.*EBADF.*/g) ?? []).toEqual([]);
  },
});

/** A server that sends back what it gets. */
function echoAt(path: string) {
  const listener = Deno.listen({ transport: "unix", path });
  const connections = new Set<Deno.UnixConn>();
  (async () => {
    for await (const connection of listener) {
      connections.add(connection);
      connection.readable.pipeTo(connection.writable).catch(() => {});
    }
  })();
  return {
    path,
    closeConnections() {
      for (const connection of connections) connection.close();
    },
    [Symbol.dispose]: () => listener.close(),
  };
}
