/** Reads elements of the programs on the bus. */

import { hasCode, ServiceError } from "../../../core/errors.ts";
import type { Point, Region } from "../../../core/geometry.ts";
import { overlap } from "../../../imaging/boxes.ts";
import type { TreeReading, WindowId } from "../../types/mod.ts";
import { BusError } from "../bus/types.ts";
import type { Asking, AtspiResults, KnownPopup } from "./accessibility.ts";
import { Budget } from "./budget.ts";
import { clips, describe, isEmpty, type Toolkit } from "./describe.ts";
import { type Details, fetchDetails, fetchNode, type Node, shows } from "./node.ts";
import {
  elementId,
  resolveElement,
  type SentElement,
  SLICE,
  SLICE_TEXT,
  textLength,
} from "./element_id.ts";
import { isOptionOfList, listAncestors, locate } from "./locate.ts";
import {
  addShift,
  findFilled,
  type Frame,
  moved,
  popupsOf,
  shiftInside,
  shiftOfWindow,
} from "./windows.ts";
import { hasState, roleNumber } from "./states.ts";
import { findSources, nameOf, type Source } from "./sources.ts";
import { collect, type Collected, NodeCache } from "./walk.ts";

interface ReadOptions extends Asking {
  /** Takes the elements, in order. */
  report(elements: readonly SentElement[]): void;
}

interface Reading extends ReadOptions {
  readonly hidden: boolean;
  readonly margin: number;
  readonly budget: Budget;
}

/** Characters of one value. */
const MAX_TEXT = 2_000;
/** Objects that are looked at for each that may be returned. */
const VISITS_PER_ELEMENT = 4;
/** Objects whose details are asked for at once. */
const AT_ONCE = 400;

/** One object in the tree. */
interface TreeEntry extends Collected {
  readonly source: Source;
  readonly frame: Frame;
  readonly depth: number;
  readonly parent: TreeEntry | undefined;
}

/** @throws ServiceError as {@link Accessibility.read} */
export async function readTree(
  reading: Omit<TreeReading, "signal">,
  options: ReadOptions,
): Promise<AtspiResults["read"]> {
  const maxObjects = reading.maxElements * VISITS_PER_ELEMENT;
  const budget = new Budget(reading.timeMs, options.checkStop, maxObjects);
  const unresponsive: string[] = [];
  const sources = await findSources(reading, { ...options, budget, unresponsive });
  const collected = await Promise.all(
    sources.map((source) => collectFrom(source, reading, { ...options, budget })),
  );
  const placed = collected.flat();
  if (placed.length > reading.maxElements) budget.truncated.add("elements");
  await reportElements(placed.slice(0, reading.maxElements), {
    ...options,
    hidden: reading.hidden,
    margin: reading.margin ?? 0,
    budget,
  });
  const { client } = options;
  for (const bus of budget.damaged) {
    unresponsive.push(
      `${nameOf({ bus, pid: await client.findProcess(bus) })}, with damaged answers`,
    );
  }
  return { truncated: [...budget.truncated], unresponsive };
}

async function collectFrom(
  source: Source,
  { hidden, maxDepth, maxElements }: Omit<TreeReading, "signal">,
  { client, budget }: Omit<Reading, "hidden" | "margin">,
): Promise<TreeEntry[]> {
  const { program, frames } = source;
  using cache = await NodeCache.fetch(client, program.bus, budget.remaining());
  const maxNodes = maxElements * VISITS_PER_ELEMENT;
  const tops = await collect(
    frames.map(({ node }) => node),
    { client, cache, hidden, maxDepth, maxNodes, budget },
  );
  return tops.flatMap((top, index) => listTreeEntries(top, source, frames[index]!));
}

/** The objects in the order in which they are read, parents before children. */
function listTreeEntries(top: Collected, source: Source, frame: Frame): TreeEntry[] {
  const all: TreeEntry[] = [];
  const visit = (each: Collected, parent: TreeEntry | undefined) => {
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const placed: TreeEntry = { ...each, source, frame, depth, parent };
    all.push(placed);
    for (const child of each.children) visit(child, placed);
  };
  visit(top, undefined);
  return all;
}

async function reportElements(placed: readonly TreeEntry[], reading: Reading): Promise<void> {
  const [details, popups] = await Promise.all([
    fetchAllDetails(placed, reading),
    reading.listPopups(),
  ]);
  const resolver = new BoundsResolver(reading, popups);
  const slice: SentElement[] = [];
  let text = 0;
  for (const [index, each] of placed.entries()) {
    const position = await resolver.find(each, details[index]!);
    if (position === undefined) continue;
    const { node, depth, showing, frame, source } = each;
    slice.push(describe(node, details[index]!, {
      id: elementId(reading.client.guid, node),
      depth,
      children: each.children.length,
      pid: source.program.pid,
      window: depth === 0 ? frame.window?.id : undefined,
      showing,
      toolkit: source.toolkit,
      isOption: isInList(each),
      ...position,
    }));
    text += textLength(slice.at(-1)!);
    if (slice.length < SLICE && text < SLICE_TEXT) continue;
    reading.report(slice.splice(0));
    text = 0;
  }
  reading.report(slice);
}

const COMBO_BOX = roleNumber("combo-box");

function isInList({ parent }: TreeEntry): boolean {
  return parent !== undefined && (parent.node.role === COMBO_BOX || isInList(parent));
}

async function fetchAllDetails(
  placed: readonly TreeEntry[],
  { client, budget, margin }: Reading,
): Promise<Details[]> {
  const details: Details[] = [];
  for (let at = 0; at < placed.length; at += AT_ONCE) {
    const some = placed.slice(at, at + AT_ONCE);
    const options = { client, budget, maxText: MAX_TEXT + margin };
    details.push(
      ...(budget.isOver()
        ? some.map(() => ({}))
        : await Promise.all(some.map(({ node }) => fetchDetails(node, options)))),
    );
  }
  return details;
}

interface Known {
  readonly extents: Region | undefined;
  /** `undefined` where nobody says where the window is. */
  readonly shift: Point | undefined;
  /** What shows of its inside. */
  readonly clip: Region | undefined;
  readonly popup: WindowId | undefined;
}

const NOTHING: Region = { x: 0, y: 0, width: 0, height: 0 };
const MENU_BAR = roleNumber("menu-bar");
const MENU = roleNumber("menu");

/** Where objects show, from the top ones down. */
class BoundsResolver {
  readonly #known = new Map<TreeEntry, Known>();

  constructor(
    private readonly reading: Reading,
    private readonly popups: readonly KnownPopup[] | null,
  ) {}

  /** `undefined` for an object that only seems to show, as do those inside it. */
  async find(placed: TreeEntry, { extents }: Details) {
    const { node, parent, source: { program, toolkit } } = placed;
    const around = parent && this.#known.get(parent);
    if (parent !== undefined && around === undefined) return undefined;
    // the menu bar of LibreOffice that GTK shows in its place
    if (toolkit.isLibreOffice && node.role === MENU_BAR && extents === undefined) return undefined;
    if (!this.reading.hidden && toolkit.isGtk4 && isEmpty(node, extents)) return undefined;
    const first = around ?? await this.#findFirst(placed, extents);
    const attached = around === undefined
      ? first.shift
      : around.shift && addShift(around.shift, shiftInside(extents, toolkit, around.extents));
    const filling = { extents, parent: around?.extents, shift: attached };
    const popups = popupsOf(program.pid, this.popups);
    const filled = findFilled(filling, { toolkit, popups });
    const { shift, popup } = filled
      ? { shift: filled.shift, popup: filled.popup.id }
      : { shift: attached, popup: first.popup };
    const bounds = extents && shift && moved(extents, shift);
    // a popup shows also where the window around it ends
    const clip = filled ? filled.popup.bounds : around?.clip;
    const inside = bounds && (clip ? overlap(bounds, clip) ?? NOTHING : bounds);
    const isClipping = filled !== undefined || clips(node, toolkit);
    // its items are in a window of their own, for which GTK has no object
    const isMenu = node.role === MENU && !filled && (toolkit.isGtk3 || toolkit.isLibreOffice);
    const within = isMenu ? undefined : isClipping && inside ? inside : clip;
    this.#known.set(placed, { extents, shift, popup, clip: within });
    return { bounds, clip, popup };
  }

  async #findFirst(
    { node, frame, source }: TreeEntry,
    extents: Region | undefined,
  ): Promise<Pick<Known, "shift" | "popup">> {
    const options = { ...this.reading, toolkit: source.toolkit };
    const isPopup = source.toolkit.isChromium && frame.window === undefined;
    if (frame.isWindow && !(isPopup && options.origin === "window")) {
      const shift = shiftOfWindow({ extents, window: frame.window }, options);
      return { shift, popup: undefined };
    }
    const location = await locate(node, options);
    return { shift: location?.shift, popup: location?.within?.popup.id };
  }
}

// Reads single elements again.

/** How long a program may take, in milliseconds. */
const TIMEOUT_MS = 2_000;
/** Characters of one value: whoever has set it compares it. */
const MAX_CACHED_TEXT = 1_000_000;

/** @throws ServiceError `timed_out`: a program does not answer */
export async function refreshElements(
  ids: readonly string[],
  asking: Asking,
): Promise<(SentElement | undefined)[]> {
  const budget = new Budget(TIMEOUT_MS, asking.checkStop);
  return await Promise.all(ids.map((id) => refreshElement(id, { ...asking, budget })));
}

interface Refreshing extends Asking {
  readonly budget: Budget;
}

/** `undefined` for one that is gone. */
async function refreshElement(
  id: string,
  refreshing: Refreshing,
): Promise<SentElement | undefined> {
  const { client, toolkits, budget } = refreshing;
  try {
    const address = await resolveElement(client, id);
    const timeoutMs = budget.remaining();
    const [node, toolkit, pid] = await Promise.all([
      fetchNode(client, address, timeoutMs),
      toolkits.find(address.bus, timeoutMs),
      client.findProcess(address.bus),
    ]);
    const showing = shows(node, toolkit.isGtk4 ? "visible" : "showing");
    if (hasState(node.states, "defunct")) return undefined;
    if (!showing && !await isInVisibleWindow(node, toolkit, refreshing)) return undefined;
    const [details, location, isOption] = await Promise.all([
      fetchDetails(node, { client, budget, maxText: MAX_CACHED_TEXT }),
      locate(node, { ...refreshing, toolkit }),
      toolkit.isGtk3 && isOptionOfList(client, node),
    ]);
    if (toolkit.isGtk4 && isEmpty(node, details.extents)) {
      if (!budget.truncated.has("time")) return undefined;
      throw new ServiceError("timed_out", `Process ${pid} does not respond`);
    }
    const bounds = details.extents && location && moved(details.extents, location.shift);
    return describe(node, details, {
      id,
      depth: 0,
      children: 0,
      pid,
      clip: undefined,
      showing,
      bounds,
      popup: location?.within?.popup.id,
      toolkit,
      isOption,
    });
  } catch (error) {
    if (error instanceof BusError || hasCode(error, "conflict")) return undefined;
    throw error;
  }
}

/** Whether it is scrolled away, as opposed to a part of a dialog that has closed. */
async function isInVisibleWindow(
  node: Node,
  { isGtk4 }: Toolkit,
  { client, budget }: Refreshing,
): Promise<boolean> {
  if (isGtk4 || !hasState(node.states, "visible")) return false;
  const top = (await listAncestors(client, node)).at(-1);
  return top !== undefined && shows(await fetchNode(client, top, budget.remaining()), "showing");
}
