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
let clicks = 0;
addEventListener("click", () => clicks++, true);
addEventListener("mousedown", ({ button }) => button === 1 && alert("Hello"));
</script>`;

interface Browser extends CutService, AsyncDisposable {
  readonly url: string;
  readonly page: Page;
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
    page,
    refs,
    probe: { path: "browser/tabs" },
    pressed: () => page.evaluate("[...pressed]"),
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
  // deno-lint-ignore no-explicit-any -- who asks knows the shape
  evaluate(expression: string): Promise<any>;
  /** As a person does, who sees it. */
  closeDialog(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly result?: { readonly result?: { readonly value?: string } };
  readonly error?: { readonly message: string };
}

/** A connection of the test's own to a page. */
async function openPage(port: number, url: string): Promise<Page> {
  const { id, webSocketDebuggerUrl } = (await listTargets(port)).find((each) => each.url === url)!;
  const socket = new WebSocket(webSocketDebuggerUrl);
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.onmessage = ({ data }) => {
    const answer: Answer = JSON.parse(data);
    waiting.get(answer.id)?.(answer);
  };
  await new Promise((resolve) => socket.onopen = resolve);
  let last = 0;
  const call = async (method: string, params: object = {}) => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const number = ++last;
    waiting.set(number, resolve);
    socket.send(JSON.stringify({ id: number, method, params }));
    const { result, error } = await promise;
    waiting.delete(number);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  await call("Page.enable"); // only so can it close a dialog
  return {
    target: id,
    async evaluate(expression) {
      const answer = await call("Runtime.evaluate", {
        expression: `JSON.stringify(${expression})`,
      });
      return JSON.parse(answer?.result?.value ?? "[]"); // a page that is just being loaded has nothing down
    },
    async closeDialog() {
      await call("Page.handleJavaScriptDialog", { accept: true });
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

Deno.test({
  name:
    "a dialog that is older than the connection keeps input away, and what is down is released after it",
  ignore,
  async fn() {
    await using browser = await openBrowser();
    const { proxy, service, page } = browser;
    await service.call("/api/browser/pointer", { ...AT, action: "down", button: "middle" });
    expect(await service.call("/api/browser/dialogs")).toMatchObject([{ message: "Hello" }]);
    await awaitReconnection(proxy);
    expect(await service.refused(504, "/api/browser/click", AT)).toContain("older");
    expect(await service.call("/api/browser/dialogs")).toEqual([]);
    await awaitReconnection(proxy); // what is down is not forgotten with the second one
    await service.call("/api/browser/tabs");
    await page.closeDialog();
    await waitFor(async () => (await browser.pressed()).length === 0, {
      what: "the release of the button without any other call",
    });
    expect(await page.evaluate("clicks")).toBe(0);
    await service.call("/api/browser/click", AT);
    expect(await page.evaluate("clicks")).toBe(1);
    expect(await browser.pressed()).toEqual([]);
  },
});

/** Another browser: this one is mostly waited for. */
async function giveUpSilent(): Promise<void> {
  await using browser = await openBrowser();
  const cut = { cut: "silent", most: 1 } as const;
  expect(await cutEachMessage(browser, { path: "browser/tabs" }, cut)).toBe(1);
}
