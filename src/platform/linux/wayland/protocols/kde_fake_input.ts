/** fake-input.xml of Debian's plasma-wayland-protocols, as a table: made by tools/wayland_protocols.ts. */

import type { ProtocolTable } from "./table.ts";

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
