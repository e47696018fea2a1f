/** What goes wrong: each fault happens, lasts for a while, and is over. */

import { leaveDescriptors } from "../../support/file_limit.ts";
import { childrenOf } from "../../support/processes.ts";
import type { World } from "./world.ts";

/** Does harm, and takes it back. */
export type Fault = (world: World) => Promise<void>;

const LASTS_MS = 500;

export const FAULTS = {
  async "the X server is killed"(world) {
    await world.killXvfb();
    await pause();
    await world.startXvfb();
  },
  async "the X server stands still"({ xvfbPid }) {
    await standStill(xvfbPid);
  },
  async "the service stands still"({ pid }) {
    await standStill(pid);
  },
  async "the service is killed"(world) {
    await world.killService();
    await world.startService();
  },
  async "helpers of the service are killed"({ pid }) {
    for (const child of childrenOf(pid)) kill(child, "SIGKILL");
    await pause();
  },
  async "the disk is full"({ folder }) {
    const path = `${folder}/filling`;
    await fill(path);
    await pause();
    await Deno.remove(path);
  },
  async "descriptors run out"({ pid }) {
    await using _few = await leaveDescriptors(pid, 2);
    await pause();
  },
  async "the clock is set forward"(world) {
    hours += 30;
    await world.setClockForward(hours);
    await pause();
  },
} as const satisfies Record<string, Fault>;

let hours = 0;

async function standStill(pid: number): Promise<void> {
  kill(pid, "SIGSTOP");
  await pause();
  kill(pid, "SIGCONT");
}

async function fill(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true });
  for (let size = 2 ** 20; size >= 1; size /= 2) {
    try {
      while (true) await file.write(new Uint8Array(size));
    } catch {
      // smaller pieces may still fit
    }
  }
}

function kill(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LASTS_MS));
}
