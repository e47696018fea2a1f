/** What a person edits in the console keeps its bytes beside those that were edited. */

import { expect } from "expect";
import { editedText } from "../../src/console/page/files_panel.tsx";

const CASES:
  readonly (readonly [what: string, content: string, text: string, lineBreak: string])[] = [
    ["lines", "a\nb\n", "a\nb\n", "\n"],
    ["lines of Windows", "a\r\nb\r\n\r\n", "a\nb\n\n", "\r\n"],
    ["one line", "a", "a", "\n"],
    ["nothing", "", "", "\n"],
    ["a mark of the byte order", "\ufeffa\n", "\ufeffa\n", "\n"],
  ];

for (const [what, content, text, lineBreak] of CASES) {
  Deno.test(`a file with ${what} can be edited`, () => {
    const edited = editedText(new TextEncoder().encode(content));
    expect(edited).toEqual({ text, lineBreak });
    expect(edited!.text.replaceAll("\n", lineBreak)).toBe(content);
  });
}

for (const content of ["a\r\nb\n", "a\nb\r\n", "a\rb", "a\r\r\nb"]) {
  Deno.test(`${JSON.stringify(content)} is not edited: a field has one kind of line break`, () => {
    expect(editedText(new TextEncoder().encode(content))).toBeUndefined();
  });
}

Deno.test("bytes that are no UTF-8 are not edited", () => {
  expect(editedText(Uint8Array.of(0x61, 0xff))).toBeUndefined();
});
