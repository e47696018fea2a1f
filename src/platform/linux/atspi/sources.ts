/** The programs and top elements that a reading asks for. */

import { poll } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { TreeReading } from "../../types/mod.ts";
import { BusError } from "../bus/types.ts";
import type { Asking, KnownWindow } from "./accessibility.ts";
import { type Budget, isLate } from "./budget.ts";
import { type Address, type AtspiClient, type Program, type Reference, ROOT } from "./client.ts";
import { resolveElement } from "./element_id.ts";
import { fetchChildren, fetchExtents, fetchNode, keyOf, type Node } from "./node.ts";
import type { Toolkit } from "./describe.ts";
import { hasState, roleName } from "./states.ts";
import {
  chooseFrames,
  findNamesakes,
  findWindow,
  type Frame,
  type FrameBounds,
  isShowing,
  type OpenProgram,
  windowsOf,
} from "./windows.ts";

/** A program of which something is read. */
export interface Source {
  readonly program: Program;
  readonly toolkit: Toolkit;
  readonly frames: readonly Frame[];
}

interface SourceOptions extends Asking {
  readonly budget: Budget;
  /** Gets the names of programs that do not answer. */
  readonly unresponsive: string[];
}

/** @throws ServiceError as {@link Accessibility.read} */
export async function findSources(
  { scope, hidden, pageWaitMs }: Pick<TreeReading, "scope" | "hidden" | "pageWaitMs">,
  options: SourceOptions,
): Promise<Source[]> {
  if (typeof scope === "object" && "element" in scope) {
    return [await openElement(scope.element, options)];
  }
  const { client, unresponsive } = options;
  const windows = await options.listWindows();
  const window = findWindow(scope, windows);
  const all = await client.listPrograms();
  const ofWindow = window && all.filter(({ pid }) => pid !== undefined && pid === window.pid);
  const asked = ofWindow && ofWindow.length > 0 ? ofWindow : all;
  const opened = await openPrograms(asked, options);
  if (opened.length === 0 && unresponsive.length > 0 && scope !== "all windows") {
    throw new ServiceError(
      "timed_out",
      `Cannot read the window: ${unresponsive[0]} does not respond`,
    );
  }
  const sources = await Promise.all(opened.map(async (each): Promise<Source> => {
    const frameBounds = await locateNamesakes(each, windows, options);
    return { ...each, frames: chooseFrames(each, { scope, hidden, windows, frameBounds }) };
  }));
  const chosen = sources.filter(({ frames }) => frames.length > 0);
  return await Promise.all(chosen.map((source) => withPages(source, { ...options, pageWaitMs })));
}

/** Windows that do not show are asked as well, and not waited for. */
async function withPages(
  source: Source,
  { pageWaitMs, ...options }: SourceOptions & Pick<TreeReading, "pageWaitMs">,
): Promise<Source> {
  if (!source.toolkit.isChromium) return source;
  const frames = await Promise.all(source.frames.map(async (frame) => {
    const waitMs = isShowing(frame.node) ? pageWaitMs : 0;
    return { ...frame, node: await wakePage(frame.node, { ...options, waitMs }) };
  }));
  return { ...source, frames };
}

/** Where top elements with the same title are, where their program counts from the display. */
async function locateNamesakes(
  { program, toolkit, frames }: OpenProgram,
  windows: readonly KnownWindow[] | null,
  { client, budget, origin }: SourceOptions,
): Promise<FrameBounds> {
  if (origin !== "display" || toolkit.isGtk4) return new Map();
  const namesakes = findNamesakes(frames, windowsOf(program.pid, windows));
  return new Map(
    await Promise.all(
      namesakes.map(async (node) => [node, await fetchExtents(node, { client, budget })] as const),
    ),
  );
}

async function openElement(
  id: string,
  { client, toolkits, budget }: SourceOptions,
): Promise<Source> {
  const address = await resolveElement(client, id);
  const { bus } = address;
  const timeoutMs = budget.remaining();
  const [node, toolkit, pid] = await Promise.all([
    fetchNode(client, address, timeoutMs),
    toolkits.find(bus, timeoutMs),
    client.findProcess(bus),
  ]).catch((error) => {
    throw error instanceof BusError ? gone(error) : error;
  });
  // one that its program has made anew is there for a while, with nothing in it
  if (hasState(node.states, "defunct")) throw gone();
  return { program: { ...address, pid }, toolkit, frames: [{ node, isWindow: false }] };
}

function gone(cause?: unknown): ServiceError {
  return new ServiceError("conflict", "The element is gone", { cause });
}

// The programs on the accessibility bus and their top elements.

/** How long a program may take for its first answer, in milliseconds. */
const FIRST_ANSWER_MS = 1_000;
/** Windows of one program. */
const MAX_FRAMES = 1_000;

/** Opens the programs that answer. */
async function openPrograms(
  programs: readonly Program[],
  { client, budget, unresponsive, toolkits }: SourceOptions,
): Promise<OpenProgram[]> {
  const opened = await Promise.all(programs.map(async (program) => {
    try {
      const first = budget.within(FIRST_ANSWER_MS);
      const [frames, toolkit] = await Promise.all([
        fetchFrames(client, program.bus, first),
        toolkits.find(program.bus, first.remaining()),
      ]);
      return { program, toolkit, frames };
    } catch (error) {
      if (isLate(error)) unresponsive.push(nameOf(program));
      else budget.note(error); // one that has just ended is no program
      return undefined;
    }
  }));
  return opened.filter((each) => each !== undefined);
}

/**
 * The top elements of a program.
 * @throws BusError when it has ended; ServiceError `timed_out`
 */
export async function fetchFrames(
  client: AtspiClient,
  bus: string,
  budget: Budget,
): Promise<Node[]> {
  const root = await fetchNode(client, { bus, path: ROOT }, budget.remaining());
  const addresses = await fetchChildren(client, root, { max: MAX_FRAMES, budget });
  const frames = await Promise.all(addresses.map((each) => fetchFrame(client, each, budget)));
  return frames.filter((each) => each !== undefined);
}

/** `undefined` for one that has closed meanwhile. */
async function fetchFrame(client: AtspiClient, address: Address, budget: Budget) {
  try {
    const node = await fetchNode(client, address, budget.remaining());
    return budget.takeText(node.name, node.description) ? node : undefined;
  } catch (error) {
    return budget.note(error);
  }
}

/** How answers name a program. */
export function nameOf({ pid, bus }: Pick<Program, "pid" | "bus">): string {
  return pid === undefined ? `the program "${bus}" on the accessibility bus` : `process ${pid}`;
}

// Makes Chromium, and programs built on it, report their pages. They build the trees of pages only
// once somebody asks a window for its relations or attributes, which they take for a sign of a
// screen reader (`AtkRefRelationSet()` in Chromium's
// ui/accessibility/platform/ax_platform_node_auralinux.cc). Who listens to events on the bus, or
// announces a screen reader in the session, does not have that effect.

/** `ATSPI_RELATION_EMBEDS`, from a window to the page in it. */
const EMBEDS = 13;
/** How long a browser may take to build the tree of a page, in milliseconds: it is there after one or two seconds. */
const WAKE_MS = 2_000;
const POLL_INTERVAL_MS = 50;
/** Windows that are remembered. */
const MAX_KNOWN = 1_000;

interface WakeOptions {
  readonly client: AtspiClient;
  readonly budget: Budget;
  /** The most that this reading waits for a page, in milliseconds; 0: it only asks. Default: `wakeMs`. */
  readonly waitMs?: number | undefined;
  /** How long a browser may take, in milliseconds. */
  readonly wakeMs?: number;
}

/**
 * Windows whose page has not been seen, by the bus: `waking` ones were asked for it, and `pageless` ones did not
 * report it in the full time. No later reading waits for those, until their page is there.
 */
const unseen = new WeakMap<AtspiClient, Map<string, "waking" | "pageless">>();

/**
 * The window as it is with its page; as it was where it reports something already, has no page, or is not
 * waited for. It is asked each time: a browser forgets, after a while, that somebody reads it.
 * @param frame a top element of a program of Chromium
 */
export async function wakePage(frame: Node, options: WakeOptions): Promise<Node> {
  if (roleName(frame.role) !== "frame") return frame; // a menu or a hint
  const { client, budget, wakeMs = WAKE_MS, waitMs = wakeMs } = options;
  const known = unseen.getOrInsertComputed(client, () => new Map());
  const key = keyOf(frame);
  const hadContent = await hasContent(frame, options); // what it shows once it is woken does not count
  const isAwake = await embedsPage(frame, options);
  const state = known.get(key);
  if (isAwake) {
    known.delete(key);
    return frame;
  }
  if (state === "pageless" || state === undefined && hadContent) return frame;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, "waking");
  const timeoutMs = Math.min(waitMs, wakeMs, budget.remaining());
  if (timeoutMs <= 0) return frame;
  const look = async () => await embedsPage(frame, options) ? "awake" : budget.isOver() && "over";
  const seen = await poll(look, { everyMs: POLL_INTERVAL_MS, timeoutMs });
  if (seen === "awake") known.delete(key);
  else if (!budget.isOver() && timeoutMs === wakeMs) known.set(key, "pageless");
  return await budget.attempt(fetchNode(client, frame, budget.remaining())) ?? frame;
}

/** Asking is what wakes it. */
async function embedsPage(frame: Node, { client, budget }: WakeOptions): Promise<boolean> {
  const asked = client.call(frame, "Accessible.GetRelationSet", budget.remaining());
  const [relations] = await budget.attempt(asked) ?? [[]];
  return (relations as [number, Reference[]][]).some(([kind]) => kind === EMBEDS);
}

/** One that is not woken claims to have children, and names none. */
async function hasContent(frame: Node, { client, budget }: WakeOptions): Promise<boolean> {
  const asked = fetchChildren(client, frame, { max: 1, budget });
  return (await budget.attempt(asked) ?? []).length > 0;
}
