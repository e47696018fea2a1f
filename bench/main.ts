/** `deno task bench`: speed beside a bare server, a bare Hono app and xdotool, all in one run on one machine. */

import { startXvfb } from "../tests/support/xvfb.ts";
import { benchAudit } from "./audit.ts";
import { benchBatch } from "./batch.ts";
import { benchBash } from "./bash.ts";
import { benchClicks } from "./clicks.ts";
import { benchClipboard } from "./clipboard.ts";
import { benchWindows } from "./windows.ts";
import { benchCrowd } from "./crowd.ts";
import { benchDesks } from "./desks.ts";
import { benchElements } from "./elements.ts";
import { benchFilesystem } from "./filesystem.ts";
import { benchKeychain } from "./keychain.ts";
import { benchLive } from "./live.ts";
import { benchLivePeers } from "./live_peers.ts";
import { benchMainThread } from "./main_thread.ts";
import { benchMcp } from "./mcp.ts";
import { benchPictures } from "./pictures.ts";
import { benchProcesses } from "./processes.ts";
import { describeMachine, section } from "./report.ts";
import { benchRequests } from "./requests.ts";
import { benchStart } from "./start.ts";
import { benchTree } from "./tree.ts";
import { benchTyping } from "./typing.ts";
import { benchWayland } from "./wayland.ts";

section(`${new Date().toISOString().slice(0, 10)}, ${await describeMachine()}`);
await using xvfb = await startXvfb({ size: "1920x1080" });
// an X server whose last client leaves resets itself, which would flatter the service
await using _client = keepClient(xvfb.display);
const requests = await benchRequests(xvfb.display);
await benchAudit(xvfb.display);
await benchStart(xvfb.display);
await benchCrowd(xvfb.display);
await benchProcesses(xvfb.display, requests);
await benchClicks(xvfb.display);
await benchTyping(xvfb.display);
await benchClipboard(xvfb.display);
await benchWindows();
await benchElements();
await benchTree();
await benchMainThread();
await benchBatch(xvfb.display);
await benchMcp(xvfb.display);
await benchBash(xvfb.display);
await benchFilesystem();
await benchKeychain();
await benchPictures();
await benchLive();
await benchLivePeers();
await benchDesks();
await benchWayland();

function keepClient(display: string): AsyncDisposable {
  const child = new Deno.Command("xev", {
    args: ["-root", "-event", "owner_grab_button"],
    env: { DISPLAY: display },
    stdout: "null",
    stderr: "null",
  }).spawn();
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.status;
    },
  };
}
