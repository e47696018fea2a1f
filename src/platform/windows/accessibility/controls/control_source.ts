/** Elements from the windows that controls are: what there is where UI Automation is missing. */

import type { Element, ElementAction, ElementId, Point, TreeScope } from "../../../types/mod.ts";
import { ServiceError } from "../../../../core/errors.ts";
import type { Handle, NativeWindows } from "../../windows/native_windows.ts";
import type { ElementSource, SourceReading } from "../element_source.ts";
import { findTops } from "../top_windows.ts";
import { type ControlId, formatControlId, parseControlId } from "./control_id.ts";
import { countItems, describeControl, describeItem, type Describing } from "./describe_control.ts";
import { performOnControl } from "./perform.ts";

export class ControlSource implements ElementSource {
  constructor(private readonly parts: Describing & { readonly windows: NativeWindows }) {}

  read({ scope, hidden, budget }: SourceReading) {
    const silent: string[] = [];
    const roots: Element[] = [];
    for (const top of this.#tops(scope)) {
      const pid = this.parts.controls.owner(top)?.pid;
      if (!this.parts.controls.answers(top)) {
        if (pid !== undefined) silent.push(String(pid));
        continue;
      }
      const root = this.#readTree(top, { hidden, budget });
      if (root !== undefined) roots.push(root);
    }
    return { roots, silent: [...new Set(silent)] };
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
