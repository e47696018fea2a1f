/** Display, mouse and keyboard on sway (wlroots). */

import { testContract } from "../../../../support/wayland/contract/contract.ts";

testContract("sway");
