/** keystate.xml of Debian's plasma-wayland-protocols, as a table: made by tools/wayland_protocols.ts. */

import type { ProtocolTable } from "./table.ts";

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
