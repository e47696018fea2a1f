/** What has changed in the browser between two looks; open dialogs of pages are dismissed. */

import type { CallOptions, ComputerControl } from "./mod.ts";

type Browser = ComputerControl["browser"];
type Download = Awaited<ReturnType<Browser["downloads"]>>[number];

export interface Changes {
  readonly tabs: Awaited<ReturnType<Browser["tabs"]>>;
  /** The tabs that were opened since the last look. */
  readonly opened: readonly string[];
  /** The dialogs that were dismissed: nobody else would answer them. */
  readonly dialogs: Awaited<ReturnType<Browser["dialogs"]>>;
  /** The downloads whose state is another one. */
  readonly downloads: readonly Download[];
}

export class BrowserChanges {
  #tabs: ReadonlySet<string> | undefined;
  #downloads: ReadonlyMap<string, string> | undefined;

  constructor(private readonly browser: Browser) {}

  async take(options: CallOptions): Promise<Changes> {
    const dialogs = await this.browser.dialogs({}, options);
    for (const { tab } of dialogs) {
      // a person may have answered it meanwhile
      await this.browser.dialog({ accept: false, tab_id: tab }, options).catch(() => {});
    }
    const tabs = await this.browser.tabs({}, options);
    const downloads = await this.browser.downloads({}, options);
    const known = { tabs: this.#tabs, downloads: this.#downloads };
    this.#tabs = new Set(tabs.map(({ id }) => id));
    this.#downloads = new Map(downloads.map(({ id, state }) => [id, state]));
    return {
      tabs,
      dialogs,
      opened: known.tabs ? tabs.map(({ id }) => id).filter((id) => !known.tabs!.has(id)) : [],
      downloads: downloads.filter(({ id, state }) => known.downloads?.get(id) !== state),
    };
  }
}
