/**
 * Uses the clipboard of a display; few at once, because each content can be large. Readers, who wait
 * for other programs, keep no writer out.
 */

import { requirePort } from "../../platform/open_port.ts";
import type { Clipboard } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";

/**
 * @throws ServiceError `unsupported` where the display has no clipboard, `unavailable` when too many
 * wait
 */
export async function useClipboard<T>(
  { platform, session, signal }: Context,
  displayNum: number,
  how: "reading" | "writing",
  use: (clipboard: Clipboard) => Promise<T>,
): Promise<T> {
  const display = await platform.displays.open(displayNum);
  const clipboard = requirePort(display.clipboard);
  return await session.clipboardPlaces[how].run(() => use(clipboard), signal);
}
