/** The roles of macOS as roles of WAI-ARIA. */

import type { Role } from "../../types/mod.ts";

const ROLES: Readonly<Record<string, Role>> = {
  AXApplication: "application",
  AXBusyIndicator: "progressbar",
  AXButton: "button",
  AXCell: "cell",
  AXCheckBox: "checkbox",
  AXColumn: "generic",
  AXComboBox: "combobox",
  AXDisclosureTriangle: "button",
  AXGrid: "grid",
  AXGroup: "group",
  AXHeading: "heading",
  AXImage: "img",
  AXIncrementor: "spinbutton",
  AXLink: "link",
  AXList: "list",
  AXMenu: "menu",
  AXMenuBar: "menubar",
  AXMenuBarItem: "menuitem",
  AXMenuButton: "button",
  AXMenuItem: "menuitem",
  AXOutline: "tree",
  AXPopUpButton: "combobox",
  AXProgressIndicator: "progressbar",
  AXRadioButton: "radio",
  AXRadioGroup: "radiogroup",
  AXRow: "row",
  AXScrollArea: "generic",
  AXScrollBar: "scrollbar",
  AXSheet: "dialog",
  AXSlider: "slider",
  AXSplitGroup: "generic",
  AXSplitter: "separator",
  AXStaticText: "text",
  AXTabGroup: "tablist",
  AXTable: "table",
  AXTextArea: "textbox",
  AXTextField: "textbox",
  AXToolbar: "toolbar",
  AXUnknown: "generic",
  AXWebArea: "document",
  AXWindow: "window",
};

const SUBROLES: Readonly<Record<string, Role>> = {
  AXDialog: "dialog",
  AXOutlineRow: "treeitem",
  AXSearchField: "searchbox",
  AXSwitch: "switch",
  AXSystemDialog: "dialog",
  AXTabButton: "tab",
};

/** A role that is not known is named as macOS does: `AXLevelIndicator` is "level-indicator". */
export function roleOf(role: string, subrole: string | null): Role {
  const known = (subrole === null ? undefined : SUBROLES[subrole]) ?? ROLES[role];
  return known ?? role.replace(/^AX/, "").replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}
