/** Finds what a recorded step acted on, as it is now, and waits for it. */

import { poll } from "../../core/deadline.ts";
import { overlap } from "../../imaging/boxes.ts";
import {
  describeLocator,
  findLocated,
  type Located,
  type Locator,
  pageNodes,
  type TreeNode,
} from "../../features/trail/locator.ts";
import { Refusal, type ServiceCalls } from "./service_calls.ts";
import type { Step, Target } from "./trajectory.ts";

/** Why a step was not performed: what was looked for, and what was there. */
export class Uncertain extends Error {
  override readonly name = "Uncertain";
}

export interface Where extends Pick<Step, "surface" | "display_num"> {
  readonly tab?: string | undefined;
  /** Whether it must be in view already: programs that scroll to a row can select it. */
  readonly mustShow?: boolean;
  /** How long it is waited for, in milliseconds. */
  readonly timeoutMs: number;
}

type Window = NonNullable<Target["window"]>;

/** A window as `window/list` answers it, as far as it is looked at. */
export interface OpenWindow {
  readonly id: string;
  readonly title: string;
  readonly app: string | null;
  readonly bounds: { readonly x: number; readonly y: number } | null;
  readonly states: readonly string[];
}

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
  target: Target & { readonly locator: Locator },
  where: Where,
  isReady: (node: TreeNode) => string | undefined = whyDisabled,
): Promise<TreeNode & { readonly ref: string }> {
  const began = performance.now();
  let why = "";
  const find = async () => {
    const searchesHidden = where.surface === "desktop" &&
      performance.now() - began > HIDDEN_AFTER_MS;
    for (const hidden of searchesHidden ? [false, true] : [false]) {
      const read = await readElements(service, target.window, where, hidden);
      if ("why" in read) return void (why = read.why);
      const found: Located = findLocated(read.roots, target.locator);
      const unready = found.node === undefined
        ? found.why
        : where.mustShow && !isInView(found, read.roots)
        ? "it is scrolled out of view, and to scroll to it would change what is selected"
        : isReady(found.node);
      const node = found.node;
      if (node?.ref !== undefined && unready === undefined) return { ...node, ref: node.ref };
      why = unready ?? "it has no ref";
      if (node !== undefined || found.count > 0) return undefined;
    }
  };
  const { timeoutMs } = where;
  const found = await poll(find, { everyMs: POLL_INTERVAL_MS, timeoutMs });
  if (found !== undefined) return found;
  const place = target.window === undefined ? "" : ` in ${describeWindow(target.window)}`;
  throw new Uncertain(
    `Looked for ${describeLocator(target.locator)}${place} for ${seconds(timeoutMs)}: ${why}`,
  );
}

/** Whether its middle is within what is around it, and nothing else is where it is: it would end before that. */
function isInView(
  { node, around }: Extract<Located, { node: TreeNode }>,
  roots: readonly TreeNode[],
): boolean {
  const { bounds, states } = node;
  if (isOverlapped(node, roots)) return false;
  if (states.includes("offscreen") || bounds === undefined) return false;
  const view = around?.bounds;
  if (view === undefined) return true;
  const [x, y] = [bounds.x + bounds.width / 2, bounds.y + bounds.height / 2];
  return x >= view.x && y >= view.y && x < view.x + view.width && y < view.y + view.height;
}

/** Whether an element that is neither around it nor in it overlaps it. */
function isOverlapped(node: TreeNode, among: readonly TreeNode[]): boolean {
  return among.some((each) => {
    if (each === node) return false;
    return holds(each, node) ? isOverlapped(node, each.children ?? []) : reaches(each, node);
  });
}

function holds({ children = [] }: TreeNode, node: TreeNode): boolean {
  return children.some((each) => each === node || holds(each, node));
}

function reaches({ bounds, children = [] }: TreeNode, node: TreeNode): boolean {
  if (bounds && node.bounds && overlap(bounds, node.bounds) !== undefined) return true;
  return children.some((each) => reaches(each, node));
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
  { surface, display_num, tab }: Pick<Where, "surface" | "display_num" | "tab">,
  hidden = false,
): Promise<{ readonly roots: readonly TreeNode[] } | { readonly why: string }> {
  try {
    if (surface === "page") {
      const fields = { filter: "all", max_characters: MAX_PAGE_CHARACTERS, tab_id: tab };
      const read = await service.call("browser.snapshot", fields) as PageAnswer;
      if (read.truncated.length > 0) return { why: `the page is too large to be read in full` };
      return { roots: pageNodes(read.text) };
    }
    const windows = window === undefined
      ? ["focused"]
      : (await findWindows(service, window, display_num)).map(({ id }) => id);
    if (windows.length === 0) return { why: await describeOthers(service, display_num) };
    const roots: TreeNode[] = [];
    for (const id of windows) {
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

async function findWindows(
  service: ServiceCalls,
  { app, title }: Window,
  displayNum: number | undefined,
): Promise<readonly OpenWindow[]> {
  const all = await listWindows(service, displayNum);
  return all.filter((each) => each.app === app && each.title === title);
}

async function listWindows(
  service: ServiceCalls,
  display_num: number | undefined,
): Promise<readonly OpenWindow[]> {
  return await service.call("window.list", { display_num }) as OpenWindow[];
}

/**
 * The only window with this title and of this program.
 * @throws Uncertain; Refusal
 */
export async function findWindow(
  service: ServiceCalls,
  window: Window,
  { display_num, timeoutMs }: Pick<Where, "display_num" | "timeoutMs">,
  isReady: (window: OpenWindow) => boolean = () => true,
): Promise<OpenWindow> {
  let count = 0;
  const found = await poll(async () => {
    const all = await findWindows(service, window, display_num);
    count = all.length;
    return count === 1 && isReady(all[0]!) ? all[0] : undefined;
  }, { everyMs: POLL_INTERVAL_MS, timeoutMs });
  if (found !== undefined) return found;
  const why = count > 1
    ? `there are ${count}`
    : count === 1
    ? "another window has the keyboard"
    : await describeOthers(service, display_num);
  throw new Uncertain(`Looked for ${describeWindow(window)} for ${seconds(timeoutMs)}: ${why}`);
}

async function describeOthers(
  service: ServiceCalls,
  display_num: number | undefined,
): Promise<string> {
  const all = await listWindows(service, display_num);
  if (all.length === 0) return "no window is open";
  return `the windows are ${all.slice(0, MAX_NAMED).map(describeWindow).join(", ")}`;
}

const MAX_NAMED = 5;

function describeWindow({ app, title }: Pick<Window, "app" | "title">): string {
  return `the window ${JSON.stringify(title)}${app === null ? "" : ` of ${app}`}`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
