/** Operations in a real browser, while the connection to it ends at each message: see `failing_sockets.ts`. */

import { expect } from "expect";
import { findProgram } from "../../src/platform/browser/open_browser.ts";
import { thisHost } from "../../src/platform/host.ts";
import { startProcess } from "../real_programs/support/processes.ts";
import { servePages } from "../support/browser/pages.ts";
import { type Cut, CuttingProxy, webSocketMessageSize } from "../support/cutting_proxy.ts";
import { testFolder } from "../support/folder.ts";
import { startService } from "../support/service.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import {
  awaitReconnection,
  cutEachMessage,
  type CutOperation,
  type CutService,
} from "./failing_sockets.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started without a screen");

const CUTS: readonly Cut[] = ["before", "after"];
const AT = { x: 400, y: 300 };

/** Knows what is down in it. */
const PAGE = `<title>Form</title><input aria-label="Name"><button>Go</button>
<script>
const pressed = new Set();
addEventListener("mousedown", ({ button }) => pressed.add("button " + button), true);
addEventListener("mouseup", ({ button }) => pressed.delete("button " + button), true);
addEventListener("keydown", ({ code }) => pressed.add("key " + code), true);
addEventListener("keyup", ({ code }) => pressed.delete("key " + code), true);
</script>`;

interface Browser extends CutService, AsyncDisposable {
  readonly url: string;
  /** Of the field and the button of the page. */
  readonly refs: { readonly field: string; readonly button: string };
  /** Leaves the page alone. */
  closeOtherTabs(): Promise<void>;
}

async function openBrowser(): Promise<Browser> {
  await using opening = new AsyncDisposableStack();
  const pages = opening.use(servePages());
  const url = pages.serve("/form", PAGE);
  const port = await startChromium(opening, url);
  const page = opening.use(await openPage(port, url));
  const proxy = opening.use(
    new CuttingProxy({
      listener: Deno.listen({ hostname: "127.0.0.1", port: 0 }),
      connect: () => Deno.connect({ hostname: "127.0.0.1", port }),
      messageSize: webSocketMessageSize,
    }),
  );
  const { port: proxied } = proxy.options.listener.addr as Deno.NetAddr;
  const service = opening.use(
    await startService({
      displays: [":65535"],
      browserAddress: `http://127.0.0.1:${proxied}`,
      writeLog() {},
    }),
  );
  const refs = await waitFor(async () => {
    const { text } = await service.call("/api/browser/snapshot", {}) as { text: string };
    const [field, button] = ["Name", "Go"].map((name) =>
      new RegExp(`"${name}".*\\[ref=(e\\d+)\\]`).exec(text)?.[1]
    );
    return field && button ? { field, button } : undefined;
  }, { what: "the page" });
  const open = opening.move();
  return {
    proxy,
    service,
    url,
    refs,
    probe: { path: "browser/tabs" },
    pressed: () => page.readPressed(),
    async closeOtherTabs() {
      const others = (await listTargets(port)).filter(({ id }) => id !== page.target);
      for (const { id } of others) {
        await (await fetch(`http://127.0.0.1:${port}/json/close/${id}`)).body?.cancel();
      }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Gives the port at which it is reached. */
async function startChromium(stack: AsyncDisposableStack, url: string): Promise<number> {
  const folder = stack.use(await testFolder());
  const browser = stack.use(
    startProcess(findProgram(thisHost())!, {
      args: [
        ...["--headless", "--no-sandbox", "--no-first-run", "--disable-gpu"],
        ...["--disable-dev-shm-usage", `--user-data-dir=${folder.path}/profile`],
        ...["--remote-debugging-port=0", url],
      ],
      env: Deno.env.toObject(),
      log: `${folder.path}/errors`,
    }),
  );
  return await waitFor(async () => {
    if (!browser.running()) throw new Error(await browser.errors());
    const port = parseInt(await Deno.readTextFile(`${folder.path}/profile/DevToolsActivePort`));
    return (await listTargets(port)).some((target) => target.url === url) ? port : undefined;
  }, { what: "the page of the browser" });
}

interface Target {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly webSocketDebuggerUrl: string;
}

/** Past the proxy. */
async function listTargets(port: number): Promise<Target[]> {
  const all: Target[] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  return all.filter(({ type }) => type === "page");
}

interface Page extends AsyncDisposable {
  readonly target: string;
  /** What is down in it, as it knows itself. */
  readPressed(): Promise<string[]>;
}

/** A connection of the test's own to a page. */
async function openPage(port: number, url: string): Promise<Page> {
  const { id, webSocketDebuggerUrl } = (await listTargets(port)).find((each) => each.url === url)!;
  const socket = new WebSocket(webSocketDebuggerUrl);
  const waiting = new Map<number, (answer: { result: { result: { value?: string } } }) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(data);
    waiting.get(answer.id)?.(answer);
  };
  await new Promise((resolve) => socket.onopen = resolve);
  let last = 0;
  return {
    target: id,
    async readPressed() {
      const { promise, resolve } = Promise.withResolvers<
        Parameters<Parameters<typeof waiting["set"]>[1]>[0]
      >();
      const call = ++last;
      waiting.set(call, resolve);
      const params = { expression: "JSON.stringify([...pressed])" };
      socket.send(JSON.stringify({ id: call, method: "Runtime.evaluate", params }));
      const { result: { result: { value } } } = await promise;
      waiting.delete(call);
      return JSON.parse(value ?? "[]"); // a page that is just being loaded has nothing down
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => socket.onclose = resolve);
      socket.close();
      await closed;
    },
  };
}

const OPERATIONS: Readonly<Record<string, (browser: Browser) => CutOperation>> = {
  "the list of tabs, on a new connection, while a button is down": ({ proxy, service }) => ({
    path: "browser/tabs",
    prepare: () => service.call("/api/browser/pointer", { ...AT, action: "down" }),
    first: () => awaitReconnection(proxy),
    isReleasedLater: true,
  }),
  "a snapshot": () => ({ path: "browser/snapshot", body: () => ({}) }),
  "a click": ({ refs }) => ({ path: "browser/click", body: () => ({ ref: refs.button }) }),
  "a click at a point": () => ({ path: "browser/click", body: () => AT }),
  "a field that is filled": ({ refs }) => ({
    path: "browser/fill",
    body: () => ({ ref: refs.field, value: "Bern" }),
  }),
  "a text": ({ refs }) => ({
    path: "browser/type",
    body: () => ({ ref: refs.field, text: "aA漢" }),
  }),
  "a combination of keys": () => ({
    path: "browser/key",
    body: () => ({ key: "shift+a", repeat: 2 }),
  }),
  "a press of a button": () => ({
    path: "browser/pointer",
    body: () => ({ ...AT, action: "down" }),
    holds: true,
  }),
  "a drag": () => ({
    path: "browser/drag",
    body: () => ({ path: [AT, { x: 300, y: 250 }] }),
  }),
  "a picture": () => ({ path: "browser/screenshot", body: () => ({}) }),
  "a wait": () => ({ path: "browser/wait", body: () => ({ text: "Go" }) }),
  "a new tab": ({ closeOtherTabs }) => ({
    path: "browser/open",
    prepare: closeOtherTabs,
    body: () => ({ url: "about:blank" }),
    afterwards: closeOtherTabs,
  }),
  "a tab that is closed": ({ service, closeOtherTabs }) => ({
    path: "browser/close",
    prepare: closeOtherTabs,
    async body() {
      const { tab } = await service.call("/api/browser/open", { url: "about:blank" }) as Opened;
      return { tab_id: tab.id };
    },
    afterwards: closeOtherTabs,
  }),
  // the last one: its refs are new
  "a navigation": ({ url, closeOtherTabs }) => ({
    path: "browser/navigate",
    prepare: closeOtherTabs,
    body: () => ({ url }),
  }),
};

interface Opened {
  readonly tab: { readonly id: string };
}

Deno.test({
  name: "operations in a browser, whichever message to it is the last one",
  ignore,
  async fn(test) {
    const silent = giveUpSilent();
    silent.catch(() => {}); // reported by its step
    await using browser = await openBrowser();
    for (const [name, describe] of Object.entries(OPERATIONS)) {
      await test.step(name, async () => {
        const operation = describe(browser);
        let injected = 0;
        for (const cut of CUTS) injected += await cutEachMessage(browser, operation, { cut });
        console.log(`${name}: ${injected} connections were cut`);
        expect(injected).toBeGreaterThanOrEqual(CUTS.length);
      });
    }

    await test.step("a browser that answers nothing any more is given up", () => silent);
  },
});

/** Another browser: this one is mostly waited for. */
async function giveUpSilent(): Promise<void> {
  await using browser = await openBrowser();
  const cut = { cut: "silent", most: 1 } as const;
  expect(await cutEachMessage(browser, { path: "browser/tabs" }, cut)).toBe(1);
}
