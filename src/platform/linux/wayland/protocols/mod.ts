/** Every interface that this program speaks, by its name. */

import { input_method } from "./input_method.ts";
import { kde_fake_input } from "./kde_fake_input.ts";
import { kde_keystate } from "./kde_keystate.ts";
import { kde_screencast } from "./kde_screencast.ts";
import { virtual_keyboard } from "./virtual_keyboard.ts";
import { wayland } from "./wayland.ts";
import { wlr_data_control } from "./wlr_data_control.ts";
import { wlr_foreign_toplevel } from "./wlr_foreign_toplevel.ts";
import { wlr_screencopy } from "./wlr_screencopy.ts";
import { wlr_virtual_pointer } from "./wlr_virtual_pointer.ts";
import { xdg_output } from "./xdg_output.ts";

export const INTERFACES = {
  ...wayland,
  ...xdg_output,
  ...wlr_virtual_pointer,
  ...virtual_keyboard,
  ...input_method,
  ...wlr_screencopy,
  ...wlr_data_control,
  ...wlr_foreign_toplevel,
  ...kde_fake_input,
  ...kde_keystate,
  ...kde_screencast,
} as const;

export type InterfaceName = keyof typeof INTERFACES;
