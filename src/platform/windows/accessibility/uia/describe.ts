/** Describes an element of UI Automation by the properties that came with it. */

import {
  type ComPointer,
  ExpandCollapseState,
  ToggleState,
} from "../../../../../ffi/windows/com.ts";
import type {
  Element,
  ElementAbility,
  ElementId,
  ElementState,
  Region,
  Role,
} from "../../../types/mod.ts";
import { formatHandle, type NativeWindows } from "../../windows/native_windows.ts";
import type { Automation, ComValue, Property } from "./automation.ts";

type DescribedElement = Omit<Element, "children" | "childCount">;

const EDITED_ROLES: ReadonlySet<Role> = new Set([
  ...["textbox", "combobox", "document", "spinbutton", "searchbox"],
]);

/** What Windows knows of the windows that elements are. */
export type ElementWindows = Pick<NativeWindows, "isTop" | "foreground">;

export function describeUiaElement(
  automation: Automation,
  element: ComPointer,
  windows: ElementWindows,
): DescribedElement {
  const values = new Map<Property, ComValue>();
  const get = (property: Property) => {
    if (!values.has(property)) values.set(property, automation.property(element, property));
    return values.get(property);
  };
  const handle = BigInt((asNumber(get("NativeWindowHandle")) ?? 0) >>> 0);
  const isWindow = handle !== 0n && windows.isTop(handle);
  const role = readRole(get, isWindow);
  const value = get("IsPassword") === true ? undefined : readValue(get, role);
  const bounds = asRegion(get("BoundingRectangle"));
  const description = asText(get("HelpText")).trim();
  const states = readStates(get, role);
  if (isWindow && handle === windows.foreground()) states.add("active");
  const pid = asNumber(get("ProcessId"));
  return {
    id: readId(automation, element),
    role,
    name: asText(get("Name")).trim(),
    ...(description === "" ? {} : { description }),
    ...(value === undefined ? {} : { value }),
    states,
    abilities: readAbilities(get, role),
    ...(bounds && { bounds }),
    ...(pid === undefined ? {} : { pid }),
    ...(isWindow ? { window: formatHandle(handle) } : {}),
  };
}

/** Windows identifies an element, among all that exist at the same time, by a list of numbers. */
export function readId(automation: Automation, element: ComPointer): ElementId {
  const numbers = automation.property(element, "RuntimeId");
  return `uia:${Array.isArray(numbers) ? numbers.join(".") : ""}`;
}

type Get = (property: Property) => ComValue;

function readValue(get: Get, role: Role): string | undefined {
  if (get("IsValuePatternAvailable") === true) {
    const value = asText(get("ValueValue"));
    return value === "" && !EDITED_ROLES.has(role) ? undefined : value.replaceAll("\r\n", "\n");
  }
  if (get("IsRangeValuePatternAvailable") !== true) return undefined;
  const value = get("RangeValueValue");
  return typeof value === "number" ? String(value) : undefined;
}

function readStates(get: Get, role: Role): Set<ElementState> {
  const states = new Set<ElementState>();
  const add = (condition: boolean, state: ElementState) => condition && states.add(state);
  const is = (property: Property) => get(property) === true;
  const enabled = get("IsEnabled") !== false;
  add(!enabled, "disabled");
  add(is("HasKeyboardFocus"), "focused");
  add(is("IsKeyboardFocusable"), "focusable");
  add(is("IsPassword"), "protected");
  add(is("IsOffscreen"), "offscreen");
  add(is("IsRequiredForForm"), "required");
  add(is("WindowIsModal"), "modal");
  if (is("IsTogglePatternAvailable")) {
    const toggled = get("ToggleState");
    const isButton = role === "button";
    add(toggled === ToggleState.On, isButton ? "pressed" : "checked");
    add(toggled === ToggleState.Off && isButton, "unpressed");
    add(toggled === ToggleState.Indeterminate, "mixed");
  }
  if (is("IsSelectionItemPatternAvailable")) {
    add(is("SelectionItemIsSelected"), role === "radio" ? "checked" : "selected");
  }
  if (is("IsExpandCollapsePatternAvailable")) {
    const { Collapsed, Expanded, PartiallyExpanded } = ExpandCollapseState;
    const expanded = get("ExpandCollapseState");
    add(expanded === Collapsed, "collapsed");
    add(expanded === Expanded || expanded === PartiallyExpanded, "expanded");
  }
  if (is("IsValuePatternAvailable") && EDITED_ROLES.has(role)) {
    add(is("ValueIsReadOnly"), "readonly");
    add(!is("ValueIsReadOnly") && enabled, "editable");
  }
  return states;
}

function readAbilities(get: Get, role: Role): ReadonlySet<ElementAbility> {
  const is = (property: Property) => get(property) === true;
  if (get("IsEnabled") === false) return new Set();
  const takesValue = is("IsValuePatternAvailable") && !is("ValueIsReadOnly") ||
    is("IsRangeValuePatternAvailable") && !is("RangeValueIsReadOnly");
  const takesClick = is("IsInvokePatternAvailable") || is("IsTogglePatternAvailable") ||
    role === "radio" || asText(get("LegacyDefaultAction")) !== "";
  return new Set<ElementAbility>([
    ...(takesClick ? ["click" as const] : []),
    ...(is("IsKeyboardFocusable") ? ["focus" as const] : []),
    ...(takesValue ? ["set value" as const] : []),
    ...(is("IsSelectionItemPatternAvailable") ? ["select" as const] : []),
    ...(is("IsScrollItemPatternAvailable") ? ["scroll to" as const] : []),
    ...(is("IsExpandCollapsePatternAvailable") ? ["expand" as const] : []),
  ]);
}

function asText(value: ComValue): string {
  return typeof value === "string" ? value : "";
}

function asNumber(value: ComValue): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Left, top, width and height; all are 0 for an element without a place. */
function asRegion(value: ComValue): Region | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [x, y, width, height] = value.map(Math.round);
  return width! > 0 && height! > 0 ? { x: x!, y: y!, width: width!, height: height! } : undefined;
}

// The control types of UI Automation as roles.

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

function readRole(get: Get, isWindow: boolean): Role {
  const [said] = asText(get("AriaRole")).toLowerCase().split(/\s/); // by a page
  if (said && /^[a-z-]+$/.test(said)) return said;
  const type = ROLES[(asNumber(get("ControlType")) ?? 0) - FIRST] ?? "generic";
  const role = isWindow && type === "generic" ? "window" : type;
  if (role === "listitem" && get("IsSelectionItemPatternAvailable") === true) return "option";
  if (role === "window" && get("WindowIsModal") === true) return "dialog";
  return role;
}
