/** Display, mouse and keyboard on gnome-shell, by its remote desktop. */

import { testContract } from "../../../../support/wayland/contract/contract.ts";

testContract("gnome-shell", {
  args: ["--wayland-backend", "mutter"],
  without: {
    "500 characters typed into foot": "terminals paste with another shortcut than Ctrl+V",
  },
});
