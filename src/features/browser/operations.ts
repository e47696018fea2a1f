/** Defines the operations of the browser as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { FieldError } from "../../core/errors.ts";
import type { Group } from "../../core/groups.ts";
import type { Navigation } from "../../platform/types/mod.ts";
import { definingWith, json, noContent, type Operation } from "../operation.ts";
import type { Context } from "../context.ts";
import { pageInputOperations } from "./input_operations.ts";
import { LOGIN_EXAMPLES, loginOperations } from "./login_operations.ts";
import { pageOperations } from "./page_operations.ts";
import { stateOperations } from "./state_operations.ts";
import {
  BROWSER_ERRORS,
  NavigationAnswer,
  ON_PAGES,
  OptionalTab,
  Tab,
  TabIdField,
  TimeoutMs,
} from "./fields.ts";
import { inBrowser, redactAll, redactTab } from "./in_browser.ts";

export function browserOperations(limits: Limits): readonly Operation[] {
  return [
    ...tabOperations(limits),
    ...pageOperations(limits),
    ...pageInputOperations(limits),
    ...stateOperations(limits),
    ...loginOperations(),
  ];
}

const TAB = { id: "t1", title: "Shop", url: "https://shop.example/", active: true };

const DIALOG = { tab: "t1", kind: "confirm", message: "Delete everything?" };
const FILLED = { result: "confirmed", reason: "The field has the requested value." };

export const BROWSER_EXAMPLES = {
  ...LOGIN_EXAMPLES,
  listTabs: { answer: [TAB] },
  openTab: {
    body: { url: "https://shop.example/" },
    answer: { tab: TAB, loaded: true, http_status: 200 },
  },
  activateTab: { body: { tab_id: "t1" }, answer: TAB },
  closeTab: { body: { tab_id: "t1" } },
  navigateTab: {
    body: { url: "https://shop.example/" },
    answer: { tab: TAB, loaded: true, http_status: 200 },
  },
  snapshotPage: {
    body: { filter: "visible" },
    answer: {
      tab: TAB,
      text:
        '- document "Shop" [ref=e1]\n  - textbox "Search" [ref=e2]: "shoes"\n  - button "Find" [ref=e3]',
      elements: 3,
      truncated: [],
    },
  },
  findOnPage: {
    body: { query: "search" },
    answer: {
      tab: TAB,
      text: '- textbox "Search" [ref=e2]: "shoes"',
      elements: 1,
      matches: [{ ref: "e2", role: "textbox", name: "Search" }],
      truncated: [],
    },
  },
  getPageText: {
    body: { max_characters: 10_000 },
    answer: { tab: TAB, text: "Shop\nAll shoes", truncated: false },
  },
  clickOnPage: { body: { ref: "e3" } },
  movePagePointer: { body: { action: "move", ref: "e3" } },
  dragOnPage: { body: { path: [{ x: 100, y: 100 }, { x: 300, y: 120 }] } },
  scrollPage: { body: { ref: "e3", clicks: -3 } },
  typeOnPage: { body: { ref: "e2", text: "boots" } },
  pressPageKey: { body: { key: "ctrl+a" } },
  fillField: { body: { ref: "e2", value: "boots" }, answer: FILLED },
  uploadFiles: { body: { ref: "e9", paths: ["/home/ada/photo.png"] }, answer: FILLED },
  screenshotPage: { body: { x: 0, y: 0, width: 640, height: 400, format: "jpeg" } },
  waitForPage: {
    body: { text: "Thank you", timeout_ms: 5_000 },
    answer: { status: "met", elapsed_ms: 212 },
  },
  readConsole: {
    body: { since: 0, max: 100 },
    answer: {
      entries: [{
        number: 1,
        level: "error",
        text: "TypeError: total is undefined",
        source: "https://shop.example/cart.js",
        time: "2026-03-09T14:05:11.123Z",
      }],
      dropped: 0,
    },
  },
  readNetwork: {
    body: { since: 0, max: 100 },
    answer: {
      entries: [{
        number: 1,
        method: "GET",
        url: "https://shop.example/",
        type: "Document",
        status: 200,
        error: null,
        time: "2026-03-09T14:05:11.123Z",
      }],
      dropped: 0,
    },
  },
  listDialogs: { answer: [DIALOG] },
  answerDialog: { body: { accept: true }, answer: DIALOG },
  listDownloads: {
    answer: [{
      id: "a1b2",
      url: "https://shop.example/bill.pdf",
      name: "bill.pdf",
      state: "completed",
      path: "/home/ada/Downloads/bill.pdf",
      bytes: 48_211,
    }],
  },
  evaluateScript: {
    body: { expression: "document.title" },
    answer: { text: '"Shop"', threw: false, truncated: false },
  },
};

// The operations on tabs.

const MAX_URL = 100_000;
const LOAD_MS = 30_000;
const REFUSED =
  "The address is that of this service, or of another one of the same user, or a file and the group filesystem is disabled.";

function tabOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({ ...ON_PAGES, readOnly: false });
  const Load = TimeoutMs(limits, LOAD_MS, "The maximum time to wait until the page has loaded");
  const { not_found: _, ...errors } = BROWSER_ERRORS;
  return [
    define({
      id: "listTabs",
      method: "GET",
      readOnly: true,
      path: "/api/browser/tabs",
      summary: "List the tabs of the browser",
      description:
        "The browser is the one that `--open-browser` starts, with a temporary profile that is removed when the service ends, or the one at `--browser-address`.",
      answer: json("The open tabs.", z.array(Tab)),
      errors,
      async run(context) {
        const tabs = await inBrowser(context, "tabs", {});
        return await Promise.all(tabs.map((tab) => redactTab(context, tab)));
      },
    }),
    define({
      id: "openTab",
      long: true,
      path: "/api/browser/open",
      summary: "Open a tab",
      description: "The new tab becomes the active one. Waits until its page has loaded.",
      body: z.object({
        url: z.string().min(1).max(MAX_URL).optional().describe(
          "The address of the page; without it, the tab is empty.",
        ),
        timeout_ms: Load,
      }),
      answer: json("The tab is open.", NavigationAnswer),
      errors: {
        ...errors,
        forbidden: REFUSED,
        unavailable: `${errors.unavailable} Or the page cannot be loaded.`,
      },
      uses: groupsOf,
      run: async (context, { url, timeout_ms }) => {
        const input = { url: url && checkUrl(url), timeMs: timeout_ms };
        return await answerNavigation(context, await inBrowser(context, "open", input));
      },
    }),
    define({
      id: "activateTab",
      path: "/api/browser/activate",
      summary: "Show a tab",
      body: z.object({ tab_id: TabIdField.describe("The tab, by its id in `browser/tabs`.") }),
      answer: json("The tab is the active one.", Tab),
      run: async (context, { tab_id }) =>
        await redactTab(context, await inBrowser(context, "activate", { tab: tab_id })),
    }),
    define({
      id: "closeTab",
      path: "/api/browser/close",
      summary: "Close a tab",
      description: "A browser can end with its last tab; the next call starts it again.",
      body: z.object({ tab_id: TabIdField.describe("The tab, by its id in `browser/tabs`.") }),
      answer: noContent("The tab is closed."),
      run: (context, { tab_id }) => inBrowser(context, "close", { tab: tab_id }),
    }),
    define({
      id: "navigateTab",
      long: true,
      path: "/api/browser/navigate",
      summary: "Load a page",
      description:
        "Loads an address, goes one page back or forward, or loads the page again, and waits until it has loaded. " +
        "A status such as 404 is not an error; it is in `http_status`. After 204 and 205, which have no page, and after a download (`download`), the tab still has its previous page. An address that cannot be reached is 503, with the browser's reason.",
      body: z.object({
        url: z.string().min(1).max(MAX_URL).optional().describe(
          "The address: `about:blank`, or with `http:`, `https:`, `data:`, or `file:` unless the group `filesystem` is disabled.",
        ),
        history: z.enum(["back", "forward", "reload"]).optional().describe(
          "The previous or next page, or the same page again, in place of `url`.",
        ),
        tab_id: OptionalTab,
        timeout_ms: Load,
      }).meta({ oneOf: [{ required: ["url"] }, { required: ["history"] }] }),
      answer: json("The page is open in the tab.", NavigationAnswer),
      errors: {
        ...BROWSER_ERRORS,
        forbidden: REFUSED,
        conflict:
          `${BROWSER_ERRORS.conflict} Or there is no such page in the history, or the tab was sent elsewhere meanwhile.`,
        unavailable: `${BROWSER_ERRORS.unavailable} Or the page cannot be loaded.`,
      },
      uses: groupsOf,
      run: async (context, { tab_id, url, history, timeout_ms }) => {
        if ((url === undefined) === (history === undefined)) {
          throw new FieldError("url", "Give either url or history");
        }
        const to = history === undefined ? { url: checkUrl(url!) } : { history };
        const input = { tab: tab_id, to, timeMs: timeout_ms };
        return await answerNavigation(context, await inBrowser(context, "navigate", input));
      },
    }),
  ];
}

async function answerNavigation(
  context: Context,
  { tab, loaded, httpStatus, download }: Navigation,
) {
  return {
    tab: await redactTab(context, tab),
    loaded,
    http_status: httpStatus ?? null,
    ...(download && { download: await redactAll(context, download) }),
  };
}

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "data:", "blob:", "file:"]);

/** A page of a file shows what the operations on files would. */
function groupsOf({ url }: { readonly url?: string | undefined }): readonly Group[] {
  return url !== undefined && URL.parse(url)?.protocol === "file:" ? ["filesystem"] : [];
}

/** @throws FieldError on `url` */
function checkUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) {
    throw new FieldError("url", "url must be an absolute address such as https://example.org/");
  }
  // the browser's own pages (about:settings, about:quit) are blocked there, without an error
  const isBlank = url.protocol === "about:" && url.pathname === "blank";
  if (isBlank || SCHEMES.has(url.protocol)) return url.href;
  throw new FieldError(
    "url",
    "url must be about:blank or begin with http:, https:, data: or file:",
  );
}
