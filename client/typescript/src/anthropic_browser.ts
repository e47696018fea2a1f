/**
 * The browser toolset of `@anthropic-ai/sdk`, performed by the service:
 * `client.beta.messages.toolRunner({ tools: [new BrowserToolset(computer)], ... })`.
 */

import {
  BetaAbstractBrowserToolset20260801,
  type BetaBrowserToolsetOptions,
} from "@anthropic-ai/sdk/helpers/beta/toolsets/browser";
import { BrowserChanges } from "./browser_changes.ts";
import { toBase64 } from "./base64.ts";
import type { CallOptions, ComputerControl } from "./mod.ts";

export type BrowserToolsetOptions = Omit<BetaBrowserToolsetOptions, "browserState">;

type Execute = BetaAbstractBrowserToolset20260801["execute"];
type Result = Awaited<ReturnType<Execute>>;
type Target = { type: "ref"; ref: string } | { type: "coordinate"; x: number; y: number };
// deno-lint-ignore no-explicit-any -- the toolset has checked nothing: the service does
type Input = any;
type Member = (
  browser: ComputerControl["browser"],
  input: Input,
  options: CallOptions,
) => Promise<Result>;

/** Every member is one request; `javascript_exec` needs a service with `--browser-evaluate`. */
export class BrowserToolset extends BetaAbstractBrowserToolset20260801 {
  readonly #browser: ComputerControl["browser"];

  constructor({ browser }: ComputerControl, options: BrowserToolsetOptions = {}) {
    const changes = new BrowserChanges(browser);
    super({
      ...options,
      browserState: async ({ signal }) => {
        const { tabs, dialogs, downloads, opened } = await changes.take({ signal });
        return {
          tabs: tabs.map(toTab),
          state_changes: [
            ...opened.map((tab_id) => ({ type: "tab_opened" as const, tab_id })),
            ...dialogs.map(({ kind, message }) => ({
              type: "dialog_dismissed" as const,
              kind,
              message,
            })),
            ...downloads.map(toDownload),
          ],
        };
      },
    });
    this.#browser = browser;
  }

  protected override async execute(
    { signal }: Parameters<Execute>[0],
    name: Parameters<Execute>[1],
    input: Parameters<Execute>[2],
  ): Promise<Result> {
    return await MEMBERS[name](this.#browser, input, { signal });
  }
}

const MEMBERS: Readonly<Record<Parameters<Execute>[1], Member>> = {
  async navigate(browser, { url, tab_id }, options) {
    const word = url.trim().toLowerCase();
    const to = HISTORY.has(word) ? { history: word } : { url: withScheme(url) };
    const { tab, http_status } = await browser.navigate({ ...to, ...inTab(tab_id) }, options);
    return {
      url: tab.url,
      title: tab.title,
      ...(http_status === null ? {} : { status: http_status }),
    };
  },
  screenshot: (browser, { tab_id }, options) => picture(browser, inTab(tab_id), options),
  zoom: (browser, { region: [x, y, right, bottom], tab_id }, options) =>
    picture(browser, { x, y, width: right - x, height: bottom - y, ...inTab(tab_id) }, options),
  left_click: click("left", 1),
  right_click: click("right", 1),
  middle_click: click("middle", 1),
  double_click: click("left", 2),
  triple_click: click("left", 3),
  hover: pointer("move"),
  mouse_move: pointer("move"),
  left_mouse_down: pointer("down"),
  left_mouse_up: pointer("up"),
  left_click_drag: async (browser, { from, target, tab_id }, options) => {
    const path = [from, target].map(({ x, y }) => ({ x, y }));
    await browser.drag({ path, ...inTab(tab_id) }, options);
  },
  async scroll(browser, { target, scroll_direction, scroll_amount, tab_id }, options) {
    const clicks = scroll_amount ?? 3;
    const turned = {
      up: { clicks },
      down: { clicks: -clicks },
      right: { horizontal_clicks: clicks },
      left: { horizontal_clicks: -clicks },
    }[scroll_direction as "up"];
    await browser.scroll({ ...place(target), ...turned, ...inTab(tab_id) }, options);
  },
  scroll_to: async (browser, { target }, options) => {
    await browser.scroll({ ref: target.ref }, options);
  },
  type: async (browser, { text, tab_id }, options) => {
    await browser.type({ text, ...inTab(tab_id) }, options);
  },
  async key(browser, { text, repeat, tab_id }, options) {
    const all = { repeat: repeat ?? 1, ...inTab(tab_id) };
    for (const key of words(text)) await browser.key({ key, ...all }, options);
  },
  async hold_key(browser, { text, duration, tab_id }, options) {
    const duration_ms = Math.round(duration * 1000);
    await browser.key({ key: text, duration_ms, ...inTab(tab_id) }, options);
  },
  async form_input(browser, { target, value }, options) {
    const { result, reason } = await browser.fill({ ref: target.ref, value }, options);
    return result === "confirmed" ? undefined : reason;
  },
  async read_page(browser, { filter, depth, ref, tab_id }, options) {
    const { text, truncated } = await browser.snapshot({
      ...{ filter: filter ?? "visible", max_depth: depth ?? 15 },
      ...(ref ? { ref } : {}),
      ...inTab(tab_id),
    }, options);
    return truncated.length === 0 ? text : `${text}\n(More is left out: ${truncated.join(", ")})`;
  },
  async find(browser, { query, tab_id }, options) {
    const { text, elements } = await browser.find({ query, ...inTab(tab_id) }, options);
    return elements === 0 ? "No element was found." : text;
  },
  async get_page_text(browser, { tab_id }, options) {
    return (await browser.text(inTab(tab_id), options)).text || "The page has no text.";
  },
  async wait(_, { duration }, { signal }) {
    await pause(duration * 1000, signal ?? undefined);
  },
  async file_upload(browser, { target, paths, document_ids }, options) {
    if (document_ids?.length) throw new Error("Only files of the computer can be uploaded");
    const given = { ref: target.ref, paths: paths ?? [] };
    const { result, reason } = await browser.upload(given, options);
    return result === "confirmed" ? undefined : reason;
  },
  async read_console(browser, { tab_id }, options) {
    const { entries } = await browser.console(inTab(tab_id), options);
    return entries.map(({ level, text }) => `[${level}] ${text}`).join("\n") || "No messages.";
  },
  async read_network(browser, { tab_id }, options) {
    const { entries } = await browser.network(inTab(tab_id), options);
    const lines = entries.map(({ method, url, status, error }) =>
      `${method} ${url} ${error ?? status ?? "(no answer yet)"}`
    );
    return lines.join("\n") || "No requests.";
  },
  async javascript_exec(browser, { text: expression, tab_id }, options) {
    const { text, threw } = await browser.evaluate({ expression, ...inTab(tab_id) }, options);
    if (threw) throw new Error(text);
    return text;
  },
  new_tab: async (browser, _, options) => toTab((await browser.open({}, options)).tab),
  list_tabs: async (browser, _, options) => (await browser.tabs({}, options)).map(toTab),
  switch_tab: async (browser, { tab_id }, options) =>
    toTab(await browser.activate({ tab_id }, options)),
  close_tab: async (browser, { tab_id }, options) => {
    await browser.close({ tab_id }, options);
  },
};

const HISTORY: ReadonlySet<string> = new Set(["back", "forward", "reload"]);

function click(button: "left" | "right" | "middle", click_count: number): Member {
  return async (browser, { target, modifiers, tab_id }, options) => {
    const keys = modifiers ? { modifiers: modifiers.split("+") } : {};
    await browser.click(
      { ...place(target), button, click_count, ...keys, ...inTab(tab_id) },
      options,
    );
  };
}

function pointer(action: "move" | "down" | "up"): Member {
  return async (browser, { target, tab_id }, options) => {
    await browser.pointer({ action, ...place(target), ...inTab(tab_id) }, options);
  };
}

async function picture(
  browser: ComputerControl["browser"],
  input: Parameters<ComputerControl["browser"]["screenshot"]>[0],
  options: CallOptions,
): Promise<Result> {
  const { bytes } = await browser.screenshot(input, options);
  return { data: toBase64(bytes), mediaType: "image/png" };
}

function place(target: Target) {
  return target.type === "ref" ? { ref: target.ref } : { x: target.x, y: target.y };
}

function inTab(tab_id: string | null | undefined): { tab_id?: string } {
  return tab_id ? { tab_id } : {};
}

function toTab({ id, title, url, active }: {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly active: boolean;
}) {
  return { tab_id: id, title, url, active };
}

type Download = Awaited<ReturnType<BrowserChanges["take"]>>["downloads"][number];

function toDownload({ id: download_id, url, state, path, bytes: size_bytes }: Download) {
  if (state === "running") return { type: "download_started" as const, download_id, url };
  if (state === "failed") return { type: "download_failed" as const, download_id, url };
  return { type: "download_completed" as const, download_id, url, path, size_bytes };
}

/** `example.org` means `https://example.org`. */
function withScheme(url: string): string {
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url.trim()) ? url.trim() : `https://${url.trim()}`;
}

function words(text: string): readonly string[] {
  return text.trim() === "" ? [text] : text.trim().split(/\s+/);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}
