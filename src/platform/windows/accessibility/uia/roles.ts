/** The control types of UI Automation as roles. */

import type { Role } from "../../../types/mod.ts";

/** The number of the first type; the others follow. */
const FIRST = 50_000;

const ROLES: readonly Role[] = [
  ...["button", "grid", "checkbox", "combobox", "textbox"], // from button, calendar on
  ...["link", "img", "listitem", "listbox", "menu"],
  ...["menubar", "menuitem", "progressbar", "radio", "scrollbar"],
  ...["slider", "spinbutton", "status", "tablist", "tab"],
  ...["text", "toolbar", "tooltip", "tree", "treeitem"],
  ...["generic", "group", "generic", "grid", "row"], // custom, group, thumb, data grid, data item
  ...["document", "button", "window", "generic", "rowgroup"], // split button, window, pane, header
  ...["columnheader", "table", "titlebar", "separator", "generic", "toolbar"],
];

export interface TypedElement {
  readonly controlType: number;
  /** What a page says, where it is one. */
  readonly ariaRole: string;
  readonly isSelectable: boolean;
  readonly isModal: boolean;
  /** Whether it is a window of its own. */
  readonly isWindow: boolean;
}

export function roleOfType(element: TypedElement): Role {
  const { controlType, ariaRole, isSelectable, isModal, isWindow } = element;
  const [said] = ariaRole.toLowerCase().split(/\s/);
  if (said && /^[a-z-]+$/.test(said)) return said;
  const type = ROLES[controlType - FIRST] ?? "generic";
  const role = isWindow && type === "generic" ? "window" : type;
  if (role === "listitem" && isSelectable) return "option";
  if (role === "window" && isModal) return "dialog";
  return role;
}
