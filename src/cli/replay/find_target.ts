/** Finds what a recorded step acted on, as it is now, and waits for it. */

import { poll } from "../../core/deadline.ts";
import { hasPoint, overlap } from "../../imaging/boxes.ts";
import {
  describeLocator,
  findLocated,
  flatten,
  type Located,
  pageNodes,
  type TreeNode,
} from "../../features/trail/locator.ts";
import type { WindowEntry } from "../../features/window/window_answer.ts";
import { Refusal, type ServiceCalls } from "./service_calls.ts";
import type { Step, Target } from "./trajectory.ts";

/** Why a step was not performed: what was looked for, and what was there. */
export class Uncertain extends Error {
  override readonly name = "Uncertain";
}

/** @throws Uncertain where it is not known */
export function known<T>(what: T | undefined): T {
  if (what !== undefined) return what;
  throw new Uncertain("its target was not recorded");
}

export interface Where extends Pick<Step, "surface" | "display_num"> {
  /** Whether it must be in view already: programs that scroll to a row can select it. */
  readonly mustShow?: boolean;
  /** How long it is waited for, in milliseconds. */
  readonly timeoutMs: number;
}

type Window = NonNullable<Target["window"]>;

const POLL_INTERVAL_MS = { first: 100, most: 500 };
const MAX_CHARACTERS = 1_000_000;
const MAX_PAGE_CHARACTERS = 500_000;
const MAX_ELEMENTS = 20_000;
/** From then on also what is not visible is searched: it can be scrolled out of view. */
const HIDDEN_AFTER_MS = 2_000;

/**
 * The element that a target means, with its ref of now.
 * @param isReady whether it can be used; waited for, too
 * @throws Uncertain with what was looked for; Refusal
 */
export async function findElement(
  service: ServiceCalls,
  { locator: wanted, window }: Pick<Target, "locator" | "window">,
  where: Where,
  isReady: (node: TreeNode) => string | undefined = whyDisabled,
): Promise<TreeNode & { readonly ref: string }> {
  const locator = known(wanted);
  const place = window === undefined ? "" : ` in ${describeWindow(window)}`;
  const began = performance.now();
  return await lookFor(`${describeLocator(locator)}${place}`, where.timeoutMs, async () => {
    const searchesHidden = where.surface === "desktop" &&
      performance.now() - began > HIDDEN_AFTER_MS;
    let why = "";
    for (const hidden of searchesHidden ? [false, true] : [false]) {
      const read = await readElements(service, window, where, hidden);
      if ("why" in read) return read;
      const found: Located = findLocated(read.roots, locator);
      const { node } = found;
      if (node === undefined) {
        why = found.why;
        if (found.count > 0) break;
        continue;
      }
      const unready = where.mustShow && !isInView(found, read.roots)
        ? "it is scrolled out of view, and to scroll to it would change what is selected"
        : isReady(node);
      if (node.ref !== undefined && unready === undefined) {
        return { found: { ...node, ref: node.ref } };
      }
      return { why: unready ?? "it has no ref" };
    }
    return { why };
  });
}

/** @throws Uncertain with what was looked for, and why it was not found at last */
async function lookFor<T>(
  what: string,
  timeoutMs: number,
  look: () => Promise<{ readonly found: T } | { readonly why: string }>,
): Promise<T> {
  let why = "";
  const seen = await poll(async () => {
    const result = await look();
    if ("found" in result) return result;
    why = result.why;
  }, { everyMs: POLL_INTERVAL_MS, timeoutMs });
  if (seen !== undefined) return seen.found;
  throw new Uncertain(`Looked for ${what} for ${Math.round(timeoutMs / 100) / 10} s: ${why}`);
}

/** Whether its middle is within what is around it, and nothing else is where it is: it would end before that. */
function isInView(
  { node, around }: Extract<Located, { node: TreeNode }>,
  roots: readonly TreeNode[],
): boolean {
  const { bounds, states } = node;
  if (states.includes("offscreen") || bounds === undefined) return false;
  const isOverlapped = flatten(roots).some((each) =>
    each.bounds !== undefined && overlap(each.bounds, bounds) !== undefined &&
    !isWithin(node, each) && !isWithin(each, node)
  );
  if (isOverlapped) return false;
  const view = around?.bounds;
  if (view === undefined) return true;
  const middle = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
  return hasPoint(view, middle);
}

function isWithin(node: TreeNode, outer: TreeNode): boolean {
  return flatten([outer]).includes(node);
}

function whyDisabled({ states }: TreeNode): string | undefined {
  return states.includes("disabled") ? "it is disabled" : undefined;
}

/**
 * The elements of the windows that can be meant, or of the page, as they are now.
 * @throws Refusal for what no waiting will change
 */
export async function readElements(
  service: ServiceCalls,
  window: Window | undefined,
  { surface, display_num }: Pick<Where, "surface" | "display_num">,
  hidden = false,
): Promise<{ readonly roots: readonly TreeNode[] } | { readonly why: string }> {
  try {
    if (surface === "page") {
      const fields = { filter: "all", max_characters: MAX_PAGE_CHARACTERS };
      const read = await service.call("browser.snapshot", fields) as PageAnswer;
      if (read.truncated.length > 0) return { why: `the page is too large to be read in full` };
      return { roots: await pageNodes(read.text) };
    }
    const listed = window && await listWindows(service, display_num, window);
    if (listed?.meant.length === 0) return { why: describeAll(listed.all) };
    const roots: TreeNode[] = [];
    for (const { id } of listed?.meant ?? [{ id: "focused" }]) {
      const read = await service.call("accessibility.snapshot", {
        window: id,
        format: "json",
        include_hidden: hidden,
        max_chars: MAX_CHARACTERS,
        max_elements: MAX_ELEMENTS,
        display_num,
      }) as SnapshotAnswer;
      if (read.truncated.length > 0) return { why: "the window is too large to be read in full" };
      roots.push(...read.elements);
    }
    return { roots };
  } catch (error) {
    if (error instanceof Refusal && PASSING.has(error.code)) return { why: error.message };
    throw error;
  }
}

/** Windows and pages come and go. */
const PASSING: ReadonlySet<string> = new Set([
  ...["conflict", "not_found", "timed_out", "unavailable"],
]);

interface PageAnswer {
  readonly text: string;
  readonly truncated: readonly string[];
}

interface SnapshotAnswer {
  readonly elements: readonly TreeNode[];
  readonly truncated: readonly string[];
}

/**
 * The only window with this title and of this program.
 * @throws Uncertain; Refusal
 */
export async function findWindow(
  service: ServiceCalls,
  window: Window,
  { display_num, timeoutMs }: Pick<Where, "display_num" | "timeoutMs">,
  isReady: (window: WindowEntry) => boolean = () => true,
): Promise<WindowEntry> {
  return await lookFor(describeWindow(window), timeoutMs, async () => {
    const { all, meant } = await listWindows(service, display_num, window);
    const [found] = meant;
    if (found === undefined) return { why: describeAll(all) };
    if (meant.length > 1) return { why: `there are ${meant.length}` };
    return isReady(found) ? { found } : { why: "another window has the keyboard" };
  });
}

async function listWindows(
  service: ServiceCalls,
  display_num: number | undefined,
  { app, title }: Window,
) {
  const all = await service.call("window.list", { display_num }) as readonly WindowEntry[];
  return { all, meant: all.filter((each) => each.app === app && each.title === title) };
}

function describeAll(windows: readonly WindowEntry[]): string {
  if (windows.length === 0) return "no window is open";
  return `the windows are ${windows.slice(0, MAX_NAMED).map(describeWindow).join(", ")}`;
}

const MAX_NAMED = 5;

function describeWindow({ app, title }: Pick<Window, "app" | "title">): string {
  return `the window ${JSON.stringify(title)}${app === null ? "" : ` of ${app}`}`;
}
