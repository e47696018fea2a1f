/** The jobs of the thread that reads and uses elements. */

import { COINIT_MULTITHREADED, openOle32, openOleaut32 } from "../../../../ffi/windows/com.ts";
import { openDwmapi } from "../../../../ffi/windows/graphics.ts";
import { openUser32 } from "../../../../ffi/windows/user32_windows.ts";
import type {
  Element,
  ElementAction,
  ElementId,
  Point,
  ReadTree,
  TreeReading,
} from "../../types/mod.ts";
import { NativeWindows } from "../windows/native_windows.ts";
import { Budget } from "./budget.ts";
import { openAutomation } from "./uia/automation.ts";
import { UiaSource } from "./uia/uia_source.ts";

/** `origin`: of the monitor on the virtual screen. Other points are those of the monitor. */
export type ElementJob =
  & { readonly origin: Point }
  & (
    | { readonly do: "read"; readonly reading: Omit<TreeReading, "signal"> }
    | { readonly do: "refresh"; readonly ids: readonly ElementId[] }
    | { readonly do: "perform"; readonly id: ElementId; readonly action: ElementAction }
    | { readonly do: "at"; readonly point: Point }
    | { readonly do: "contains"; readonly outer: ElementId; readonly inner: ElementId }
  );

export interface ElementResult {
  readonly tree?: ReadTree;
  readonly elements?: readonly (Element | undefined)[];
  readonly answer?: boolean | undefined;
  readonly id?: ElementId | undefined;
}

/** @throws ServiceError `unsupported`; an error on systems other than Windows */
export function openElementJobs(): (job: ElementJob, isStopped: () => boolean) => ElementResult {
  const [ole32, oleaut32] = [openOle32(), openOleaut32()];
  ole32.CoInitializeEx(null, COINIT_MULTITHREADED);
  const windows = new NativeWindows({ user32: openUser32().symbols, dwmapi: openDwmapi() });
  const source = new UiaSource(openAutomation(ole32, oleaut32), windows);
  return (job, isStopped) => runElementJob(source, job, isStopped);
}

function runElementJob(
  source: UiaSource,
  job: ElementJob,
  isStopped: () => boolean,
): ElementResult {
  const { origin } = job;
  switch (job.do) {
    case "read": {
      const budget = new Budget(job.reading, isStopped);
      const { roots, unresponsive } = source.read({ ...job.reading, budget });
      const local = roots.map((root) => localize(root, origin));
      return { tree: { roots: local, unresponsive, truncated: budget.truncated } };
    }
    case "refresh":
      return {
        elements: job.ids.map((id) => {
          const element = source.refresh(id);
          return element && localize(element, origin);
        }),
      };
    case "perform":
      return { answer: source.perform(job.id, job.action) };
    case "at":
      return { id: source.elementAt({ x: job.point.x + origin.x, y: job.point.y + origin.y }) };
    case "contains":
      return { answer: source.contains(job.outer, job.inner) };
  }
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
