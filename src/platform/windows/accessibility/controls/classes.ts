/** What the classes of Windows' own controls are. */

import { BS_TYPEMASK, ES } from "../../../../../ffi/windows/user32_controls.ts";
import type { Role } from "../../../types/mod.ts";

/** Class, in lower case -> role; with `*` for its beginning. */
const ROLES: Readonly<Record<string, Role>> = {
  "#32768": "menu",
  "#32770": "dialog",
  "combobox": "combobox",
  "comboboxex32": "combobox",
  "combolbox": "listbox",
  "edit": "textbox",
  "listbox": "listbox",
  "mdiclient": "generic",
  "msctls_hotkey32": "textbox",
  "msctls_progress32": "progressbar",
  "msctls_statusbar32": "status",
  "msctls_trackbar32": "slider",
  "msctls_updown32": "spinbutton",
  "rebarwindow32": "toolbar",
  "richedit": "textbox",
  "richedit20a": "textbox",
  "richedit20w": "textbox",
  "richedit50w": "textbox",
  "scrollbar": "scrollbar",
  "static": "text",
  "sysdatetimepick32": "textbox",
  "sysheader32": "rowgroup",
  "syslink": "link",
  "syslistview32": "list",
  "sysmonthcal32": "grid",
  "systabcontrol32": "tablist",
  "systreeview32": "tree",
  "toolbarwindow32": "toolbar",
  "tooltips_class32": "tooltip",
};

/** By the type in the style of a button, BS_PUSHBUTTON and so on. */
const BUTTONS: readonly Role[] = [
  ...["button", "button", "checkbox", "checkbox"],
  ...["radio", "checkbox", "checkbox", "group"],
  ...["button", "radio", "button", "button"],
  ...["button", "button", "button", "button"],
];

/** @param isTop whether it is a window of its own */
export function roleOfClass(className: string, style: number, isTop: boolean): Role {
  const name = className.toLowerCase();
  if (name === "button") return BUTTONS[style & BS_TYPEMASK]!;
  if (name === "#32770" && !isTop) return "generic"; // a page of a dialog
  return ROLES[name] ?? (isTop ? "window" : "generic");
}

/** Whether its text is what it holds, rather than what it is called. */
export function holdsText(role: Role): boolean {
  return role === "textbox" || role === "combobox";
}

/** Whether it takes the messages of an edit control. */
export function isEdit(className: string): boolean {
  return /^(edit|richedit.*)$/i.test(className);
}

export function isPassword(className: string, style: number): boolean {
  return isEdit(className) && (style & ES.PASSWORD) !== 0;
}

/** Without the mark of its key: `&Open` is "Open". */
export function withoutMnemonic(text: string): string {
  return text.replace(/&(.)/g, "$1");
}
