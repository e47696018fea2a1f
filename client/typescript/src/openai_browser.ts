/**
 * The driver of `openai/helpers/browser`, performed by the service:
 * `new BrowserToolset(createBrowserDriver(computer), { confirm, urlPolicy }).run(client, ...)`.
 */

import { type BrowserDriver, BrowserError, type BrowserState } from "openai/helpers/browser";
import { BrowserChanges } from "./browser_changes.ts";
import { downloadFile } from "./granted_download.ts";
import { type CallOptions, type ComputerControl, ComputerControlError, toDataUrl } from "./mod.ts";
import { readScopes } from "./scoped_read.ts";

type Members = Required<Omit<BrowserDriver, "state">>;
type Options = { readonly signal: AbortSignal | undefined };
type Driver = BrowserDriver & Members;

export interface BrowserDriverOptions {
  /** The path of the file that a grant of your application stands for; without it, none. */
  readonly fileOfGrant?: (grant: string) => string | undefined;
  /** The address of the file that a grant allows to download; without it, none. */
  readonly downloadOfGrant?: (grant: string) => string | undefined;
}

/** What is done for a grant that the application does not know. */
const REFUSED = {
  version: 1,
  cleanup: "not_started",
  status: "refused",
  effect: "none",
} as const;

/** Nearly every member is one request; `run_script` needs a service with `--browser-evaluate`. */
export function createBrowserDriver(
  { browser }: ComputerControl,
  { fileOfGrant = () => undefined, downloadOfGrant = () => undefined }: BrowserDriverOptions = {},
): Driver {
  const changes = new BrowserChanges(browser);
  const members: Members = {
    async navigate({ url, tab_id }, options) {
      await browser.navigate({ url, ...inTab(tab_id) }, options);
    },
    async read_page({ tab_id, filter }, options) {
      return (await browser.snapshot({ filter, ...inTab(tab_id) }, options)).text;
    },
    async read_page_scoped({ tab_id, root, depth, filter }, options) {
      const part = root === null ? {} : { ref: root };
      const read = await browser.snapshot({ max_depth: depth, ...part, ...inTab(tab_id) }, options);
      return readScopes(read, { root, filter });
    },
    async read_diagnostics({ tab_id, source, limit }, options) {
      return {
        version: 1,
        text: await readLog(source, limit, tab_id, options),
        elements: [],
        omitted: [],
      };
    },
    async run_script({ tab_id, source, timeout_ms }, options) {
      const input = { expression: source, timeout_ms, ...inTab(tab_id) };
      const { text, threw } = await browser.evaluate(input, options);
      if (threw) throw new BrowserError(text);
      return text;
    },
    async upload_file({ grant_id }) {
      const path = fileOfGrant(grant_id);
      if (path === undefined) return REFUSED;
      const { text } = await browser.find({ query: "file" });
      const ref = /\[ref=(\w+)\]/.exec(text)?.[1];
      if (ref === undefined) return REFUSED;
      const { result } = await browser.upload({ ref, paths: [path] });
      return result === "confirmed"
        ? { version: 1, cleanup: "completed", status: "completed", effect: "completed" }
        : { version: 1, cleanup: "completed", status: "unknown", effect: "unknown" };
    },
    async download_file({ grant_id }, options) {
      const url = downloadOfGrant(grant_id);
      return url === undefined ? REFUSED : await downloadFile(browser, url, options);
    },
    async get_page_text({ tab_id }, options) {
      return (await browser.text(inTab(tab_id), options)).text;
    },
    async find({ query, tab_id }, options) {
      return (await browser.find({ query, ...inTab(tab_id) }, options)).text;
    },
    async click({ target }, options) {
      await browser.click({ ref: target }, options);
    },
    async click_at({ tab_id, x, y, button, click_count, keys }, options) {
      const how = { button, click_count, modifiers: keys };
      await browser.click({ x, y, ...how, ...inTab(tab_id) }, options);
    },
    async drag_path({ tab_id, path, keys }, options) {
      await browser.drag({ path, modifiers: keys, ...inTab(tab_id) }, options);
    },
    async hold_keys({ tab_id, keys, duration_ms }, options) {
      await browser.key({ key: keys.join("+"), duration_ms, ...inTab(tab_id) }, options);
    },
    async type({ text, target, tab_id }, options) {
      if (target === null) await browser.type({ text, ...inTab(tab_id) }, options);
      else return await fill(target, text, options);
    },
    async key({ keys, tab_id }, options) {
      await browser.key({ key: keys.join("+"), ...inTab(tab_id) }, options);
    },
    async scroll({ direction, amount, tab_id }, options) {
      const clicks = Math.min(amount, MAX_NOTCHES);
      const turned = {
        up: { clicks },
        down: { clicks: -clicks },
        right: { horizontal_clicks: clicks },
        left: { horizontal_clicks: -clicks },
      }[direction];
      if (clicks > 0) await browser.scroll({ ...turned, ...inTab(tab_id) }, options);
    },
    async scroll_to({ target }, options) {
      await browser.scroll({ ref: target }, options);
    },
    async wait_for({ text, timeout_ms, tab_id }, options) {
      const { status } = await browser.wait({ text, timeout_ms, ...inTab(tab_id) }, options);
      if (status === "timeout") throw new BrowserError("The page did not show that text in time.");
    },
    select_option: ({ target, values }, options) => fill(target, values, options),
    async hover({ target }, options) {
      await browser.pointer({ action: "move", ref: target }, options);
    },
    async hover_at({ tab_id, x, y }, options) {
      await browser.pointer({ action: "move", x, y, ...inTab(tab_id) }, options);
    },
    set_checked: ({ target, checked }, options) => fill(target, checked, options),
    async screenshot({ tab_id }, options) {
      return toImage(await browser.screenshot(inTab(tab_id), options));
    },
    async zoom({ tab_id, region: [x, y, right, bottom] }, options) {
      const region = { x, y, width: right - x, height: bottom - y };
      return toImage(await browser.screenshot({ ...region, ...inTab(tab_id) }, options));
    },
    async new_tab({ url }, options) {
      await browser.open(url === null ? {} : { url }, options);
    },
    async switch_tab({ tab_id }, options) {
      await browser.activate({ tab_id }, options);
    },
    async close_tab({ tab_id }, options) {
      await browser.close({ tab_id }, options);
    },
  };

  async function fill(ref: string, value: string | boolean | string[], options: CallOptions) {
    const { result, reason } = await browser.fill({ ref, value }, options);
    if (result !== "confirmed") return reason;
  }

  async function readLog(
    source: "console" | "network",
    max: number,
    tab_id: string | null,
    options: CallOptions,
  ): Promise<string> {
    const input = { max, ...inTab(tab_id) };
    if (source === "console") {
      const { entries } = await browser.console(input, options);
      return entries.map(({ level, text }) => `[${level}] ${text}`).join("\n");
    }
    const { entries } = await browser.network(input, options);
    return entries.map(({ method, url, status, error }) => `${method} ${url} ${error ?? status}`)
      .join("\n");
  }

  async function state(options?: Options): Promise<BrowserState> {
    const { tabs } = await changes.take(options ?? {});
    return { tabs: tabs.map(({ id, title, url, active }) => ({ id, title, url, active })) };
  }

  return { ...tellingErrors(members), state };
}

const MAX_NOTCHES = 1_000;

/** Only an error of this class reaches the model with its text. */
function tellingErrors(members: Members): Members {
  const told = Object.entries(members).map(([name, run]) => {
    const perform = run as (args: unknown, options: Options) => Promise<unknown>;
    const wrapped = async (args: unknown, options: Options) => {
      try {
        return await perform(args, options);
      } catch (error) {
        if (error instanceof ComputerControlError) throw new BrowserError(error.message);
        throw error;
      }
    };
    return [name, wrapped];
  });
  return Object.fromEntries(told) as Members;
}

function inTab(tab_id: string | null): { tab_id?: string } {
  return tab_id === null ? {} : { tab_id };
}

function toImage(picture: { readonly bytes: Uint8Array; readonly mediaType: string }) {
  return { type: "input_image" as const, detail: "auto" as const, image_url: toDataUrl(picture) };
}
