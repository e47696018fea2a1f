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
    expect(text.replaceAll("\n", lineBreak)).toBe(content);
  });
}

const NOT_EDITED: readonly (readonly [content: string, why: RegExp])[] = [
  ["a\r\nb\n", /line breaks of two kinds/],
  ["a\nb\r\n", /line breaks of two kinds/],
  ["a\rb", /line breaks of an old kind/],
  ["a\r\r\nb", /line breaks of an old kind/],
  ["a\xff", /no text in UTF-8/],
];

for (const [content, why] of NOT_EDITED) {
  Deno.test(`${JSON.stringify(content)} is not edited, as a field would change it: ${why.source}`, () => {
    expect(editedText(Uint8Array.from(content, (each) => each.charCodeAt(0)))).toMatch(why);
  });
}
