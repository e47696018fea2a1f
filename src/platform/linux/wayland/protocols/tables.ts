/** Protocols of Wayland as tables: made by tools/wayland_protocols.ts. */

import type { ProtocolTable } from "./table.ts";

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
    enums: { error: { invalid_object: 0, invalid_method: 1, no_memory: 2, implementation: 3 } },
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
    enums: {},
  },
  wl_callback: {
    version: 1,
    requests: [],
    events: [
      { name: "done", destructor: true, args: ["callback_data:uint"] },
    ],
    enums: {},
  },
  wl_compositor: {
    version: 5,
    requests: [
      { name: "create_surface", args: ["id:new_id:wl_surface"] },
      { name: "create_region", args: ["id:new_id:wl_region"] },
    ],
    events: [],
    enums: {},
  },
  wl_surface: {
    version: 5,
    requests: [
      { name: "destroy", destructor: true, args: [] },
      { name: "attach", args: ["buffer:?object:wl_buffer", "x:int", "y:int"] },
      { name: "damage", args: ["x:int", "y:int", "width:int", "height:int"] },
      { name: "frame", args: ["callback:new_id:wl_callback"] },
      { name: "set_opaque_region", args: ["region:?object:wl_region"] },
      { name: "set_input_region", args: ["region:?object:wl_region"] },
      { name: "commit", args: [] },
      { name: "set_buffer_transform", since: 2, args: ["transform:int"] },
      { name: "set_buffer_scale", since: 3, args: ["scale:int"] },
      { name: "damage_buffer", since: 4, args: ["x:int", "y:int", "width:int", "height:int"] },
      { name: "offset", since: 5, args: ["x:int", "y:int"] },
    ],
    events: [
      { name: "enter", args: ["output:object:wl_output"] },
      { name: "leave", args: ["output:object:wl_output"] },
    ],
    enums: {
      error: { invalid_scale: 0, invalid_transform: 1, invalid_size: 2, invalid_offset: 3 },
    },
  },
  wl_region: {
    version: 1,
    requests: [
      { name: "destroy", destructor: true, args: [] },
      { name: "add", args: ["x:int", "y:int", "width:int", "height:int"] },
      { name: "subtract", args: ["x:int", "y:int", "width:int", "height:int"] },
    ],
    events: [],
    enums: {},
  },
  wl_shm: {
    version: 1,
    requests: [
      { name: "create_pool", args: ["id:new_id:wl_shm_pool", "fd:fd", "size:int"] },
    ],
    events: [
      { name: "format", args: ["format:uint"] },
    ],
    enums: {
      error: { invalid_format: 0, invalid_stride: 1, invalid_fd: 2 },
      format: {
        argb8888: 0,
        xrgb8888: 1,
        c8: 538982467,
        rgb332: 943867730,
        bgr233: 944916290,
        xrgb4444: 842093144,
        xbgr4444: 842089048,
        rgbx4444: 842094674,
        bgrx4444: 842094658,
        argb4444: 842093121,
        abgr4444: 842089025,
        rgba4444: 842088786,
        bgra4444: 842088770,
        xrgb1555: 892424792,
        xbgr1555: 892420696,
        rgbx5551: 892426322,
        bgrx5551: 892426306,
        argb1555: 892424769,
        abgr1555: 892420673,
        rgba5551: 892420434,
        bgra5551: 892420418,
        rgb565: 909199186,
        bgr565: 909199170,
        rgb888: 875710290,
        bgr888: 875710274,
        xbgr8888: 875709016,
        rgbx8888: 875714642,
        bgrx8888: 875714626,
        abgr8888: 875708993,
        rgba8888: 875708754,
        bgra8888: 875708738,
        xrgb2101010: 808669784,
        xbgr2101010: 808665688,
        rgbx1010102: 808671314,
        bgrx1010102: 808671298,
        argb2101010: 808669761,
        abgr2101010: 808665665,
        rgba1010102: 808665426,
        bgra1010102: 808665410,
        yuyv: 1448695129,
        yvyu: 1431918169,
        uyvy: 1498831189,
        vyuy: 1498765654,
        ayuv: 1448433985,
        nv12: 842094158,
        nv21: 825382478,
        nv16: 909203022,
        nv61: 825644622,
        yuv410: 961959257,
        yvu410: 961893977,
        yuv411: 825316697,
        yvu411: 825316953,
        yuv420: 842093913,
        yvu420: 842094169,
        yuv422: 909202777,
        yvu422: 909203033,
        yuv444: 875713881,
        yvu444: 875714137,
        r8: 538982482,
        r16: 540422482,
        rg88: 943212370,
        gr88: 943215175,
        rg1616: 842221394,
        gr1616: 842224199,
        xrgb16161616f: 1211388504,
        xbgr16161616f: 1211384408,
        argb16161616f: 1211388481,
        abgr16161616f: 1211384385,
        xyuv8888: 1448434008,
        vuy888: 875713878,
        vuy101010: 808670550,
        y210: 808530521,
        y212: 842084953,
        y216: 909193817,
        y410: 808531033,
        y412: 842085465,
        y416: 909194329,
        xvyu2101010: 808670808,
        xvyu12_16161616: 909334104,
        xvyu16161616: 942954072,
        y0l0: 810299481,
        x0l0: 810299480,
        y0l2: 843853913,
        x0l2: 843853912,
        yuv420_8bit: 942691673,
        yuv420_10bit: 808539481,
        xrgb8888_a8: 943805016,
        xbgr8888_a8: 943800920,
        rgbx8888_a8: 943806546,
        bgrx8888_a8: 943806530,
        rgb888_a8: 943798354,
        bgr888_a8: 943798338,
        rgb565_a8: 943797586,
        bgr565_a8: 943797570,
        nv24: 875714126,
        nv42: 842290766,
        p210: 808530512,
        p010: 808530000,
        p012: 842084432,
        p016: 909193296,
        axbxgxrx106106106106: 808534593,
        nv15: 892425806,
        q410: 808531025,
        q401: 825242705,
        xrgb16161616: 942953048,
        xbgr16161616: 942948952,
        argb16161616: 942953025,
        abgr16161616: 942948929,
      },
    },
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
    enums: {},
  },
  wl_buffer: {
    version: 1,
    requests: [
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [
      { name: "release", args: [] },
    ],
    enums: {},
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
    enums: {
      subpixel: {
        unknown: 0,
        none: 1,
        horizontal_rgb: 2,
        horizontal_bgr: 3,
        vertical_rgb: 4,
        vertical_bgr: 5,
      },
      transform: {
        "90": 1,
        "180": 2,
        "270": 3,
        normal: 0,
        flipped: 4,
        flipped_90: 5,
        flipped_180: 6,
        flipped_270: 7,
      },
      mode: { current: 1, preferred: 2 },
    },
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
    enums: { capability: { pointer: 1, keyboard: 2, touch: 4 }, error: { missing_capability: 0 } },
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
    enums: {
      error: { role: 0 },
      button_state: { released: 0, pressed: 1 },
      axis: { vertical_scroll: 0, horizontal_scroll: 1 },
      axis_source: { wheel: 0, finger: 1, continuous: 2, wheel_tilt: 3 },
    },
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
    enums: { keymap_format: { no_keymap: 0, xkb_v1: 1 }, key_state: { released: 0, pressed: 1 } },
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
    enums: {},
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
    enums: {},
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
    enums: { error: { used_source: 1 } },
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
    enums: { error: { invalid_offer: 1 } },
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
    enums: {},
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
    enums: {},
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
    enums: {
      key: { capslock: 0, numlock: 1, scrolllock: 2 },
      state: { unlocked: 0, latched: 1, locked: 2 },
    },
  },
} as const satisfies ProtocolTable;

// zkde-screencast-unstable-v1.xml of Debian's plasma-wayland-protocols

export const kde_screencast = {
  zkde_screencast_unstable_v1: {
    version: 3,
    requests: [
      {
        name: "stream_output",
        args: [
          "stream:new_id:zkde_screencast_stream_unstable_v1",
          "output:object:wl_output",
          "pointer:uint",
        ],
      },
      {
        name: "stream_window",
        args: [
          "stream:new_id:zkde_screencast_stream_unstable_v1",
          "window_uuid:string",
          "pointer:uint",
        ],
      },
      { name: "destroy", destructor: true, args: [] },
      {
        name: "stream_virtual_output",
        since: 2,
        args: [
          "stream:new_id:zkde_screencast_stream_unstable_v1",
          "name:string",
          "width:int",
          "height:int",
          "scale:fixed",
          "pointer:uint",
        ],
      },
      {
        name: "stream_region",
        since: 3,
        args: [
          "stream:new_id:zkde_screencast_stream_unstable_v1",
          "x:int",
          "y:int",
          "width:uint",
          "height:uint",
          "scale:fixed",
          "pointer:uint",
        ],
      },
    ],
    events: [],
    enums: { pointer: { hidden: 1, embedded: 2, metadata: 4 } },
  },
  zkde_screencast_stream_unstable_v1: {
    version: 3,
    requests: [
      { name: "close", destructor: true, args: [] },
    ],
    events: [
      { name: "closed", args: [] },
      { name: "created", args: ["node:uint"] },
      { name: "failed", args: ["error:string"] },
    ],
    enums: {},
  },
} as const satisfies ProtocolTable;
