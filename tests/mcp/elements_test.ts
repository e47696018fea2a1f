/** The tools for elements, on a fake program. */

import { expect } from "expect";
import { fakeEditor } from "../support/fake_editor.ts";
import { callTool } from "../support/mcp.ts";

Deno.test("elements are read, found and acted on by tools that answer in lines", async () => {
  const { app, accessibility } = fakeEditor();
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content: [first], isError } = await callTool(app.fetch, name, args);
    return [isError ?? false, first.text];
  };
  const [, lines] = await call("read_elements");
  expect(lines).toContain('- button "Save" [ref=e3]\n');
  expect(await call("find_elements", { role: "textbox", name: "name" })).toEqual([
    ...[false, '- textbox "Name" [ref=e5]: "report.txt" in window "Editor"'],
  ]);
  expect(await call("find_elements", { name: "nothing" })).toEqual([false, "Nothing matches."]);
  expect(await call("act_on_element", { ref: "e5", action: "set_value", value: "a" })).toEqual([
    ...[false, "confirmed: It has the value."],
  ]);
  accessibility.remove("save");
  const [failed, said] = await call("act_on_element", { ref: "e3", action: "click" });
  expect([failed, said]).toEqual([true, expect.stringContaining("take a new snapshot")]);
});
