/** The ids of controls, and of the items in their lists. */

import type { ElementId } from "../../../types/mod.ts";
import { formatHandle } from "../../windows/window_changes.ts";
import type { Handle } from "../../windows/native_windows.ts";

export interface ControlId {
  readonly control: Handle;
  /** Windows gives numbers of windows again, but hardly ever to the same process. */
  readonly pid: number;
  /** Which item of a list; `undefined` for the control itself. */
  readonly item?: number;
}

/** `0x1002a.77` and `0x1002a.77/3` */
export function formatControlId({ control, pid, item }: ControlId): ElementId {
  return `${formatHandle(control)}.${pid}${item === undefined ? "" : `/${item}`}`;
}

export function parseControlId(id: ElementId): ControlId | undefined {
  const found = /^(0x[0-9a-f]+)\.(\d+)(?:\/(\d+))?$/.exec(id);
  if (found === null) return undefined;
  const [, control, pid, item] = found;
  return {
    control: BigInt(control!),
    pid: Number(pid),
    ...(item === undefined ? {} : { item: Number(item) }),
  };
}
