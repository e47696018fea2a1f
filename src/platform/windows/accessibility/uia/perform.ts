/** Asks an element of UI Automation to do something, by its patterns. */

import { wideText } from "../../../../../ffi/memory.ts";
import {
  callMethod,
  type ComPointer,
  guidBytes,
  release,
  S_OK,
} from "../../../../../ffi/windows/com.ts";
import {
  IUIAutomationElement,
  PATTERNS,
  UIA_E_ELEMENTNOTAVAILABLE,
  UIA_E_TIMEOUT,
} from "../../../../../ffi/windows/uiautomation.ts";
import { ServiceError } from "../../../../core/errors.ts";
import type { ElementAction } from "../../../types/mod.ts";
import type { AutomationCalls } from "./automation.ts";

/** Calls a method of a pattern; returns the HRESULT. */
type Use = (pattern: ComPointer) => number;
type Attempt = readonly [pattern: { readonly id: number; readonly iid: string }, use: Use];

/**
 * Resolves as the port says.
 * @throws ServiceError `conflict`: it is gone; `unsupported`
 */
export function performOnElement(
  calls: AutomationCalls,
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
  throw new ServiceError("unsupported", `The element does not take "${action.kind}"`);
}

/** What can be tried; the first pattern that the element has is used. */
function listAttempts(
  calls: AutomationCalls,
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

function setText(calls: AutomationCalls, pattern: ComPointer, value: string): number {
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

export function gone(): ServiceError {
  return new ServiceError("conflict", "The element is gone");
}
