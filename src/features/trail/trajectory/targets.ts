/** Where a step acts: elements by locators, points within them, and windows. */

import { tryTo } from "../../../core/errors.ts";
import type { Point } from "../../../core/geometry.ts";
import { contains } from "../../../imaging/boxes.ts";
import { ElementTarget } from "../../accessibility/element_target.ts";
import { type Frame, Frames, toScreen } from "../../input/frames.ts";
import { Refs } from "../../input/targets/refs.ts";
import type { Session } from "../../session.ts";
import { flatten, locateFocused, makeLocator, type TreeNode } from "../locator.ts";
import { FOCUSED, type Look, type Looker, type Where } from "./looker.ts";
import { findPlaces, type Place, type TrailTarget } from "./step.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** What a step is aimed at, before it runs. */
export interface Aim {
  readonly surface: "desktop" | "page";
  /** What is looked at before it. */
  readonly where: Where;
  readonly places: readonly Place[];
  /** The id of a window that the operation names. */
  readonly windowId: string | undefined;
  /** Whether keys go to what has the keyboard. */
  readonly toFocus: boolean;
}

const ON_DISPLAY: ReadonlySet<string> = new Set([
  ...["mouse", "keyboard", "window", "accessibility", "clipboard", "keychain", "display"],
]);

/** Finds out where an operation acts, by its fields; `undefined` where that is nothing to see. */
export async function takeAim(
  { group, fields }: { readonly group: string; readonly fields: Fields },
  looker: Looker,
): Promise<Aim | undefined> {
  const isOnDisplay = ON_DISPLAY.has(group);
  if (!isOnDisplay && group !== "browser") return undefined;
  if (isOnDisplay) await looker.awaitInput(); // else it would be what there was before the last click
  const map = toDisplay(fields, looker.session);
  const places = findPlaces(fields)
    .map((place) => place.point ? { ...place, point: map(place.point) } : place);
  const windowId = group === "window" ? textOf(fields["id"]) : undefined;
  const where = isOnDisplay
    ? await whereToLook(places, windowId, looker)
    : { page: textOf(fields["tab_id"]) };
  return {
    surface: "page" in where ? "page" : "desktop", // an element of a page gives the real mouse its place, too
    where,
    places,
    windowId,
    toFocus: group === "keyboard" && places.length === 0,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The targets as they are before the step; what is unknown is absent. */
export async function describeTargets(
  { surface, places, windowId, toFocus }: Aim,
  { nodes = [] }: Look,
  looker: Looker,
): Promise<Record<string, TrailTarget>> {
  const targets: Record<string, TrailTarget> = {};
  for (const { name, ref, point } of places) {
    targets[name] = point === undefined
      ? await describeRef(ref, nodes, looker)
      : await describePoint(point, surface === "page" ? [] : nodes, looker);
  }
  if (windowId !== undefined) targets["id"] = { window: await looker.window({ id: windowId }) };
  if (toFocus) {
    const locator = await locateFocused(nodes);
    const window = await looker.window("active");
    if (locator !== undefined || window !== undefined) targets["focus"] = { locator, window };
  }
  return targets;
}

async function describeRef(
  ref: string,
  nodes: readonly TreeNode[],
  looker: Looker,
): Promise<TrailTarget> {
  const target = looker.session.use(Refs).find(ref);
  const id = target instanceof ElementTarget ? target.window : undefined;
  const window = id === undefined ? undefined : await looker.window({ id });
  return { locator: await makeLocator(nodes, ref), window };
}

/** The smallest element that is there, and where the point is in it. */
async function describePoint(
  point: Point,
  nodes: readonly TreeNode[],
  looker: Looker,
): Promise<TrailTarget> {
  const window = await looker.window(point);
  const { ref, bounds } = smallestAt(nodes, point) ?? {};
  const locator = ref === undefined ? undefined : await makeLocator(nodes, ref);
  const at = bounds && locator && {
    x: rounded((point.x + 0.5 - bounds.x) / bounds.width),
    y: rounded((point.y + 0.5 - bounds.y) / bounds.height),
  };
  return { point, locator, at, window };
}

/** Of two of the same size, the inner one. */
function smallestAt(nodes: readonly TreeNode[], { x, y }: Point): TreeNode | undefined {
  const pixel = { x, y, width: 1, height: 1 };
  const area = ({ bounds }: TreeNode) => bounds!.width * bounds!.height;
  return flatten(nodes).filter(({ bounds }) => bounds && contains(bounds, pixel))
    .toReversed().toSorted((one, other) => area(one) - area(other))[0];
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

/** The window of the first target, or the one with the keyboard. */
async function whereToLook(
  [first]: readonly Place[],
  windowId: string | undefined,
  looker: Looker,
): Promise<Where> {
  if (windowId !== undefined) return { window: windowId };
  if (first === undefined) return FOCUSED;
  if (first.point !== undefined) {
    const found = await looker.findWindow(first.point).catch(() => undefined);
    return found === undefined ? FOCUSED : { window: found.id };
  }
  const target = looker.session.use(Refs).find(first.ref);
  if (target === undefined) return FOCUSED;
  if (!(target instanceof ElementTarget)) return { page: undefined };
  return target.window === undefined ? FOCUSED : { window: target.window };
}

/**
 * The display on which an operation acts: that of its picture or element, as the operation itself finds it. `undefined` for
 * one that acts on none.
 */
export function displayOf(fields: Fields, session: Session): number | undefined {
  const { display_num, frame } = fields;
  if (display_num !== undefined && display_num !== 1) return Number(display_num);
  const known = display_num === undefined ? undefined : 1; // the default, which leaves it open
  if (typeof frame === "string") return pictureOf(frame, session)?.displayNum ?? known;
  const ref = findPlaces(fields).find((place) => place.ref !== undefined)?.ref;
  const target = ref === undefined ? undefined : session.use(Refs).find(ref);
  return target?.displayNum ?? known;
}

/** Maps a point of a picture to the display, as the operation itself does. */
function toDisplay({ frame }: Fields, session: Session): (point: Point) => Point {
  const known = typeof frame === "string" ? pictureOf(frame, session) : undefined;
  return (point) => known === undefined ? point : toScreen(known, point);
}

/** `undefined` where the operation is refused, as it knows no such picture. */
function pictureOf(frame: string, session: Session): Frame | undefined {
  return tryTo(() => session.use(Frames).get(frame));
}
