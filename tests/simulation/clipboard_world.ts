/** Callers that read and write one clipboard, whose owners are slow, silent or gone, and what must hold. */

import { encodeText } from "../../src/core/texts.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { unlessAborted } from "../../src/core/deadline.ts";
import { available } from "../../src/platform/capability.ts";
import type { Clipboard, ClipboardReading } from "../../src/platform/types/mod.ts";
import { testApp } from "../support/client.ts";
import {
  type Call,
  Callers,
  describe,
  isDone,
  operationOf,
  simulate,
  type Started,
} from "./callers.ts";
import { type Scenario, World } from "./world.ts";

/** Time passes between what is asked and answered, so that what comes after it is known to. */
const BEAT_MS = 1;

/** @throws Error as {@link simulate} */
export async function simulateClipboard(
  { seed, calls, failures, operations }: Scenario,
): Promise<void> {
  const world = new World(seed, { share: failures, operations });
  await simulate(world, async () => {
    const run = new ClipboardRun(world);
    const beat = setInterval(() => {}, BEAT_MS);
    const weights = { come: 1, leave: 0.4 };
    await run.callers.callAll(calls, (number) => run.randomCall(number), [], weights);
    clearInterval(beat);
    run.checkOrder();
    await run.checkPermits();
  });
}

interface Reading {
  readonly text: string;
}

class ClipboardRun {
  readonly callers: Callers<Call>;
  /** What programs would paste. */
  #content = "";
  /** Whether what owns it may be silent for ever. */
  #hangs = true;

  constructor(private readonly world: World) {
    const app = testApp();
    this.callers = new Callers(world, app, () => {});
    app.platform.screen().clipboard = available<Clipboard>({
      read: (reading) => this.#read(reading),
      write: async ({ text }, signal) => {
        const content = new TextDecoder().decode(await new Blob([...text ?? []]).arrayBuffer());
        signal.throwIfAborted();
        await this.#ask(() => this.#content = content); // once begun, it cannot be taken back
      },
      clear: async (signal) => {
        signal.throwIfAborted();
        await this.#ask(() => this.#content = "");
      },
      beginPasting: () => {
        throw new ServiceError("unsupported", "Nobody pastes");
      },
    });
  }

  randomCall(number: number): Call {
    const { world } = this;
    const timeout_ms = 1 + world.below(5_000);
    return world.pickKind<Call>([
      { path: "clipboard/set", body: { text: `text ${number}` } },
      { path: "clipboard/get", body: { timeout_ms } },
      { path: "clipboard/get", body: { timeout_ms } },
    ], operationOf);
  }

  /**
   * What is read was written before the end of the reading, and not replaced before its start: not
   * by one who came when the writer had its answer, or had left.
   */
  checkOrder(): void {
    const writes = this.callers.all.filter(({ call }) => call.path === "clipboard/set");
    for (const each of this.callers.all) {
      if (each.call.path !== "clipboard/get" || !isDone(each)) continue;
      const { text } = JSON.parse(each.answer!.text) as Reading;
      const written = writes.find(({ call }) => (call.body as Reading).text === text);
      if (written === undefined && text !== "") {
        throw new Error(`${describe(each)} read what nobody wrote: ${text}`);
      }
      const endedMs = written && isDone(written) ? written.answer!.endedMs : Infinity;
      const since = Math.min(endedMs, written?.leftMs ?? Infinity);
      const replaced = writes.find((other) =>
        isDone(other) && other.startedMs > since && other.answer!.endedMs < each.startedMs
      );
      if (replaced) throw new Error(`${describe(each)} read ${text} after ${describe(replaced)}`);
    }
  }

  /** Whoever hung or left has kept nothing: what is asked for next is done at once. */
  async checkPermits(): Promise<void> {
    this.#hangs = false;
    for (let time = 0; time < 5; time++) {
      const text = `last ${time}`;
      const { now } = this.world.time;
      const statuses = [
        await this.callers.call({ path: "clipboard/set", body: { text } }),
        await this.callers.call({ path: "clipboard/get", body: {} }),
      ];
      const read: Started<Call> = this.callers.all.at(-1)!;
      const took = this.world.time.now - now;
      if (statuses.includes(503)) continue; // a failure of the system
      if (statuses.join() !== "204,200" || !read.answer!.text.includes(text) || took > 5_000) {
        throw new Error(`Afterwards: ${statuses.join()} in ${took} ms`);
      }
    }
  }

  async #read({ signal, idleMs }: ClipboardReading) {
    const isSilent = this.#hangs && this.world.random() < 0.3;
    if (isSilent) {
      const silent = () => new ServiceError("conflict", "The program does not answer");
      await unlessAborted(
        new Promise((_, reject) => setTimeout(() => reject(silent()), idleMs)),
        signal,
      );
    }
    const content = await unlessAborted(this.#ask(() => this.#content), signal);
    const text = [...encodeText(content)];
    return { content: { text }, available: ["text"], types: ["UTF8_STRING"] } as const;
  }

  #ask<T>(value: () => T): Promise<T> {
    return this.world.answer("clipboard", value);
  }
}
