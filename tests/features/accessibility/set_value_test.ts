/** Values that are set in elements of a fake program: by the program, or by keys where it does not. */

import { expect } from "expect";
import { fakeEditor, sentInput } from "../../support/fake_editor.ts";

Deno.test("a value is set by the program and read back", async () => {
  const editor = fakeEditor();
  const { ask, ref } = editor;
  expect(await ask("act", { ref: await ref("Name"), action: "set_value", value: "a 漢" })).toEqual({
    ...{ result: "confirmed", by: "program", reason: "It holds the value.", value: "a 漢" },
    states: ["editable", "focusable"],
  });
  expect(sentInput(editor)).toEqual([]);
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
    ...{ result: "unverified", by: "input", reason: "It holds another value than was typed." },
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
