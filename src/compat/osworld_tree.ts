/**
 * What OSWorld's interface reads by accessibility: the elements of all windows as its XML, an element
 * of AT-SPI's role for each, with its states, its place and its actions in namespaces; and what a
 * terminal shows. Source: `desktop_env/server/main.py` of xlang-ai/OSWorld.
 */

import { throwUnless } from "../core/errors.ts";
import { escapeXml } from "../core/texts.ts";
import { type CompatBindings, OperationFailure, type Operations } from "./compat.ts";

/** What is read, as bounds of OSWorld's own server. */
const MAX_CHARS = 1_000_000;
const READING = { max_elements: 5_000, max_depth: 50, max_chars: MAX_CHARS, timeout_ms: 10_000 };

/** An element of a snapshot, as far as it is used. */
interface TreeElement {
  readonly role: string;
  readonly name: string;
  readonly value?: string;
  readonly description?: string;
  readonly states: readonly string[];
  readonly abilities: readonly string[];
  readonly bounds?: Readonly<Record<"x" | "y" | "width" | "height", number>>;
  /** The id of the window, if this is one. */
  readonly window?: string;
  readonly children?: readonly TreeElement[];
}

/** What the terminal that has the keyboard shows; `null` when no terminal has it. */
export async function readTerminal({ call }: Operations): Promise<string | null> {
  const found = await call("/api/accessibility/find", { role: "terminal" }).catch(throwUnless(
    // no window has the keyboard
    (error) => error instanceof OperationFailure && error.code === "not_found",
  ));
  const terminals: readonly { ref: string; states: readonly string[] }[] = found?.elements ?? [];
  const terminal = terminals.find(({ states }) => states.includes("focused")) ?? terminals[0];
  if (terminal === undefined) return null;
  const wanted = { ref: terminal.ref, max_chars: MAX_CHARS };
  const { value } = await call("/api/accessibility/value", wanted);
  return (value ?? "").trimEnd();
}

/** The elements of all windows, below the programs of these. @throws OperationFailure */
export async function readTree({ operations, service }: CompatBindings): Promise<string> {
  const isLinux = service.system === "linux";
  const wanted = { window: "all", format: "json", ...READING };
  const snapshot: { readonly elements: readonly TreeElement[] } = await operations
    .call("/api/accessibility/snapshot", wanted);
  const windows: readonly { readonly id: string; readonly app: string | null }[] = await operations
    .call("/api/window/list");
  const apps = new Map(windows.map(({ id, app }) => [id, app]));
  const byApp = Map.groupBy(
    snapshot.elements,
    ({ window, name }) => apps.get(window ?? "") ?? name,
  );
  const name = isLinux ? "desktop-frame" : "desktop";
  const xml: string[] = [`<${name}${namespaces(isLinux ? "ubuntu" : service.system)}>`];
  for (const [app, roots] of byApp) {
    const attributes = { name: nameOf(app), "st:enabled": "true", "st:showing": "true" };
    xml.push(`<application${formatAttributes(attributes)}>`);
    const document = BROWSERS.test(app) ? "document-web" : "document-frame";
    for (const root of roots) writeElement(xml, root, document);
    xml.push("</application>");
  }
  return `${xml.join("")}</${name}>`;
}

const NAMESPACES: Readonly<Record<string, string>> = {
  ...{ st: "state", attr: "attributes", cp: "component", val: "value", act: "action" },
};

function namespaces(system: string): string {
  const base = `https://accessibility.${system}.example.org/ns`;
  const all = Object.entries(NAMESPACES);
  return all.map(([prefix, name]) => ` xmlns:${prefix}="${base}/${name}"`).join("");
}

/** Programs whose documents are pages. Elements have one role for the documents of all others. */
const BROWSERS = /brave|chrom|edge|electron|epiphany|firefox|navigator|opera|thunderbird|vivaldi/i;

/** By which OSWorld's evaluators look for programs, where the class of their windows is another one. */
const APPLICATIONS: Readonly<Record<string, string>> = {
  "google-chrome": "Google Chrome",
  thunderbird: "Thunderbird",
};

function nameOf(app: string): string {
  const known = app.toLowerCase();
  return Object.hasOwn(APPLICATIONS, known) ? APPLICATIONS[known]! : app;
}

/**
 * The bounds of a snapshot bound this, too.
 * @param document the role of documents
 */
function writeElement(xml: string[], element: TreeElement, document: string): void {
  const { role, name, value, children = [] } = element;
  const tag = role === "document" ? document : tagOf(element);
  const text = value ?? (role === "text" ? name : "");
  xml.push(`<${tag}${formatAttributes(attributesOf(element))}>`, toXmlText(text));
  for (const child of children) writeElement(xml, child, document);
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
/** What only toggle buttons are among buttons. */
const TOGGLED = ["pressed", "unpressed", "mixed"];
const WITH_NUMBERS = new Set(["slider", "spinbutton", "progressbar", "scrollbar", "meter"]);

const STATES: Readonly<Record<string, readonly string[]>> = {
  collapsed: ["expandable"],
  expanded: ["expandable", "expanded"],
  invalid: ["invalid_entry"],
  mixed: ["indeterminate"],
  multiline: ["multi_line"],
  pressed: ["pressed", "checked"], // programs report the one or the other
  readonly: ["read_only"],
  disabled: [],
  offscreen: [],
  protected: [],
  unpressed: [],
};

function tagOf({ role, states }: TreeElement): string {
  if (role === "textbox" && states.includes("protected")) return "password-text";
  if (role === "textbox" && states.includes("multiline")) return "text";
  if (role === "button" && states.some((state) => TOGGLED.includes(state))) {
    return "toggle-button";
  }
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
  const all = Object.entries(attributes).map(([name, value]) => ` ${name}="${toXmlText(value)}"`);
  return all.join("");
}

/** Without the characters that XML does not allow (XML 1.0, 2.2). */
function toXmlText(text: string): string {
  // deno-lint-ignore no-control-regex -- they are what XML does not allow
  const refused = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffc-\uffff]/g;
  return escapeXml(text.toWellFormed().replaceAll(refused, ""));
}
