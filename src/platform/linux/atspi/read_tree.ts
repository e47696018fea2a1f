/** Reads elements of the programs on the bus. */

import { ServiceError } from "../../../core/errors.ts";
import type { Region } from "../../../core/geometry.ts";
import { Budget } from "./budget.ts";
import { NodeCache } from "./cache.ts";
import type { AtspiClient, Program } from "./client.ts";
import { clips, describe, overlap } from "./describe.ts";
import { type Details, fetchDetails } from "./details.ts";
import { elementId, parseElementId } from "./element_id.ts";
import type { AtspiResults, AtspiTask } from "./jobs.ts";
import { fetchNode, type Node, shows, type Toolkit } from "./node.ts";
import { fetchToolkit, type OpenProgram, openPrograms } from "./programs.ts";
import { type SentElement, SLICE } from "./sent_element.ts";
import { collect, type Collected } from "./walk.ts";
import { chooseFrames, findWindow, type Frame } from "./windows.ts";

type ReadTask = Extract<AtspiTask, { task: "read" }>;

export interface ReadOptions {
  /** @throws Stopped when nobody waits for the result any more */
  checkStop(): void;
  /** Takes the elements, in order. */
  tell(elements: readonly SentElement[]): void;
}

/** Characters of one value. */
const MAX_TEXT = 2_000;
/** Objects without a look of their own, which are looked at besides those that are returned. */
const LOOKED_AT = 4;
/** Objects whose details are asked for at once. */
const AT_ONCE = 400;

/** A program of which something is read. */
interface Source {
  readonly program: Program;
  readonly toolkit: Toolkit;
  readonly frames: readonly Frame[];
}

interface Placed {
  readonly source: Source;
  readonly node: Node;
  readonly depth: number;
  readonly parent: Placed | undefined;
  readonly frame: Frame;
}

/** @throws ServiceError as {@link Accessibility.read} */
export async function readTree(
  client: AtspiClient,
  task: ReadTask,
  options: ReadOptions,
): Promise<AtspiResults["read"]> {
  const { reading } = task;
  const budget = new Budget(reading.timeMs, options.checkStop);
  const silent: string[] = [];
  const sources = await findSources(client, task, { budget, silent });
  const collected = await Promise.all(sources.map(async (source) => {
    const tops = source.frames.map(({ node }) => node);
    const { bus } = source.program;
    const cache = await NodeCache.fetch(client, bus, budget.remaining());
    const { hidden, maxDepth, maxElements } = reading;
    const maxNodes = maxElements * LOOKED_AT;
    const { toolkit } = source;
    return await collect(tops, { client, cache, toolkit, hidden, maxDepth, maxNodes, budget });
  }));
  const placed = [...sources.flatMap((source, index) => place(source, collected[index]!))];
  if (placed.length > reading.maxElements) budget.truncated.add("elements");
  await tellElements(client, placed.slice(0, reading.maxElements), { ...options, budget });
  return { truncated: [...budget.truncated], silent };
}

async function findSources(
  client: AtspiClient,
  { reading: { scope, hidden }, windows }: ReadTask,
  { budget, silent }: { readonly budget: Budget; readonly silent: string[] },
): Promise<Source[]> {
  if (typeof scope === "object" && "element" in scope) {
    return [await openElement(client, scope.element, budget.remaining())];
  }
  const window = findWindow(scope, windows);
  const all = await client.listPrograms();
  const ofWindow = window && all.filter(({ pid }) => pid !== undefined && pid === window.pid);
  const asked = ofWindow && ofWindow.length > 0 ? ofWindow : all;
  const opened = await openPrograms(client, asked, { budget, silent });
  if (opened.length === 0 && silent.length > 0 && scope !== "all windows") {
    throw new ServiceError("timed_out", `Cannot read the window: ${silent[0]} does not answer`);
  }
  return opened.map((each: OpenProgram): Source => ({
    ...each,
    frames: chooseFrames(each, { scope, hidden, windows }),
  })).filter(({ frames }) => frames.length > 0);
}

async function openElement(client: AtspiClient, id: string, timeoutMs: number): Promise<Source> {
  const address = parseElementId(client.guid, id);
  const { bus } = address;
  const root = { bus, path: "/org/a11y/atspi/accessible/root", pid: await client.findProcess(bus) };
  const [node, toolkit] = await Promise.all([
    fetchNode(client, address, timeoutMs),
    fetchToolkit(client, root, timeoutMs),
  ]);
  return { program: root, toolkit, frames: [{ node, window: undefined }] };
}

/** The elements in the order in which they are read, parents before children. */
function place(source: Source, tops: readonly Collected[]): Placed[] {
  const all: Placed[] = [];
  const visit = (each: Collected, parent: Placed | undefined, frame: Frame) => {
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const placed: Placed = { source, node: each.node, depth, parent, frame };
    all.push(placed);
    for (const child of each.children) visit(child, placed, frame);
  };
  tops.forEach((top, index) => visit(top, undefined, source.frames[index]!));
  return all;
}

async function tellElements(
  client: AtspiClient,
  placed: readonly Placed[],
  { budget, tell }: ReadOptions & { readonly budget: Budget },
): Promise<void> {
  const details: Details[] = [];
  for (let at = 0; at < placed.length; at += AT_ONCE) {
    const some = placed.slice(at, at + AT_ONCE);
    const options = { client, budget, maxText: MAX_TEXT };
    const known = budget.isOver() ? some.map(() => ({})) : await Promise.all(
      some.map(({ node }) => fetchDetails(node, options)),
    );
    details.push(...known);
  }
  const clipOf = new Map<Placed, Region | undefined>();
  const elements = placed.map((each, index): SentElement => {
    const { node, depth, parent, frame, source } = each;
    const { extents } = details[index]!;
    const clip = parent && clipOf.get(parent);
    const inside = extents && (clip ? overlap(extents, clip) ?? NOTHING : extents);
    clipOf.set(each, clips(node) && inside ? inside : clip);
    return describe(node, details[index]!, {
      id: elementId(client.guid, node),
      depth,
      pid: source.program.pid,
      window: depth === 0 ? frame.window?.id : undefined,
      clip,
      showing: shows(node, source.toolkit),
      bounds: extents,
    });
  });
  for (let at = 0; at < elements.length; at += SLICE) tell(elements.slice(at, at + SLICE));
}

const NOTHING: Region = { x: 0, y: 0, width: 0, height: 0 };
