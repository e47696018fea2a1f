/** wlr-data-control-unstable-v1.xml of Debian's librust-wayland-protocols-dev, as a table: made by tools/wayland_protocols.ts. */

import type { ProtocolTable } from "./table.ts";

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
