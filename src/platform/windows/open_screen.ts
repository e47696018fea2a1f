/** Opens a monitor by its name, with its own libraries, so that any thread can do it. */

import { openGdi32 } from "../../../ffi/windows/gdi32.ts";
import { openUser32 } from "../../../ffi/windows/user32.ts";
import { WindowsScreen } from "./screen.ts";

export function openWindowsScreen(name: string): WindowsScreen {
  return new WindowsScreen({ user32: openUser32().symbols, gdi32: openGdi32().symbols }, name);
}
