/** Display, mouse and keyboard on KWin (KDE Plasma). */

import { testContract } from "../../../../support/wayland/contract/contract.ts";

testContract("kwin", {
  without: { "500 characters typed into foot": "foot crashes on this KWin" },
});
