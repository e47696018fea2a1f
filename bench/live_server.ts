/** Serves the live picture of a display to the page of the bench: nothing of the service but that. */

import { LiveDisplays } from "../src/features/live/live_displays.ts";
import { Session } from "../src/features/session.ts";
import { readConfig } from "../src/config/config.ts";
import { thisHost } from "../src/platform/host.ts";
import { openPlatform } from "../src/platform/mod.ts";

const [display, script] = Deno.args;
const config = readConfig({ display: [`1=${display}`] }, {}, noFile, Deno.build.os);
const platform = await openPlatform(thisHost(), config);
const live = new Session(platform, config.limits, config).use(LiveDisplays);
/** Those who are told what the page reports. */
const listening = new Set<WebSocket>();
const page =
  "<!doctype html><body style='margin:0'><canvas></canvas><script src=/page.js></script>";

function noFile(): never {
  throw new Deno.errors.NotFound();
}

Deno.serve({
  port: 0,
  hostname: "127.0.0.1",
  onListen: ({ port }) => console.log(port),
}, async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/page.js") {
    const headers = { "content-type": "text/javascript" };
    return new Response(await Deno.readTextFile(script!), { headers });
  }
  if (pathname === "/reports") {
    const { socket, response } = Deno.upgradeWebSocket(request);
    listening.add(socket);
    return response;
  }
  if (pathname !== "/socket") {
    return new Response(page, { headers: { "content-type": "text/html" } });
  }
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.binaryType = "arraybuffer";
  socket.onopen = async () => {
    const viewer = await live.watch({ display_num: 1 }, (message) => {
      socket.send(message instanceof ArrayBuffer ? message : JSON.stringify(message));
    });
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") { for (const each of listening) each.send(data); }
      else viewer.acknowledge(new DataView(data).getUint32(0, true));
    };
    socket.onclose = () => viewer[Symbol.dispose]();
  };
  return response;
});
