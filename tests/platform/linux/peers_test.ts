/** The connections of this process tell of clients that have gone. */

import { expect } from "expect";
import { ClientSockets } from "../../../src/platform/linux/client_sockets.ts";
import { LinuxPeers } from "../../../src/platform/linux/peers.ts";
import { waitFor } from "../../support/wait.ts";

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
    using peers = new LinuxPeers(new ClientSockets());
    const portOf = (connection: Deno.Conn) => (connection.localAddr as Deno.NetAddr).port;
    using _going = peers.watch(portOf(going), () => gone.push("going"));
    using _staying = peers.watch(portOf(staying), () => gone.push("staying"));
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
      override isOpen(file: number, port: number): boolean {
        looks++;
        return super.isOpen(file, port);
      }
    }(),
  );
  using _watch = peers.watch((client.localAddr as Deno.NetAddr).port, () => gone = true);
  await waitFor(() => looks > 1, { what: "two looks at an open connection" });
  expect(gone).toBe(false);
  accepted.close();
  await waitFor(() => gone, { what: "the word that it is closed" });
});

Deno.test("LinuxPeers says nothing of a connection that it cannot find", async () => {
  let looked = false;
  using peers = new LinuxPeers(
    new class extends ClientSockets {
      override find(port: number): number | undefined {
        looked = true;
        return super.find(port);
      }
    }(),
  );
  using _watch = peers.watch(1, () => {
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
  const { port } = client.localAddr as Deno.NetAddr;
  const file = sockets.find(port);
  expect(file).toBeGreaterThan(99);
  expect(sockets.isOpen(file!, port)).toBe(true);
  expect(sockets.isOpen(file!, port === 1 ? 2 : 1)).toBe(false);
  expect(sockets.isOpen(0, port)).toBe(false);
});
