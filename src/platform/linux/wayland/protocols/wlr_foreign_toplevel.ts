/** wlr-foreign-toplevel-management-unstable-v1.xml of Debian's librust-wayland-protocols-dev, as a table: made by tools/wayland_protocols.ts. */

import type { ProtocolTable } from "./table.ts";

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
