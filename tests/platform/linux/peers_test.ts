/** The kernel's table of connections tells of clients that have gone. */

import { expect } from "expect";
import { LinuxPeers, openPeerPorts } from "../../../src/platform/linux/peers.ts";
import { waitFor } from "../../support/wait.ts";

Deno.test("openPeerPorts() reads the remote ports of established connections only", () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when
   0: 0100007F:1092 00000000:0000 0A 00000000:00000000 00:00000000
   1: 0100007F:1092 0100007F:D431 01 00000000:00000000 00:00000000
   2: 0100007F:1092 0100007F:D432 08 00000000:00000000 00:00000000
   3: 0000000000000000FFFF00000100007F:1092 0000000000000000FFFF00000100007F:D433 01 00000000
`;
  expect([...openPeerPorts(table)]).toEqual([0xd431, 0xd433]);
});

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
    const peers = new LinuxPeers();
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

Deno.test("LinuxPeers looks less and less often while nobody goes", async () => {
  const times: number[] = [];
  const peers = new LinuxPeers(() => {
    times.push(performance.now());
    return Promise.resolve(new Set([1]));
  });
  using _watch = peers.watch(1, () => {});
  await waitFor(() => times.length >= 5, { what: "five looks" });
  // 300, 450, 675 and 1,012 ms: a busy machine only makes them more
  expect(times[4]! - times[0]!).toBeGreaterThan(2_400);
});
