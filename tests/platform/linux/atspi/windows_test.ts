/** Which top elements of a program are which windows of the display. */

import { expect } from "expect";
import type { Region } from "../../../../src/core/geometry.ts";
import type { AtspiClient } from "../../../../src/platform/linux/atspi/client.ts";
import { Budget } from "../../../../src/platform/linux/atspi/budget.ts";
import type { KnownWindow } from "../../../../src/platform/linux/atspi/accessibility.ts";
import type { Toolkits } from "../../../../src/platform/linux/atspi/describe.ts";
import { findElementAt, locate } from "../../../../src/platform/linux/atspi/locate.ts";
import type { Node } from "../../../../src/platform/linux/atspi/node.ts";
import { roleNumber } from "../../../../src/platform/linux/atspi/states.ts";
import {
  chooseFrames,
  findNamesakes,
  type FrameBounds,
  isUnlisted,
  matchWindows,
} from "../../../../src/platform/linux/atspi/windows.ts";

const [ACTIVE, SHOWING, VISIBLE] = [1 << 1, 1 << 25, 1 << 30];
const LEFT = { x: 0, y: 20, width: 300, height: 200 };
const RIGHT = { x: 400, y: 20, width: 300, height: 200 };

function frame(id: string, name: string, states = SHOWING | VISIBLE): Node {
  return {
    ...{ bus: ":1.5", path: `/${id}`, name, description: "", role: roleNumber("frame") },
    ...{ states: [states, 0], interfaces: [], childCount: 0 },
  };
}

function window(id: string, title: string, bounds: Region, isActive = false): KnownWindow {
  return { id, title, pid: 7, bounds, frame: bounds, isActive };
}

function match(frames: readonly Node[], windows: readonly KnownWindow[], places?: FrameBounds) {
  return [...matchWindows(frames, windows, places)].map(([{ path }, { id }]) => `${path} ${id}`);
}

const A = frame("a", "Untitled");
const B = frame("b", "Untitled");
/** Topmost first, as the display lists them: that of B covers that of A. */
const WINDOWS = [window("wb", "Untitled", RIGHT, true), window("wa", "Untitled", LEFT)];

const NO_TOOLKIT = {
  isGtk4: false,
  isGtk3: false,
  isLibreOffice: false,
  isQt: false,
  isChromium: false,
};
const CHROMIUM = { ...NO_TOOLKIT, isChromium: true };

Deno.test("windows with the same title are told apart by their places", () => {
  const places = new Map([[A, LEFT], [B, RIGHT]]);
  expect(match([A, B], WINDOWS, places)).toEqual(["/a wa", "/b wb"]);
  const framed = WINDOWS.map((each) => ({ ...each, bounds: null }));
  expect(match([A, B], framed, places)).toEqual(["/a wa", "/b wb"]);
});

Deno.test("nothing is guessed between namesakes", () => {
  expect(match([A, B], WINDOWS)).toEqual([]);
  expect(match([A, B], WINDOWS, new Map([[A, LEFT], [B, LEFT]]))).toEqual([]); // both at one place
  const stacked = WINDOWS.map((each) => ({ ...each, bounds: LEFT, frame: LEFT }));
  expect(match([A, B], stacked, new Map([[A, LEFT], [B, RIGHT]]))).toEqual([]);
  expect(match([A], WINDOWS)).toEqual([]); // the program has one of them, and may be silent of another
  expect(match([A, B], [WINDOWS[0]!])).toEqual([]);
  // a namesake is not the only one that is left
  const named = frame("c", "Report");
  expect(match([A, named], WINDOWS)).toEqual([]);
  expect(match([A, B], [window("wc", "Report", LEFT)])).toEqual([]);
});

Deno.test("other windows are told by their titles, and the last one by being the last", () => {
  const [report, renamed] = [frame("c", "Report"), frame("d", "*Draft")];
  const [first, second] = [window("wd", "Draft", LEFT), window("wc", "Report", RIGHT)];
  expect(match([report, renamed], [first, second])).toEqual(["/c wc", "/d wd"]);
  const closed = frame("e", "Report", 0); // a program may keep a dialog that has closed
  expect(match([closed, report], [second])).toEqual(["/c wc"]);
  expect(match([closed], [second])).toEqual(["/e wc"]);
  expect(findNamesakes([report, renamed, closed], [first, second])).toEqual([]);
  expect(findNamesakes([A, report, B], [second, ...WINDOWS])).toEqual([A, B]);
});

Deno.test("a namesake, or a window whose title has just changed, is no popup of another window", () => {
  const bubble = { ...frame("c", "Bookmark added"), role: roleNumber("dialog") };
  const isPopup = (node: Node) => isUnlisted(node, WINDOWS, CHROMIUM);
  expect([frame("d", ""), bubble].map(isPopup)).toEqual([true, true]);
  const untitled = { ...A, role: roleNumber("dialog") };
  expect([A, untitled, frame("e", "New Tab")].map(isPopup)).toEqual([false, false, false]);
});

Deno.test("the focused window is the active one of its namesakes, whatever its place", () => {
  const active = frame("b", "Untitled", SHOWING | VISIBLE | ACTIVE);
  const program = programOf([A, active]);
  const choose = (scope: "focused window" | { window: string }, frameBounds: FrameBounds) =>
    chooseFrames(program, { scope, hidden: false, windows: WINDOWS, frameBounds })
      .map(({ node, window }) => [node.path, window?.id]);
  const places = new Map([[A, LEFT], [active, RIGHT]]);
  expect(choose("focused window", places)).toEqual([["/b", "wb"]]);
  expect(choose({ window: "wa" }, places)).toEqual([["/a", "wa"]]);
  expect(choose("focused window", new Map())).toEqual([["/b", undefined]]);
  expect(choose({ window: "wa" }, new Map())).toEqual([]);
});

Deno.test("a dialog of GTK 4 shows that says no more than that it is visible", () => {
  const chooser = { ...frame("f", "Save As", VISIBLE), role: roleNumber("filler") };
  const hidden = { ...chooser, path: "/g", name: "Open" };
  const windows = [window("wf", "Save As", LEFT)];
  const choose = (isGtk4: boolean) =>
    chooseFrames(programOf([chooser, hidden], { isGtk4 }), {
      ...{ scope: "all windows", hidden: false, windows, frameBounds: new Map() },
    }).map(({ node }) => node.path);
  expect(choose(true)).toEqual(["/f"]);
  expect(choose(false)).toEqual([]);
});

Deno.test("an element of GTK 4 is not placed into a namesake of its window", async () => {
  const frames = [A, B];
  const find = (windows: readonly KnownWindow[], shown: readonly Node[]) => {
    const client = programWith(shown);
    return locate(A, {
      client,
      toolkit: { ...NO_TOOLKIT, isGtk4: true },
      origin: "display",
      budget: new Budget(5_000, () => {}),
      listWindows: () => Promise.resolve(windows),
      listPopups: () => Promise.resolve(null),
    });
  };
  expect(await find(WINDOWS, frames)).toBeUndefined();
  expect(await find([WINDOWS[1]!], frames)).toBeUndefined(); // the other one is listed too late
  expect(await find([WINDOWS[1]!], [A])).toMatchObject({ shift: { x: LEFT.x, y: LEFT.y } });
});

Deno.test("the window and the popups of a program are asked for once for what it shows at a point", async () => {
  const asked: string[] = [];
  expect(await findShown((what) => asked.push(what))).toBe("abc:1.5/option");
  const times = (what: string) => asked.filter((each) => each === what).length;
  expect(times("windows")).toBe(1);
  expect(times("/org/a11y/atspi/accessible/root Accessible.GetChildren")).toBe(1);
});

Deno.test("a program that takes a while for its answers is asked what it shows at a point", async () => {
  const { now } = performance;
  let passed = 0;
  performance.now = () => now.call(performance) + passed;
  try {
    const wait = (what: string) => void (what === "/a Component.GetExtents" && (passed = 1_500));
    expect(await findShown(wait)).toBe("abc:1.5/option");
  } finally {
    performance.now = now;
  }
});

/** What shows at a point of a page that a popup with an option covers. */
function findShown(onAsked: (what: string) => void) {
  const client = programWith(
    [frame("a", "Page"), frame("popup", "")],
    (path, what) => onAsked(`${path} ${what}`),
  );
  return findElementAt({ x: LEFT.x + 9, y: LEFT.y + 9 }, "abc:1.5/a", {
    client,
    toolkits: { find: () => Promise.resolve(CHROMIUM) } as unknown as Toolkits,
    origin: "window",
    checkStop() {},
    listWindows() {
      onAsked("windows");
      return Promise.resolve([window("wa", "Page", LEFT, true)]);
    },
    listPopups: () => Promise.resolve(null),
  });
}

function programOf(frames: readonly Node[], { isGtk4 = false } = {}) {
  const toolkit = { isGtk4, isGtk3: !isGtk4, isLibreOffice: false, isQt: false, isChromium: false };
  return { program: { bus: ":1.5", path: "/root", pid: 7 }, frames, toolkit };
}

/** A program whose windows are 300 by 200 pixels, and count from their own corners. */
function programWith(
  frames: readonly Node[],
  onAsked = (_path: string, _what: string) => {},
): AtspiClient {
  const application = roleNumber("application");
  const find = (path: string) => frames.find((each) => each.path === path);
  const answers: Record<string, (path: string) => unknown> = {
    "Accessible.GetRole": (path) => find(path)?.role ?? application,
    "Accessible.GetState": (path) => find(path)?.states ?? [0, 0],
    "Accessible.GetInterfaces": () => [],
    "Accessible.GetChildren": () => frames.map(({ bus, path }) => [bus, path]),
    "Component.GetExtents": () => [0, 0, LEFT.width, LEFT.height],
    "Component.GetAccessibleAtPoint": (path) =>
      path === "/popup" ? [":1.5", "/option"] : [":1.5", "/org/a11y/atspi/null"],
    "Accessible.Name": (path) => find(path)?.name ?? "",
    "Accessible.Description": () => "",
    "Accessible.ChildCount": (path) => find(path) ? 0 : frames.length,
    "Accessible.Parent": () => [":1.5", "/org/a11y/atspi/accessible/root"],
  };
  const answer = (path: string, what: string) => {
    onAsked(path, what);
    return answers[what]!(path);
  };
  const client: Pick<AtspiClient, "guid" | "call" | "get" | "findProcess"> = {
    guid: "abc",
    call: ({ path }, method) => Promise.resolve([answer(path, method)]),
    get: ({ path }, property) => Promise.resolve(answer(path, property)),
    findProcess: () => Promise.resolve(7),
  };
  return client as AtspiClient;
}
