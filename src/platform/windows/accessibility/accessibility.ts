/** Elements of the programs on Windows, in pixels of one monitor. */

import { pause } from "../../../core/deadline.ts";
import type { Accessibility, Point } from "../../types/mod.ts";
import { CallThread } from "../call_thread.ts";
import type { ElementCalls } from "./uia/uia_source.ts";

/** A reading ends by itself; only a program that hangs takes this much longer. */
const READ_GRACE_MS = 2_000;
/** Interval at which a caller that waits for a change polls: Windows reports none here. */
const POLL_INTERVAL_MS = 250;

export class WindowsAccessibility implements Accessibility {
  /** @param origin of the monitor on the virtual screen, now */
  constructor(private readonly thread: ElementThread, private readonly origin: () => Point) {}

  readonly read: Accessibility["read"] = ({ signal, ...reading }) => {
    const ms = reading.timeMs + READ_GRACE_MS;
    return this.thread.call("read", [reading, this.origin()], signal, { ms });
  };

  readonly refresh: Accessibility["refresh"] = (ids, signal) =>
    this.thread.call("refresh", [ids, this.origin()], signal);

  readonly perform: Accessibility["perform"] = (id, action, signal) =>
    this.thread.call("perform", [id, action], signal);

  readonly elementAt: Accessibility["elementAt"] = ({ x, y }, _near, signal) => {
    const origin = this.origin();
    return this.thread.call("elementAt", [{ x: x + origin.x, y: y + origin.y }], signal);
  };

  readonly contains: Accessibility["contains"] = (outer, inner, signal) =>
    this.thread.call("contains", [outer, inner], signal);

  readonly changed: Accessibility["changed"] = (signal) => pause(POLL_INTERVAL_MS, signal);
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
