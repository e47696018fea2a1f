/** Describes controls and the items of their lists as elements. */

import { memory } from "../../../../../ffi/memory.ts";
import {
  BM_GETCHECK,
  CB,
  ES,
  LB,
  LBS_HASSTRINGS,
} from "../../../../../ffi/windows/user32_controls.ts";
import { RECT_BYTES } from "../../../../../ffi/windows/user32_windows.ts";
import type { Element, ElementAbility, ElementState, Role } from "../../../types/mod.ts";
import { formatHandle } from "../../windows/window_changes.ts";
import type { Handle } from "../../windows/native_windows.ts";
import { holdsText, isEdit, isPassword, roleOfClass, withoutMnemonic } from "./classes.ts";
import { formatControlId } from "./control_id.ts";
import { askMsaa, type MsaaCalls } from "./msaa.ts";
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
