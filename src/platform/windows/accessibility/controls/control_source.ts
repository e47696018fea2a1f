/** Elements from the windows that controls are: what there is where UI Automation is missing. */

import { wideText } from "../../../../../ffi/memory.ts";
import {
  BM_CLICK,
  CB,
  CBN_SELCHANGE,
  EM_REPLACESEL,
  EM_SETSEL,
  LB,
  LBN_SELCHANGE,
  LBS_EXTENDEDSEL,
  LBS_MULTIPLESEL,
  WM,
} from "../../../../../ffi/windows/user32_controls.ts";
import { ServiceError } from "../../../../core/errors.ts";
import type { Element, ElementAction, ElementId, Point, TreeScope } from "../../../types/mod.ts";
import type { Handle, NativeWindows } from "../../windows/native_windows.ts";
import { type ElementSource, findTops, type SourceReading } from "../element_source.ts";
import {
  type ControlId,
  countItems,
  describeControl,
  describeItem,
  type Describing,
  formatControlId,
  isEdit,
  parseControlId,
} from "./describe_control.ts";
import type { NativeControls } from "./native_controls.ts";

export class ControlSource implements ElementSource {
  constructor(private readonly parts: Describing & { readonly windows: NativeWindows }) {}

  read({ scope, hidden, budget }: SourceReading) {
    const unresponsive: string[] = [];
    const roots: Element[] = [];
    for (const top of this.#tops(scope)) {
      const pid = this.parts.controls.owner(top)?.pid;
      if (!this.parts.controls.answers(top)) {
        if (pid !== undefined) unresponsive.push(String(pid));
        continue;
      }
      const root = this.#readTree(top, { hidden, budget });
      if (root !== undefined) roots.push(root);
    }
    return { roots, unresponsive: [...new Set(unresponsive)] };
  }

  refresh(id: ElementId): Element | undefined {
    const found = parseControlId(id);
    const { controls } = this.parts;
    if (found === undefined || controls.owner(found.control)?.pid !== found.pid) return undefined;
    if (!controls.isVisible(found.control)) return undefined;
    const element = this.#describe(found);
    const childCount = found.item === undefined ? countItems(controls, found.control) : 0;
    return element && { ...element, childCount, children: [] };
  }

  perform(id: ElementId, action: ElementAction): boolean | undefined {
    const element = this.refresh(id);
    const found = parseControlId(id);
    if (element === undefined || found === undefined) {
      throw new ServiceError("conflict", "The element is gone");
    }
    return performOnControl(this.parts.controls, found, element, action);
  }

  elementAt(point: Point): ElementId | undefined {
    const { controls } = this.parts;
    const control = controls.at(point);
    const pid = control === 0n ? undefined : controls.owner(control)?.pid;
    if (pid === undefined) return undefined;
    const count = Math.min(countItems(controls, control), MAX_ITEMS_AT_POINT);
    for (let item = 0; item < count; item++) {
      const { bounds } = describeItem(controls, control, item) ?? {};
      const isAbove = bounds && point.y >= bounds.y && point.y < bounds.y + bounds.height;
      if (isAbove) return formatControlId({ control, pid, item });
    }
    return formatControlId({ control, pid });
  }

  contains(outer: ElementId, inner: ElementId): boolean {
    if (outer === inner) return true;
    const [one, other] = [parseControlId(outer), parseControlId(inner)];
    if (one === undefined || other === undefined || one.item !== undefined) return false;
    return one.control === other.control ||
      this.parts.controls.user32.IsChild(one.control, other.control) !== 0;
  }

  #tops(scope: TreeScope): Handle[] {
    if (typeof scope !== "object" || "window" in scope) return findTops(this.parts.windows, scope);
    const control = parseControlId(scope.element)?.control;
    const { controls } = this.parts;
    return control !== undefined && controls.owner(control) !== undefined ? [control] : [];
  }

  #readTree(
    top: Handle,
    { hidden, budget }: Pick<SourceReading, "hidden" | "budget">,
  ): Element | undefined {
    const { controls } = this.parts;
    const children = Map.groupBy(controls.below(top), (control) => controls.parent(control));
    const read = (control: Handle, depth: number): Element | undefined => {
      if (!hidden && !controls.isVisible(control)) return undefined;
      const element = budget.take() ? describeControl(this.parts, control) : undefined;
      if (element === undefined) return undefined;
      const below = children.get(control) ?? [];
      const items = countItems(controls, control);
      const childCount = below.length + items;
      if (childCount === 0 || !budget.allows(depth + 1)) {
        return { ...element, childCount, children: [] };
      }
      const parts = below.map((child) => read(child, depth + 1));
      const options = this.#readItems(control, items, { hidden, budget });
      return { ...element, childCount, children: [...parts, ...options].filter(isElement) };
    };
    return read(top, 0);
  }

  #readItems(
    control: Handle,
    count: number,
    { hidden, budget }: Pick<SourceReading, "hidden" | "budget">,
  ): Element[] {
    const items: Element[] = [];
    for (let item = 0; item < count; item++) {
      const element = describeItem(this.parts.controls, control, item);
      if (element === undefined || !hidden && element.states.has("offscreen")) continue;
      if (!budget.take()) break;
      items.push({ ...element, childCount: 0, children: [] });
    }
    return items;
  }

  #describe({ control, item }: ControlId) {
    if (item === undefined) return describeControl(this.parts, control);
    return describeItem(this.parts.controls, control, item);
  }
}

/** A list with more of them is one element to the mouse. */
const MAX_ITEMS_AT_POINT = 500;

function isElement(element: Element | undefined): element is Element {
  return element !== undefined;
}

// Asks controls to do something, by the messages that mouse and keyboard make of input.

/** A program that has opened a dialog answers when that is closed. */
const ACTION_MS = 1_000;
const LAST = -1;

type Action<Kind extends ElementAction["kind"]> = Extract<ElementAction, { kind: Kind }>;

/**
 * Resolves as the port says.
 * @throws ServiceError `unsupported`
 */
function performOnControl(
  controls: NativeControls,
  { control, item }: ControlId,
  { abilities }: Pick<Element, "abilities">,
  action: ElementAction,
): boolean | undefined {
  if (!abilities.has(action.kind)) throw notTaken(action.kind);
  switch (action.kind) {
    case "click":
      return answered(controls.send(control, BM_CLICK, 0, 0n, ACTION_MS));
    case "focus":
      return focus(controls, control);
    case "set value":
      return isEdit(controls.className(control))
        ? replaceText(controls, control, action.value)
        : chooseText(controls, control, action.value);
    case "select":
      return select(controls, control, item!, action);
    case "scroll to":
      return answered(controls.send(control, LB.SETTOPINDEX, item!));
    case "expand":
      return answered(controls.send(control, CB.SHOWDROPDOWN, action.expanded ? 1 : 0));
  }
}

/** As typing does, so that the program knows of the change, and can take it back. */
function replaceText(controls: NativeControls, control: Handle, value: string) {
  const text = wideText(value.replace(/\r\n|\r|\n/g, "\r\n"));
  if (controls.send(control, EM_SETSEL, 0, LAST) === undefined) return undefined;
  return answered(controls.send(control, EM_REPLACESEL, 1, text, ACTION_MS));
}

/** An entry of a list that drops down. */
function chooseText(controls: NativeControls, control: Handle, value: string) {
  const index = controls.send(control, CB.FINDSTRINGEXACT, LAST, wideText(value));
  if (index === undefined) return undefined;
  if (index < 0n) return answered(controls.send(control, WM.SETTEXT, 0, wideText(value)));
  controls.send(control, CB.SETCURSEL, index);
  return notify(controls, control, CBN_SELCHANGE);
}

function select(
  controls: NativeControls,
  control: Handle,
  item: number,
  { selected }: Action<"select">,
) {
  const takesSeveral = (controls.style(control) & (LBS_MULTIPLESEL | LBS_EXTENDEDSEL)) !== 0;
  const done = takesSeveral
    ? controls.send(control, LB.SETSEL, selected ? 1 : 0, item)
    : controls.send(control, LB.SETCURSEL, selected ? item : LAST);
  return done === undefined ? undefined : notify(controls, control, LBN_SELCHANGE);
}

/** Tells the parent, which a change by a message does not. */
function notify(controls: NativeControls, control: Handle, code: number) {
  const id = controls.user32.GetDlgCtrlID(control) & 0xffff;
  const parent = controls.parent(control);
  return answered(controls.send(parent, WM.COMMAND, code << 16 | id, control, ACTION_MS));
}

/** Windows lets a thread set the focus of another one while their input is joined. */
function focus(controls: NativeControls, control: Handle): boolean | undefined {
  const { user32 } = controls;
  const thread = controls.owner(control)?.thread ?? 0;
  const own = user32.GetCurrentThreadId();
  if (!controls.answers(control)) return undefined; // it would hold up this thread, too
  user32.SetForegroundWindow(controls.root(control));
  if (user32.AttachThreadInput(own, thread, 1) === 0) return false;
  try {
    user32.SetFocus(control);
    return controls.hasFocus(control);
  } finally {
    user32.AttachThreadInput(own, thread, 0);
  }
}

function answered(result: bigint | undefined): true | undefined {
  return result === undefined ? undefined : true;
}

function notTaken(what: ElementAction["kind"]): ServiceError {
  return new ServiceError("unsupported", `The element does not support "${what}"`);
}
