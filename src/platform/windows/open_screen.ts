/** Opens a monitor of Windows by its name, with libraries of its own: in any thread. */

import { openGdi32 } from "../../../ffi/windows/gdi32.ts";
import { openUser32 } from "../../../ffi/windows/user32.ts";
import { WindowsScreen } from "./screen.ts";

export function openWindowsScreen(name: string): WindowsScreen {
  return new WindowsScreen({ user32: openUser32().symbols, gdi32: openGdi32().symbols }, name);
}
