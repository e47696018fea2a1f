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
import type { ElementCalls } from "./element_calls.ts";

/** A reading ends by itself; only a program that hangs takes this much longer. */
const READ_GRACE_MS = 2_000;
/** Pause before somebody who waits for a change looks again: Windows tells none here. */
const POLL_INTERVAL_MS = 250;

export class WindowsAccessibility implements Accessibility {
  /** @param origin of the monitor on the virtual screen, now */
  constructor(private readonly thread: ElementThread, private readonly origin: () => Point) {}

  read({ signal, ...reading }: TreeReading): Promise<ReadTree> {
    const ms = reading.timeMs + READ_GRACE_MS;
    return this.thread.call("read", [reading, this.origin()], signal, { ms });
  }

  refresh(
    ids: readonly ElementId[],
    signal: AbortSignal,
  ): Promise<readonly (Element | undefined)[]> {
    return this.thread.call("refresh", [ids, this.origin()], signal);
  }

  perform(
    id: ElementId,
    action: ElementAction,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    return this.thread.call("perform", [id, action], signal);
  }

  elementAt(
    { x, y }: Point,
    _near: ElementId,
    signal: AbortSignal,
  ): Promise<ElementId | undefined> {
    const origin = this.origin();
    return this.thread.call("elementAt", [{ x: x + origin.x, y: y + origin.y }], signal);
  }

  contains(outer: ElementId, inner: ElementId, signal: AbortSignal): Promise<boolean> {
    return this.thread.call("contains", [outer, inner], signal);
  }

  async changed(signal: AbortSignal): Promise<void> {
    await pause(POLL_INTERVAL_MS, signal);
  }
}

// The thread for elements, which all monitors share.

export class ElementThread extends CallThread<ElementCalls> {
  constructor() {
    super({
      kind: "element",
      callMs: 3_000,
      late: "The program did not report its elements",
      stopMs: 500,
      idleMs: 600_000,
    });
  }
}
