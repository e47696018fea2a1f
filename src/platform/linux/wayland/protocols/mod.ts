/** Every interface that this program speaks, by its name. */

import { kde_screencast } from "./kde_screencast.ts";
import type { ProtocolTable } from "./table.ts";
import { wayland } from "./wayland.ts";
import { wlr_data_control } from "./wlr_data_control.ts";

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

// fake-input.xml of Debian's plasma-wayland-protocols, as a table: made by tools/wayland_protocols.ts.

const kde_fake_input = {
  org_kde_kwin_fake_input: {
    version: 4,
    requests: [
      { name: "authenticate", args: ["application:string", "reason:string"] },
      { name: "pointer_motion", args: ["delta_x:fixed", "delta_y:fixed"] },
      { name: "button", args: ["button:uint", "state:uint"] },
      { name: "axis", args: ["axis:uint", "value:fixed"] },
      { name: "touch_down", since: 2, args: ["id:uint", "x:fixed", "y:fixed"] },
      { name: "touch_motion", since: 2, args: ["id:uint", "x:fixed", "y:fixed"] },
      { name: "touch_up", since: 2, args: ["id:uint"] },
      { name: "touch_cancel", since: 2, args: [] },
      { name: "touch_frame", since: 2, args: [] },
      { name: "pointer_motion_absolute", since: 3, args: ["x:fixed", "y:fixed"] },
      { name: "keyboard_key", since: 4, args: ["button:uint", "state:uint"] },
    ],
    events: [],
    enums: {},
  },
} as const satisfies ProtocolTable;

// keystate.xml of Debian's plasma-wayland-protocols, as a table: made by tools/wayland_protocols.ts.

const kde_keystate = {
  org_kde_kwin_keystate: {
    version: 4,
    requests: [
      { name: "fetchStates", args: [] },
      { name: "destroy", since: 4, destructor: true, args: [] },
    ],
    events: [
      { name: "stateChanged", args: ["key:uint", "state:uint"] },
    ],
    enums: {
      key: { capslock: 0, numlock: 1, scrolllock: 2 },
      state: { unlocked: 0, latched: 1, locked: 2 },
    },
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

// wlr-foreign-toplevel-management-unstable-v1.xml of Debian's librust-wayland-protocols-dev, as a table: made by tools/wayland_protocols.ts.

const wlr_foreign_toplevel = {
  zwlr_foreign_toplevel_manager_v1: {
    version: 3,
    requests: [
      { name: "stop", args: [] },
    ],
    events: [
      { name: "toplevel", args: ["toplevel:new_id:zwlr_foreign_toplevel_handle_v1"] },
      { name: "finished", args: [] },
    ],
    enums: {},
  },
  zwlr_foreign_toplevel_handle_v1: {
    version: 3,
    requests: [
      { name: "set_maximized", args: [] },
      { name: "unset_maximized", args: [] },
      { name: "set_minimized", args: [] },
      { name: "unset_minimized", args: [] },
      { name: "activate", args: ["seat:object:wl_seat"] },
      { name: "close", args: [] },
      {
        name: "set_rectangle",
        args: ["surface:object:wl_surface", "x:int", "y:int", "width:int", "height:int"],
      },
      { name: "destroy", destructor: true, args: [] },
      { name: "set_fullscreen", since: 2, args: ["output:?object:wl_output"] },
      { name: "unset_fullscreen", since: 2, args: [] },
    ],
    events: [
      { name: "title", args: ["title:string"] },
      { name: "app_id", args: ["app_id:string"] },
      { name: "output_enter", args: ["output:object:wl_output"] },
      { name: "output_leave", args: ["output:object:wl_output"] },
      { name: "state", args: ["state:array"] },
      { name: "done", args: [] },
      { name: "closed", args: [] },
      { name: "parent", since: 3, args: ["parent:?object:zwlr_foreign_toplevel_handle_v1"] },
    ],
    enums: {
      state: { maximized: 0, minimized: 1, activated: 2, fullscreen: 3 },
      error: { invalid_rectangle: 0 },
    },
  },
} as const satisfies ProtocolTable;

// wlr-screencopy-unstable-v1.xml of Debian's librust-wayland-protocols-dev, as a table: made by tools/wayland_protocols.ts.

const wlr_screencopy = {
  zwlr_screencopy_manager_v1: {
    version: 3,
    requests: [
      {
        name: "capture_output",
        args: [
          "frame:new_id:zwlr_screencopy_frame_v1",
          "overlay_cursor:int",
          "output:object:wl_output",
        ],
      },
      {
        name: "capture_output_region",
        args: [
          "frame:new_id:zwlr_screencopy_frame_v1",
          "overlay_cursor:int",
          "output:object:wl_output",
          "x:int",
          "y:int",
          "width:int",
          "height:int",
        ],
      },
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [],
    enums: {},
  },
  zwlr_screencopy_frame_v1: {
    version: 3,
    requests: [
      { name: "copy", args: ["buffer:object:wl_buffer"] },
      { name: "destroy", destructor: true, args: [] },
      { name: "copy_with_damage", since: 2, args: ["buffer:object:wl_buffer"] },
    ],
    events: [
      { name: "buffer", args: ["format:uint", "width:uint", "height:uint", "stride:uint"] },
      { name: "flags", args: ["flags:uint"] },
      { name: "ready", args: ["tv_sec_hi:uint", "tv_sec_lo:uint", "tv_nsec:uint"] },
      { name: "failed", args: [] },
      { name: "damage", since: 2, args: ["x:uint", "y:uint", "width:uint", "height:uint"] },
      { name: "linux_dmabuf", since: 3, args: ["format:uint", "width:uint", "height:uint"] },
      { name: "buffer_done", since: 3, args: [] },
    ],
    enums: { error: { already_used: 0, invalid_buffer: 1 }, flags: { y_invert: 1 } },
  },
} as const satisfies ProtocolTable;

// wlr-virtual-pointer-unstable-v1.xml of Debian's librust-wayland-protocols-dev, as a table: made by tools/wayland_protocols.ts.

const wlr_virtual_pointer = {
  zwlr_virtual_pointer_v1: {
    version: 2,
    requests: [
      { name: "motion", args: ["time:uint", "dx:fixed", "dy:fixed"] },
      {
        name: "motion_absolute",
        args: ["time:uint", "x:uint", "y:uint", "x_extent:uint", "y_extent:uint"],
      },
      { name: "button", args: ["time:uint", "button:uint", "state:uint"] },
      { name: "axis", args: ["time:uint", "axis:uint", "value:fixed"] },
      { name: "frame", args: [] },
      { name: "axis_source", args: ["axis_source:uint"] },
      { name: "axis_stop", args: ["time:uint", "axis:uint"] },
      { name: "axis_discrete", args: ["time:uint", "axis:uint", "value:fixed", "discrete:int"] },
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [],
    enums: { error: { invalid_axis: 0, invalid_axis_source: 1 } },
  },
  zwlr_virtual_pointer_manager_v1: {
    version: 2,
    requests: [
      {
        name: "create_virtual_pointer",
        args: ["seat:?object:wl_seat", "id:new_id:zwlr_virtual_pointer_v1"],
      },
      { name: "destroy", destructor: true, args: [] },
      {
        name: "create_virtual_pointer_with_output",
        since: 2,
        args: [
          "seat:?object:wl_seat",
          "output:?object:wl_output",
          "id:new_id:zwlr_virtual_pointer_v1",
        ],
      },
    ],
    events: [],
    enums: {},
  },
} as const satisfies ProtocolTable;

// xdg-output-unstable-v1.xml of Debian's wayland-protocols, as a table: made by tools/wayland_protocols.ts.

const xdg_output = {
  zxdg_output_manager_v1: {
    version: 3,
    requests: [
      { name: "destroy", destructor: true, args: [] },
      { name: "get_xdg_output", args: ["id:new_id:zxdg_output_v1", "output:object:wl_output"] },
    ],
    events: [],
    enums: {},
  },
  zxdg_output_v1: {
    version: 3,
    requests: [
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [
      { name: "logical_position", args: ["x:int", "y:int"] },
      { name: "logical_size", args: ["width:int", "height:int"] },
      { name: "done", args: [] },
      { name: "name", since: 2, args: ["name:string"] },
      { name: "description", since: 2, args: ["description:string"] },
    ],
    enums: {},
  },
} as const satisfies ProtocolTable;

export const INTERFACES = {
  ...wayland,
  ...xdg_output,
  ...wlr_virtual_pointer,
  ...virtual_keyboard,
  ...input_method,
  ...wlr_screencopy,
  ...wlr_data_control,
  ...wlr_foreign_toplevel,
  ...kde_fake_input,
  ...kde_keystate,
  ...kde_screencast,
} as const;

export type InterfaceName = keyof typeof INTERFACES;
