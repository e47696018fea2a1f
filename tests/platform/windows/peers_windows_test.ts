/** Windows' list of connections tells of clients that have gone. */

import { expect } from "expect";
import { openIphlpapi } from "../../../ffi/windows/iphlpapi.ts";
import { TcpTable, WindowsPeers } from "../../../src/platform/windows/peers.ts";
import { keyOfEnds } from "../../../src/platform/tcp_ends.ts";
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
      const endsOf = (client: Deno.Conn) => ({
        remote: client.localAddr as Deno.NetAddr,
        local: client.remoteAddr as Deno.NetAddr,
      });
      const table = new TcpTable(openIphlpapi(), Deno.pid);
      let seen = false;
      await using peers = new WindowsPeers({
        async read() {
          const connections = await table.read();
          seen ||= [going, staying].every((each) => connections?.get(keyOfEnds(endsOf(each))));
          return connections;
        },
      });
      const gone: string[] = [];
      using _going = peers.watch(endsOf(going), () => gone.push("going"));
      using _staying = peers.watch(endsOf(staying), () => gone.push("staying"));
      await waitFor(() => seen, { what: "both in the list" });
      going.close();
      await waitFor(() => gone.length > 0, { what: "the word that the client has gone" });
      expect(gone).toEqual(["going"]);
      staying.close();
      await waitFor(() => gone.length > 1, { what: "the word of the second" });
      expect(gone).toEqual(["going", "staying"]);
    },
  });
}
