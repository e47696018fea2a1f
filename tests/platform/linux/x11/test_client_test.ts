/** The X client that tests use. */

import { expect } from "expect";
import { TestX } from "../../../support/x_client.ts";

const FIRST_PORT = 6_000;

Deno.test("a test that asks an X server that never answers fails, and says so", async () => {
  using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const display = `127.0.0.1:${silent.addr.port - FIRST_PORT}`;
  const opening = TestX.open(display, { timeoutMs: 100 });
  const [error] = await Promise.all([opening.catch((error) => error), accept(silent)]);
  expect(error).toMatchObject({
    message: `The X server "${display}" did not respond within 100 ms`,
  });
});

/** Resolves when the client has left. */
async function accept(silent: Deno.TcpListener): Promise<void> {
  using connection = await silent.accept();
  const buffer = new Uint8Array(1_000);
  while (await connection.read(buffer).catch(() => null) !== null);
}
