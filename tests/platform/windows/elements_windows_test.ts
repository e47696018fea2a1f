/** The elements of Notepad by UI Automation, and what it does when it is asked. */

import { expect } from "expect";
import type { Element, ElementAction, TreeReading } from "../../../src/platform/types/mod.ts";
import { openDesktop } from "../../support/windows/desktop.ts";
import { openProgram } from "../../support/windows/program.ts";
import { testIf } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const NEVER = new AbortController().signal;
const READING: TreeReading = {
  ...{ scope: "focused window", hidden: false, maxElements: 500, maxDepth: 20 },
  ...{ timeMs: 5_000, signal: NEVER },
};
const testOnWindows = testIf(
  Deno.build.os === "windows" && !isWine(),
  "needs Windows itself: wine has no UI Automation",
);

testOnWindows("notepad's text is read and set, and notepad asks to save it", async () => {
  await using desktop = openDesktop();
  await using notepad = await openProgram(desktop, "notepad");
  const { use } = desktop.display.accessibility;
  const readAll = async () => {
    const { roots, truncated, unresponsive } = await use.read(READING);
    expect({ truncated, unresponsive }).toEqual({ truncated: [], unresponsive: [] });
    return flat(roots);
  };
  const find = (fits: (element: Element) => boolean, what: string) =>
    waitFor(async () => (await readAll()).find(fits), { what });
  const perform = ({ id }: Element, action: ElementAction) => use.perform(id, action, NEVER);
  const refresh = async ({ id }: Element) => (await use.refresh([id], NEVER))[0];

  const [top] = await readAll();
  expect(top).toMatchObject({ role: "window", name: notepad.window.title, pid: notepad.pid });
  expect(top!.window).toBe(notepad.window.id);
  // some versions call a field of several lines a document
  const isField = ({ role }: Element) => role === "textbox" || role === "document";
  const field = await find(isField, "the field");
  expect(field).toMatchObject({ value: "", pid: notepad.pid });
  expect([...field.states]).toEqual(expect.arrayContaining(["focused", "editable"]));

  const { x, y, width, height } = field.bounds!;
  const middle = { x: x + (width >> 1), y: y + (height >> 1) };
  expect(await use.elementAt(middle, field.id, NEVER)).toBe(field.id);
  expect(await use.contains(top!.id, field.id, NEVER)).toBe(true);
  expect(await use.contains(field.id, top!.id, NEVER)).toBe(false);

  const value = "Grüße 漢字 😀 & more";
  expect(await perform(field, { kind: "set value", value })).toBe(true);
  expect((await refresh(field))?.value).toBe(value);
  await desktop.display.windows.use.change(notepad.window.id, { kind: "close" }, NEVER);
  const isNo = ({ role, name }: Element) => role === "button" && /^(No|Don.t Save)$/.test(name);
  expect(await perform(await find(isNo, "the question"), { kind: "click" })).not.toBe(false);
  await notepad.ended;
  expect(await refresh(field)).toBe(undefined);
  await expect(perform(field, { kind: "focus" })).rejects.toMatchObject({ code: "conflict" });
});

function flat(elements: readonly Element[]): Element[] {
  return elements.flatMap((element) => [element, ...flat(element.children)]);
}

function isWine(): boolean {
  try {
    Deno.dlopen("ntdll.dll", { wine_get_version: { parameters: [], result: "pointer" } }).close();
    return true;
  } catch {
    return false;
  }
}
