/** Where a step acts: elements by locators, points within them, and windows. */

import type { Point } from "../../../core/geometry.ts";
import { ElementTarget } from "../../accessibility/element_target.ts";
import { Frames, toScreen } from "../../input/frames.ts";
import { Refs } from "../../input/targets/refs.ts";
import type { Session } from "../../session.ts";
import { makeLocator, type TreeNode } from "../locator.ts";
import { FOCUSED, type Look, type Looker, type Where } from "./looker.ts";
import type { TrailStep, TrailTarget } from "./step.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A field that names a place. */
type Place = { readonly ref: string } | { readonly point: Point };

interface Named {
  /** `ref`, `point`, `from`, `path.0`, `authElements.1.ref` */
  readonly name: string;
  readonly place: Place;
}

/** What a step is aimed at, before it runs. */
export interface Aim {
  readonly surface: TrailStep["surface"];
  /** What is looked at before it. */
  readonly where: Where;
  readonly places: readonly Named[];
  /** The id of a window that the operation names. */
  readonly windowId?: string | undefined;
  /** Whether keys go to what has the keyboard. */
  readonly toFocus: boolean;
}

const ON_DISPLAY: ReadonlySet<string> = new Set([
  ...["mouse", "keyboard", "window", "accessibility", "clipboard", "keychain", "display"],
]);

/** Finds out where an operation acts, by its fields. */
export async function takeAim(
  { group, fields }: { readonly group: string; readonly fields: Fields },
  { session, looker }: { readonly session: Session; readonly looker: Looker },
): Promise<Aim> {
  const surface = group === "browser" ? "page" : ON_DISPLAY.has(group) ? "desktop" : "none";
  if (surface === "desktop") await looker.awaitInput(); // else it would be what there was before the last click
  const places = surface === "none" ? [] : findPlaces(fields, toDisplay(fields, session));
  const windowId = group === "window" && typeof fields["id"] === "string"
    ? fields["id"]
    : undefined;
  const toFocus = group === "keyboard" && places.length === 0;
  const where: Where = surface === "page"
    ? { page: typeof fields["tab_id"] === "string" ? fields["tab_id"] : undefined }
    : await whereToLook(places, windowId, { session, looker });
  const isPage = "page" in where; // an element of a page gives the real mouse its place, too
  return { surface: isPage ? "page" : surface, where, places, windowId, toFocus };
}

/** The targets as they are before the step; what is unknown is absent. */
export async function describeTargets(
  { surface, places, windowId, toFocus }: Aim,
  { look: { nodes = [] }, looker, session }: {
    readonly look: Look;
    readonly looker: Looker;
    readonly session: Session;
  },
): Promise<Readonly<Record<string, TrailTarget>>> {
  const targets: Record<string, TrailTarget> = {};
  for (const { name, place } of places) {
    targets[name] = "ref" in place
      ? await describeRef(place.ref, { nodes, looker, session })
      : await describePoint(place.point, surface === "page" ? [] : nodes, looker);
  }
  if (windowId !== undefined) targets["id"] = windowOnly(await looker.window({ id: windowId }));
  if (toFocus) {
    const ref = findNode(nodes, ({ states }) => states.includes("focused"))?.ref;
    const locator = ref === undefined ? undefined : makeLocator(nodes, ref);
    const window = await looker.window("active");
    if (locator !== undefined || window !== undefined) {
      targets["focus"] = { ...(locator && { locator }), ...windowOnly(window) };
    }
  }
  return targets;
}

interface Describing {
  readonly nodes: readonly TreeNode[];
  readonly looker: Looker;
  readonly session: Session;
}

async function describeRef(ref: string, { nodes, looker, session }: Describing) {
  const locator = makeLocator(nodes, ref);
  const target = session.use(Refs).find(ref);
  const id = target instanceof ElementTarget ? target.window : undefined;
  const window = id === undefined ? undefined : await looker.window({ id });
  return { ...(locator && { locator }), ...windowOnly(window) };
}

/** The smallest element that is there, and where the point is in it. */
async function describePoint(
  point: Point,
  nodes: readonly TreeNode[],
  looker: Looker,
): Promise<TrailTarget> {
  const window = await looker.window(point);
  const there = smallestAt(nodes, point);
  const locator = there?.ref === undefined ? undefined : makeLocator(nodes, there.ref);
  const bounds = there?.bounds;
  const at = bounds && locator && {
    x: rounded((point.x + 0.5 - bounds.x) / bounds.width),
    y: rounded((point.y + 0.5 - bounds.y) / bounds.height),
  };
  return { point, ...(locator && { locator }), ...(at && { at }), ...windowOnly(window) };
}

function windowOnly(window: Awaited<ReturnType<Looker["window"]>>): Pick<TrailTarget, "window"> {
  return window === undefined ? {} : { window: window.described };
}

/** The window of the first target, or the one with the keyboard. */
async function whereToLook(
  [first]: readonly Named[],
  windowId: string | undefined,
  { session, looker }: { readonly session: Session; readonly looker: Looker },
): Promise<Where> {
  if (windowId !== undefined) return { window: windowId };
  if (first === undefined) return FOCUSED;
  const { place } = first;
  if ("ref" in place) {
    const target = session.use(Refs).find(place.ref);
    if (target === undefined) return FOCUSED;
    if (!(target instanceof ElementTarget)) return { page: undefined };
    return target.window === undefined ? FOCUSED : { window: target.window };
  }
  const window = await looker.window(place.point).catch(() => undefined);
  return window === undefined ? FOCUSED : { window: window.id };
}

/** Maps a point of a picture to the display, as the operation itself does. */
function toDisplay(fields: Fields, session: Session): (point: Point) => Point {
  const { frame } = fields;
  if (typeof frame !== "string") return (point) => point;
  try {
    const known = session.use(Frames).get(frame);
    return (point) => toScreen(known, point);
  } catch {
    return (point) => point; // the operation is refused
  }
}

/** All fields that name places, in lists and objects, too. */
function findPlaces(
  fields: Fields,
  map: (point: Point) => Point,
  path: readonly string[] = [],
): readonly Named[] {
  const found: Named[] = [];
  const { x, y, ref } = fields;
  if (typeof x === "number" && typeof y === "number") {
    found.push({ name: path.join(".") || "point", place: { point: map({ x, y }) } });
  }
  if (typeof ref === "string") found.push({ name: [...path, "ref"].join("."), place: { ref } });
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== "object" || value === null || path.length > 3) continue;
    found.push(...findPlaces(value as Fields, map, [...path, name]));
  }
  return found;
}

function smallestAt(nodes: readonly TreeNode[], { x, y }: Point): TreeNode | undefined {
  let best: TreeNode | undefined;
  const area = ({ bounds }: TreeNode) => bounds!.width * bounds!.height;
  visit(nodes, (node) => {
    const { bounds } = node;
    if (bounds === undefined || x < bounds.x || y < bounds.y) return;
    if (x >= bounds.x + bounds.width || y >= bounds.y + bounds.height) return;
    if (best === undefined || area(node) <= area(best)) best = node;
  });
  return best;
}

function findNode(
  nodes: readonly TreeNode[],
  isMeant: (node: TreeNode) => boolean,
): TreeNode | undefined {
  let found: TreeNode | undefined;
  visit(nodes, (node) => {
    if (isMeant(node)) found = node; // the innermost
  });
  return found;
}

function visit(nodes: readonly TreeNode[], see: (node: TreeNode) => void): void {
  for (const node of nodes) {
    see(node);
    if (node.children !== undefined) visit(node.children, see);
  }
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
