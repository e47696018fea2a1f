/** Elements by UI Automation. */

import { wideText } from "../../../../../ffi/memory.ts";
import {
  callMethod,
  COINIT_MULTITHREADED,
  type ComPointer,
  guidBytes,
  IUIAutomationElement,
  type Oleaut32,
  openOle32,
  openOleaut32,
  PATTERNS,
  release,
  S_OK,
  UIA_E_ELEMENTNOTAVAILABLE,
  UIA_E_TIMEOUT,
} from "../../../../../ffi/windows/com.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { closedWindow } from "../../../listed_windows.ts";
import type {
  Element,
  ElementAction,
  ElementId,
  Point,
  ReadTree,
  TreeReading,
  TreeScope,
} from "../../../types/mod.ts";
import type { IsStopped } from "../../call_thread.ts";
import {
  type Handle,
  type NativeWindows,
  openNativeWindows,
  parseHandle,
} from "../../windows/native_windows.ts";
import { type Automation, ComFailure, openAutomation } from "./automation.ts";
import { describeUiaElement, type ElementWindows, readId } from "./describe.ts";

/** Elements whose refs go on to work. */
const MAX_KNOWN = 50_000;
/** How long a program may take for one answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 1_000;
/** More levels than any program has. */
const MAX_LEVELS = 256;

/** How the children of an element are found. */
type Children = (element: ComPointer) => ComPointer[];

interface SourceReading extends Pick<TreeReading, "scope" | "hidden"> {
  readonly budget: Budget;
}

/** Points and bounds are those of the virtual screen. Nothing is asynchronous: Windows waits. */
export class UiaSource {
  readonly #known = new KnownElements();

  constructor(
    private readonly automation: Automation,
    private readonly windows: TopWindows & ElementWindows,
  ) {}

  read(reading: SourceReading): Omit<ReadTree, "truncated"> {
    const unresponsive: string[] = [];
    const roots: Element[] = [];
    for (const top of this.#listTops(reading.scope)) {
      if (reading.budget.leftMs === 0) {
        reading.budget.take();
        break;
      }
      const found = this.#readTop(top, reading);
      if (found === undefined) unresponsive.push(...this.#name(top));
      else roots.push(...found);
    }
    return { roots, unresponsive };
  }

  refresh(id: ElementId): Element | undefined {
    const object = this.#known.get(id);
    if (object === undefined) return undefined;
    this.automation.limit(ANSWER_TIMEOUT_MS);
    const updated = orElse(() => this.automation.updated(object, "one"), 0n);
    if (updated === 0n) return undefined;
    return this.#describe(updated, []);
  }

  /** As the port says. */
  perform(id: ElementId, action: ElementAction): boolean | undefined {
    const object = this.#known.get(id);
    if (object === undefined) throw gone();
    this.automation.limit(ANSWER_TIMEOUT_MS);
    return performOnElement(this.automation.oleaut32, object, action);
  }

  elementAt(point: Point): ElementId | undefined {
    this.automation.limit(ANSWER_TIMEOUT_MS);
    const object = orElse(() => this.automation.fromPoint(point), 0n);
    if (object === 0n) return undefined;
    const id = readId(this.automation, object);
    this.#known.keep(id, object);
    return id;
  }

  contains(outer: ElementId, inner: ElementId): boolean {
    let id = inner;
    for (let level = 0; level < MAX_LEVELS; level++) {
      if (id === outer) return true;
      const object = this.#known.get(id);
      if (object === undefined) return false;
      const parent = orElse(() => this.automation.parent(object), 0n);
      if (parent === 0n) return false;
      id = readId(this.automation, parent);
      this.#known.keep(id, parent);
    }
    return false;
  }

  #listTops(scope: TreeScope): readonly (Handle | ElementId)[] {
    if (typeof scope === "object" && "element" in scope) return [scope.element];
    return findTops(this.windows, scope);
  }

  /** `undefined` when the program does not answer. */
  #readTop(top: Handle | ElementId, reading: SourceReading): Element[] | undefined {
    const { budget } = reading;
    const open = (what: "one" | "all") => {
      if (typeof top !== "string") return this.automation.fromWindow(top, what);
      const object = this.#known.get(top);
      return object === undefined ? 0n : this.automation.updated(object, what);
    };
    // everything in one call, which the program may refuse, or take too long for: then in parts
    this.automation.limit(budget.leftMs / 2);
    const all = orElse(() => open("all"), 0n);
    if (all !== 0n) {
      const cached = (parent: ComPointer) => this.automation.cachedChildren(parent);
      return this.#readTree(all, reading, 0, (parent) => orElse(() => cached(parent), []));
    }
    this.automation.limit(Math.min(ANSWER_TIMEOUT_MS, budget.leftMs));
    const one = orElse(() => open("one"), undefined);
    if (one === undefined) return undefined;
    if (one === 0n) return [];
    const children = (parent: ComPointer) => this.automation.children(parent);
    return this.#readTree(one, reading, 0, (parent) => orElse(() => children(parent), []));
  }

  /** The element with its children; or these alone, if it is not visible itself. Takes the object. */
  #readTree(
    object: ComPointer,
    reading: SourceReading,
    depth: number,
    children: Children,
  ): Element[] {
    const { budget, hidden } = reading;
    const owned = [object];
    try {
      if (!budget.take()) return [];
      const isOffscreen = this.automation.property(object, "IsOffscreen") === true;
      const isListed = hidden || depth === 0 || !isOffscreen;
      owned.push(...children(object));
      const childCount = owned.length - 1;
      const parts: Element[] = [];
      if (childCount > 0 && budget.allows(depth + 1)) {
        while (owned.length > 1) {
          parts.push(...this.#readTree(owned.splice(1, 1)[0]!, reading, depth + 1, children));
        }
      }
      return isListed ? [{ ...this.#describe(owned.shift()!, parts), childCount }] : parts;
    } finally {
      owned.forEach(release);
    }
  }

  /** Takes the object. */
  #describe(object: ComPointer, children: readonly Element[]): Element {
    const owned = [object];
    try {
      const element = describeUiaElement(this.automation, object, this.windows);
      this.#known.keep(element.id, owned.pop()!);
      return { ...element, children, childCount: children.length };
    } finally {
      owned.forEach(release);
    }
  }

  #name(top: Handle | ElementId): string[] {
    const pid = typeof top === "string" ? undefined : this.windows.find(top)?.pid;
    return pid === undefined ? [] : [String(pid)];
  }
}

/** The result, or another one where Windows refuses. */
function orElse<T, U>(call: () => T, otherwise: U): T | U {
  try {
    return call();
  } catch (error) {
    if (error instanceof ComFailure) return otherwise;
    throw error;
  }
}

// The windows whose elements a reading is about.

type TopWindows = Pick<NativeWindows, "active" | "find" | "list" | "popups">;

/**
 * With the menus and lists that have dropped down from each window.
 * @throws ServiceError `not_found`: it is closed
 */
function findTops(
  windows: TopWindows,
  scope: Exclude<TreeScope, { readonly element: string }>,
): Handle[] {
  if (scope === "all windows") return windows.list().flatMap(({ handle }) => withPopups(handle));
  if (scope === "focused window") {
    const handle = windows.active()?.handle;
    return handle === undefined ? [] : withPopups(handle);
  }
  const handle = parseHandle(scope.window);
  if (windows.find(handle) === undefined) throw closedWindow(scope.window);
  return withPopups(handle);

  function withPopups(handle: Handle): Handle[] {
    return [...windows.popups(handle), handle];
  }
}

// The objects of elements that have been read, by their ids: Windows finds none by an id alone.

class KnownElements {
  /** The one that was read longest ago first. */
  readonly #objects = new Map<ElementId, ComPointer>();

  get(id: ElementId): ComPointer | undefined {
    return this.#objects.get(id);
  }

  /** Keeps an object, which is released when it is replaced, or too many are kept. */
  keep(id: ElementId, object: ComPointer): void {
    this.#forget(id);
    this.#objects.set(id, object);
    if (this.#objects.size > MAX_KNOWN) this.#forget(this.#objects.keys().next().value!);
  }

  #forget(id: ElementId): void {
    const object = this.#objects.get(id);
    this.#objects.delete(id);
    if (object !== undefined) release(object);
  }
}

// Asks an element of UI Automation to do something, by its patterns.

/** Calls a method of a pattern; returns the HRESULT. */
type Use = (pattern: ComPointer) => number;
type Attempt = readonly [pattern: { readonly id: number; readonly iid: string }, use: Use];

/**
 * Resolves as the port says.
 * @throws ServiceError `conflict`: it is gone; `unsupported`
 */
function performOnElement(
  calls: Oleaut32,
  element: ComPointer,
  action: ElementAction,
): boolean | undefined {
  if (action.kind === "focus") {
    return understand(callMethod(element, IUIAutomationElement.SetFocus));
  }
  for (const [{ id, iid }, use] of listAttempts(calls, action)) {
    const pattern = findPattern(element, id, iid);
    if (pattern === 0n) continue;
    try {
      return understand(use(pattern));
    } finally {
      release(pattern);
    }
  }
  throw new ServiceError("unsupported", `The element does not support "${action.kind}"`);
}

/** What can be tried; the first pattern that the element has is used. */
function listAttempts(
  calls: Oleaut32,
  action: Exclude<ElementAction, { kind: "focus" }>,
): readonly Attempt[] {
  const { Invoke, Toggle, SelectionItem, LegacyIAccessible, Value, RangeValue } = PATTERNS;
  const { ScrollItem, ExpandCollapse } = PATTERNS;
  const method = (slot: number): Use => (pattern) => callMethod(pattern, slot);
  switch (action.kind) {
    case "click":
      return [
        [Invoke, method(Invoke.Invoke)],
        [Toggle, method(Toggle.Toggle)],
        [SelectionItem, method(SelectionItem.Select)],
        [LegacyIAccessible, method(LegacyIAccessible.DoDefaultAction)],
      ];
    case "set value": {
      const number = Number(action.value);
      const setNumber: Use = (pattern) => callMethod(pattern, RangeValue.SetValue, ["f64"], number);
      return [
        [Value, (pattern) => setText(calls, pattern, action.value)],
        ...(Number.isFinite(number) ? [[RangeValue, setNumber] as const] : []),
      ];
    }
    case "select": {
      const { Select, RemoveFromSelection } = SelectionItem;
      return [[SelectionItem, method(action.selected ? Select : RemoveFromSelection)]];
    }
    case "scroll to":
      return [[ScrollItem, method(ScrollItem.ScrollIntoView)]];
    case "expand": {
      const { Expand, Collapse } = ExpandCollapse;
      return [[ExpandCollapse, method(action.expanded ? Expand : Collapse)]];
    }
  }
}

function findPattern(element: ComPointer, id: number, iid: string): ComPointer {
  const out = new BigUint64Array(1);
  const types = ["i32", "buffer", "buffer"] as const;
  const slot = IUIAutomationElement.GetCurrentPatternAs;
  const code = callMethod(element, slot, types, id, guidBytes(iid), out);
  if (code === UIA_E_ELEMENTNOTAVAILABLE) throw gone();
  return code === S_OK ? out[0]! : 0n;
}

function setText(calls: Oleaut32, pattern: ComPointer, value: string): number {
  const text = calls.SysAllocStringLen(wideText(value), value.length);
  try {
    return callMethod(pattern, PATTERNS.Value.SetValue, ["usize"], text);
  } finally {
    calls.SysFreeString(text);
  }
}

function understand(code: number): boolean | undefined {
  if (code === UIA_E_ELEMENTNOTAVAILABLE) throw gone();
  return code === UIA_E_TIMEOUT ? undefined : code === S_OK;
}

function gone(): ServiceError {
  return new ServiceError("conflict", "The element is gone");
}

// What a reading may take: elements, levels and time.

export class Budget {
  readonly #truncated = new Set<ReadTree["truncated"][number]>();
  readonly #end: number;
  readonly #startedAt = performance.now();
  #elements: number;

  constructor(
    private readonly limits: Pick<TreeReading, "maxElements" | "maxDepth" | "timeMs">,
    private readonly isStopped: () => boolean = () => false,
  ) {
    this.#elements = limits.maxElements;
    this.#end = this.#startedAt + limits.timeMs;
  }

  /** What has ended the reading before everything was read. */
  get truncated(): ReadTree["truncated"] {
    return [...this.#truncated];
  }

  get leftMs(): number {
    return this.isStopped() ? 0 : Math.max(0, this.#end - performance.now());
  }

  /** Takes one element; `false` when no more may be read. */
  take(): boolean {
    if (this.leftMs === 0) return this.#refuse("time");
    if (this.#elements === 0) return this.#refuse("elements");
    this.#elements--;
    return true;
  }

  /** Whether children at this level may be read, 1 being those of the top elements. */
  allows(depth: number): boolean {
    return depth <= this.limits.maxDepth || this.#refuse("depth");
  }

  #refuse(why: ReadTree["truncated"][number]): false {
    this.#truncated.add(why);
    return false;
  }
}

// The calls of the thread that reads and uses elements, which alone loads UI Automation.

export type ElementCalls = ReturnType<typeof openElementCalls>;

/**
 * `origin` is that of the monitor on the virtual screen; points are those of the virtual screen.
 * @throws ServiceError `unsupported`; an error on systems other than Windows
 */
export function openElementCalls() {
  const [ole32, oleaut32] = [openOle32(), openOleaut32()];
  ole32.CoInitializeEx(null, COINIT_MULTITHREADED);
  const windows = openNativeWindows();
  const source = new UiaSource(openAutomation(ole32, oleaut32), windows);
  return {
    read(reading: Omit<TreeReading, "signal">, origin: Point, isStopped: IsStopped): ReadTree {
      const budget = new Budget(reading, isStopped);
      const { roots, unresponsive } = source.read({ ...reading, budget });
      const local = roots.map((root) => localize(root, origin));
      return { roots: local, unresponsive, truncated: budget.truncated };
    },
    refresh: (ids: readonly ElementId[], origin: Point): readonly (Element | undefined)[] =>
      ids.map((id) => {
        const element = source.refresh(id);
        return element && localize(element, origin);
      }),
    perform: source.perform.bind(source),
    elementAt: source.elementAt.bind(source),
    contains: source.contains.bind(source),
  };
}

/** With its places on the monitor. */
function localize(element: Element, origin: Point): Element {
  const { bounds } = element;
  return {
    ...element,
    ...(bounds && { bounds: { ...bounds, x: bounds.x - origin.x, y: bounds.y - origin.y } }),
    children: element.children.map((child) => localize(child, origin)),
  };
}
