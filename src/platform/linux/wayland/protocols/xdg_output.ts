/** xdg-output-unstable-v1.xml of Debian's wayland-protocols, as a table: made by tools/wayland_protocols.ts. */

import type { ProtocolTable } from "./table.ts";

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
