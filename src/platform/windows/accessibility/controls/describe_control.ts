/** Describes controls and the items of their lists as elements. */

import { memory } from "../../../../../ffi/memory.ts";
import {
  callMethod,
  type ComPointer,
  guidBytes,
  IAccessible,
  IID_IAccessible,
  OBJID_CLIENT,
  type Oleacc,
  type Oleaut32,
  release,
  ROLE_SYSTEM,
  S_OK,
  VARIANT,
  VT,
} from "../../../../../ffi/windows/com.ts";
import {
  BM_GETCHECK,
  BS_TYPEMASK,
  CB,
  ES,
  LB,
  LBS_HASSTRINGS,
} from "../../../../../ffi/windows/user32_controls.ts";
import { RECT_BYTES } from "../../../../../ffi/windows/user32_windows.ts";
import type { Element, ElementAbility, ElementId, ElementState, Role } from "../../../types/mod.ts";
import type { Handle } from "../../windows/native_windows.ts";
import { formatHandle } from "../../windows/windows.ts";
import { takeText } from "../com_values.ts";
import type { NativeControls } from "./native_controls.ts";

/** Longer labels are cut, in UTF-16 units. */
const MAX_ITEM_UNITS = 4_096;

export interface Describing {
  readonly controls: NativeControls;
  readonly msaa: MsaaCalls | undefined;
}

type Described = Omit<Element, "children" | "childCount">;

/** A control without its children; `undefined` when it is gone. */
export function describeControl(
  { controls, msaa }: Describing,
  control: Handle,
): Described | undefined {
  const owner = controls.owner(control);
  const bounds = controls.bounds(control);
  if (owner === undefined || bounds === undefined) return undefined;
  const className = controls.className(control);
  const style = controls.style(control);
  const isTop = controls.root(control) === control;
  const told = msaa && !isTop ? askMsaa(msaa, control) : {};
  const known = roleOfClass(className, style, isTop);
  const role = known === "generic" ? told.role ?? known : known;
  const secret = isPassword(className, style);
  const text = secret ? undefined : controls.text(control);
  const value = holdsText(role) && text !== undefined ? text.replaceAll("\r\n", "\n") : undefined;
  const name = holdsText(role)
    ? readLabel(controls, control)
    : told.name ?? withoutMnemonic(text ?? "");
  const states = readStates(controls, control, { role, className, style, secret });
  return {
    id: formatControlId({ control, pid: owner.pid }),
    role,
    name: name.trim(),
    ...(value === undefined ? {} : { value }),
    states,
    abilities: listAbilities(role, className, states),
    bounds,
    pid: owner.pid,
    ...(isTop ? { window: formatHandle(control) } : {}),
  };
}

/** A field is called by the text before it. */
function readLabel(controls: NativeControls, control: Handle): string {
  const before = controls.before(control);
  if (before === 0n || controls.className(before).toLowerCase() !== "static") return "";
  return withoutMnemonic(controls.text(before) ?? "");
}

interface Kind {
  readonly role: Role;
  readonly className: string;
  readonly style: number;
  readonly secret: boolean;
}

function readStates(
  controls: NativeControls,
  control: Handle,
  { role, className, style, secret }: Kind,
): ReadonlySet<ElementState> {
  const { user32 } = controls;
  const states = new Set<ElementState>();
  const add = (condition: boolean, state: ElementState) => condition && states.add(state);
  const enabled = user32.IsWindowEnabled(control) !== 0;
  add(!enabled, "disabled");
  add(!controls.isVisible(control), "offscreen");
  add(controls.hasFocus(control), "focused");
  add(controls.root(control) === control && user32.GetForegroundWindow() === control, "active");
  add(secret, "protected");
  if (role === "checkbox" || role === "radio") {
    const check = controls.send(control, BM_GETCHECK);
    add(check === 1n, "checked");
    add(check === 2n, "mixed");
  }
  if (role === "combobox") {
    add(controls.send(control, CB.GETDROPPEDSTATE) === 1n, "expanded");
    add(!states.has("expanded"), "collapsed");
  }
  if (isEdit(className)) {
    const readonly = (style & ES.READONLY) !== 0;
    add(readonly, "readonly");
    add(!readonly && enabled, "editable");
    add((style & ES.MULTILINE) !== 0, "multiline");
  }
  add(enabled && FOCUSABLE.has(role), "focusable");
  return states;
}

const FOCUSABLE: ReadonlySet<Role> = new Set([
  ...["button", "checkbox", "radio", "textbox", "combobox", "listbox", "list", "tree"],
  ...["tablist", "slider", "link", "document"],
]);

function listAbilities(
  role: Role,
  className: string,
  states: ReadonlySet<ElementState>,
): ReadonlySet<ElementAbility> {
  const isButton = role === "button" || role === "checkbox" || role === "radio";
  if (states.has("disabled")) return new Set();
  return new Set<ElementAbility>([
    ...(isButton ? ["click" as const] : []),
    ...(states.has("focusable") ? ["focus" as const] : []),
    ...(isEdit(className) && states.has("editable") ? ["set value" as const] : []),
    ...(/^combobox$/i.test(className) ? ["set value" as const, "expand" as const] : []),
  ]);
}

/** How many items a list box has; 0 for other controls, and where items are pictures alone. */
export function countItems(controls: NativeControls, control: Handle): number {
  if (!/^(listbox|combolbox)$/i.test(controls.className(control))) return 0;
  if ((controls.style(control) & LBS_HASSTRINGS) === 0) return 0;
  return Math.max(0, Number(controls.send(control, LB.GETCOUNT) ?? 0n));
}

/** An item of a list box; `undefined` when there is none of this number, or it does not answer. */
export function describeItem(
  controls: NativeControls,
  control: Handle,
  item: number,
): Described | undefined {
  const owner = controls.owner(control);
  const length = Number(controls.send(control, LB.GETTEXTLEN, item) ?? -1n);
  if (owner === undefined || length < 0 || length > MAX_ITEM_UNITS) return undefined;
  const units = memory((length + 1) * 2);
  if (controls.send(control, LB.GETTEXT, item, units) === undefined) return undefined;
  const rectangle = memory(RECT_BYTES);
  controls.send(control, LB.GETITEMRECT, item, rectangle);
  const bounds = controls.toScreen(control, new Int32Array(rectangle.buffer));
  const list = controls.bounds(control);
  const isShown = list !== undefined && bounds.y >= list.y &&
    bounds.y + bounds.height <= list.y + list.height;
  const name = new TextDecoder("utf-16le").decode(units.subarray(0, length * 2));
  const isSelected = (controls.send(control, LB.GETSEL, item) ?? 0n) > 0n;
  return {
    id: formatControlId({ control, pid: owner.pid, item }),
    role: "option",
    name: name.trim(),
    states: new Set<ElementState>([
      ...(isSelected ? ["selected" as const] : []),
      ...(isShown ? [] : ["offscreen" as const]),
    ]),
    abilities: new Set<ElementAbility>(["select", "scroll to"]),
    bounds,
    pid: owner.pid,
  };
}

// What Microsoft Active Accessibility tells of a control: its name, and its role.

interface MsaaCalls {
  readonly oleacc: Pick<Oleacc, "AccessibleObjectFromWindow">;
  readonly oleaut32: Pick<Oleaut32, "SysFreeString">;
}

interface MsaaAnswer {
  readonly name?: string;
  /** Absent where it says no more than that it is something. */
  readonly role?: Role;
}

const ROLES: Readonly<Record<number, Role>> = {
  [ROLE_SYSTEM.DOCUMENT]: "document",
  [ROLE_SYSTEM.TABLE]: "table",
  [ROLE_SYSTEM.LINK]: "link",
  [ROLE_SYSTEM.LIST]: "list",
  [ROLE_SYSTEM.OUTLINE]: "tree",
  [ROLE_SYSTEM.GRAPHIC]: "img",
  [ROLE_SYSTEM.STATICTEXT]: "text",
  [ROLE_SYSTEM.TEXT]: "textbox",
  [ROLE_SYSTEM.PUSHBUTTON]: "button",
  [ROLE_SYSTEM.CHECKBUTTON]: "checkbox",
  [ROLE_SYSTEM.RADIOBUTTON]: "radio",
  [ROLE_SYSTEM.COMBOBOX]: "combobox",
  [ROLE_SYSTEM.SLIDER]: "slider",
};

function askMsaa(calls: MsaaCalls, control: Handle): MsaaAnswer {
  const found = new BigUint64Array(1);
  const iid = guidBytes(IID_IAccessible);
  const { AccessibleObjectFromWindow } = calls.oleacc;
  if (AccessibleObjectFromWindow(control, OBJID_CLIENT, iid, found) !== S_OK) return {};
  const object = found[0]!;
  try {
    const name = readName(calls, object);
    const role = readRole(object);
    return { ...(name && { name }), ...(role && { role }) };
  } finally {
    release(object);
  }
}

function readName({ oleaut32 }: MsaaCalls, object: ComPointer): string | undefined {
  const text = new BigUint64Array(1);
  const types = ["buffer", "buffer"] as const;
  if (callMethod(object, IAccessible.get_accName, types, itself(), text) !== S_OK) return undefined;
  return takeText(oleaut32, text[0]!);
}

function readRole(object: ComPointer): Role | undefined {
  const value = new Uint8Array(VARIANT.size);
  const types = ["buffer", "buffer"] as const;
  if (callMethod(object, IAccessible.get_accRole, types, itself(), value) !== S_OK) {
    return undefined;
  }
  const view = new DataView(value.buffer);
  const isNumber = view.getUint16(VARIANT.vt, true) === VT.I4;
  return isNumber ? ROLES[view.getInt32(VARIANT.value, true)] : undefined;
}

/** CHILDID_SELF. A structure of this size is passed by its address. */
function itself(): Uint8Array<ArrayBuffer> {
  const value = new Uint8Array(VARIANT.size);
  new DataView(value.buffer).setUint16(VARIANT.vt, VT.I4, true);
  return value;
}

// The ids of controls, and of the items in their lists.

export interface ControlId {
  readonly control: Handle;
  /** Windows gives numbers of windows again, but hardly ever to the same process. */
  readonly pid: number;
  /** Which item of a list; `undefined` for the control itself. */
  readonly item?: number;
}

/** `0x1002a.77` and `0x1002a.77/3` */
export function formatControlId({ control, pid, item }: ControlId): ElementId {
  return `${formatHandle(control)}.${pid}${item === undefined ? "" : `/${item}`}`;
}

export function parseControlId(id: ElementId): ControlId | undefined {
  const found = /^(0x[0-9a-f]+)\.(\d+)(?:\/(\d+))?$/.exec(id);
  if (found === null) return undefined;
  const [, control, pid, item] = found;
  return {
    control: BigInt(control!),
    pid: Number(pid),
    ...(item === undefined ? {} : { item: Number(item) }),
  };
}

// What the classes of Windows' own controls are.

/** Class, in lower case -> role; with `*` for its beginning. */
const CLASS_ROLES: Readonly<Record<string, Role>> = {
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
function roleOfClass(className: string, style: number, isTop: boolean): Role {
  const name = className.toLowerCase();
  if (name === "button") return BUTTONS[style & BS_TYPEMASK]!;
  if (name === "#32770" && !isTop) return "generic"; // a page of a dialog
  return CLASS_ROLES[name] ?? (isTop ? "window" : "generic");
}

/** Whether its text is what it holds, rather than what it is called. */
function holdsText(role: Role): boolean {
  return role === "textbox" || role === "combobox";
}

/** Whether it takes the messages of an edit control. */
export function isEdit(className: string): boolean {
  return /^(edit|richedit.*)$/i.test(className);
}

function isPassword(className: string, style: number): boolean {
  return isEdit(className) && (style & ES.PASSWORD) !== 0;
}

/** Without the mark of its key: `&Open` is "Open". */
function withoutMnemonic(text: string): string {
  return text.replace(/&(.)/g, "$1");
}
