/** Pasting on a desktop that is controlled through the portal. */

import { available, missing } from "../../../open_port.ts";
import type { WaylandClient } from "../client.ts";
import type { Clipboard } from "../clipboard.ts";
import { DataControl } from "../data_control.ts";
import type { Paste } from "../input/text_plan.ts";
import { ClipboardPasting } from "../pasting.ts";
import { openPortalClipboard } from "./clipboard.ts";
import type { PortalDesktop } from "./desktop.ts";

export interface PasteOptions {
  readonly client: WaylandClient;
  readonly desktop: PortalDesktop;
  /** Whether the flags allow it. */
  readonly isAllowed: boolean;
  /** Presses the shortcut; resolves when the desktop has taken it. */
  readonly press: () => Promise<void>;
}

const UNTYPED = "The active keyboard layout lacks some characters of the text";

export async function openPaste(options: PasteOptions): Promise<Paste> {
  if (!options.isAllowed) {
    return missing(`${UNTYPED}, and --no-clipboard-typing forbids to paste them`);
  }
  const clipboard = await openClipboard(options);
  if (clipboard === undefined) {
    return missing(
      `${UNTYPED}, and this desktop's portal has no clipboard to paste them: ` +
        "switch to a layout that has them",
    );
  }
  return available(() => new ClipboardPasting(clipboard, options.press));
}

async function openClipboard(
  { client, desktop: { bus, pictures } }: PasteOptions,
): Promise<Clipboard | undefined> {
  if (pictures.hasClipboard) return await openPortalClipboard(bus, pictures.handle);
  if (client.globals.find("zwlr_data_control_manager_v1") === undefined) return undefined;
  return await DataControl.open(client, client.bind("wl_seat", 5));
}
