/** Reads the elements of a display, and gives them their refs. */

import type { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { unlessAborted, within } from "../../core/deadline.ts";
import type {
  Accessibility,
  Element,
  ReadTree,
  TreeReading,
  TreeScope,
} from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { ElementTarget, openAccessibility, type UsedDisplay } from "./element_target.ts";
import type { readFields } from "./fields.ts";
import { cutMargin } from "../secrets/redact_texts.ts";
import { Refs } from "../input/targets/refs.ts";

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

// Callers that read the same elements at the same time share a read: a hundred of them ask no
// program a hundred times.

/** What is read, by whomever. */
type WantedRead = Omit<TreeReading, "signal">;

interface Shared {
  readonly tree: Promise<ReadTree>;
  readonly end: AbortController;
  readers: number;
}

/**
 * The longest time that a read waits for the one before it, in milliseconds: a program that does not answer holds up nobody
 * for longer than his own read.
 */
const LONGEST_WAIT_MS = 250;

export class SharedReads {
  /** Of each display; one that is opened anew shares nothing with what it was. */
  readonly #displays = new WeakMap<Accessibility, DisplayReads>();

  /**
   * What is there from now on: the read begins after this call.
   * @throws what {@link Accessibility.read} throws; the signal's reason
   */
  async read(accessibility: Accessibility, reading: TreeReading): Promise<ReadTree> {
    const { scope } = reading;
    if (typeof scope === "object" && "element" in scope) return await accessibility.read(reading);
    const make = () => new DisplayReads(accessibility);
    return await this.#displays.getOrInsertComputed(accessibility, make).read(reading);
  }
}

class DisplayReads {
  /** By what is read: those that have not begun, which others join. */
  readonly #waiting = new Map<string, Shared>();
  /** The last of each that has begun, until it has settled. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(private readonly accessibility: Accessibility) {}

  async read({ signal, ...wanted }: TreeReading): Promise<ReadTree> {
    const key = JSON.stringify(wanted);
    const shared = this.#waiting.get(key) ?? this.#begin(key, wanted);
    shared.readers++;
    try {
      return await unlessAborted(shared.tree, signal);
    } finally {
      shared.readers--;
      if (shared.readers === 0) {
        if (this.#waiting.get(key) === shared) this.#waiting.delete(key);
        shared.end.abort(signal.reason);
      }
    }
  }

  #begin(key: string, wanted: WantedRead): Shared {
    const end = new AbortController();
    const read = () => this.accessibility.read({ ...wanted, signal: end.signal });
    const before = this.#last.get(key);
    const tree = before === undefined ? read() : this.#after(before, key, end.signal).then(read);
    const shared: Shared = { tree, end, readers: 0 };
    if (before !== undefined) this.#waiting.set(key, shared);
    const settled = tree.then(() => {}, () => {}).then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    this.#last.set(key, settled);
    return shared;
  }

  /** Waits for the read before; nobody joins from then on. */
  async #after(before: Promise<unknown>, key: string, signal: AbortSignal): Promise<void> {
    await within(before, LONGEST_WAIT_MS, signal);
    signal.throwIfAborted();
    this.#waiting.delete(key);
  }
}
