/** The programs and top elements that a reading asks for. */

import { ServiceError } from "../../../core/errors.ts";
import type { TreeReading } from "../../types/mod.ts";
import { BusError } from "../bus/types.ts";
import type { Asking, KnownWindow } from "./jobs.ts";
import { type Budget, isLate } from "./budget.ts";
import { type Address, type AtspiClient, type Program, ROOT } from "./client.ts";
import { fetchExtents } from "./details.ts";
import { resolveElement } from "./element_id.ts";
import { fetchChildren, fetchNode, type Node } from "./node.ts";
import type { Toolkit } from "./describe.ts";
import { hasState } from "./states.ts";
import { wakePage } from "./wake_page.ts";
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

export interface SourceOptions extends Asking {
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
  const [node, toolkit, pid] = await unlessGone(Promise.all([
    fetchNode(client, address, timeoutMs),
    toolkits.find(bus, timeoutMs),
    client.findProcess(bus),
  ]));
  // one that its program has made anew is there for a while, with nothing in it
  if (hasState(node.states, "defunct")) throw gone();
  return { program: { ...address, pid }, toolkit, frames: [{ node, isWindow: false }] };
}

/** @throws ServiceError `conflict` in place of what a program, or the bus, answers */
async function unlessGone<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    throw gone(error);
  }
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
