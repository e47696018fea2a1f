/**
 * The elements of all windows as OSWorld's XML: an element of AT-SPI's role for each, with its
 * states, its place and its actions in namespaces. Source: `desktop_env/server/main.py` of
 * xlang-ai/OSWorld.
 */

import type { Operations } from "./compat.ts";
import { describeSystem } from "./run_command.ts";

/** What is read, as bounds of OSWorld's own server. */
const READING = { max_elements: 5_000, max_depth: 50, max_chars: 1_000_000, timeout_ms: 10_000 };

/** An element of a snapshot, as far as it is used. */
export interface TreeElement {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value?: string;
  readonly description?: string;
  readonly states: readonly string[];
  readonly abilities: readonly string[];
  readonly bounds?: Area;
  /** The id of the window, if this is one. */
  readonly window?: string;
  readonly children?: readonly TreeElement[];
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface ListedWindow {
  readonly id: string;
  readonly app: string | null;
}

/** The elements of the focused window, or of all. @throws OperationFailure */
export async function readElements(
  { call }: Operations,
  window: "focused" | "all",
): Promise<readonly TreeElement[]> {
  const wanted = { window, format: "json", ...READING };
  return (await call("/api/accessibility/snapshot", wanted)).elements;
}

/** @throws OperationFailure */
export async function readTree(operations: Operations): Promise<string> {
  const { system } = await describeSystem(operations);
  const elements = await readElements(operations, "all");
  const windows: readonly ListedWindow[] = await operations.call("/api/window/list");
  const apps = new Map(windows.map(({ id, app }) => [id, app]));
  const byApp = Map.groupBy(elements, ({ window, name }) => apps.get(window ?? "") ?? name);
  const name = system === "linux" ? "desktop-frame" : "desktop";
  const xml: string[] = [`<${name}${namespaces(system === "linux" ? "ubuntu" : system)}>`];
  for (const [app, roots] of byApp) {
    const attributes = { name: app, "st:enabled": "true", "st:showing": "true" };
    xml.push(`<application${formatAttributes(attributes)}>`);
    for (const root of roots) writeElement(xml, root);
    xml.push("</application>");
  }
  return `${xml.join("")}</${name}>`;
}

const NAMESPACES: Readonly<Record<string, string>> = {
  st: "state",
  attr: "attributes",
  cp: "component",
  doc: "document",
  docattr: "document/attributes",
  txt: "text",
  val: "value",
  act: "action",
};

function namespaces(system: string): string {
  const base = `https://accessibility.${system}.example.org/ns`;
  const all = Object.entries(NAMESPACES).map(([prefix, name]) =>
    [`xmlns:${prefix}`, `${base}/${name}`] as const
  );
  return formatAttributes(Object.fromEntries(all));
}

/** The bounds of a snapshot bound this, too. */
function writeElement(xml: string[], element: TreeElement): void {
  const { role, name, value, children = [] } = element;
  const tag = tagOf(element);
  const text = value ?? (role === "text" ? name : "");
  xml.push(`<${tag}${formatAttributes(attributesOf(element))}>`, escapeXml(text));
  for (const child of children) writeElement(xml, child);
  xml.push(`</${tag}>`);
}

// The names of roles and states: those of AT-SPI in place of ours.

const ROLES: Readonly<Record<string, string>> = {
  blockquote: "block-quote",
  button: "push-button",
  cell: "table-cell",
  checkbox: "check-box",
  columnheader: "table-column-header",
  combobox: "combo-box",
  document: "document-web",
  generic: "panel",
  group: "grouping",
  iframe: "internal-frame",
  img: "image",
  listbox: "list-box",
  listitem: "list-item",
  menubar: "menu-bar",
  menuitem: "menu-item",
  menuitemcheckbox: "check-menu-item",
  menuitemradio: "radio-menu-item",
  meter: "level-bar",
  progressbar: "progress-bar",
  radio: "radio-button",
  region: "landmark",
  row: "table-row",
  rowheader: "table-row-header",
  scrollbar: "scroll-bar",
  spinbutton: "spin-button",
  status: "status-bar",
  switch: "toggle-button",
  tab: "page-tab",
  tablist: "page-tab-list",
  text: "label",
  textbox: "entry",
  toolbar: "tool-bar",
  tooltip: "tool-tip",
  treegrid: "tree-table",
  treeitem: "tree-item",
  window: "frame",
};

const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);
const WITH_NUMBERS = new Set(["slider", "spinbutton", "progressbar", "scrollbar", "meter"]);

const STATES: Readonly<Record<string, readonly string[]>> = {
  collapsed: ["expandable"],
  expanded: ["expandable", "expanded"],
  invalid: ["invalid_entry"],
  mixed: ["indeterminate"],
  multiline: ["multi_line"],
  readonly: ["read_only"],
  disabled: [],
  offscreen: [],
  protected: [],
};

function tagOf({ role, states }: TreeElement): string {
  if (role === "textbox" && states.includes("protected")) return "password-text";
  if (role === "textbox" && states.includes("multiline")) return "text";
  const known = Object.hasOwn(ROLES, role) ? ROLES[role]! : role;
  const plain = known.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+/, "");
  return plain === "" ? "unknown" : plain;
}

function attributesOf(element: TreeElement): Readonly<Record<string, string>> {
  const { role, name, value, description, states, abilities, bounds } = element;
  const attributes: Record<string, string> = { name };
  for (const state of statesOf(role, states)) attributes[`st:${state}`] = "true";
  if (description) attributes["attr:description"] = description;
  if (bounds !== undefined) {
    attributes["cp:screencoord"] = `(${bounds.x}, ${bounds.y})`;
    attributes["cp:size"] = `(${bounds.width}, ${bounds.height})`;
  }
  if (role === "img") attributes["image"] = "true";
  if (value !== undefined && WITH_NUMBERS.has(role)) attributes["val:value"] = value;
  if (abilities.includes("click")) attributes["act:click_desc"] = "";
  return attributes;
}

function statesOf(role: string, states: readonly string[]): readonly string[] {
  return [
    ...(states.includes("disabled") ? [] : ["enabled", "sensitive"]),
    ...(states.includes("offscreen") ? ["visible"] : ["visible", "showing"]),
    ...(CHECKABLE.has(role) ? ["checkable"] : []),
    ...states.flatMap((state) => STATES[state] ?? [state]),
  ];
}

function formatAttributes(attributes: Readonly<Record<string, string>>): string {
  const all = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  return all.join("");
}

/** Without the characters that XML does not allow (XML 1.0, 2.2). */
function escapeXml(text: string): string {
  // deno-lint-ignore no-control-regex -- they are what XML does not allow
  return text.toWellFormed().replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffc-\uffff]/g, "")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll(/[\n\r\t]/g, (char) => `&#${char.charCodeAt(0)};`);
}
