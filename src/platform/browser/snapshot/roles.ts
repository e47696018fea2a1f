/** Roles as snapshots name them. */

import { cutText } from "../../../core/cut_text.ts";
import type { CdpResult } from "../cdp/connection.ts";

/** Chromium's names that are not those of WAI-ARIA. */
const NAMES: Readonly<Record<string, string>> = {
  RootWebArea: "document",
  StaticText: "text",
  Iframe: "iframe",
  LabelText: "label",
  MenuListPopup: "none",
  ColorWell: "color",
  Date: "date",
  DateTime: "datetime",
  InputTime: "time",
  DisclosureTriangle: "button",
  DisclosureTriangleGrouped: "button",
  Details: "group",
  Video: "video",
  Audio: "audio",
  Canvas: "canvas",
  EmbeddedObject: "embedded-object",
  PluginObject: "embedded-object",
};

/** What carries no meaning by itself: its children stand in its place. */
export const PLAIN: ReadonlySet<string> = new Set([
  ...["none", "generic", "presentation", "paragraph", "label", "layout-table", "strong"],
  ...["layout-table-row", "layout-table-cell", "section", "emphasis", "rowgroup", "code"],
  ...["superscript", "subscript", "mark", "abbr", "ruby", "time-stamp"],
]);

/** What says nothing at all. */
export const SILENT: ReadonlySet<string> = new Set([
  ...["inline-text-box", "line-break", "list-marker", "menu-list-popup"],
]);

export const INTERACTIVE: ReadonlySet<string> = new Set([
  ...["button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox"],
  ...["option", "slider", "spinbutton", "switch", "tab", "menuitem", "menuitemcheckbox"],
  ...["menuitemradio", "treeitem", "gridcell", "date", "datetime", "time", "color", "iframe"],
]);

export function readRole({ role }: CdpResult): string {
  const given = String(role?.value ?? "generic");
  return NAMES[given] ?? given.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
}

/** Everything that a line needs to be told. */
export interface ReadNode {
  readonly role: string;
  readonly name: string;
  readonly value: string;
}

export function readNode(node: CdpResult): ReadNode {
  return {
    role: readRole(node),
    name: clean(node.name?.value, MAX_NAME),
    value: clean(node.value?.value, MAX_VALUE),
  };
}

/** Characters of a name and of a value; a page can give every element megabytes. */
const MAX_NAME = 4_096;
const MAX_VALUE = 65_536;

function clean(value: unknown, max: number): string {
  if (value === undefined) return "";
  return cutText(String(value), max).replace(/\s+/g, " ").trim();
}
