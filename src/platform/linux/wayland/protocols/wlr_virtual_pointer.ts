/** wlr-virtual-pointer-unstable-v1.xml of Debian's librust-wayland-protocols-dev, as a table: made by tools/wayland_protocols.ts. */

import type { ProtocolTable } from "./table.ts";

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
