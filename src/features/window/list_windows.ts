/** Lists the windows of a display, and finds the one that has the keyboard. */

import { requirePort } from "../../platform/open_port.ts";
import type { Windows } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { toEntries, type WindowEntry } from "./window_answer.ts";

interface OnDisplay {
  readonly display_num: number;
}

export async function listWindows(
  context: Context,
  { display_num }: OnDisplay,
): Promise<WindowEntry[]> {
  const windows = await openWindowsOf(context, display_num);
  return await toEntries(context, await windows.list(context.signal));
}

export async function findActiveWindow(
  context: Context,
  { display_num }: OnDisplay,
): Promise<WindowEntry | null> {
  const windows = await openWindowsOf(context, display_num);
  const active = await windows.active(context.signal);
  return active && (await toEntries(context, [active]))[0]!;
}

/** @throws ServiceError `unsupported` where windows cannot be seen, with the reason */
export async function openWindowsOf(
  { platform }: Pick<Context, "platform">,
  displayNum: number,
): Promise<Windows> {
  return requirePort((await platform.displays.open(displayNum)).windows);
}
