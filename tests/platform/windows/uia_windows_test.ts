/** UI Automation, called by the tables of its interfaces, on objects of this process: wine has none of its own. */

import { expect } from "expect";
import {
  IUIAutomation,
  IUIAutomation2,
  IUIAutomationCacheRequest,
  IUIAutomationElement,
  IUIAutomationElementArray,
  IUIAutomationTreeWalker,
  PATTERNS,
  UIA_E_TIMEOUT,
} from "../../../ffi/windows/com.ts";
import type { Element, TreeReading } from "../../../src/platform/types/mod.ts";
import { Budget, UiaSource } from "../../../src/platform/windows/accessibility/uia/uia_source.ts";
import type { NativeWindow } from "../../../src/platform/windows/windows/native_windows.ts";
import {
  fakeAutomation,
  type FakeDesktop,
  type FakeNode,
} from "../../support/windows/fake_automation.ts";
import { E_FAIL, ORDER } from "../../support/windows/fake_com.ts";

const [BUTTON, EDIT, CHECKBOX, LIST_ITEM, WINDOW, PANE] = [
  ...[50_000, 50_004, 50_002, 50_007, 50_032, 50_033],
];
const HANDLE = 0x1002an;

function form(): Record<"window" | "save" | "name" | "secret" | "agree" | "item", FakeNode> {
  const place = { BoundingRectangle: [10.4, 20, 100, 30] };
  const save: FakeNode = {
    key: 2,
    properties: {
      ...place,
      ControlType: BUTTON!,
      Name: " Save é漢 ",
      IsInvokePatternAvailable: true,
    },
    patterns: { Invoke: 0, SelectionItem: 0 },
  };
  const value = { ControlType: EDIT!, IsValuePatternAvailable: true };
  const name: FakeNode = {
    key: 3,
    properties: { ...value, Name: "Name", ValueValue: "a\r\nb", IsKeyboardFocusable: true },
    patterns: { Value: 0 },
  };
  const secret: FakeNode = {
    key: 4,
    properties: { ...value, Name: "Password", ValueValue: "secret", IsPassword: true },
    patterns: { Value: UIA_E_TIMEOUT },
  };
  const toggles = { ControlType: CHECKBOX!, IsTogglePatternAvailable: true, ToggleState: 1 };
  const agree: FakeNode = {
    key: 5,
    properties: { ...toggles, Name: "Agree", IsEnabled: true },
    patterns: { Toggle: E_FAIL },
  };
  const item: FakeNode = {
    key: 6,
    properties: {
      ...{ ControlType: LIST_ITEM!, Name: "Last", IsOffscreen: true },
      ...{ IsSelectionItemPatternAvailable: true, SelectionItemIsSelected: true },
    },
    patterns: { SelectionItem: 0 },
  };
  const pane = { ControlType: PANE!, IsOffscreen: true };
  const window: FakeNode = {
    key: 1,
    properties: { ControlType: WINDOW!, Name: "Form", ProcessId: 77, NativeWindowHandle: 0x1002a },
    children: [save, { key: 9, properties: pane, children: [name, secret] }, agree, item],
  };
  return { window, save, name, secret, agree, item };
}

function open(desktop: FakeDesktop) {
  const fake = fakeAutomation(desktop);
  const window = { handle: HANDLE, pid: 77 } as NativeWindow;
  const source = new UiaSource(fake.automation, {
    active: () => window,
    find: (handle) => handle === HANDLE ? window : undefined,
    list: () => [window],
    popups: () => [],
    foreground: () => HANDLE,
    isTop: (handle) => handle === HANDLE,
  });
  const read = (more: Partial<TreeReading> = {}) => {
    const limits = { maxElements: 100, maxDepth: 10, timeMs: 5_000, ...more };
    const budget = new Budget(limits);
    const tree = source.read({ scope: "focused window", hidden: false, ...more, budget });
    return { ...tree, truncated: budget.truncated };
  };
  return { fake, source, read };
}

function names(elements: readonly Element[]): unknown[] {
  return elements.map(({ name, children }) => children.length ? [name, names(children)] : name);
}

Deno.test("the places of the methods are those of the interfaces", () => {
  const places = {
    ...{ IUIAutomationElement, IUIAutomationElementArray, IUIAutomationCacheRequest },
    IUIAutomationTreeWalker,
    IUIAutomation2: { ...IUIAutomation, ...IUIAutomation2 },
  };
  for (const [name, slots] of Object.entries(places)) {
    const order = ORDER[name as keyof typeof places].split(" ");
    for (const [method, slot] of Object.entries(slots)) expect(order[slot]).toBe(method);
  }
  for (const name of ["Invoke", "Value", "RangeValue", "Toggle", "SelectionItem"] as const) {
    const { id: _id, iid: _iid, ...slots } = PATTERNS[name];
    const order = ORDER[name].split(" ");
    for (const [method, slot] of Object.entries(slots)) expect(order[slot]).toBe(method);
  }
});

Deno.test("UI Automation's tree is read in one call, with states, values and abilities", () => {
  const { window } = form();
  const { fake, read } = open({ windows: new Map([[HANDLE, window]]) });
  using _closing = fake;
  const { roots, truncated, unresponsive } = read();
  expect({ truncated, unresponsive, subtrees: fake.subtrees })
    .toEqual({ truncated: [], unresponsive: [], subtrees: 1 });
  // what does not show is left out, and what shows in it is not
  expect(names(roots)).toEqual([["Form", ["Save é漢", "Name", "Password", "Agree"]]]);
  const [root] = roots;
  expect(root).toMatchObject({ role: "window", window: "0x1002a", pid: 77, id: "uia:42.1" });
  expect(root!.states.has("active")).toBe(true);
  const [save, name, secret, agree] = root!.children;
  expect(save).toMatchObject({ role: "button", bounds: { x: 10, y: 20, width: 100, height: 30 } });
  expect([...save!.abilities]).toEqual(["click"]);
  expect(name).toMatchObject({ role: "textbox", value: "a\nb" });
  expect([...name!.abilities]).toEqual(["focus", "set value"]);
  expect([...secret!.states]).toContain("protected");
  expect(JSON.stringify(roots)).not.toContain("secret");
  expect([...agree!.states]).toEqual(["checked"]);
});

Deno.test("UI Automation's toggle buttons say whether they are pressed, also where they are not", () => {
  const { window } = form();
  const toggles = { IsTogglePatternAvailable: true, IsEnabled: true };
  window.children = [[BUTTON, 0, "Off"], [BUTTON, 1, "On"], [BUTTON, 2, "Part"], [
    CHECKBOX,
    0,
    "No",
  ]]
    .map(([type, state, Name], key) => ({
      key: 20 + key,
      properties: { ...toggles, ControlType: type!, ToggleState: state!, Name: Name! },
    }));
  const { fake, read } = open({ windows: new Map([[HANDLE, window]]) });
  using _closing = fake;
  const [root] = read().roots;
  expect(root!.children.map(({ name, states }) => [name, ...states])).toEqual([
    ...[["Off", "unpressed"], ["On", "pressed"], ["Part", "mixed"], ["No"]],
  ]);
});

Deno.test("what does not show is read on request, within elements and levels", () => {
  const { window } = form();
  const { fake, read } = open({ windows: new Map([[HANDLE, window]]) });
  using _closing = fake;
  const all = ["Save é漢", ["", ["Name", "Password"]], "Agree", "Last"];
  expect(names(read({ hidden: true }).roots)).toEqual([["Form", all]]);
  const few = read({ maxElements: 2 });
  expect([names(few.roots), few.truncated]).toEqual([[["Form", ["Save é漢"]]], ["elements"]]);
  const flat = read({ maxDepth: 0 });
  expect([names(flat.roots), flat.truncated]).toEqual([["Form"], ["depth"]]);
  expect(flat.roots[0]!.childCount).toBe(4);
});

Deno.test("a program that refuses a whole tree is read in parts, and a silent one is named", () => {
  const { window } = form();
  const refusing = open({ windows: new Map([[HANDLE, window]]), refusesSubtrees: true });
  using _closing = refusing.fake;
  expect(names(refusing.read().roots))
    .toEqual([["Form", ["Save é漢", "Name", "Password", "Agree"]]]);
  const silent = open({ windows: new Map() });
  using _other = silent.fake;
  expect(silent.read()).toEqual({ roots: [], unresponsive: ["77"], truncated: [] });
});

Deno.test("UI Automation's patterns are asked, and what they answer is told", () => {
  const { window, secret } = form();
  const { fake, source, read } = open({ windows: new Map([[HANDLE, window]]) });
  using _closing = fake;
  read({ hidden: true });
  expect(source.perform("uia:42.2", { kind: "click" })).toBe(true);
  expect(source.perform("uia:42.3", { kind: "set value", value: "é漢😀" })).toBe(true);
  expect(source.perform("uia:42.3", { kind: "focus" })).toBe(true);
  expect(source.perform("uia:42.4", { kind: "set value", value: "x" })).toBe(undefined);
  expect(source.perform("uia:42.5", { kind: "click" })).toBe(false);
  expect(source.perform("uia:42.6", { kind: "select", selected: false })).toBe(true);
  expect(fake.asked).toEqual([
    ...["2 Invoke.Invoke", "3 Value.SetValue é漢😀", "3 SetFocus", "4 Value.SetValue x"],
    ...["5 Toggle.Toggle", "6 SelectionItem.RemoveFromSelection"],
  ]);
  expect(() => source.perform("uia:42.2", { kind: "scroll to" })).toThrow("does not support");
  expect(source.refresh("uia:42.3")).toMatchObject({ name: "Name", value: "a\nb" });
  secret.gone = true;
  expect(source.refresh("uia:42.4")).toBe(undefined);
  expect(() => source.perform("uia:42.4", { kind: "click" })).toThrow("gone");
  expect(() => source.perform("uia:42.99", { kind: "click" })).toThrow("gone");
  expect(Math.max(...fake.limits)).toBeLessThanOrEqual(2_500);
});

Deno.test("the element at a point is found inside of those that hold it", () => {
  const { window, name } = form();
  const { fake, source, read } = open({ windows: new Map([[HANDLE, window]]), atPoint: name });
  using _closing = fake;
  read();
  expect(source.elementAt({ x: -5, y: 7 })).toBe("uia:42.3");
  expect(source.contains("uia:42.1", "uia:42.3")).toBe(true);
  expect(source.contains("uia:42.3", "uia:42.3")).toBe(true);
  expect(source.contains("uia:42.2", "uia:42.3")).toBe(false);
});

Deno.test("a list of children that breaks off hides no other element, and keeps no object", () => {
  for (const refusesSubtrees of [false, true]) {
    const { window } = form();
    window.children![1]!.breaksOff = true;
    const { fake, read } = open({ windows: new Map([[HANDLE, window]]), refusesSubtrees });
    using _closing = fake;
    const count = (elements: readonly Element[]): number =>
      elements.reduce((sum, { children }) => sum + 1 + count(children), 0);
    for (const maxElements of [2, 100]) {
      read({ maxElements });
      const { roots } = read({ hidden: true, maxElements });
      if (maxElements === 100) {
        expect(names(roots)).toEqual([["Form", ["Save é漢", "", "Agree", "Last"]]]);
      }
      expect(fake.held).toBe(count(roots)); // for their refs
    }
  }
});
