/** Display, mouse and keyboard on Mutter alone, by its remote desktop. */

import { testContract } from "../../../../support/wayland/contract/contract.ts";

testContract("mutter", {
  args: ["--wayland-backend", "mutter"],
  without: {
    "500 characters typed into foot": "terminals paste with another shortcut than Ctrl+V",
  },
});
