/** Addresses of browsers, with a server that tells the address of a WebSocket. */

import { expect } from "expect";
import { connectTo } from "../../../src/platform/browser/cdp/connection.ts";

/** What the server is asked for when the browser tells this address. */
async function askedFor(told: string): Promise<string> {
  const asked = Promise.withResolvers<string>();
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  await using server = Deno.serve(options, (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/json/version") return Response.json({ webSocketDebuggerUrl: told });
    asked.resolve(pathname + search);
    return Deno.upgradeWebSocket(request).response;
  });
  const transport = await connectTo(`http://127.0.0.1:${server.addr.port}`);
  transport.close();
  return await asked.promise;
}

Deno.test("the address that a browser tells keeps its query, and names no other host", async () => {
  expect(await askedFor("ws://localhost:1/devtools/browser/b?token=t"))
    .toBe("/devtools/browser/b?token=t");
  expect(await askedFor("ws://localhost:1//127.0.0.2:1/b")).toBe("//127.0.0.2:1/b");
});
