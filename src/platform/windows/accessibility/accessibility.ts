/** Elements of the programs on Windows, in pixels of one monitor. */

import { COINIT_MULTITHREADED, openOle32, openOleaut32 } from "../../../../ffi/windows/com.ts";
import { openDwmapi } from "../../../../ffi/windows/graphics.ts";
import { openUser32 } from "../../../../ffi/windows/user32_windows.ts";
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
import { CallThread, type IsStopped } from "../call_thread.ts";
import { NativeWindows } from "../windows/native_windows.ts";
import { Budget } from "./budget.ts";
import { openAutomation } from "./uia/automation.ts";
import { UiaSource } from "./uia/uia_source.ts";

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

// The calls of that thread.

type ElementCalls = ReturnType<typeof openElementCalls>;

/**
 * `origin` is that of the monitor on the virtual screen; points are those of the virtual screen.
 * @throws ServiceError `unsupported`; an error on systems other than Windows
 */
export function openElementCalls() {
  const [ole32, oleaut32] = [openOle32(), openOleaut32()];
  ole32.CoInitializeEx(null, COINIT_MULTITHREADED);
  const windows = new NativeWindows({ user32: openUser32().symbols, dwmapi: openDwmapi() });
  const source = new UiaSource(openAutomation(ole32, oleaut32), windows);
  return {
    read(reading: Omit<TreeReading, "signal">, origin: Point, isStopped: IsStopped): ReadTree {
      const budget = new Budget(reading, isStopped);
      const { roots, unresponsive } = source.read({ ...reading, budget });
      const local = roots.map((root) => localize(root, origin));
      return { roots: local, unresponsive, truncated: budget.truncated };
    },
    refresh: (ids: readonly ElementId[], origin: Point): readonly (Element | undefined)[] =>
      ids.map((id) => {
        const element = source.refresh(id);
        return element && localize(element, origin);
      }),
    perform: (id: ElementId, action: ElementAction) => source.perform(id, action),
    elementAt: (point: Point) => source.elementAt(point),
    contains: (outer: ElementId, inner: ElementId) => source.contains(outer, inner),
  };
}

/** With its places on the monitor. */
function localize(element: Element, origin: Point): Element {
  const { bounds } = element;
  return {
    ...element,
    ...(bounds && { bounds: { ...bounds, x: bounds.x - origin.x, y: bounds.y - origin.y } }),
    children: element.children.map((child) => localize(child, origin)),
  };
}
