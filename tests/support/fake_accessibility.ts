/** Programs that show elements, and their windows, as state that a test reads and changes. */

import { pause } from "../../src/core/deadline.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { Waiters } from "../../src/core/shared_run.ts";
import type {
  Accessibility,
  Element,
  ElementAbility,
  ElementAction,
  ElementId,
  ElementState,
  Point,
  ReadTree,
  Region,
  TreeReading,
  TreeScope,
} from "../../src/platform/types/mod.ts";

/** An element as a test describes it; everything can be changed while it is shown. */
export interface FakeElement {
  id: ElementId;
  role: string;
  name?: string;
  description?: string;
  value?: string;
  states?: ElementState[];
  abilities?: ElementAbility[];
  bounds?: Region;
  children?: FakeElement[];
  pid?: number;
  window?: string;
  /** Whether its program does not show it now. */
  hidden?: boolean;
  /** What its program does with an action, and says about it; by default it does what it is asked. */
  acts?(action: ElementAction, element: FakeElement): boolean | undefined;
}

export class FakeAccessibility implements Accessibility {
  /** The windows; the first one is in front. */
  roots: FakeElement[] = [];
  /** Everything that programs were asked to do: `click b1`. */
  readonly asked: string[] = [];
  /** What a program shows at a point, where it says so; by default the deepest element there. */
  hit: ((point: Point) => ElementId | undefined) | undefined;
  /** How often the tree was read. */
  readings = 0;
  /** How long each reading would wait for pages; `undefined`: as long as a browser takes. */
  readonly pageWaits: (number | undefined)[] = [];
  silent: string[] = [];
  /** How long a reading takes, in milliseconds. */
  readMs = 0;
  /** Those who wait for the event of a change, which a test tells. */
  readonly waiters = new Waiters();
  /** How many of them there are. */
  listeners = 0;

  async read(reading: TreeReading): Promise<ReadTree> {
    const { scope, hidden, maxElements, maxDepth, signal } = reading;
    signal.throwIfAborted();
    this.readings++;
    this.pageWaits.push(reading.pageWaitMs);
    if (this.readMs > 0) await pause(this.readMs, signal);
    const truncated = new Set<"elements" | "depth">();
    let left = maxElements;
    const copy = (element: FakeElement, depth: number): Element | undefined => {
      if (element.hidden && !hidden) return undefined;
      if (left-- <= 0) return void truncated.add("elements");
      const children = element.children ?? [];
      if (depth >= maxDepth && children.length > 0) truncated.add("depth");
      const read = depth >= maxDepth ? [] : children;
      return { ...plain(element), children: read.flatMap((kid) => copy(kid, depth + 1) ?? []) };
    };
    const roots = this.#scoped(scope).flatMap((root) => copy(root, 0) ?? []);
    return { roots, truncated: [...truncated], unresponsive: this.silent };
  }

  refresh(ids: readonly ElementId[]): Promise<readonly (Element | undefined)[]> {
    return Promise.resolve(ids.map((id) => {
      const found = this.find(id);
      return found && !found.hidden ? plain(found) : undefined;
    }));
  }

  perform(id: ElementId, action: ElementAction): Promise<boolean | undefined> {
    this.asked.push(`${action.kind} ${id}`);
    const element = this.find(id);
    if (!element) return Promise.reject(new ServiceError("conflict", "It is gone"));
    if (!element.abilities?.includes(action.kind as ElementAbility)) {
      return Promise.reject(new ServiceError("unsupported", `It does not take "${action.kind}"`));
    }
    if (element.acts) return Promise.resolve(element.acts(action, element));
    this.#act(action, element);
    return Promise.resolve(true);
  }

  elementAt(point: Point, near: ElementId): Promise<ElementId | undefined> {
    if (this.hit) return Promise.resolve(this.hit(point));
    const root = this.roots.find((one) => findIn(one, near));
    return Promise.resolve(root && deepestAt(root, point)?.id);
  }

  contains(outer: ElementId, inner: ElementId): Promise<boolean> {
    const found = this.find(outer);
    return Promise.resolve(found !== undefined && findIn(found, inner) !== undefined);
  }

  changed(signal: AbortSignal): Promise<void> {
    this.listeners++;
    return this.waiters.wait(signal).finally(() => this.listeners--);
  }

  find(id: ElementId): FakeElement | undefined {
    for (const root of this.roots) {
      const found = findIn(root, id);
      if (found) return found;
    }
  }

  /** The element with this id. */
  get(id: ElementId): FakeElement {
    const found = this.find(id);
    if (!found) throw new Error(`There is no fake element "${id}"`);
    return found;
  }

  /** Removes an element with all that it contains. */
  remove(id: ElementId): void {
    const drop = (list: FakeElement[]): FakeElement[] =>
      list.filter((one) => one.id !== id)
        .map((one) => Object.assign(one, { children: drop(one.children ?? []) }));
    this.roots = drop(this.roots);
  }

  /** Gives one element the focus, and takes it from all others. */
  focus(id: ElementId): void {
    const visit = (element: FakeElement) => {
      setState(element, "focused", element.id === id);
      element.children?.forEach(visit);
    };
    this.roots.forEach(visit);
  }

  #scoped(scope: TreeScope): FakeElement[] {
    if (scope === "all windows") return this.roots;
    if (scope === "focused window") return this.roots.slice(0, 1);
    if ("element" in scope) {
      const element = this.find(scope.element);
      if (element) return [element];
      throw new ServiceError("conflict", "The element is gone");
    }
    const found = this.roots.filter(({ window }) => window === scope.window);
    if (found.length > 0) return found;
    throw new ServiceError("not_found", `There is no window "${scope.window}"`);
  }

  #act(action: ElementAction, element: FakeElement): void {
    switch (action.kind) {
      case "click": {
        if (!["checkbox", "switch"].includes(element.role)) return;
        return setState(element, "checked", !element.states?.includes("checked"));
      }
      case "focus":
        return this.focus(element.id);
      case "set value":
        element.value = action.value;
        return;
      case "select":
        return setState(element, "selected", action.selected);
      case "expand":
        return setState(element, "expanded", action.expanded);
      case "scroll to":
        setState(element, "offscreen", false);
    }
  }
}

/** Sets or clears a state. */
export function setState(element: FakeElement, state: ElementState, on: boolean): void {
  const others = (element.states ?? []).filter((one) => one !== state);
  element.states = on ? [...others, state] : others;
}

function plain(element: FakeElement): Element {
  const { id, role, name = "", description, value, bounds, pid, window } = element;
  return {
    ...{ id, role, name, children: [], childCount: element.children?.length ?? 0 },
    states: new Set(element.states),
    abilities: new Set(element.abilities),
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { value }),
    ...(bounds === undefined ? {} : { bounds }),
    ...(pid === undefined ? {} : { pid }),
    ...(window === undefined ? {} : { window }),
  };
}

function findIn(element: FakeElement, id: ElementId): FakeElement | undefined {
  if (element.id === id) return element;
  for (const child of element.children ?? []) {
    const found = findIn(child, id);
    if (found) return found;
  }
}

function deepestAt(element: FakeElement, point: Point): FakeElement | undefined {
  const { bounds } = element;
  const isIn = bounds !== undefined && point.x >= bounds.x && point.y >= bounds.y &&
    point.x < bounds.x + bounds.width && point.y < bounds.y + bounds.height;
  if (!isIn || element.hidden) return undefined;
  for (const child of (element.children ?? []).toReversed()) {
    const found = deepestAt(child, point);
    if (found) return found;
  }
  return element;
}
