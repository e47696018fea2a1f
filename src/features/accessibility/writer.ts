/** What the formats of a snapshot have in common. */

import type { ElementNode } from "./fields.ts";
import type { Entry } from "./outline.ts";

/** Takes entries in order, as long as there is room. */
export interface Writer {
  /** Gives the number of characters that an entry takes, and a function that writes it. */
  add(entry: Entry, ref: string | undefined): { readonly size: number; write(): void };
  end(omitted: number): Contents;
}

/** The snapshot in its format. */
export interface Contents {
  readonly text?: string;
  readonly elements?: readonly ElementNode[];
  readonly xml?: string;
}
