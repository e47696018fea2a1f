/** The labels that people see beside fields, which no program has linked to them. */

import { expect } from "expect";
import { fakeEditor } from "../../support/fake_editor.ts";
import type { FakeElement } from "../../support/fake_accessibility.ts";

const at = (x: number, y: number, width = 100, height = 20) => ({ x, y, width, height });

function textbox(id: string, bounds: ReturnType<typeof at>, name = ""): FakeElement {
  return { id, role: "textbox", name, states: ["editable", "focusable"], bounds };
}

function text(name: string, bounds: ReturnType<typeof at>): FakeElement {
  return { id: name, role: "text", name, bounds };
}

const PARTS: readonly FakeElement[] = [
  text("Above all", at(300, 100)),
  text("Name", at(110, 200, 50)),
  textbox("name", at(200, 198)),
  text("Street", at(110, 230, 50)),
  textbox("street", at(200, 228)),
  text("Notes", at(110, 260, 60, 18)),
  textbox("notes", at(110, 280, 300, 100)),
  textbox("named", at(200, 400), "Its own"),
  text("Not its own", at(110, 400, 50)),
  textbox("alone", at(600, 500)),
];

function openForm(parts = PARTS) {
  const editor = fakeEditor();
  editor.accessibility.get("top").children = [...parts];
  return editor;
}

Deno.test("a field without a name is found and shown by the text to its left, or above it", async () => {
  const { ask } = openForm();
  const { text } = await ask("snapshot");
  const lines = text.split("\n").filter((line: string) => line.includes("textbox"));
  expect(lines.map((line: string) => line.trim().replace(/ \[ref=e\d+\]/, ""))).toEqual([
    '- textbox [label="Name"]',
    '- textbox [label="Street"]',
    '- textbox [label="Notes"]',
    '- textbox "Its own"',
    "- textbox",
  ]);
  const { elements } = await ask("find", { name: "street", role: "textbox" });
  expect(elements).toMatchObject([{ role: "textbox", name: "", label: "Street" }]);
  const { elements: exact } = await ask("find", { text: "Name", exact: true, role: "textbox" });
  expect(exact).toMatchObject([{ label: "Name" }]);
  const { xml } = await ask("snapshot", { format: "xml" });
  expect(xml).toContain('label="Notes"');
});

Deno.test("a field of several lines says so, and nothing else does", async () => {
  const { ask } = openForm([
    textbox("line", at(200, 200), "Line"),
    { ...textbox("lines", at(200, 230), "Lines"), states: ["editable", "focusable", "multiline"] },
    { ...text("Label", at(200, 260)), states: ["multiline"] },
  ]);
  const { text: lines } = await ask("snapshot");
  expect(lines.replaceAll(/ \[ref=e\d+\]/g, "").split("\n").slice(1)).toEqual([
    ...['  - textbox "Line"', '  - textbox "Lines" [multiline]', '  - text: "Label"', ""],
  ]);
  const { elements } = await ask("find", { role: "textbox", states: ["multiline"] });
  expect(elements).toMatchObject([{ name: "Lines", states: ["multiline"] }]);
  const { elements: [top] } = await ask("snapshot", { format: "json" });
  expect(top.children.map(({ name, states }: { name: string; states: string[] }) => [name, states]))
    .toEqual([["Line", []], ["Lines", ["multiline"]], ["Label", []]]);
  const { elements: all } = await ask("find", { states: ["multiline"] });
  expect(all.map(({ name }: { name: string }) => name)).toEqual(["Lines"]);
  const statesOf = async (name: string) => {
    const { elements: [{ ref }] } = await ask("find", { name, exact: true });
    return (await ask("value", { ref })).states;
  };
  expect(await statesOf("Lines")).toContain("multiline");
  expect(await statesOf("Label")).toEqual([]);
});

Deno.test("a label is that of the nearest field alone", async () => {
  const { ask } = openForm([
    text("From", at(110, 200, 40)),
    textbox("from", at(160, 200)),
    textbox("to", at(270, 200)),
  ]);
  const { elements } = await ask("find", { role: "textbox" });
  expect(elements.map(({ label }: { label?: string }) => label)).toEqual(["From", undefined]);
});

Deno.test("the label of a field that has a name, a text in a button and a long text are no labels of others", async () => {
  const { ask } = openForm([
    text("Width", at(110, 200, 40)),
    textbox("width", at(160, 200), "Width"),
    textbox("unit", at(270, 200, 40)),
    { ...text("Browse", at(110, 240)), role: "button", children: [text("Open", at(110, 240))] },
    textbox("file", at(220, 240)),
    text("This explains what is below. ".repeat(10), at(110, 280, 300)),
    textbox("explained", at(110, 304, 300)),
    text("line 7", at(60, 500, 40)),
    textbox("tall", at(110, 330, 300, 400)),
  ]);
  const { elements } = await ask("find", { role: "textbox" });
  expect(elements.map(({ label }: { label?: string }) => label)).toEqual(Array(5).fill(undefined));
});

Deno.test("a field in the page of a tab has its label, which is not that of the tab", async () => {
  const { ask } = openForm([{
    ...{ id: "tab", role: "tab", name: "General", bounds: at(110, 200, 300, 200) },
    children: [
      text("General", at(110, 200, 50)),
      {
        ...{ id: "page", role: "group", bounds: at(110, 220, 300, 180) },
        children: [
          textbox("first", at(200, 200)),
          text("Street", at(110, 230, 50)),
          textbox("street", at(200, 228)),
        ],
      },
    ],
  }]);
  const { elements } = await ask("find", { role: "textbox" });
  expect(elements.map(({ label }: { label?: string }) => label)).toEqual([undefined, "Street"]);
});

Deno.test("a text that is closer to the field above it is no label of the one below", async () => {
  const { ask } = openForm([
    textbox("genre", at(110, 200)),
    text("Genre", at(110, 222)),
    textbox("director", at(110, 250)),
    text("Director", at(110, 272)),
  ]);
  const { elements } = await ask("find", { role: "textbox" });
  expect(elements.map(({ label }: { label?: string }) => label)).toEqual([undefined, undefined]);
});

Deno.test("a window with thousands of fields and texts takes no time for labels", async () => {
  const rows = Array.from({ length: 1_000 }, (_, row) => [
    text(`Row ${row}`, at(110, 30 * row, 50)),
    textbox(`field ${row}`, at(200, 30 * row)),
  ]);
  const { ask } = openForm(rows.flat());
  const { elements } = await ask("find", { role: "textbox" });
  expect(elements[0].label).toBeUndefined();
});
