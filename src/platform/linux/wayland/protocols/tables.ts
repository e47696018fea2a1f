/** Protocols of Wayland as tables: made by tools/wayland_protocols.ts. */

import type { ProtocolTable } from "../wire/encoding.ts";

// wayland.xml of Debian's libwayland-dev

export const wayland = {
  wl_display: {
    version: 1,
    requests: [
      { name: "sync", args: ["callback:new_id:wl_callback"] },
      { name: "get_registry", args: ["registry:new_id:wl_registry"] },
    ],
    events: [
      { name: "error", args: ["object_id:object", "code:uint", "message:string"] },
      { name: "delete_id", args: ["id:uint"] },
    ],
    errors: { invalid_object: 0, invalid_method: 1, no_memory: 2, implementation: 3 },
  },
  wl_registry: {
    version: 1,
    requests: [
      { name: "bind", args: ["name:uint", "id:new_id"] },
    ],
    events: [
      { name: "global", args: ["name:uint", "interface:string", "version:uint"] },
      { name: "global_remove", args: ["name:uint"] },
    ],
  },
  wl_callback: {
    version: 1,
    requests: [],
    events: [
      { name: "done", destructor: true, args: ["callback_data:uint"] },
    ],
  },
  wl_shm: {
    version: 1,
    requests: [
      { name: "create_pool", args: ["id:new_id:wl_shm_pool", "fd:fd", "size:int"] },
    ],
    events: [
      { name: "format", args: ["format:uint"] },
    ],
    errors: { invalid_format: 0, invalid_stride: 1, invalid_fd: 2 },
  },
  wl_shm_pool: {
    version: 1,
    requests: [
      {
        name: "create_buffer",
        args: [
          "id:new_id:wl_buffer",
          "offset:int",
          "width:int",
          "height:int",
          "stride:int",
          "format:uint",
        ],
      },
      { name: "destroy", destructor: true, args: [] },
      { name: "resize", args: ["size:int"] },
    ],
    events: [],
  },
  wl_buffer: {
    version: 1,
    requests: [
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [
      { name: "release", args: [] },
    ],
  },
  wl_output: {
    version: 4,
    requests: [
      { name: "release", since: 3, destructor: true, args: [] },
    ],
    events: [
      {
        name: "geometry",
        args: [
          "x:int",
          "y:int",
          "physical_width:int",
          "physical_height:int",
          "subpixel:int",
          "make:string",
          "model:string",
          "transform:int",
        ],
      },
      { name: "mode", args: ["flags:uint", "width:int", "height:int", "refresh:int"] },
      { name: "done", since: 2, args: [] },
      { name: "scale", since: 2, args: ["factor:int"] },
      { name: "name", since: 4, args: ["name:string"] },
      { name: "description", since: 4, args: ["description:string"] },
    ],
  },
  wl_seat: {
    version: 8,
    requests: [
      { name: "get_pointer", args: ["id:new_id:wl_pointer"] },
      { name: "get_keyboard", args: ["id:new_id:wl_keyboard"] },
      { name: "get_touch", args: ["id:new_id:wl_touch"] },
      { name: "release", since: 5, destructor: true, args: [] },
    ],
    events: [
      { name: "capabilities", args: ["capabilities:uint"] },
      { name: "name", since: 2, args: ["name:string"] },
    ],
    errors: { missing_capability: 0 },
  },
  wl_pointer: {
    version: 8,
    requests: [
      {
        name: "set_cursor",
        args: ["serial:uint", "surface:?object:wl_surface", "hotspot_x:int", "hotspot_y:int"],
      },
      { name: "release", since: 3, destructor: true, args: [] },
    ],
    events: [
      {
        name: "enter",
        args: ["serial:uint", "surface:object:wl_surface", "surface_x:fixed", "surface_y:fixed"],
      },
      { name: "leave", args: ["serial:uint", "surface:object:wl_surface"] },
      { name: "motion", args: ["time:uint", "surface_x:fixed", "surface_y:fixed"] },
      { name: "button", args: ["serial:uint", "time:uint", "button:uint", "state:uint"] },
      { name: "axis", args: ["time:uint", "axis:uint", "value:fixed"] },
      { name: "frame", since: 5, args: [] },
      { name: "axis_source", since: 5, args: ["axis_source:uint"] },
      { name: "axis_stop", since: 5, args: ["time:uint", "axis:uint"] },
      { name: "axis_discrete", since: 5, args: ["axis:uint", "discrete:int"] },
      { name: "axis_value120", since: 8, args: ["axis:uint", "value120:int"] },
    ],
    errors: { role: 0 },
  },
  wl_keyboard: {
    version: 8,
    requests: [
      { name: "release", since: 3, destructor: true, args: [] },
    ],
    events: [
      { name: "keymap", args: ["format:uint", "fd:fd", "size:uint"] },
      { name: "enter", args: ["serial:uint", "surface:object:wl_surface", "keys:array"] },
      { name: "leave", args: ["serial:uint", "surface:object:wl_surface"] },
      { name: "key", args: ["serial:uint", "time:uint", "key:uint", "state:uint"] },
      {
        name: "modifiers",
        args: [
          "serial:uint",
          "mods_depressed:uint",
          "mods_latched:uint",
          "mods_locked:uint",
          "group:uint",
        ],
      },
      { name: "repeat_info", since: 4, args: ["rate:int", "delay:int"] },
    ],
  },
  wl_touch: {
    version: 8,
    requests: [
      { name: "release", since: 3, destructor: true, args: [] },
    ],
    events: [
      {
        name: "down",
        args: [
          "serial:uint",
          "time:uint",
          "surface:object:wl_surface",
          "id:int",
          "x:fixed",
          "y:fixed",
        ],
      },
      { name: "up", args: ["serial:uint", "time:uint", "id:int"] },
      { name: "motion", args: ["time:uint", "id:int", "x:fixed", "y:fixed"] },
      { name: "frame", args: [] },
      { name: "cancel", args: [] },
      { name: "shape", since: 6, args: ["id:int", "major:fixed", "minor:fixed"] },
      { name: "orientation", since: 6, args: ["id:int", "orientation:fixed"] },
    ],
  },
} as const satisfies ProtocolTable;

// xdg-output-unstable-v1.xml of Debian's wayland-protocols

export const xdg_output = {
  zxdg_output_manager_v1: {
    version: 3,
    requests: [
      { name: "destroy", destructor: true, args: [] },
      { name: "get_xdg_output", args: ["id:new_id:zxdg_output_v1", "output:object:wl_output"] },
    ],
    events: [],
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
  },
} as const satisfies ProtocolTable;

// wlr-virtual-pointer-unstable-v1.xml of Debian's librust-wayland-protocols-dev

export const wlr_virtual_pointer = {
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
    errors: { invalid_axis: 0, invalid_axis_source: 1 },
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
  },
} as const satisfies ProtocolTable;

// wlr-screencopy-unstable-v1.xml of Debian's librust-wayland-protocols-dev

export const wlr_screencopy = {
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
    errors: { already_used: 0, invalid_buffer: 1 },
  },
} as const satisfies ProtocolTable;

// wlr-data-control-unstable-v1.xml of Debian's librust-wayland-protocols-dev

export const wlr_data_control = {
  zwlr_data_control_manager_v1: {
    version: 2,
    requests: [
      { name: "create_data_source", args: ["id:new_id:zwlr_data_control_source_v1"] },
      {
        name: "get_data_device",
        args: ["id:new_id:zwlr_data_control_device_v1", "seat:object:wl_seat"],
      },
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [],
  },
  zwlr_data_control_device_v1: {
    version: 2,
    requests: [
      { name: "set_selection", args: ["source:?object:zwlr_data_control_source_v1"] },
      { name: "destroy", destructor: true, args: [] },
      {
        name: "set_primary_selection",
        since: 2,
        args: ["source:?object:zwlr_data_control_source_v1"],
      },
    ],
    events: [
      { name: "data_offer", args: ["id:new_id:zwlr_data_control_offer_v1"] },
      { name: "selection", args: ["id:?object:zwlr_data_control_offer_v1"] },
      { name: "finished", args: [] },
      { name: "primary_selection", since: 2, args: ["id:?object:zwlr_data_control_offer_v1"] },
    ],
    errors: { used_source: 1 },
  },
  zwlr_data_control_source_v1: {
    version: 1,
    requests: [
      { name: "offer", args: ["mime_type:string"] },
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [
      { name: "send", args: ["mime_type:string", "fd:fd"] },
      { name: "cancelled", args: [] },
    ],
    errors: { invalid_offer: 1 },
  },
  zwlr_data_control_offer_v1: {
    version: 1,
    requests: [
      { name: "receive", args: ["mime_type:string", "fd:fd"] },
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [
      { name: "offer", args: ["mime_type:string"] },
    ],
  },
} as const satisfies ProtocolTable;

// wlr-foreign-toplevel-management-unstable-v1.xml of Debian's librust-wayland-protocols-dev

export const wlr_foreign_toplevel = {
  zwlr_foreign_toplevel_manager_v1: {
    version: 3,
    requests: [
      { name: "stop", args: [] },
    ],
    events: [
      { name: "toplevel", args: ["toplevel:new_id:zwlr_foreign_toplevel_handle_v1"] },
      { name: "finished", args: [] },
    ],
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
    errors: { invalid_rectangle: 0 },
  },
} as const satisfies ProtocolTable;

// fake-input.xml of Debian's plasma-wayland-protocols

export const kde_fake_input = {
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
  },
} as const satisfies ProtocolTable;

// keystate.xml of Debian's plasma-wayland-protocols

export const kde_keystate = {
  org_kde_kwin_keystate: {
    version: 4,
    requests: [
      { name: "fetchStates", args: [] },
      { name: "destroy", since: 4, destructor: true, args: [] },
    ],
    events: [
      { name: "stateChanged", args: ["key:uint", "state:uint"] },
    ],
  },
} as const satisfies ProtocolTable;
