/** Loads pages, and waits until they have loaded. */

import { poll, within } from "../../core/deadline.ts";
import { ignoreCode, ServiceError } from "../../core/errors.ts";
import type { BrowserDownload, NavigateTo, Navigation } from "../types/browser.ts";
import { CdpError } from "./cdp/connection.ts";
import { evaluateInIsolatedWorld, ifGone } from "./isolated_world.ts";
import type { BrowserJob, RunningBrowser } from "./running_browser.ts";
import type { Tab } from "./tab.ts";

/** Time in which a page that another one replaces begins to do so. */
const COMMIT_MS = 300;
const QUERY_TIMEOUT_MS = 1_000;
const POLL_INTERVAL_MS = 20;

export const navigate: BrowserJob<"navigate"> = async (browser, { tab: id, to, timeMs }) => {
  return await load(browser, await browser.choose(id), to, timeMs);
};

export const openTab: BrowserJob<"open"> = async (browser, { url = "about:blank", timeMs }) => {
  const { targetId } = await browser.connection.call("Target.createTarget", { url: "about:blank" });
  const tab = await browser.awaitTab(targetId);
  await browser.activate(tab);
  if (url !== "about:blank") return await load(browser, tab, { url }, timeMs);
  return { tab: await browser.describe(tab), loaded: true };
};

async function load(
  browser: RunningBrowser,
  tab: Tab,
  to: NavigateTo,
  timeMs: number,
): Promise<Navigation> {
  tab.check();
  const end = performance.now() + timeMs;
  using watch = watchLoading(tab);
  const before = new Set(browser.downloads.keys());
  const loader = "url" in to
    ? await begin(tab, to.url, timeMs)
    : await go(tab, to.history, watch, timeMs);
  if (loader === DOWNLOAD) {
    const download = await awaitDownload(browser, before, end);
    const loaded = download?.state === "completed";
    return { tab: await describeSoon(browser, tab), loaded, ...(download && { download }) };
  }
  if (loader === undefined) return { tab: await describeSoon(browser, tab), loaded: true };
  const loaded = !hasNoPage(tab, loader) && await watch.loaded(loader, end - performance.now());
  if (tab.refused === loader) throw new ServiceError("forbidden", OF_SERVICE);
  const httpStatus = tab.documentStatus.get(loader);
  const described = await describeSoon(browser, tab);
  return { tab: described, loaded, ...(httpStatus === undefined ? {} : { httpStatus }) };
}

/** Stands for the loader where the address is that of a file, which the browser downloads. */
const DOWNLOAD: unique symbol = Symbol("download");

/** Of the new document; `undefined` where a document was kept, or is shown as it was left. */
type Loader = string | undefined | typeof DOWNLOAD;

/** At No Content and Reset Content the browser keeps the page that it has. */
function hasNoPage(tab: Tab, loader: string): boolean {
  return [204, 205].includes(tab.documentStatus.get(loader) ?? 0);
}

/** The newest download that has begun since; its end, if that comes in time. */
async function awaitDownload(
  browser: RunningBrowser,
  before: ReadonlySet<string>,
  end: number,
): Promise<BrowserDownload | undefined> {
  const find = () => [...browser.downloads.values()].findLast(({ id }) => !before.has(id));
  const isOver = () => !browser.isOpen || (find()?.state ?? "running") !== "running";
  await poll(isOver, { everyMs: POLL_INTERVAL_MS, timeoutMs: end - performance.now() });
  return find();
}

async function begin(tab: Tab, url: string, timeMs: number): Promise<Loader> {
  try {
    const { errorText, loaderId, isDownload } = await tab.call("Page.navigate", { url }, {
      timeoutMs: timeMs,
    });
    if (isDownload) return DOWNLOAD;
    if (errorText === undefined || errorText === "") return loaderId;
    if (errorText === "net::ERR_HTTP_RESPONSE_CODE_FAILURE") return loaderId; // an error page
    if (errorText === "net::ERR_ABORTED") {
      if (loaderId !== undefined && hasNoPage(tab, loaderId)) return loaderId;
      const why = "the tab was sent elsewhere, or stopped, before the response";
      throw new ServiceError("conflict", `Cannot load ${quote(url)}: ${why}`);
    }
    throw new ServiceError("unavailable", `Cannot load ${quote(url)}: ${errorText}`);
  } catch (error) {
    if (error instanceof CdpError) {
      throw new ServiceError("unavailable", `Cannot load ${quote(url)}: ${error.message}`);
    }
    if (!(error instanceof ServiceError && error.code === "timed_out")) throw error;
    tab.call("Page.stopLoading").catch(() => {});
    const message = `Cannot load ${quote(url)}: there was no response within ${timeMs} ms`;
    throw new ServiceError("timed_out", message);
  }
}

async function go(
  tab: Tab,
  history: "back" | "forward" | "reload",
  watch: ReturnType<typeof watchLoading>,
  timeMs: number,
): Promise<Loader> {
  if (history === "reload") await tab.call("Page.reload", {}, { timeoutMs: timeMs });
  else {
    const { currentIndex, entries } = await tab.call("Page.getNavigationHistory");
    const entry = entries[currentIndex + (history === "back" ? -1 : 1)];
    if (entry === undefined) {
      const side = history === "back" ? "before" : "after";
      throw new ServiceError("conflict", `The history of the tab has no page ${side} this one`);
    }
    await tab.call("Page.navigateToHistoryEntry", { entryId: entry.id });
  }
  const began = await watch.began(timeMs);
  if (began === undefined) {
    tab.call("Page.stopLoading").catch(() => {});
    throw new ServiceError("timed_out", `The page did not change within ${timeMs} ms`);
  }
  return began.loader;
}

/** Follows the main frame from now on. */
function watchLoading(tab: Tab) {
  const done = new Set<string>();
  const began = Promise.withResolvers<{ readonly loader: Loader }>();
  let wake = () => {};
  const noteBegin = (frame: string | undefined, loader: Loader) => {
    if (frame === tab.target) began.resolve({ loader });
  };
  const noteEnd = (frame: string, loader: string) => {
    if (frame !== tab.target) return;
    done.add(loader);
    wake();
  };
  const listener = tab.listen({
    "Target.detachedFromTarget": () => wake(),
    "Page.frameNavigated": ({ frame: { id, loaderId }, type }) => {
      const isRestored = type === "BackForwardCacheRestore"; // shown as it was left
      noteBegin(id, isRestored ? undefined : loaderId);
    },
    "Page.navigatedWithinDocument": ({ frameId }) => noteBegin(frameId, undefined),
    "Page.downloadWillBegin": ({ frameId }) => noteBegin(frameId, DOWNLOAD),
    "Network.responseReceived": ({ frameId, loaderId }) => {
      if (hasNoPage(tab, loaderId)) noteBegin(frameId, loaderId);
    },
    "Page.lifecycleEvent": ({ frameId, name, loaderId }) => {
      if (name === "load") noteEnd(frameId, loaderId);
    },
    "Page.frameStoppedLoading": ({ frameId }) => noteEnd(frameId, "stopped"),
  });
  return {
    async began(timeMs: number) {
      await within(began.promise, timeMs);
      return await Promise.race([began.promise, Promise.resolve(undefined)]);
    },
    async loaded(loader: string, timeMs: number): Promise<boolean> {
      const end = performance.now() + timeMs;
      while (!done.has(loader)) {
        tab.check();
        const left = end - performance.now();
        if (left <= 0) return false;
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        // a page that was replaced, or stopped, never says that it has loaded
        await within(promise, done.has("stopped") ? Math.min(left, COMMIT_MS) : left);
        if (done.has("stopped") && await isComplete(tab)) return true;
      }
      return true;
    },
    [Symbol.dispose]: () => listener[Symbol.dispose](),
  };
}

/** False also of a page that is replaced meanwhile, or computes and answers nothing. */
async function isComplete(tab: Tab): Promise<boolean> {
  const expression = "document.readyState === 'complete'";
  const options = { timeoutMs: QUERY_TIMEOUT_MS };
  const state = () => evaluateInIsolatedWorld(tab, expression, options).catch(ifGone);
  return await ignoreCode("timed_out", state) === true;
}

/** The title and address come with an event of their own: they are asked for. */
async function describeSoon(browser: RunningBrowser, tab: Tab) {
  const { targetInfo } = await browser.connection.call("Target.getTargetInfo", {
    targetId: tab.target,
  });
  tab.name(targetInfo.title, targetInfo.url);
  return await browser.describe(tab);
}

/** Whatever name or redirect has led there. */
const OF_SERVICE =
  "The page belongs to this service or another one like it, which a controlled browser cannot use: call its operations instead";

/** Without path and query, which can hold secrets, and errors stand in the log. */
function quote(url: string): string {
  const { protocol, host } = new URL(url);
  return host === "" ? `the ${protocol} address` : `"${protocol}//${host}"`;
}
