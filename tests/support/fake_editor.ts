/** A service whose display shows an editor and a dialog: elements as state, and their windows. */

import { available } from "../../src/platform/capability.ts";
import { testApp, type TestAppOptions } from "./client.ts";
import { FakeAccessibility, type FakeElement } from "./fake_accessibility.ts";
import { FakeWindows } from "./fake_windows.ts";

const BOUNDS = { x: 100, y: 100, width: 400, height: 300 };

/** The app, with what its display shows. */
export function fakeEditor(options: TestAppOptions = {}) {
  const app = testApp(options);
  const accessibility = new FakeAccessibility();
  const windows = new FakeWindows();
  const screen = app.platform.screen();
  screen.accessibility = available(accessibility);
  screen.windows = available(windows);
  windows.show({ id: "w1", title: "Editor", pid: 7, bounds: BOUNDS });
  accessibility.roots = [editorWindow()];
  return {
    app,
    accessibility,
    windows,
    screen,
    /** Asks an accessibility operation; the body of its answer. */
    async ask(operation: string, body: object = {}) {
      const { status, json } = await app.post(`/api/accessibility/${operation}`, body);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(json?.detail)}`);
      return json;
    },
    /** The ref of an element that is found by its name. */
    async ref(name: string): Promise<string> {
      const { json } = await app.post("/api/accessibility/find", {
        ...{ name, exact: true, include_hidden: true },
      });
      return json.elements[0].ref;
    },
  };
}

/** Presses and texts that reached the fake keyboard and mouse. */
export function sentInput({ app }: ReturnType<typeof fakeEditor>): readonly string[] {
  return app.platform.screen().fake.sent;
}

function editorWindow(): FakeElement {
  const part = (element: FakeElement): FakeElement => ({ pid: 7, ...element });
  const menu = (id: string, name: string, children: FakeElement[] = []): FakeElement =>
    part({
      id,
      role: children.length > 0 ? "menu" : "menuitem",
      name,
      abilities: ["click"],
      children,
    });
  return {
    ...{ id: "top", role: "window", name: "Editor", window: "w1", states: ["active"] },
    bounds: BOUNDS,
    pid: 7,
    children: [
      part({
        ...{ id: "bar", role: "generic", bounds: { x: 100, y: 100, width: 400, height: 20 } },
        children: [{
          ...menu("file", "File", [
            { ...menu("new", "New"), hidden: true },
            { ...menu("saveas", "Save As…"), hidden: true },
          ]),
          bounds: { x: 100, y: 100, width: 40, height: 20 },
        }],
      }),
      part({
        ...{ id: "save", role: "button", name: "Save", abilities: ["click", "focus", "scroll to"] },
        bounds: { x: 110, y: 140, width: 60, height: 20 },
        children: [{ id: "savelabel", role: "text", name: "Save" }],
      }),
      part({
        ...{ id: "wrap", role: "checkbox", name: "Wrap lines", states: ["checked", "focusable"] },
        ...{ abilities: ["click"], bounds: { x: 200, y: 142, width: 80, height: 20 } },
      }),
      part({
        ...{ id: "hint", role: "text", name: 'Type a <name> & "press" Enter' },
        bounds: { x: 110, y: 170, width: 200, height: 20 },
      }),
      part({
        ...{ id: "name", role: "textbox", name: "Name", value: "report.txt" },
        ...{ states: ["editable", "focusable"], abilities: ["focus", "set value"] },
        bounds: { x: 110, y: 200, width: 200, height: 20 },
      }),
      part({
        ...{ id: "secret", role: "textbox", name: "Password", states: ["editable", "protected"] },
        ...{
          abilities: ["focus", "set value"],
          bounds: { x: 110, y: 230, width: 200, height: 20 },
        },
      }),
      part({
        ...{ id: "far", role: "button", name: "Far away", abilities: ["click"] },
        ...{ bounds: { x: 110, y: 2_000, width: 60, height: 20 }, states: ["offscreen"] },
      }),
    ],
  };
}
