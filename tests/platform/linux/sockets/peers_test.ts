/** The connections of this process tell of clients that have gone. */

import { expect } from "expect";
import { ClientSockets, LinuxPeers } from "../../../../src/platform/linux/sockets/peers.ts";
import { findTcpSocket } from "../../../../src/platform/linux/sockets/socket_holders.ts";
import { keyOfEnd, type TcpEnds } from "../../../../src/platform/tcp_ends.ts";
import { waitFor } from "../../../support/wait.ts";

for (const hostname of ["127.0.0.1", "::1"]) {
  Deno.test(`LinuxPeers tells once when a client at ${hostname} has closed its connection, and not before`, async () => {
    using listener = Deno.listen({ hostname, port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    const [going, staying] = await Promise.all([
      Deno.connect({ hostname, port }),
      Deno.connect({ hostname, port }),
    ]);
    using _first = await listener.accept();
    using _second = await listener.accept();
    const gone: string[] = [];
    using peers = new LinuxPeers(new ClientSockets(), []);
    using _going = peers.watch(endsOf(going), () => gone.push("going"));
    using _staying = peers.watch(endsOf(staying), () => gone.push("staying"));
    going.close();
    await waitFor(() => gone.length > 0, { what: "the word that the client has gone" });
    expect(gone).toEqual(["going"]);
    staying.close();
    await waitFor(() => gone.length > 1, { what: "the word of the second" });
    expect(gone).toEqual(["going", "staying"]);
  });
}

Deno.test("LinuxPeers tells of a client whose connection was closed on this side", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  using client = await Deno.connect({ port: (listener.addr as Deno.NetAddr).port });
  const accepted = await listener.accept();
  let looks = 0;
  let gone = false;
  using peers = new LinuxPeers(
    new class extends ClientSockets {
      override isOpen(file: number, ends: TcpEnds): boolean {
        looks++;
        return super.isOpen(file, ends);
      }
    }(),
    [],
  );
  using _watch = peers.watch(endsOf(client), () => gone = true);
  await waitFor(() => looks > 1, { what: "two looks at an open connection" });
  expect(gone).toBe(false);
  accepted.close();
  await waitFor(() => gone, { what: "the word that it is closed" });
});

Deno.test("LinuxPeers tells of a client that has left before the first look", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  using staying = await Deno.connect({ port });
  using _accepted = await listener.accept();
  const left = await Deno.connect({ port });
  (await listener.accept()).close();
  left.close();
  const gone: string[] = [];
  using peers = new LinuxPeers(new ClientSockets(), []);
  using _staying = peers.watch(endsOf(staying), () => gone.push("staying"));
  using _left = peers.watch(endsOf(left), () => gone.push("left"));
  await waitFor(() => gone.length > 0, { what: "the word that the client has gone" });
  expect(gone).toEqual(["left"]);
});

Deno.test("LinuxPeers says nothing of a connection where it can find none", async () => {
  let looked = false;
  using peers = new LinuxPeers(
    new class extends ClientSockets {
      override find(ends: TcpEnds): number | undefined {
        looked = true;
        return super.find(ends);
      }
    }(),
    [],
  );
  using _watch = peers.watch({ remote: { hostname: "127.0.0.1", port: 1 } }, () => {
    throw new Error("It has never been there");
  });
  await waitFor(() => looked, { what: "a look" });
});

Deno.test("ClientSockets finds a connection behind 100 other files, and no other file", async () => {
  using sockets = new ClientSockets();
  using files = new DisposableStack();
  for (let i = 0; i < 100; i++) files.use(await Deno.open("/dev/null"));
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  using client = await Deno.connect({ port: (listener.addr as Deno.NetAddr).port });
  using _accepted = await listener.accept();
  const ends = endsOf(client);
  const file = sockets.find(ends);
  expect(file).toBeGreaterThan(99);
  expect(sockets.isOpen(file!, ends)).toBe(true);
  expect(sockets.isOpen(file!, { ...ends, local: { hostname: "127.0.0.1", port: 1 } })).toBe(false);
  expect(sockets.isOpen(file!, { ...ends, remote: { ...ends.remote, hostname: "127.0.0.9" } }))
    .toBe(false);
  expect(sockets.isOpen(0, ends)).toBe(false);
});

Deno.test("ClientSockets finds a connection beyond 1,000 descriptors that were closed", async () => {
  using sockets = new ClientSockets();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const files = await Promise.all(Array.from({ length: 1_000 }, () => Deno.open("/dev/null")));
  using client = await Deno.connect({ port: (listener.addr as Deno.NetAddr).port });
  using _accepted = await listener.accept();
  files.forEach((file) => file.close());
  expect(sockets.find(endsOf(client))).toBeGreaterThan(999);
});

Deno.test("LinuxPeers tells two clients apart whose ports are the same", async () => {
  using listener = Deno.listen({ hostname: "0.0.0.0", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const from = ["127.0.0.2", "127.0.0.3"];
  await using clients = startClients(port, from);
  const accepted = [await listener.accept(), await listener.accept()];
  using _both = { [Symbol.dispose]: () => accepted.forEach((each) => each.close()) };
  const ends = accepted.map((each) => ({
    remote: each.remoteAddr as Deno.NetAddr,
    local: each.localAddr as Deno.NetAddr,
  }));
  expect(ends.map(({ remote }) => remote.hostname)).toEqual(from);
  expect(new Set(ends.map(({ remote }) => remote.port)).size).toBe(1);

  const gone: string[] = [];
  using peers = new LinuxPeers(new ClientSockets(), []);
  using watches = new DisposableStack();
  for (const each of ends) {
    watches.use(peers.watch(each, () => gone.push(each.remote.hostname)));
  }
  await clients.closeLast();
  await waitFor(() => gone.length > 0, { what: "the word that the second client has gone" });
  expect(gone).toEqual(["127.0.0.3"]);
});

for (
  const [written, same] of [
    ["::1", "0:0:0:0:0:0:0:1"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["fe80::1%2", "fe80:0::1"],
  ] as const
) {
  Deno.test(`keyOfEnd() knows ${written} as ${same}`, () => {
    expect(keyOfEnd({ hostname: written, port: 9 })).toBe(keyOfEnd({ hostname: same, port: 9 }));
    expect(keyOfEnd({ hostname: written, port: 9 })).not
      .toBe(keyOfEnd({ hostname: "::2", port: 9 }));
  });
}

for (const [hostname, written] of [["127.0.0.1", "::ffff:127.0.0.1"], ["::1", "0:0:0:0:0:0:0:1"]]) {
  Deno.test(`findTcpSocket() tells the two sockets of a connection at ${hostname} apart`, async () => {
    using listener = Deno.listen({ hostname: hostname!, port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    using client = await Deno.connect({ hostname: hostname!, port });
    using _accepted = await listener.accept();
    const { remote, local } = endsOf(client);
    const asked = [findTcpSocket(remote, local!), findTcpSocket(local!, remote)];
    const own: string[] = [];
    for await (const { name } of Deno.readDir("/proc/self/fd")) {
      own.push(await Deno.readLink(`/proc/self/fd/${name}`).catch(() => ""));
    }
    expect(own).toEqual(expect.arrayContaining(asked.map((inode) => `socket:[${inode}]`)));
    expect(new Set(asked).size).toBe(2);
    expect(findTcpSocket({ ...remote, hostname: written! }, local!)).toBe(asked[0]);
    // a listener is no end of a connection
    expect(findTcpSocket({ ...remote, port }, { ...local!, port: 1 })).toBeUndefined();
  });
}

/** Python can choose the port of a client; one line of input closes the last connection. */
function startClients(port: number, from: readonly string[]) {
  const child = new Deno.Command("/usr/bin/python3", {
    args: [
      "-c",
      `
import socket, sys
connections = []
for address in sys.argv[2:]:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    connection.bind((address, connections[0].getsockname()[1] if connections else 0))
    connection.connect(("127.0.0.1", int(sys.argv[1])))
    connections.append(connection)
sys.stdin.readline()
connections.pop().close()
sys.stdin.readline()
`,
      `${port}`,
      ...from,
    ],
    stdin: "piped",
    stdout: "null",
  }).spawn();
  const input = child.stdin.getWriter();
  return {
    closeLast: () => input.write(new TextEncoder().encode("\n")),
    async [Symbol.asyncDispose]() {
      await input.close();
      await child.status;
    },
  };
}

/** The ends of a connection of this process, as the side that accepted it sees them. */
function endsOf(client: Deno.Conn): TcpEnds {
  return { remote: client.localAddr as Deno.NetAddr, local: client.remoteAddr as Deno.NetAddr };
}
