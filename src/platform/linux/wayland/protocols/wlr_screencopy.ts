/** wlr-screencopy-unstable-v1.xml of Debian's librust-wayland-protocols-dev, as a table: made by tools/wayland_protocols.ts. */

import type { ProtocolTable } from "./table.ts";

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
