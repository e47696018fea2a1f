/** The elements of programs on a Mac of recorders, and the script on a stand-in for the bridge to macOS. */

import { expect } from "expect";
import {
  ELEMENT_SCRIPT,
  type ReportedElement,
} from "../../../src/platform/macos/accessibility/accessibility.ts";
import { requireCapability } from "../../../src/platform/capability.ts";
import type { TreeReading } from "../../../src/platform/types/mod.ts";
import { startMac, startMacService } from "../../support/mac.ts";
import { type FakeMacOs, type FakePart, runWithSystemEvents } from "../../support/system_events.ts";

const NEVER = new AbortController().signal;
const READING: TreeReading = {
  ...{ scope: "focused window", hidden: false, maxElements: 100, maxDepth: 10 },
  ...{ timeMs: 5_000, signal: NEVER },
};
const PART: ReportedElement = {
  ...{ id: "77:11:0", role: "AXButton", subrole: null, name: "Save", help: null, value: null },
  ...{ enabled: true, focused: false, selected: null, actions: ["AXPress"], children: [] },
  bounds: { x: 110, y: 60, width: 50, height: 20 },
};
const FIELD = { ...PART, id: "77:11:1", role: "AXTextField", name: "Name", value: "é漢" };
const SECRET = { ...FIELD, id: "77:11:2", subrole: "AXSecureTextField", value: null };
const AGREE = { ...PART, id: "77:11:3", role: "AXCheckBox", name: "Agree", value: "0" };
const TEXT = {
  ...PART,
  id: "77:11:4",
  role: "AXStaticText",
  name: "",
  value: "Hello",
  actions: [],
};
const WINDOW: ReportedElement = {
  ...PART,
  ...{ id: "77:11:", role: "AXWindow", name: "Form", actions: [] },
  bounds: { x: 100, y: 50, width: 300, height: 200 },
  children: [PART, FIELD, SECRET, AGREE, TEXT],
};

async function openElements() {
  const mac = await startMac();
  mac.change((desktop) => desktop.elements = [WINDOW]);
  const service = await startMacService(mac);
  const display = await service.platform.displays.open(1);
  return {
    mac,
    service,
    use: requireCapability(display.accessibility),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await mac[Symbol.asyncDispose]();
    },
  };
}

Deno.test("macOS: elements have roles of WAI-ARIA, states, abilities and places in pixels", async () => {
  await using opened = await openElements();
  const { roots: [root], truncated } = await opened.use.read(READING);
  expect(truncated).toEqual([]);
  expect(root).toMatchObject({ role: "window", name: "Form", window: "11", pid: 77 });
  const [save, field, secret, agree, text] = root!.children;
  expect(save).toMatchObject({
    ...{ role: "button", name: "Save", bounds: { x: 110, y: 60, width: 50, height: 20 } },
  });
  expect([...save!.abilities]).toEqual(["click"]);
  expect([field!.role, field!.value, field!.states.has("editable")])
    .toEqual(["textbox", "é漢", true]);
  expect([secret!.value, secret!.states.has("protected")]).toEqual([undefined, true]);
  expect([agree!.role, agree!.value, agree!.states.has("checked")])
    .toEqual(["checkbox", undefined, false]);
  expect([text!.role, text!.name, text!.value]).toEqual(["text", "Hello", undefined]);
  const second = requireCapability((await opened.service.platform.displays.open(2)).accessibility);
  expect((await second.read(READING)).roots[0]!.bounds)
    .toEqual({ x: 1_800, y: 300, width: 600, height: 400 });
});

Deno.test("macOS: toggle buttons are buttons that say whether they are pressed, switches are switches", async () => {
  await using opened = await openElements();
  const parts = [["AXToggle", "0"], ["AXToggle", "1"], ["AXToggle", "2"], ["AXSwitch", "0"]]
    .map(([subrole, value], at) => ({
      ...AGREE,
      ...{ id: `77:11:${at}`, subrole: subrole!, value: value! },
    }));
  opened.mac.change((desktop) => desktop.elements = [{ ...WINDOW, children: parts }]);
  const { roots: [root] } = await opened.use.read(READING);
  expect(root!.children.map(({ role, states, value }) => [role, [...states], value])).toEqual([
    ["button", ["unpressed"], undefined],
    ["button", ["pressed"], undefined],
    ["button", ["mixed"], undefined],
    ["switch", [], undefined],
  ]);
});

Deno.test("macOS: values are set and buttons clicked, and no text is among the arguments", async () => {
  await using opened = await openElements();
  const { use, mac } = opened;
  expect(await use.perform(FIELD.id, { kind: "set value", value: "geheim" }, NEVER)).toBe(true);
  expect(await use.perform(AGREE.id, { kind: "click" }, NEVER)).toBe(true);
  const [field, agree, gone] = await use.refresh([FIELD.id, AGREE.id, "77:11:9"], NEVER);
  expect([field!.value, agree!.states.has("checked"), gone]).toEqual(["geheim", true, undefined]);
  expect(mac.calls().flatMap(({ args }) => args).join("\n")).not.toContain("geheim");
  await expect(use.perform("77:11:9", { kind: "click" }, NEVER))
    .rejects.toMatchObject({ code: "conflict" });
  expect(await use.contains(WINDOW.id, FIELD.id, NEVER)).toBe(true);
  expect(await use.contains("77:11:1", "77:11:10", NEVER)).toBe(false);
});

Deno.test("macOS: a missing permission, a closed window, and a program that hangs", async () => {
  await using opened = await openElements();
  const { use, mac } = opened;
  await expect(use.read({ ...READING, scope: { window: "99" } }))
    .rejects.toMatchObject({ code: "not_found" });
  mac.change(({ answer }) => answer["accessibility"] = false);
  await expect(use.read(READING)).rejects.toMatchObject({ code: "permission_denied" });
  mac.change(({ faults }) => faults.osascript = { hang: true, times: 1 });
  await expect(use.read({ ...READING, timeMs: 100 })).rejects.toMatchObject({ code: "timed_out" });
});

Deno.test("macOS: accessibility/snapshot and find show what the program tells", async () => {
  await using opened = await openElements();
  const found = await opened.service.post("/api/accessibility/find", { role: "textbox" });
  expect(found).toMatchObject({ status: 200 });
  expect(JSON.stringify(found.body)).toContain("Name");
});

const place = { position: [110, 60], size: [50, 20] };
const PARTS: FakePart[] = [
  { role: "AXButton", title: "Save", ...place, actions: ["AXShowMenu", "AXPress"] },
  {
    ...{ role: "AXGroup", ...place },
    parts: [
      { role: "AXTextField", name: "Name", value: "é漢", focused: true, ...place },
      { role: "AXTextField", subrole: "AXSecureTextField", value: "secret", ...place },
      { role: "AXSlider", title: "Size", value: 7, ...place },
    ],
  },
  { role: "AXButton", title: "Away", position: [900, 60], size: [50, 20] },
  { role: "AXRow", name: "Row", selected: true, ...place, enabled: false },
];

function runElements(job: unknown, more: Partial<FakeMacOs> = {}) {
  const fake: FakeMacOs = {
    server: [{
      ...{ kCGWindowNumber: 11, kCGWindowOwnerPID: 77, kCGWindowLayer: 0, kCGWindowAlpha: 1 },
      ...{ kCGWindowIsOnscreen: true, kCGWindowName: "Form" },
      kCGWindowBounds: { X: 100, Y: 50, Width: 300, Height: 200 },
    }],
    windows: [{ title: "Form", position: [100, 50], size: [300, 200], parts: PARTS }],
    menus: [{ role: "AXMenuBarItem", title: "File", actions: ["AXPress"] }],
    input: JSON.stringify(job),
    ...more,
  };
  const { print, done } = runWithSystemEvents(ELEMENT_SCRIPT, fake);
  return { told: print("elements"), done };
}

const read = { do: "read", scope: "focused window", hidden: false, maxElements: 100, maxDepth: 9 };

function names(elements: readonly ReportedElement[]): unknown[] {
  return elements.map(({ name, role, children }) =>
    children.length ? [name || role, names(children)] : name || role
  );
}

Deno.test("the element script reads a window and the menu bar: what shows, and nothing secret", () => {
  const { told } = runElements({ ...read, timeMs: 5_000 });
  expect(told.truncated).toEqual({});
  expect(names(told.roots)).toEqual([
    ["Form", ["Save", ["AXGroup", ["Name", "AXTextField", "Size"]], "Row"]],
    ["menu bar", ["File"]],
  ]);
  const [, group, row] = told.roots[0].children;
  expect(group.children[0]).toMatchObject({ id: "77:11:1.0", value: "é漢", focused: true });
  expect(row).toMatchObject({ id: "77:11:3", selected: true, enabled: false });
  expect(JSON.stringify(told)).not.toContain("secret");
  const all = runElements({ ...read, hidden: true, timeMs: 5_000 }).told;
  expect(JSON.stringify(names(all.roots))).toContain("Away");
});

Deno.test("the element script keeps to elements, levels and time", () => {
  const few = runElements({ ...read, maxElements: 2, timeMs: 5_000 }).told;
  expect([names(few.roots), few.truncated]).toEqual([[["Form", ["Save"]]], { elements: true }]);
  const flat = runElements({ ...read, maxDepth: 0, timeMs: 5_000 }).told;
  expect([names(flat.roots), flat.truncated]).toEqual([["Form", "menu bar"], { depth: true }]);
  expect(runElements({ ...read, timeMs: -1 }).told).toEqual({
    ...{ roots: [], truncated: { time: true } },
  });
  const gone = { ...read, scope: { window: "99" }, timeMs: 5_000 };
  expect(runElements(gone).told).toEqual({ refused: "closed" });
  expect(runElements(read, { trusted: false }).told).toEqual({ refused: "accessibility" });
});

Deno.test("the element script asks the element of the id, and nothing of one that is gone", () => {
  const perform = (id: string, action: unknown) => runElements({ do: "perform", id, action });
  expect(perform("77:11:0", { kind: "click" })).toEqual({
    ...{ told: { answer: true }, done: ["Save AXPress"] },
  });
  expect(perform("77:11:1.0", { kind: "set value", value: "x" }).done).toEqual(["Name value x"]);
  expect(perform("77:11:1.2", { kind: "set value", value: "9" }).done).toEqual(["Size value 9"]);
  expect(perform("77:11:1.0", { kind: "focus" }).done).toEqual(["Name focused true"]);
  expect(perform("77:11:3", { kind: "select", selected: false }).done)
    .toEqual(["Row selected false"]);
  expect(perform("77:0:0", { kind: "click" }).done).toEqual(["File AXPress"]);
  expect(perform("77:11:1.0", { kind: "click" }).told).toEqual({ answer: false });
  expect(perform("77:11:8", { kind: "click" }).told).toEqual({ refused: "closed" });
  expect(perform("78:99:0", { kind: "click" }).told).toEqual({ refused: "closed" });
  const { told } = runElements({ do: "refresh", ids: ["77:11:0", "77:11:8", "77:11:"] });
  expect(told.elements.map((one: ReportedElement | null) => one && one.name))
    .toEqual(["Save", null, "Form"]);
});
