/** States that are switched: never a second time on a program that may only be slow. */

import { expect } from "expect";
import type { FakeElement } from "../../support/fake_accessibility.ts";
import { fakeEditor, sentInput } from "../../support/fake_editor.ts";

const bounds = { x: 200, y: 300, width: 80, height: 20 };

Deno.test("what a program has accepted to switch is not clicked as well, which would switch it back", async () => {
  const editor = fakeEditor();
  const { ask, ref, accessibility } = editor;
  accessibility.get("top").children!.push({
    ...{ id: "node", role: "treeitem", name: "Root", abilities: ["expand"], pid: 7, bounds },
    ...{ states: ["collapsed"] },
  });
  for (
    const [id, name, action, words] of [
      ["wrap", "Wrap lines", "unselect", "not checked"],
      ["node", "Root", "expand", "expanded"],
    ] as const
  ) {
    accessibility.get(id).acts = () => true; // and shows it later than it is looked for
    expect(await ask("act", { ref: await ref(name), action })).toMatchObject({
      ...{ result: "unverified", by: "program" },
      reason: `It is not ${words}, although its program was requested to change it.`,
    });
  }
  expect(sentInput(editor)).toEqual([]);
});

Deno.test("what a program refuses to switch, or does not choose, is clicked", async () => {
  const editor = fakeEditor();
  const { ask, ref, accessibility } = editor;
  const radio: FakeElement = {
    ...{ id: "radio", role: "radio", name: "Large", abilities: ["click"], pid: 7, bounds },
    acts: () => true, // does nothing
  };
  accessibility.get("top").children!.push(radio);
  accessibility.get("wrap").acts = () => false;
  for (const [name, action] of [["Wrap lines", "unselect"], ["Large", "select"]] as const) {
    expect(await ask("act", { ref: await ref(name), action })).toMatchObject({ by: "input" });
  }
  expect(sentInput(editor).filter((line) => line.startsWith("press"))).toHaveLength(2);
});

Deno.test("a toggle button says when it is off, is found by that, and is switched both ways", async () => {
  const { ask, ref, accessibility } = fakeEditor();
  const bold: FakeElement = {
    ...{ id: "bold", role: "button", name: "Bold", abilities: ["click"], pid: 7, bounds },
    states: ["unpressed"],
    acts: () => {
      bold.states = bold.states![0] === "pressed" ? ["unpressed"] : ["pressed"];
      return true;
    },
  };
  accessibility.get("top").children!.push(bold);
  expect((await ask("snapshot")).text).toMatch(/- button "Bold" \[ref=e\d+\] \[unpressed\]/);
  expect(await ask("find", { role: "button", states: ["unpressed"] }))
    .toMatchObject({ total: 1, elements: [{ name: "Bold", states: ["unpressed"] }] });
  for (const [action, state] of [["select", "pressed"], ["unselect", "unpressed"]] as const) {
    expect(await ask("act", { ref: await ref("Bold"), action }))
      .toMatchObject({ result: "confirmed", by: "program", states: [state] });
  }
  expect(accessibility.asked.filter((each) => each.endsWith("bold"))).toHaveLength(2);
});

Deno.test("what a program takes back is not confirmed, by itself or by a click", async () => {
  const { ask, ref, accessibility } = fakeEditor();
  const wrap = accessibility.get("wrap");
  for (const [action, states] of [["unselect", ["checked"]], ["click", []]] as const) {
    wrap.states = [...states];
    wrap.acts = () => {
      wrap.states = states.length > 0 ? [] : ["checked"];
      const timer = setTimeout(() => wrap.states = [...states], 60);
      Deno.unrefTimer(timer);
      return true;
    };
    expect(await ask("act", { ref: await ref("Wrap lines"), action })).toMatchObject({
      ...{ result: "unverified", by: "program", states },
      reason: expect.stringMatching(/then its program reverted that/),
    });
  }
});

Deno.test("an option that was chosen before proves nothing of a program that was asked", async () => {
  const { ask, ref, accessibility } = fakeEditor();
  accessibility.get("top").children!.push({
    ...{ id: "tab", role: "tab", name: "Streams", abilities: ["click"], pid: 7, bounds },
    ...{ states: ["selected"] },
    acts: () => true, // does nothing
  });
  expect(await ask("act", { ref: await ref("Streams"), action: "click" }))
    .toMatchObject({ result: "unverified", by: "program" });
});
