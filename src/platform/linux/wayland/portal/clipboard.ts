/**
 * The Clipboard portal, for sessions that may use it.
 * https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Clipboard.html
 */

import { ServiceError } from "../../../../core/errors.ts";
import type { BusSignal, MessageBus } from "../../bus/types.ts";
import { BusClipboard } from "../bus_clipboard.ts";
import { CLIPBOARD, PORTAL } from "./names.ts";

/** @param handle of a session that has the clipboard */
export function openPortalClipboard(bus: MessageBus, handle: string): Promise<BusClipboard> {
  const call = async (member: string, signature: string, body: readonly unknown[]) =>
    await bus.call({
      ...PORTAL,
      interface: CLIPBOARD,
      member,
      signature: `o${signature}`,
      body: [handle, ...body],
    });
  const on = async (member: string, listener: (body: BusSignal["body"]) => void) => {
    await bus.on({ interface: CLIPBOARD, member }, ({ body: [session, ...body] }) => {
      if (session === handle) listener(body);
    });
  };
  return BusClipboard.open({
    isOpen: () => bus.connected,
    async set(types) {
      const options = types.length === 0 ? [] : [["mime_types", ["as", types]]];
      await call("SetSelection", "a{sv}", [options]);
    },
    read: async (type) => onlyFile(await call("SelectionRead", "s", [type])),
    write: async (serial) => onlyFile(await call("SelectionWrite", "u", [serial])),
    writeDone(serial, isWhole) {
      call("SelectionWriteDone", "ub", [serial, isWhole]).catch(() => {}); // the session has ended
    },
    onTransfer: (listener) =>
      on("SelectionTransfer", ([type, serial]) => listener(type as string, serial as number)),
    onOwner: (listener) =>
      on("SelectionOwnerChanged", ([options]) => {
        const { mime_types = [], session_is_owner = false } = options as OwnerChange;
        listener(mime_types.flat(), session_is_owner);
      }),
  });
}

interface OwnerChange {
  /** GNOME puts the list into a structure. */
  readonly mime_types?: readonly (string | readonly string[])[];
  readonly session_is_owner?: boolean;
}

function onlyFile({ files }: { readonly files: readonly number[] }): number {
  const [file] = files;
  if (file !== undefined) return file;
  throw new ServiceError("unavailable", "The desktop portal has sent no descriptor");
}
