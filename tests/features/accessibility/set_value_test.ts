/** Values that are set in elements of a fake program: by the program, or by keys where it does not. */

import { expect } from "expect";
import type { FakeElement } from "../../support/fake_accessibility.ts";
import { fakeEditor, sentInput } from "../../support/fake_editor.ts";

Deno.test("a value is set by the program and read back", async () => {
  const editor = fakeEditor();
  const { ask, ref } = editor;
  expect(await ask("act", { ref: await ref("Name"), action: "set_value", value: "a 漢" })).toEqual({
    ...{ result: "confirmed", by: "program", reason: "It has the value.", value: "a 漢" },
    states: ["editable", "focusable"],
  });
  expect(sentInput(editor)).toEqual([]);
});

Deno.test("a value with a NUL character is refused before anything is asked", async () => {
  const { app, ref, accessibility } = fakeEditor();
  const body = { ref: await ref("Name"), action: "set_value", value: "a\0b" };
  const { status, json } = await app.post("/api/accessibility/act", body);
  expect({ status, detail: json.detail }).toEqual({
    status: 422,
    detail: [expect.objectContaining({ loc: ["body", "value"] })],
  });
  expect(accessibility.asked).toEqual([]);
});

Deno.test("a value that a program says it has, and has not, is typed with real keys", async () => {
  const editor = fakeEditor();
  const { ask, ref, accessibility } = editor;
  const name = accessibility.get("name");
  name.acts = ({ kind }) => {
    if (kind === "focus") accessibility.focus("name");
    return true;
  };
  const wanted = { ref: await ref("Name"), action: "set_value", value: "abc" };
  const lying = await ask("act", { ...wanted, method: "program" });
  expect([lying.result, lying.value]).toEqual(["unverified", "report.txt"]);
  const { keyboard } = editor.app.platform.screen().fake;
  Object.defineProperty(name, "value", { get: () => keyboard.typed || "report.txt" });
  expect(await ask("act", wanted)).toMatchObject({
    result: "confirmed",
    by: "input",
    value: "abc",
  });
  expect(await ask("act", { ...wanted, value: "xyz" })).toMatchObject({
    ...{ result: "unverified", by: "input", reason: "Its value differs from what was typed." },
  });
});

Deno.test("keys are pressed only where the field has the focus, and Enter in no field of one line", async () => {
  const editor = fakeEditor();
  const { ask, ref, accessibility } = editor;
  accessibility.get("name").acts = () => true; // neither takes the value nor the focus
  const wanted = { ref: await ref("Name"), action: "set_value" };
  const unfocused = await ask("act", { ...wanted, value: "abc" });
  expect(unfocused).toMatchObject({ result: "unverified", by: "input" });
  expect(unfocused.reason).toContain("does not take the keyboard focus");
  const lines = await ask("act", { ...wanted, value: "a\nb" });
  expect([lines.result, lines.reason]).toEqual(["unverified", expect.stringContaining("one line")]);
  expect(sentInput(editor).filter((line) => line.startsWith("type"))).toEqual([]);
});

Deno.test("a password is typed, never read back, and so unverified", async () => {
  const editor = fakeEditor();
  const { ask, ref } = editor;
  const secret = { ref: await ref("Password"), action: "set_value", value: "hunter2" };
  const answer = await ask("act", secret);
  expect(answer).toMatchObject({ result: "unverified", by: "input" });
  expect(JSON.stringify([answer, editor.app.logged])).not.toContain("hunter2");
  expect(editor.app.platform.screen().fake.keyboard.typed).toBe("hunter2");
});

Deno.test("an option of a closed list is chosen by its name, by keys where its program does not", async () => {
  const { app, ask, ref, accessibility } = fakeEditor();
  const option = (id: string, name: string) => ({ id, role: "option", name, hidden: true });
  accessibility.get("top").children!.push({
    ...{ id: "size", role: "combobox", name: "Size", abilities: ["focus"] },
    children: [option("s", "Small"), option("l", "Large")],
  });
  const [small, large] = [accessibility.get("s"), accessibility.get("l")];
  large.abilities = ["select"];
  const wanted = { ref: await ref("Size"), action: "set_value" };
  expect(await ask("act", { ...wanted, value: "large" })).toMatchObject({
    ...{ result: "confirmed", by: "program" },
  });
  expect(large.states).toEqual(["selected"]);
  const { keyboard } = app.platform.screen().fake;
  Object.defineProperty(small, "states", {
    get: () => keyboard.typed === "Small" ? ["selected"] : [],
    set() {}, // the focus comes and goes
  });
  expect(await ask("act", { ...wanted, value: "Small" })).toMatchObject({
    ...{ result: "confirmed", by: "input" },
  });
  const { status, json } = await app.post("/api/accessibility/act", { ...wanted, value: "Huge" });
  expect([status, json.detail[0].msg]).toEqual([
    422,
    expect.stringContaining('no such option: it has "Small", "Large"'),
  ]);
});

Deno.test("the label of a list is not what is chosen in it", async () => {
  const { ask, ref, accessibility } = fakeEditor();
  const option = (id: string, name: string, role = "option") => ({
    ...{ id, role, name, hidden: true, abilities: ["select"] as const },
  });
  const list = (id: string, name: string, options: object[], fields: object = {}) =>
    ({ id, role: "combobox", name, children: options, ...fields }) as FakeElement;
  accessibility.get("top").children!.push(
    list("marked", "Country", [
      option("none", "Country"),
      { ...option("fr", "France"), states: ["selected"] },
    ]),
    list("valued", "Colour", [option("c", "Colour"), option("r", "Red")], { value: "Red" }),
    list("named", "Small", [
      option("s", "Small", "menuitem"),
      { ...option("l", "Large", "menuitem"), states: ["selected"] }, // the mouse is over it
    ]),
  );
  accessibility.get("c").acts = () => {
    accessibility.get("valued").value = "Colour";
    return true;
  };
  const choose = async (name: string) =>
    (await ask("act", { ref: await ref(name), action: "set_value", value: name })).reason;
  expect(await choose("Country")).toBe("The option is chosen.");
  expect(await choose("Colour")).toBe("The option is chosen.");
  expect(await choose("Small")).toBe("It was chosen already.");
  expect(accessibility.asked).toEqual(["select none", "select c"]);
  // one that marks nothing, and is named after what is chosen
  const named = accessibility.get("named");
  accessibility.get("l").states = [];
  accessibility.get("l").acts = () => {
    named.name = "Large";
    return true;
  };
  expect(await ask("act", { ref: await ref("Small"), action: "set_value", value: "large" }))
    .toMatchObject({ result: "confirmed", by: "program" });
});
