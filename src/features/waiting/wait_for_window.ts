/** Waits until a window is open, has a state or a title, or is closed. */

import { requireGroup } from "../switched_off.ts";
import type { Context } from "../context.ts";
import type { Awaited } from "../display/wait_on_display.ts";
import { openWindowsOf } from "../window/list_windows.ts";
import { Opening, readyFirst } from "../window/opening.ts";
import { toEntries, type WindowEntry } from "../window/window_answer.ts";
import type { WindowCondition } from "./conditions.ts";
import { lookUntil } from "./look_until.ts";

interface WindowWait extends Pick<Awaited<unknown>, "gone" | "signal"> {
  readonly displayNum: number;
  readonly timeoutMs: number;
}

interface Outcome {
  readonly status: "found" | "gone";
  readonly window?: WindowEntry;
}

/**
 * @throws ServiceError `forbidden` where windows are switched off; as listing them does; the
 *   signal's reason
 */
export async function waitForWindow(
  context: Context,
  condition: WindowCondition,
  { gone, displayNum, ...wait }: WindowWait,
): Promise<Outcome> {
  requireGroup(context.config, "window");
  const windows = await openWindowsOf(context, displayNum);
  const fits = toMatcher(condition);
  const opening = new Opening();
  let isFirstLook = true;
  return await lookUntil({
    ...wait,
    client: context.signal,
    changed: (signal) => windows.changed(signal),
    look: async (signal): Promise<Outcome | undefined> => {
      const wasThere = isFirstLook;
      isFirstLook = false;
      // a condition that fits a stored value would tell it, letter by letter
      const entries = await toEntries(context, await windows.list(signal));
      const [found] = readyFirst(entries.filter(fits));
      if (gone) return found ? undefined : { status: "gone" };
      if (found === undefined || !wasThere && opening.restMs(found) > 0) return undefined;
      return { status: "found", window: found };
    },
  });
}

function toMatcher(
  { id, title, app, pid, states = [], exact }: WindowCondition,
): (window: WindowEntry) => boolean {
  const hasTitle = toTextMatcher(title, exact);
  const hasApp = toTextMatcher(app, exact);
  return (window) =>
    (id === undefined || window.id === id) && (pid === undefined || window.pid === pid) &&
    hasTitle(window.title) && hasApp(window.app ?? "") &&
    states.every((state) => window.states.includes(state));
}

function toTextMatcher(wanted: string | undefined, exact: boolean): (text: string) => boolean {
  if (wanted === undefined) return () => true;
  if (exact) return (text) => text === wanted;
  const part = wanted.toLowerCase();
  return (text) => text.toLowerCase().includes(part);
}
