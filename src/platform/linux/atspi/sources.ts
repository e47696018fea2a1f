/** The programs and top elements that a reading asks for. */

import { ServiceError } from "../../../core/errors.ts";
import type { TreeReading } from "../../types/mod.ts";
import { BusError } from "../bus/types.ts";
import type { Asking, KnownWindow } from "./jobs.ts";
import type { Budget } from "./budget.ts";
import type { Program } from "./client.ts";
import { fetchExtents } from "./details.ts";
import { resolveElement } from "./element_id.ts";
import { fetchNode } from "./node.ts";
import { type OpenProgram, openPrograms } from "./programs.ts";
import type { Toolkit } from "./describe.ts";
import {
  chooseFrames,
  findNamesakes,
  findWindow,
  type Frame,
  type FrameBounds,
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
  { scope, hidden }: Pick<TreeReading, "scope" | "hidden">,
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
  const opened = await openPrograms(client, asked, options);
  if (opened.length === 0 && unresponsive.length > 0 && scope !== "all windows") {
    throw new ServiceError(
      "timed_out",
      `Cannot read the window: ${unresponsive[0]} does not respond`,
    );
  }
  const sources = await Promise.all(opened.map(async (each: OpenProgram): Promise<Source> => {
    const places = await locateNamesakes(each, windows, options);
    return { ...each, frames: chooseFrames(each, { scope, hidden, windows, places }) };
  }));
  return sources.filter(({ frames }) => frames.length > 0);
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
  return { program: { ...address, pid }, toolkit, frames: [{ node, isWindow: false }] };
}

/** @throws ServiceError `conflict` in place of what a program, or the bus, answers */
async function unlessGone<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    throw new ServiceError("conflict", "The element is gone", { cause: error });
  }
}
