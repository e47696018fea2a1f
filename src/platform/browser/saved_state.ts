/** Takes what a browser knows its user by, cookies and the local storage of open pages, and gives it to another. */

import type { Protocol } from "devtools-protocol/types/protocol.d.ts";
import { poll } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { evaluateInIsolatedWorld, listAllFrames } from "./isolated_world.ts";
import type { BrowserJob, RunningBrowser } from "./running_browser.ts";
import type { Tab } from "./tab.ts";

/** Of all that is saved together, in characters. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const MAX_ORIGINS = 100;
/** A page that does not answer has nothing to save. */
const PAGE_MS = 2_000;
/** How long an empty page may take to load. */
const LOAD_MS = 10_000;

interface SavedOrigin {
  /** `https://shop.example` */
  readonly origin: string;
  readonly items: readonly (readonly [name: string, value: string])[];
}

interface SavedState {
  readonly cookies: readonly Protocol.Network.Cookie[];
  readonly origins: readonly SavedOrigin[];
}

/** @throws ServiceError `too_large` */
export const saveState: BrowserJob<"saveState"> = async (browser) => {
  const { cookies } = await browser.connection.call("Storage.getCookies", {});
  const origins = new Map<string, SavedOrigin>();
  for (const tab of browser.tabs.values()) {
    for (const frame of tab.dialog ? [] : await listAllFrames(tab)) {
      const found = await readStorage(tab, frame);
      if (found !== undefined && found.items.length > 0) origins.set(found.origin, found);
    }
  }
  const state: SavedState = { cookies, origins: [...origins.values()].slice(0, MAX_ORIGINS) };
  const text = JSON.stringify(state);
  if (text.length <= MAX_CHARACTERS) return { text, ...countsOf(state) };
  const message = `The browser has more than ${MAX_CHARACTERS} characters of cookies and storage`;
  throw new ServiceError("too_large", message);
};

/** The cookies and items are added to those of the browser; those of the same name are replaced. */
export const loadState: BrowserJob<"loadState"> = async (browser, { text }) => {
  const state = JSON.parse(text) as SavedState;
  await browser.connection.call("Storage.setCookies", { cookies: state.cookies.map(asParameter) });
  if (state.origins.length > 0) await writeStorage(browser, state.origins);
  return countsOf(state);
};

function countsOf({ cookies, origins }: SavedState) {
  return { cookies: cookies.length, origins: origins.length };
}

/** Pages cannot change what runs in our own world; `null` where a page has no storage. */
const READ = `(() => {
  try {
    const items = Object.entries(localStorage);
    const size = items.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    return size > ${MAX_CHARACTERS} ? null : { origin: self.origin, items };
  } catch {
    return null;
  }
})()`;

async function readStorage(tab: Tab, frame: string): Promise<SavedOrigin | undefined> {
  const options = { frame, timeoutMs: PAGE_MS };
  const found = await evaluateInIsolatedWorld<SavedOrigin | null>(tab, READ, options)
    .catch(() => null);
  return found !== null && /^https?:/.test(found.origin) ? found : undefined;
}

/** What a cookie is set by: one without a dot before its domain is for that host alone. */
function asParameter(cookie: Protocol.Network.Cookie): Protocol.Network.CookieParam {
  const { name, value, domain, path, secure, httpOnly, sameSite, session, expires } = cookie;
  const { partitionKey, priority, sourceScheme, sourcePort } = cookie;
  const isOfHost = !domain.startsWith(".");
  const host = domain.replace(/^\./, "");
  const url = `${secure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}${path}`;
  return {
    ...{ name, value, path, secure, httpOnly, priority, sourceScheme, sourcePort },
    url,
    ...(!isOfHost && { domain }),
    ...(sameSite !== undefined && { sameSite }),
    ...(!session && { expires }),
    ...(partitionKey !== undefined && { partitionKey }),
  };
}

/** By an empty page of each origin, for which nothing is asked of the network. */
async function writeStorage(
  browser: RunningBrowser,
  origins: readonly SavedOrigin[],
): Promise<void> {
  const created = { url: "about:blank", background: true };
  const { targetId } = await browser.connection.call("Target.createTarget", created);
  const tab = await browser.awaitTab(targetId);
  using _ = tab.listen({
    "Fetch.requestPaused": ({ requestId }) => {
      const responseHeaders = [{ name: "content-type", value: "text/html" }];
      tab.call("Fetch.fulfillRequest", { requestId, responseCode: 200, responseHeaders, body: "" })
        .catch(() => {}); // the tab was closed
    },
  });
  try {
    await tab.call("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
    for (const saved of origins) {
      await tab.call("Page.navigate", { url: `${saved.origin}/` });
      const write = () => evaluateInIsolatedWorld<boolean>(tab, writing(saved)).catch(() => false);
      if (await poll(write, { everyMs: 20, timeoutMs: LOAD_MS })) continue;
      throw new ServiceError("timed_out", "The storage of a page could not be written");
    }
  } finally {
    await browser.close(tab);
  }
}

/** `false` while another page is there. */
function writing({ origin, items }: SavedOrigin): string {
  return `(() => {
    if (self.origin !== ${JSON.stringify(origin)}) return false;
    for (const [name, value] of ${JSON.stringify(items)}) localStorage.setItem(name, value);
    return true;
  })()`;
}
