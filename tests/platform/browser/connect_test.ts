/** Addresses of browsers, with a server that reports the address of a WebSocket. */

import { expect } from "expect";
import { connectTo } from "../../../src/platform/browser/cdp/connection.ts";

/** The path that is requested when the browser reports this address. */
async function requestedPath(reported: string): Promise<string> {
  const requested = Promise.withResolvers<string>();
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  await using server = Deno.serve(options, (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/json/version") return Response.json({ webSocketDebuggerUrl: reported });
    requested.resolve(pathname + search);
    return Deno.upgradeWebSocket(request).response;
  });
  const transport = await connectTo(`http://127.0.0.1:${server.addr.port}`);
  transport.close();
  return await requested.promise;
}

Deno.test("the address that a browser reports keeps its query, and names no other host", async () => {
  expect(await requestedPath("ws://localhost:1/devtools/browser/b?token=t"))
    .toBe("/devtools/browser/b?token=t");
  expect(await requestedPath("ws://localhost:1//127.0.0.2:1/b")).toBe("//127.0.0.2:1/b");
});
