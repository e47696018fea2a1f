/** Clients that connect and break the connection at once: nobody else notices. */

import { expect } from "expect";
import { connectionLimits, startServer } from "../../src/http/connections/server.ts";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { succeeds, unless } from "../support/test_if.ts";

const RESETS = 3_000;

/** Closes each connection with a reset, most of them before they can be accepted. */
const SCRIPT = `
import socket, struct, sys
for _ in range(${RESETS}):
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.connect(("127.0.0.1", int(sys.argv[1])))
    client.close()
`;

const ignore = unless(await succeeds("/usr/bin/python3", ["-c", ""]), "there is no python3") ||
  Deno.build.os === "windows";

Deno.test({
  ignore,
  name: `${RESETS} connections that are reset at once cut and refuse nobody else`,
  async fn() {
    const warned: string[] = [];
    const server = startServer({
      hostname: "127.0.0.1",
      port: 0,
      limits: connectionLimits(DEFAULT_LIMITS, 1_024),
      log: { warn: (event) => void warned.push(event) },
    }, () => new Response("done"));
    using kept = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
    const args = ["-c", SCRIPT, String(server.port)];
    await using attacker = new Deno.Command("/usr/bin/python3", { args }).spawn();
    let over = false;
    attacker.status.then(() => over = true);
    while (!over) {
      const headers = { connection: "close" };
      const answer = await fetch(`http://127.0.0.1:${server.port}/`, { headers });
      expect(await answer.text()).toBe("done");
      await kept.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      expect(await kept.read(new Uint8Array(1_000))).not.toBe(null);
    }
    expect((await attacker.status).success).toBe(true);
    expect(warned).toEqual([]);
    await server.shutdown();
  },
});
