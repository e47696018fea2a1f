/**
 * The protocol of input-method-unstable-v2.xml, written by hand: no package of Debian 12 has the
 * file. Only what an input method without keyboard grab and popup needs.
 */
import type { ProtocolTable } from "./table.ts";

export const input_method = {
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
    enums: { error: { role: 0 } },
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
    enums: {},
  },
} as const satisfies ProtocolTable;
