/** What refs of elements name: the element as it is now, where it can be clicked, and its focus. */

import { expect } from "expect";
import { ElementTarget } from "../../../src/features/accessibility/element_target.ts";
import { KnownSecrets } from "../../../src/features/secrets/known_secrets.ts";
import { available } from "../../../src/platform/capability.ts";
import { testApp } from "../../support/client.ts";
import { FakeAccessibility, type FakeElement, setState } from "../../support/fake_accessibility.ts";
import { FakeWindows } from "../../support/fake_windows.ts";
import { DisplaySessions } from "../../../src/features/input/display_sessions.ts";

const { signal } = new AbortController();

function openEditor() {
  const { platform, config, session } = testApp();
  const accessibility = new FakeAccessibility();
  const windows = new FakeWindows();
  const screen = platform.screen();
  screen.accessibility = available(accessibility);
  screen.windows = available(windows);
  windows.show({
    ...{ id: "w1", title: "Editor", pid: 7 },
    bounds: { x: 100, y: 100, width: 400, height: 300 },
  });
  accessibility.roots = [{
    ...{ id: "top", role: "window", name: "Editor", window: "w1", pid: 7 },
    bounds: { x: 100, y: 100, width: 400, height: 300 },
    children: [
      button("save", "Save", 110),
      button("close", "Close", 150),
      {
        ...{ id: "name", role: "textbox", name: "Name", abilities: ["focus", "set value"], pid: 7 },
        bounds: { x: 110, y: 200, width: 200, height: 20 },
      },
    ],
  }];
  async function target(id: string) {
    const { roots } = await accessibility.read({
      ...{ scope: "all windows", hidden: true, maxElements: 100, maxDepth: 9, timeMs: 9, signal },
    });
    const top = roots[0]!;
    const element = [top, ...top.children].find((one) => one.id === id)!;
    return new ElementTarget({ platform, config, session }, { displayNum: 1, element, top });
  }
  return { platform, session, accessibility, windows, target };
}

function button(id: string, name: string, y: number): FakeElement {
  return {
    ...{ id, role: "button", name, abilities: ["click", "focus", "scroll to"], pid: 7 },
    bounds: { x: 110, y, width: 60, height: 20 },
  };
}

Deno.test("reveal() gives the middle of what shows of the element", async () => {
  const { accessibility, target } = openEditor();
  const save = await target("save");
  expect(await save.reveal(signal)).toEqual({
    area: { x: 110, y: 110, width: 60, height: 20 },
    middle: { x: 140, y: 120 },
    scrolled: false,
  });
  accessibility.get("save").bounds = { x: 90, y: 110, width: 60, height: 20 }; // half out of the window
  expect((await save.reveal(signal)).middle).toEqual({ x: 125, y: 120 });
});

Deno.test("reveal() gives a point of a number that is beside its buttons", async () => {
  const { accessibility, target } = openEditor();
  accessibility.get("save").role = "spinbutton";
  expect((await (await target("save")).reveal(signal)).middle).toEqual({ x: 125, y: 120 });
});

Deno.test("reveal() follows the element where it has moved", async () => {
  const { accessibility, windows, target } = openEditor();
  const save = await target("save");
  windows.show({
    ...{ id: "w1", title: "Editor", pid: 7 },
    bounds: { x: 300, y: 200, width: 400, height: 300 },
  });
  accessibility.get("top").bounds = { x: 300, y: 200, width: 400, height: 300 };
  accessibility.get("save").bounds = { x: 310, y: 210, width: 60, height: 20 };
  expect((await save.reveal(signal)).middle).toEqual({ x: 340, y: 220 });
});

Deno.test("an element that is gone, hidden or another one now is refused", async () => {
  const { accessibility, target } = openEditor();
  const [save, close] = [await target("save"), await target("close")];
  accessibility.get("save").name = "Delete everything";
  await expect(save.reveal(signal)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining('button "Save" has become another element'),
  });
  accessibility.get("close").hidden = true;
  await expect(close.reveal(signal)).rejects.toThrow("is gone or no longer visible");
  accessibility.remove("close");
  await expect(close.focus(signal)).rejects.toMatchObject({ code: "conflict" });
  expect(accessibility.asked).toEqual([]);
});

Deno.test("a window that is closed or minimized is said so", async () => {
  const { windows, target } = openEditor();
  const save = await target("save");
  windows.show({
    ...{ id: "w1", title: "Editor", states: ["minimized"] },
    bounds: { x: 100, y: 100, width: 400, height: 300 },
  });
  await expect(save.reveal(signal)).rejects.toThrow('its window "Editor" is minimized');
  windows.show();
  await expect(save.reveal(signal)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("has been closed"),
  });
});

Deno.test("the title of a window may change", async () => {
  const { accessibility, target } = openEditor();
  const top = await target("top");
  accessibility.get("top").name = "*Editor";
  expect((await top.refresh(signal)).name).toBe("*Editor");
});

Deno.test("reveal() scrolls to an element that is out of view", async () => {
  const { accessibility, target } = openEditor();
  const save = await target("save");
  const element = accessibility.get("save");
  element.bounds = { x: 110, y: 900, width: 60, height: 20 };
  element.acts = ({ kind }) => {
    if (kind === "scroll to") element.bounds = { x: 110, y: 300, width: 60, height: 20 };
    return true;
  };
  expect(await save.reveal(signal)).toMatchObject({ middle: { x: 140, y: 310 }, scrolled: true });
  element.bounds = { x: 110, y: 900, width: 60, height: 20 };
  element.acts = () => true; // says so, and does nothing
  await expect(save.reveal(signal)).rejects.toThrow("its program does not scroll to it");
  delete element.bounds;
  await expect(save.reveal(signal)).rejects.toThrow("no position on the display");
  Object.assign(element, button("save", "Save", 900), { role: "menuitem", states: ["offscreen"] });
  await expect((await target("save")).reveal(signal)).rejects.toThrow("menu that is not open");
});

Deno.test("reveal() takes a part that nothing covers, and refuses where all of it is covered", async () => {
  const { windows, target } = openEditor();
  const save = await target("save");
  const editor = { id: "w1", bounds: { x: 100, y: 100, width: 400, height: 300 }, pid: 7 };
  windows.show(
    { id: "w2", title: "Terminal", pid: 8, bounds: { x: 130, y: 0, width: 300, height: 300 } },
    editor,
  );
  expect(await save.reveal(signal)).toEqual({
    area: { x: 110, y: 110, width: 30, height: 10 },
    middle: { x: 125, y: 115 },
    scrolled: false,
  });
  windows.show(
    { id: "w2", title: "Terminal", pid: 8, bounds: { x: 0, y: 0, width: 300, height: 300 } },
    editor,
  );
  await expect(save.reveal(signal)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining('button "Save" is covered by the window "Terminal"'),
  });
  windows.show( // a dialog of the same program covers it, too
    { id: "w3", title: "Sure?", pid: 7, bounds: { x: 0, y: 0, width: 300, height: 300 } },
    editor,
  );
  await expect(save.reveal(signal)).rejects.toThrow('by the window "Sure?"');
});

Deno.test("release-all does not wait for a keychain, which a click needs to name what covers its element", async () => {
  const { platform, session, windows, target } = openEditor();
  const save = await target("save");
  windows.show(
    { id: "w2", title: "Terminal", pid: 8, bounds: { x: 0, y: 0, width: 300, height: 300 } },
    { id: "w1", bounds: { x: 100, y: 100, width: 400, height: 300 }, pid: 7 },
  );
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  platform.secrets.names = () => (resolve(), new Promise(() => {}));
  const { inputLock } = await session.use(DisplaySessions).open(1);
  const clicking = inputLock.run({ signal }, (lease) => save.reveal(lease.signal));
  await asked;
  await session.use(DisplaySessions).releaseAll();
  await expect(clicking).rejects.toThrow("all input was released");
  expect(session.use(KnownSecrets).settled).toBe(false);
});

Deno.test("reveal() asks the program what is at the point", async () => {
  const { accessibility, target } = openEditor();
  const save = await target("save");
  accessibility.get("save").children = [{ id: "label", role: "text", name: "Save" }];
  accessibility.hit = () => "label";
  await save.reveal(signal);
  accessibility.hit = () => "top"; // knows no more than the window
  await save.reveal(signal);
  accessibility.hit = () => undefined;
  await save.reveal(signal);
  const { bounds } = accessibility.get("save");
  accessibility.roots[0]!.children!.push({
    ...{ id: "again", role: "button", name: "Save", pid: 7, bounds: bounds! },
  });
  accessibility.hit = () => "again"; // as Qt names the row of a tree anew
  await save.reveal(signal);
  accessibility.hit = () => "close";
  await expect(save.reveal(signal)).rejects.toThrow('covered by the button "Close"');
});

Deno.test("reveal() refuses what an open menu or a hint covers, although its program names it", async () => {
  const { accessibility, windows, target } = openEditor();
  const save = await target("save");
  for (const pid of [8, null, 7]) {
    windows.unlisted = [{ id: "popup", pid, bounds: { x: 0, y: 0, width: 800, height: 600 } }];
    await expect(save.reveal(signal)).rejects.toThrow(/covered by an(other window| open menu)/);
  }
  accessibility.get("save").role = "option"; // a popup must show its own elements
  const option = await target("save");
  await option.reveal(signal);
  accessibility.hit = () => undefined;
  await expect(option.reveal(signal)).rejects.toThrow("covered by another window");
  // an item of that menu, of which the program knows only what is below it
  accessibility.hit = () => "close";
  accessibility.get("save").role = "menuitem";
  await (await target("save")).reveal(signal);
});

Deno.test("focus() activates the window, asks the program and reads the focus back", async () => {
  const { accessibility, windows, target } = openEditor();
  const name = await target("name");
  windows.show(
    { id: "w2", bounds: { x: 0, y: 0, width: 90, height: 90 } },
    { id: "w1", bounds: { x: 100, y: 100, width: 400, height: 300 }, pid: 7 },
  );
  await name.focus(signal);
  expect((await windows.active())?.id).toBe("w1");
  expect(accessibility.get("name").states).toEqual(["focused"]);
  await name.focus(signal);
  expect(accessibility.asked).toEqual(["focus name"]);
});

Deno.test("focus() clicks into a field that takes the focus in no other way, never on a button", async () => {
  const { accessibility, target } = openEditor();
  const [name, save] = [await target("name"), await target("save")];
  const clicks: unknown[] = [];
  for (const id of ["name", "save"]) accessibility.get(id).acts = () => true; // does nothing
  const click = (at: unknown) => {
    clicks.push(at);
    setState(accessibility.get("name"), "focused", true);
    return Promise.resolve();
  };
  await expect(name.focus(signal)).rejects.toThrow("does not take the keyboard focus");
  await name.focus(signal, click);
  expect(clicks).toEqual([{ x: 210, y: 210 }]);
  await expect(save.focus(signal, click)).rejects.toMatchObject({ code: "conflict" });
  expect(clicks).toHaveLength(1);
});

Deno.test("focus() counts when a part of the element has it", async () => {
  const { accessibility, target } = openEditor();
  const name = await target("name");
  const element = accessibility.get("name");
  element.children = [{ id: "entry", role: "textbox" }];
  element.acts = () => {
    accessibility.focus("entry");
    return true;
  };
  await name.focus(signal);
  expect(accessibility.get("entry").states).toEqual(["focused"]);
});

Deno.test("focus() refuses where the window does not become the active one", async () => {
  const { accessibility, windows, target } = openEditor();
  const name = await target("name");
  windows.show(
    { id: "w2", bounds: { x: 0, y: 0, width: 90, height: 90 } },
    { id: "w1", bounds: { x: 100, y: 100, width: 400, height: 300 }, pid: 7 },
  );
  windows.obeys = false;
  await expect(name.focus(signal)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("did not become active"),
  });
  expect(accessibility.asked).toEqual([]);
});
