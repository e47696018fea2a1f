/** The elements of real programs of Windows, and what the programs do when they are asked. */

import { expect } from "expect";
import type {
  Element,
  ElementAction,
  ReadTree,
  TreeReading,
} from "../../../src/platform/types/mod.ts";
import { openControls } from "../../support/windows/controls.ts";
import { openDesktop, type WindowsDesktop } from "../../support/windows/desktop.ts";
import { openProgram } from "../../support/windows/program.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = Deno.build.os !== "windows";
/** A dialog of wine's own. */
const ignoreDialog = ignore || !exists("C:\\windows\\system32\\winecfg.exe");
const WORDPAD = "C:\\Program Files\\Windows NT\\Accessories\\wordpad.exe";
const ignoreWordpad = ignore || !exists(WORDPAD);
const NEVER = new AbortController().signal;
const READING: TreeReading = {
  ...{ scope: "focused window", hidden: false, maxElements: 500, maxDepth: 20 },
  ...{ timeMs: 5_000, signal: NEVER },
};

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function read({ display }: WindowsDesktop, more: Partial<TreeReading> = {}): Promise<ReadTree> {
  return display.accessibility.use.read({ ...READING, ...more });
}

function flat(elements: readonly Element[]): Element[] {
  return elements.flatMap((element) => [element, ...flat(element.children)]);
}

/** Resolves with the first element of a role, and of a name, when there is one. */
function find(desktop: WindowsDesktop, role: string, name?: RegExp): Promise<Element> {
  return waitFor(async () => {
    const { roots } = await read(desktop);
    return flat(roots).find((one) => one.role === role && (name?.test(one.name) ?? true));
  }, { what: `${role} ${name}` });
}

function perform({ display }: WindowsDesktop, { id }: Element, action: ElementAction) {
  return display.accessibility.use.perform(id, action, NEVER);
}

async function refresh({ display }: WindowsDesktop, { id }: Element) {
  return (await display.accessibility.use.refresh([id], NEVER))[0];
}

Deno.test({
  name: "notepad's text is read and set, and notepad asks to save it",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using notepad = await openProgram(desktop, "notepad");
    const { roots, truncated, unresponsive: silent } = await read(desktop);
    expect({ truncated, silent }).toEqual({ truncated: [], silent: [] });
    expect(roots).toHaveLength(1);
    expect(roots[0]).toMatchObject({
      ...{ role: "window", name: notepad.window.title, pid: notepad.pid },
      ...{ window: notepad.window.id, bounds: notepad.window.frame },
    });
    const field = await find(desktop, "textbox");
    expect(field).toMatchObject({ value: "", pid: notepad.pid });
    expect([...field.states]).toEqual(expect.arrayContaining(["focused", "editable", "multiline"]));

    const value = "Grüße\n漢字 😀 & more";
    expect(await perform(desktop, field, { kind: "set value", value })).toBe(true);
    expect((await refresh(desktop, field))?.value).toBe(value);
    await desktop.display.windows.use.change(notepad.window.id, { kind: "close" }, NEVER);
    const dialog = await find(desktop, "dialog");
    expect(dialog.window).not.toBe(notepad.window.id);
    const no = await find(desktop, "button", /^(No|Don't Save)$/);
    expect(await perform(desktop, no, { kind: "click" })).not.toBe(false);
    await notepad.ended;
    expect(await refresh(desktop, field)).toBe(undefined);
    await expect(perform(desktop, field, { kind: "focus" }))
      .rejects.toMatchObject({ code: "conflict" });
  },
});

Deno.test({
  name: "checkboxes, radio buttons, lists and fields of another program do what they are asked",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using program = await openControls();
    const { roots: [root] } = await read(desktop);
    expect(root).toMatchObject({ pid: program.pid, name: "Controls é漢" });
    const check = await find(desktop, "checkbox", /^Agree$/);
    expect(await perform(desktop, check, { kind: "click" })).toBe(true);
    await program.holds({ checked: true });
    expect([...(await refresh(desktop, check))!.states]).toContain("checked");
    const two = await find(desktop, "radio", /^Two$/);
    expect(await perform(desktop, two, { kind: "click" })).toBe(true);
    await program.holds({ chosen: true });

    const item = await find(desktop, "option", /^Item 3$/);
    expect(await perform(desktop, item, { kind: "select", selected: true })).toBe(true);
    await program.holds({ item: 3 });
    expect([...(await refresh(desktop, item))!.states]).toContain("selected");
    const list = await find(desktop, "listbox");
    expect(list.childCount).toBe(30);
    expect(list.children.length).toBeLessThan(30); // the others do not show
    const all = await read(desktop, { scope: { element: list.id }, hidden: true });
    const last = all.roots[0]!.children.at(-1)!;
    expect([last.name, last.states.has("offscreen")]).toEqual(["Item 29", true]);
    expect(await perform(desktop, last, { kind: "scroll to" })).toBe(true);
    expect((await refresh(desktop, last))?.states.has("offscreen")).toBe(false);

    const colour = await find(desktop, "combobox");
    expect(await perform(desktop, colour, { kind: "set value", value: "青" })).toBe(true);
    await program.holds({ colour: 2 });
    expect((await refresh(desktop, colour))?.value).toBe("青");
    expect(await perform(desktop, colour, { kind: "expand", expanded: true })).toBe(true);
    expect((await refresh(desktop, colour))?.states.has("expanded")).toBe(true);
    const below = await find(desktop, "option", /^grün$/); // in a window of its own
    const { use } = desktop.display.accessibility;
    const { x, y, width, height } = below.bounds!;
    const at = { x: x + (width >> 1), y: y + (height >> 1) };
    expect(await use.elementAt(at, below.id, NEVER)).toBe(below.id);
    expect(await perform(desktop, colour, { kind: "expand", expanded: false })).toBe(true);
    expect(flat((await read(desktop)).roots).map(({ id }) => id)).not.toContain(below.id);
  },
});

Deno.test({
  name: "a password is set and never read, and a field is called by the text before it",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using program = await openControls();
    await program.holds({ password: "se&cret" });
    const field = await find(desktop, "textbox", /^Password$/);
    expect([field.value, field.states.has("protected")]).toEqual([undefined, true]);
    expect(JSON.stringify((await read(desktop)).roots)).not.toContain("cret");
    expect(await perform(desktop, field, { kind: "set value", value: "p4ß 漢" })).toBe(true);
    await program.holds({ password: "p4ß 漢" });
    expect((await refresh(desktop, field))?.value).toBe(undefined);
    expect(await perform(desktop, field, { kind: "focus" })).toBe(true);
    expect((await refresh(desktop, field))?.states.has("focused")).toBe(true);
    await expect(perform(desktop, field, { kind: "click" }))
      .rejects.toMatchObject({ code: "unsupported" });
  },
});

Deno.test({
  name: "a point shows the element that is there, also after the window has moved",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using _program = await openControls();
    const { use } = desktop.display.accessibility;
    const { roots: [root] } = await read(desktop);
    for (const to of [{ x: 30, y: 40 }, { x: 300, y: 260 }]) {
      await desktop.display.windows.use.change(root!.window!, { kind: "move", to }, NEVER);
      const top = await waitFor(async () => {
        const now = await refresh(desktop, root!);
        return now?.bounds?.x === to.x && now.bounds.y === to.y && now;
      }, { what: "the move" });
      const seen = flat((await read(desktop)).roots).filter(({ children }) =>
        children.length === 0
      );
      expect(seen.length).toBeGreaterThan(8);
      for (const { id, role, bounds } of seen) {
        const { x, y, width, height } = bounds!;
        const at = { x: x + (width >> 1), y: y + (height >> 1) };
        const found = await use.elementAt(at, id, NEVER);
        expect([role, found]).toEqual([role, id]);
        expect(await use.contains(top.id, id, NEVER)).toBe(true);
        expect(await use.contains(id, top.id, NEVER)).toBe(false);
      }
    }
  },
});

Deno.test({
  name: "a program that takes no messages is named as silent, and holds up no others",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using other = await openControls();
    await using hanging = await openControls({ hangs: true });
    const { roots, unresponsive: silent } = await read(desktop, { scope: "all windows" });
    expect(silent).toEqual([String(hanging.pid)]);
    expect(roots.map(({ pid }) => pid)).toContain(other.pid);
    const few = await read(desktop, { scope: "all windows", maxElements: 3 });
    expect(few.truncated).toEqual(["elements"]);
    const flatOnes = await read(desktop, { scope: "all windows", maxDepth: 0 });
    expect(flatOnes.truncated).toEqual(["depth"]);
    await expect(read(desktop, { scope: { window: "0x12345678" } }))
      .rejects.toMatchObject({ code: "not_found" });
  },
});

Deno.test({
  name: "the controls of wordpad are found, and its text is set",
  ignore: ignoreWordpad,
  fn: async () => {
    await using desktop = openDesktop();
    await using wordpad = await openProgram(desktop, WORDPAD);
    const field = await waitFor(async () => {
      const { roots } = await read(desktop);
      return flat(roots).find(({ role, states }) => role === "textbox" && states.has("multiline"));
    }, { what: "the text of wordpad" });
    expect(field.pid).toBe(wordpad.pid);
    const roles = new Set(flat((await read(desktop)).roots).map(({ role }) => role));
    expect([...roles]).toEqual(expect.arrayContaining(["toolbar", "combobox", "status"]));
    const value = "Grüße 漢字 😀";
    expect(await perform(desktop, field, { kind: "set value", value })).toBe(true);
    expect((await refresh(desktop, field))?.value).toBe(value);
  },
});

Deno.test({
  name: "a dialog is filled in: what is chosen enables its button, which does what it says",
  ignore: ignoreDialog,
  fn: async () => {
    await using desktop = openDesktop();
    await using dialog = await openProgram(desktop, "winecfg");
    const apply = await find(desktop, "button", /^Apply$/);
    expect(apply.states.has("disabled")).toBe(true);
    await expect(perform(desktop, apply, { kind: "click" }))
      .rejects.toMatchObject({ code: "unsupported" });
    const version = await find(desktop, "combobox", /^Windows Version:$/);
    expect(version.value).toBe("Windows 10");
    expect(await perform(desktop, version, { kind: "set value", value: "Windows 7" })).toBe(true);
    await waitFor(async () => !(await refresh(desktop, apply))!.states.has("disabled"), {
      what: "the button to be enabled",
    });
    const cancel = await find(desktop, "button", /^Cancel$/);
    expect(await perform(desktop, cancel, { kind: "click" })).not.toBe(false);
    await dialog.ended;
    expect(await refresh(desktop, cancel)).toBe(undefined);
  },
});
