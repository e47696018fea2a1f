/** Brings a field into view before it is filled; one that a page has hidden behind its own is found, too. */

import { ServiceError } from "../../../core/errors.ts";
import type { PageElement } from "../../types/browser.ts";
import { findElement, type FoundElement } from "../elements.ts";
import { reveal, type Shown } from "../reveal.ts";
import type { RunningBrowser } from "../running_browser.ts";

export interface ShownField {
  readonly found: FoundElement;
  /** Absent where it cannot be clicked. */
  readonly shown?: Shown;
}

export async function showField(
  browser: RunningBrowser,
  element: PageElement,
): Promise<ShownField> {
  try {
    const shown = await reveal(browser, element);
    return { found: shown.found, shown };
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "conflict")) throw error;
    return { found: await findElement(browser, element) }; // throws if it is gone
  }
}
