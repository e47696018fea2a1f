/** Elements of the programs on Windows, in pixels of one monitor. */

import { pause } from "../../../core/deadline.ts";
import type {
  Accessibility,
  Element,
  ElementAction,
  ElementId,
  Point,
  ReadTree,
  TreeReading,
} from "../../types/mod.ts";
import { CallThread } from "../call_thread.ts";
import type { ElementJob, ElementResult } from "./element_job.ts";

/** A reading ends by itself; only a program that hangs takes this much longer. */
const READ_GRACE_MS = 2_000;
/** Pause before somebody who waits for a change looks again: Windows tells none here. */
const POLL_INTERVAL_MS = 250;

type Question = ElementJob extends infer Job ? Job extends ElementJob ? Omit<Job, "origin"> : never
  : never;

export class WindowsAccessibility implements Accessibility {
  /** @param origin of the monitor on the virtual screen, now */
  constructor(private readonly thread: ElementThread, private readonly origin: () => Point) {}

  async read({ signal, ...reading }: TreeReading): Promise<ReadTree> {
    const ms = reading.timeMs + READ_GRACE_MS;
    const { tree } = await this.#ask({ do: "read", reading }, signal, { ms });
    return tree!;
  }

  async refresh(
    ids: readonly ElementId[],
    signal: AbortSignal,
  ): Promise<readonly (Element | undefined)[]> {
    const { elements } = await this.#ask({ do: "refresh", ids }, signal);
    return elements!;
  }

  async perform(
    id: ElementId,
    action: ElementAction,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    return (await this.#ask({ do: "perform", id, action }, signal)).answer;
  }

  async elementAt(
    point: Point,
    _near: ElementId,
    signal: AbortSignal,
  ): Promise<ElementId | undefined> {
    return (await this.#ask({ do: "at", point }, signal)).id;
  }

  async contains(outer: ElementId, inner: ElementId, signal: AbortSignal): Promise<boolean> {
    return (await this.#ask({ do: "contains", outer, inner }, signal)).answer!;
  }

  async changed(signal: AbortSignal): Promise<void> {
    await pause(POLL_INTERVAL_MS, signal);
  }

  #ask(question: Question, signal: AbortSignal, limit?: { readonly ms: number }) {
    const { x, y } = this.origin();
    return this.thread.run({ ...question, origin: { x, y } } as ElementJob, signal, limit);
  }
}

// The thread for elements, which all monitors share.

export class ElementThread extends CallThread<ElementJob, ElementResult> {
  constructor() {
    super({
      kind: "element",
      jobMs: 3_000,
      late: "The program did not report its elements",
      stopMs: 500,
      idleMs: 600_000,
    });
  }
}
