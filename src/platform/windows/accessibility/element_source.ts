/** What reads and uses elements in the thread for it: UI Automation, or the controls themselves. */

import type {
  Element,
  ElementAction,
  ElementId,
  Point,
  ReadTree,
  TreeReading,
} from "../../types/mod.ts";
import type { Budget } from "./budget.ts";

export interface SourceReading extends Pick<TreeReading, "scope" | "hidden"> {
  readonly budget: Budget;
}

/** Points and bounds are those of the virtual screen. Nothing is asynchronous: Windows waits. */
export interface ElementSource {
  read(reading: SourceReading): Omit<ReadTree, "truncated">;
  refresh(id: ElementId): Element | undefined;
  /** As the port says. */
  perform(id: ElementId, action: ElementAction): boolean | undefined;
  elementAt(point: Point): ElementId | undefined;
  contains(outer: ElementId, inner: ElementId): boolean;
}
