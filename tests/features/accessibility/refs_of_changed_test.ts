/** Refs of elements that have changed since they were given out. */

import { expect } from "expect";
import type { ElementTarget } from "../../../src/features/accessibility/element_target.ts";
import { fakeEditor } from "../../support/fake_editor.ts";
import { Refs } from "../../../src/features/input/targets/refs.ts";

Deno.test("a ref does not become one of what its element has turned into", async () => {
  const { app, ref, accessibility } = fakeEditor();
  const element = accessibility.get("save");
  const save = await ref("Save");
  element.name = "Delete";
  expect(await ref("Delete")).not.toBe(save);
  const click = { ref: save, action: "click" };
  const { status, json } = await app.post("/api/accessibility/act", click);
  expect([status, json.detail]).toEqual([409, expect.stringContaining('button "Save" has become')]);
  Object.assign(element, { name: "Save", role: "link" });
  expect(await ref("Save")).not.toBe(save);
  expect((await app.post("/api/accessibility/act", click)).status).toBe(409);
  expect(accessibility.asked).toEqual([]);
  element.role = "button";
  expect(await ref("Save")).toBe(save);
  // titles of windows and names of lists follow what they show
  const window = await ref("Editor");
  accessibility.get("top").name = "*Editor";
  expect(await ref("*Editor")).toBe(window);
  Object.assign(element, { role: "combobox", name: "Small" });
  const size = await ref("Small");
  element.name = "Large";
  expect(await ref("Large")).toBe(size);
});

Deno.test("refs recognise elements by names that they do not keep", async () => {
  const { app, ref, accessibility } = fakeEditor();
  const element = accessibility.get("save");
  element.name = "Save".padEnd(900, "x");
  const save = await ref(element.name);
  const { key, name } = app.session.use(Refs).get(save) as ElementTarget;
  for (const kept of [key, name]) expect(kept.length).toBeLessThan(300);
  expect(await ref(element.name)).toBe(save);
  element.name += "y";
  expect(await ref(element.name)).not.toBe(save);
  const act = { ref: save, action: "click" };
  expect((await app.post("/api/accessibility/act", act)).status).toBe(409);
});
