/** The programs on the accessibility bus and their top elements. */

import type { Budget } from "./budget.ts";
import { isLate } from "./budget.ts";
import { type Address, type AtspiClient, type Program, ROOT } from "./client.ts";
import { fetchChildren, fetchNode, type Node } from "./node.ts";
import type { Toolkit, Toolkits } from "./describe.ts";

/** A program that answers, and its windows. */
export interface OpenProgram {
  readonly program: Program;
  readonly toolkit: Toolkit;
  readonly frames: readonly Node[];
}

/** How long a program may take for its first answer, in milliseconds. */
const FIRST_ANSWER_MS = 1_000;
/** Windows of one program. */
const MAX_FRAMES = 1_000;

interface OpenOptions {
  readonly budget: Budget;
  readonly toolkits: Toolkits;
  /** Gets the programs that do not answer. */
  readonly unresponsive: string[];
}

/** Opens the programs that answer. */
export async function openPrograms(
  client: AtspiClient,
  programs: readonly Program[],
  { budget, unresponsive, toolkits }: OpenOptions,
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
