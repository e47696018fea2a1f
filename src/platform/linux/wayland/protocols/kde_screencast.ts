/** zkde-screencast-unstable-v1.xml of Debian's plasma-wayland-protocols, as a table: made by tools/wayland_protocols.ts. */

import type { ProtocolTable } from "./table.ts";

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
