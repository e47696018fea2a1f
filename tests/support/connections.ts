/** A program that opens and closes connections to an X server and to a keyring; started by a test. */

import { withBus } from "../../src/platform/linux/secret_service/keychain.ts";
import { X11Connection } from "../../src/platform/linux/x11/connection.ts";

const [display = "", address = ""] = Deno.args;

for (let round = 0; round < 3; round++) {
  const connection = await X11Connection.open(display);
  await connection.confirm();
  const lost = new Promise<void>((resolve) => connection.client.stream.on("close", resolve));
  connection[Symbol.dispose]();
  await lost;
  await withBus({ address, timeoutMs: 5_000 }, async (call) => {
    await call({
      path: "/org/freedesktop/secrets",
      interface: "org.freedesktop.DBus.Peer",
      member: "Ping",
      signature: "",
      body: [],
    });
  });
}
