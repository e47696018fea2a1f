/** The calls of the thread that reads and uses elements, which alone loads UI Automation. */

import { COINIT_MULTITHREADED, openOle32, openOleaut32 } from "../../../../ffi/windows/com.ts";
import type { Element, ElementId, Point, ReadTree, TreeReading } from "../../types/mod.ts";
import type { IsStopped } from "../call_thread.ts";
import { openNativeWindows } from "../windows/native_windows.ts";
import { Budget } from "./budget.ts";
import { openAutomation } from "./uia/automation.ts";
import { UiaSource } from "./uia/uia_source.ts";

export type ElementCalls = ReturnType<typeof openElementCalls>;

/**
 * `origin` is that of the monitor on the virtual screen; points are those of the virtual screen.
 * @throws ServiceError `unsupported`; an error on systems other than Windows
 */
export function openElementCalls() {
  const [ole32, oleaut32] = [openOle32(), openOleaut32()];
  ole32.CoInitializeEx(null, COINIT_MULTITHREADED);
  const windows = openNativeWindows();
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
    perform: source.perform.bind(source),
    elementAt: source.elementAt.bind(source),
    contains: source.contains.bind(source),
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
