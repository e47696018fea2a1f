/** An element as it was found, for its ref. */

import type { Element } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";

/** What an element needs of the request that found it. */
export type Used = Pick<Context, "platform" | "config" | "session">;

/** The element as a snapshot had it. */
export interface SeenElement {
  readonly displayNum: number;
  readonly element: Pick<Element, "id" | "role" | "name"> & {
    /** The name as its program says it, where `name` leaves stored values out. */
    readonly trueName?: string;
  };
  /** The top element of its window, which may be itself. */
  readonly top: Pick<Element, "id" | "window" | "name">;
}
