/** Windows' list of connections tells of clients that have gone. */

import { expect } from "expect";
import { openIphlpapi } from "../../../ffi/windows/iphlpapi.ts";
import { openPeers } from "../../../src/platform/windows/peers.ts";
import { TcpTable } from "../../../src/platform/windows/tcp_table.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = Deno.build.os !== "windows";

for (const hostname of ["127.0.0.1", "::1"]) {
  Deno.test({
    name: `a client at ${hostname} that has closed its connection is told of, once, and no other`,
    ignore,
    fn: async () => {
      using listener = Deno.listen({ hostname, port: 0 });
      const { port } = listener.addr as Deno.NetAddr;
      const [going, staying] = await Promise.all([
        Deno.connect({ hostname, port }),
        Deno.connect({ hostname, port }),
      ]);
      using _first = await listener.accept();
      using _second = await listener.accept();
      const opened = openPeers();
      if (!opened.ready) throw new Error(opened.reason);
      await using peers = opened.use;
      const gone: string[] = [];
      const portOf = (connection: Deno.Conn) => (connection.localAddr as Deno.NetAddr).port;
      using _going = peers.watch(portOf(going), () => gone.push("going"));
      using _staying = peers.watch(portOf(staying), () => gone.push("staying"));
      const table = new TcpTable(openIphlpapi(), Deno.pid);
      await waitFor(async () => (await table.read())?.get(portOf(staying)), { what: "the list" });
      await new Promise((resolve) => setTimeout(resolve, 600)); // both are seen by then
      going.close();
      await waitFor(() => gone.length > 0, { what: "the word that the client has gone" });
      expect(gone).toEqual(["going"]);
      staying.close();
      await waitFor(() => gone.length > 1, { what: "the word of the second" });
      expect(gone).toEqual(["going", "staying"]);
    },
  });
}
