/** Reads the elements of a display, and gives them their refs. */

import type { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { requireCapability } from "../../platform/capability.ts";
import type {
  Accessibility,
  Display,
  Element,
  ReadTree,
  TreeReading,
  TreeScope,
} from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { ElementTarget } from "./element_target.ts";
import type { readFields } from "./fields.ts";
import { cutMargin } from "../secrets/redact_texts.ts";
import { Refs } from "../input/targets/refs.ts";
import { SharedReads } from "./shared_reads.ts";

export interface UsedDisplay {
  readonly display: Display;
  readonly accessibility: Accessibility;
}

/** @throws ServiceError `unsupported` where the display has no elements, with the reason */
export async function openAccessibility(
  { platform }: Pick<Context, "platform">,
  displayNum: number,
): Promise<UsedDisplay> {
  const display = await platform.displays.open(displayNum);
  return { display, accessibility: requireCapability(display.accessibility) };
}

/** What is read, as requests say it. */
export type ReadInput = z.output<z.ZodObject<ReturnType<typeof readFields>>>;

export interface ReadElements extends UsedDisplay {
  readonly tree: ReadTree;
  /** The top of the window when only a part of it was read. */
  readonly top?: Pick<Element, "id" | "window" | "name">;
}

/**
 * Reads what a request names: a window, all of them, or an element.
 * @throws ServiceError `conflict` for a ref that names nothing any more
 */
export async function readElements(
  context: Context,
  input: ReadInput,
  { pageWaitMs }: Pick<TreeReading, "pageWaitMs"> = {},
): Promise<ReadElements> {
  const { signal } = context;
  const target = input.ref === undefined ? undefined : findElement(context, input.ref);
  const used = await openAccessibility(context, target?.displayNum ?? input.display_num);
  if (target) await target.refresh(signal);
  const reading: TreeReading = {
    scope: target ? { element: target.id } : toScope(input.window),
    hidden: input.include_hidden,
    maxElements: input.max_elements,
    maxDepth: input.max_depth,
    margin: await cutMargin(context),
    timeMs: input.timeout_ms,
    pageWaitMs,
    signal,
  };
  const tree = await context.session.use(SharedReads).read(used.accessibility, reading);
  return { ...used, tree, ...(target && { top: target.topElement }) };
}

function toScope(window: string): TreeScope {
  if (window === "focused") return "focused window";
  return window === "all" ? "all windows" : { window };
}

/**
 * The element that a ref names.
 * @throws ServiceError `conflict` for an unknown ref, or one of a web page that a browser has given
 */
export function findElement({ session }: Pick<Context, "session">, ref: string): ElementTarget {
  const target = session.use(Refs).get(ref);
  if (target instanceof ElementTarget) return target;
  throw new ServiceError(
    "conflict",
    `"${ref}" is an element of a web page: use the operations of /api/browser, or a ref of accessibility/snapshot`,
  );
}
