/** The clipboard of a GNOME session, by Mutter's remote desktop. */

import { ServiceError } from "../../../../core/errors.ts";
import { BusClipboard } from "../bus_clipboard.ts";
import type { MutterSession } from "./session.ts";

/** `mime-types` stands inside of a structure. */
interface Owner {
  readonly "mime-types"?: readonly (string | readonly string[])[];
  readonly "session-is-owner"?: boolean;
}

export async function openMutterClipboard(session: MutterSession): Promise<BusClipboard> {
  const clipboard = await BusClipboard.open({
    isOpen: () => !session.isOver,
    async set(types) {
      const options = types.length === 0 ? [] : [["mime-types", ["as", types]]];
      await session.call("SetSelection", "a{sv}", [options]);
    },
    read: async (type) => onlyFile(await session.call("SelectionRead", "s", [type])),
    write: async (serial) => onlyFile(await session.call("SelectionWrite", "u", [serial])),
    writeDone: (serial, isWhole) => session.send("SelectionWriteDone", "ub", [serial, isWhole]),
    onTransfer: (listener) =>
      session.on(
        "SelectionTransfer",
        ([type, serial]) => listener(type as string, serial as number),
      ),
    onOwner: (listener) =>
      session.on("SelectionOwnerChanged", ([options]) => {
        const owner = options as Owner;
        listener((owner["mime-types"] ?? []).flat(), owner["session-is-owner"] ?? false);
      }),
  });
  await session.call("EnableClipboard", "a{sv}", [[]]);
  return clipboard;
}

function onlyFile({ files }: { readonly files: readonly number[] }): number {
  const [file] = files;
  if (file !== undefined) return file;
  throw new ServiceError("unavailable", "GNOME has sent no descriptor for the clipboard");
}
