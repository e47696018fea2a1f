/**
 * The protocol of virtual-keyboard-unstable-v1.xml, written by hand: no package of Debian 12 has the
 * file.
 */
import type { ProtocolTable } from "./table.ts";

export const virtual_keyboard = {
  zwp_virtual_keyboard_v1: {
    version: 1,
    requests: [
      { name: "keymap", args: ["format:uint", "fd:fd", "size:uint"] },
      { name: "key", args: ["time:uint", "key:uint", "state:uint"] },
      {
        name: "modifiers",
        args: ["mods_depressed:uint", "mods_latched:uint", "mods_locked:uint", "group:uint"],
      },
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [],
    enums: { error: { no_keymap: 0 } },
  },
  zwp_virtual_keyboard_manager_v1: {
    version: 1,
    requests: [
      {
        name: "create_virtual_keyboard",
        args: ["seat:object:wl_seat", "id:new_id:zwp_virtual_keyboard_v1"],
      },
    ],
    events: [],
    enums: { error: { unauthorized: 0 } },
  },
} as const satisfies ProtocolTable;
