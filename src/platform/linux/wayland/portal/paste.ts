/** Pasting on a desktop that is controlled through the portal. */

import { available, missing } from "../../../open_port.ts";
import type { Port } from "../../../types/mod.ts";
import { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import type { TypedClipboard } from "../../clipboard/typed_clipboard.ts";
import type { WaylandClient } from "../client.ts";
import { DataControl } from "../data_control.ts";
import type { Paste } from "../input/text_plan.ts";
import { openPortalClipboard } from "./clipboard.ts";
import type { PortalDesktop } from "./desktop.ts";

export interface PasteOptions {
  /** Whether the flags allow it. */
  readonly isAllowed: boolean;
  readonly clipboard: Port<LinuxClipboard>;
  /** Presses the shortcut; resolves when the desktop has taken it. */
  readonly press: () => Promise<void>;
}

const UNTYPED = "The active keyboard layout lacks some characters of the text";

export function makePaste({ isAllowed, clipboard, press }: PasteOptions): Paste {
  if (!isAllowed) {
    return missing(`${UNTYPED}, and --no-clipboard-typing forbids to paste them`);
  }
  if (!clipboard.ready) {
    return missing(
      `${UNTYPED}, and this desktop's portal has no clipboard to paste them: ` +
        "switch to a layout that has them",
    );
  }
  return available(() => clipboard.use.beginPasting(press));
}

/** The clipboard of the desktop, by its portal or by its compositor. */
export async function openClipboard(
  client: WaylandClient,
  desktop: PortalDesktop,
): Promise<Port<LinuxClipboard>> {
  const typed = await openTyped(client, desktop);
  if (typed !== undefined) return available(new LinuxClipboard(() => Promise.resolve(typed)));
  return missing(
    "This desktop's portal has no clipboard: it needs org.freedesktop.portal.Clipboard (GNOME 45)",
  );
}

async function openTyped(
  client: WaylandClient,
  { bus, pictures }: PortalDesktop,
): Promise<TypedClipboard | undefined> {
  if (pictures.hasClipboard) return await openPortalClipboard(bus, pictures.handle);
  if (client.globals.find("zwlr_data_control_manager_v1") === undefined) return undefined;
  return await DataControl.open(client, client.bind("wl_seat", 5));
}
