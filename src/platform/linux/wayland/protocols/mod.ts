/** Every interface that this program speaks, by its name. */

import type { ProtocolTable } from "./table.ts";
import * as tables from "./tables.ts";

// The protocol of input-method-unstable-v2.xml, written by hand: no package of Debian 12 has the
// file. Only what an input method without keyboard grab and popup needs.

const input_method = {
  zwp_input_method_v2: {
    version: 1,
    requests: [
      { name: "commit_string", args: ["text:string"] },
      { name: "set_preedit_string", args: ["text:string", "cursor_begin:int", "cursor_end:int"] },
      { name: "delete_surrounding_text", args: ["before_length:uint", "after_length:uint"] },
      { name: "commit", args: ["serial:uint"] },
      { name: "get_input_popup_surface", args: ["id:new_id", "surface:object:wl_surface"] },
      { name: "grab_keyboard", args: ["keyboard:new_id"] },
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [
      { name: "activate", args: [] },
      { name: "deactivate", args: [] },
      { name: "surrounding_text", args: ["text:string", "cursor:uint", "anchor:uint"] },
      { name: "text_change_cause", args: ["cause:uint"] },
      { name: "content_type", args: ["hint:uint", "purpose:uint"] },
      { name: "done", args: [] },
      { name: "unavailable", args: [] },
    ],
    errors: { role: 0 },
  },
  zwp_input_method_manager_v2: {
    version: 1,
    requests: [
      {
        name: "get_input_method",
        args: ["seat:object:wl_seat", "input_method:new_id:zwp_input_method_v2"],
      },
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [],
  },
} as const satisfies ProtocolTable;

// The protocol of virtual-keyboard-unstable-v1.xml, written by hand: no package of Debian 12 has the
// file.

const virtual_keyboard = {
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
    errors: { no_keymap: 0 },
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
    errors: { unauthorized: 0 },
  },
} as const satisfies ProtocolTable;

export const INTERFACES = {
  ...tables.wayland,
  ...tables.xdg_output,
  ...tables.wlr_virtual_pointer,
  ...virtual_keyboard,
  ...input_method,
  ...tables.wlr_screencopy,
  ...tables.wlr_data_control,
  ...tables.wlr_foreign_toplevel,
  ...tables.kde_fake_input,
  ...tables.kde_keystate,
} as const;

export type InterfaceName = keyof typeof INTERFACES;
