/** `--browser-address`: a Chromium that somebody else has started, and what is no browser. */

import { expect } from "expect";
import { findProgram } from "../../../src/platform/browser/open_browser.ts";
import { thisHost } from "../../../src/platform/host.ts";
import { startProcess } from "../../real_programs/support/processes.ts";
import { servePages } from "../../support/browser/pages.ts";
import { testFolder } from "../../support/folder.ts";
import { startService } from "../../support/service.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";
import { startXvfb } from "../../support/xvfb.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

Deno.test({
  name: "a Chromium with a port is used, started again or not, and stays when the service ends",
  ignore,
  async fn() {
    await using pages = servePages();
    await using server = await startXvfb();
    await using folder = await testFolder();
    const url = pages.serve(
      "/there",
      "<title>There</title><button onclick=report('it')>It</button>",
    );

    const start = async (port: number, address: string) => {
      const browser = startProcess(findProgram(thisHost())!, {
        args: [
          ...["--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage"],
          ...[`--user-data-dir=${folder.path}`, `--remote-debugging-port=${port}`, address],
        ],
        env: { ...Deno.env.toObject(), DISPLAY: server.display },
        log: `${folder.path}/errors`,
      });
      const listening = await waitFor(async () => {
        if (!browser.running()) throw new Error(await browser.errors());
        const file = `${folder.path}/DevToolsActivePort`;
        const found = port || parseInt(await Deno.readTextFile(file));
        await (await fetch(`http://127.0.0.1:${found}/json/version`)).body?.cancel();
        return found;
      }, { what: "the port of the browser" });
      return { browser, port: listening };
    };

    const first = await start(0, url);
    const browserAddress = `http://127.0.0.1:${first.port}`;
    {
      await using browser = first.browser;
      {
        await using service = await startService({ displays: [server.display], browserAddress });
        const read = async () => await service.call("/api/browser/snapshot", {}) as Json;
        const ref = await waitFor(async () => {
          // what is read while the page comes is gone when it is there
          for (const condition of [{ url }, { loaded: true }]) {
            await service.call("/api/browser/wait", condition);
          }
          return /\[ref=(e\d+)\]$/.exec((await read()).text)?.[1];
        }, { what: "the page" });
        await service.call("/api/mouse/left-click", { ref });
        await service.call("/api/browser/click", { ref });
        await waitFor(() => pages.reports.length === 2, { what: "both clicks" });
        await using _cover = startProcess("xterm", {
          args: ["-geometry", "40x20+0+0"],
          env: { ...Deno.env.toObject(), DISPLAY: server.display },
          log: `${folder.path}/xterm`,
        });
        await waitFor(async () => {
          return (await service.send("/api/mouse/move", { ref })).status === 409;
        }, { what: "a window above" });
        expect(await service.refused(409, "/api/mouse/left-click", { ref }))
          .toContain("covered by the window");
      }
      expect(browser.running()).toBe(true);
      expect(pages.reports.length).toBe(2);
    }
    await using service = await startService({ displays: [server.display], browserAddress });
    expect(await service.refused(503, "/api/browser/tabs")).toContain("Cannot reach the browser");
    await using _ = (await start(first.port, "about:blank")).browser;
    const { tab } = await service.call("/api/browser/navigate", { url }) as Json;
    expect(tab.title).toBe("There");
  },
});

Deno.test("what answers at the address and is no browser is 503, and breaks nothing", async (test) => {
  let answer: (request: Request) => Response;
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  await using server = Deno.serve(options, (request) => answer(request));
  const address = `127.0.0.1:${server.addr.port}`;
  /** Answers each call with these texts. */
  const speak = (reply: (id: number) => readonly string[]) => (request: Request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) =>
      reply(JSON.parse(data).id).forEach((each) => socket.send(each));
    return response;
  };
  const endless = () =>
    new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536).fill(0x20)) });

  const cases: Readonly<Record<string, readonly ["http" | "ws", (request: Request) => Response]>> =
    {
      "a page": ["http", () => new Response("<title>No browser</title>")],
      "null": ["http", () => Response.json(null)],
      "another address": ["http", () => Response.redirect("http://127.0.0.1:1/")],
      "no end": ["http", () => new Response(endless())],
      "no text of JSON": ["ws", speak(() => ["no text of JSON"])],
      "no object": ["ws", speak(() => ["null"])],
      "a number": ["ws", speak(() => ["12"])],
      "events without anything": ["ws", speak(() => ['{"method":"Target.attachedToTarget"}'])],
      "an error without words": ["ws", speak((id) => [`{"id":${id},"error":null}`])],
      "no result": ["ws", speak((id) => [`{"id":${id}}`])],
      "a result without a browser": ["ws", speak((id) => [`{"id":${id},"result":{}}`])],
    };
  for (const [name, [protocol, how]] of Object.entries(cases)) {
    await test.step(name, async () => {
      answer = how;
      const browserAddress = `${protocol}://${address}`;
      await using service = await startService({ displays: [":65535"], browserAddress });
      for (let tries = 0; tries < 2; tries++) {
        expect(await service.refused(503, "/api/browser/tabs")).toContain(address);
      }
    });
  }
});
