/** apply-patch: all sections of a diff or none, at the right place or nowhere. */

import { expect } from "expect";
import fc from "fast-check";
import { pick } from "../../support/extent.ts";
import { namesIn, openFilesApp } from "../filesystem/files_app.ts";

interface Case {
  readonly before: string | Uint8Array;
  readonly diff: string;
  readonly after: string | Uint8Array;
}

const LATIN = Uint8Array.of(0xe4, 0x0a, 0x61, 0x0a, 0xff, 0xfe, 0x0d, 0x0a);
const LATIN_AFTER = Uint8Array.of(0xe4, 0x0a, 0x62, 0x0a, 0xff, 0xfe, 0x0d, 0x0a);

const APPLIED: Readonly<Record<string, Case>> = {
  "a line between others": {
    before: "one\ntwo\nthree\n",
    diff: "@@\n one\n-two\n+2\n three\n",
    after: "one\n2\nthree\n",
  },
  "a first section without a heading": { before: "a\nb\n", diff: " a\n-b\n+c", after: "a\nc\n" },
  "several sections in the order of the file": {
    before: "a\nb\nc\nd\ne\nf\n",
    diff: "@@\n-a\n+A\n@@\n c\n-d\n@@\n f\n+g\n",
    after: "A\nb\nc\ne\nf\ng\n",
  },
  "the occurrence after an anchor": {
    before: "class A\n  run\n  x\nclass B\n  run\n  x\n",
    diff: "@@ class B\n   run\n-  x\n+  y\n",
    after: "class A\n  run\n  x\nclass B\n  run\n  y\n",
  },
  "anchors one after the other": {
    before: "class A\n def f\n  x\nclass B\n def f\n  x\n  x\n",
    diff: "@@ class B\n@@  def f\n-  x\n+  y\n",
    after: "class A\n def f\n  x\nclass B\n def f\n  y\n  x\n",
  },
  "a unique place in spite of an anchor that is not there": {
    before: "a\nb\n",
    diff: "@@ def gone():\n-b\n+c\n",
    after: "a\nc\n",
  },
  "lines after an anchor": { before: "a\nb\n", diff: "@@ a\n+x\n", after: "a\nx\nb\n" },
  "lines at the end of the file": {
    before: "a\na\n",
    diff: "@@\n a\n+x\n*** End of File\n",
    after: "a\na\nx\n",
  },
  "added lines alone at the end": {
    before: "a\nb\n",
    diff: "@@\n+x\n*** End of File",
    after: "a\nb\nx\n",
  },
  "added lines in an empty file": { before: "", diff: "@@\n+x\n+y\n", after: "x\ny\n" },
  "the place that a unified diff names": {
    before: "a\nb\na\nb\na\nb\n",
    diff: "--- a/x\n+++ b/x\n@@ -3,2 +3,2 @@\n a\n-b\n+c\n",
    after: "a\nb\na\nc\na\nb\n",
  },
  "a diff in its envelope": {
    before: "a\n",
    diff: "*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n*** End Patch\n",
    after: "b\n",
  },
  "a line of which the editor took the space": {
    before: "a\n\nb\n",
    diff: "@@\n a\n\n-b\n+c\n",
    after: "a\n\nc\n",
  },
  "lines with other blanks at their ends, which stay": {
    before: "a  \n\tb\nc\n",
    diff: "@@\n a\n b\n-c\n+d\n",
    after: "a  \n\tb\nd\n",
  },
  "a file with CRLF": {
    before: "a\r\nb\r\nc\r\n",
    diff: "@@\n a\n-b\n+x\n+y\n c\n",
    after: "a\r\nx\r\ny\r\nc\r\n",
  },
  "a diff with CRLF on a file without": {
    before: "a\nb\n",
    diff: "@@\r\n a\r\n-b\r\n+c\r\n",
    after: "a\nc\n",
  },
  "each line break of a mixed file": {
    before: "a\r\nb\nc\r\nd\n",
    diff: "@@\n a\n-b\n-c\n+B\n+C\n d\n",
    after: "a\r\nB\nC\r\nd\n",
  },
  "a byte order mark": {
    before: "\ufeffa\nb\n",
    diff: "@@\n-a\n+x\n b\n",
    after: "\ufeffx\nb\n",
  },
  "the last line without a line break": {
    before: "a\nb",
    diff: "@@\n a\n-b\n+c\n\\ No newline at end of file\n",
    after: "a\nc",
  },
  "lines after a last line without a line break": {
    before: "a\nb",
    diff: "@@\n b\n+c\n",
    after: "a\nb\nc",
  },
  "two places of a file without a last line break": {
    before: "a\r\nm\r\nb",
    diff: "@@\n-a\n+A\n@@\n b\n+c\n+d\n",
    after: "A\r\nm\r\nb\r\nc\r\nd",
  },
  "a last line that goes": { before: "a\nb", diff: "@@\n a\n-b\n", after: "a" },
  "a last line that goes, and one before it changes": {
    before: "a\nb",
    diff: "@@\n-a\n-b\n+A\n",
    after: "A",
  },
  "everything": { before: "a\nb\n", diff: "@@\n-a\n-b\n", after: "" },
  "a line between bytes that are no UTF-8": {
    before: LATIN,
    diff: "@@\n-a\n+b\n",
    after: LATIN_AFTER,
  },
};

for (const [what, { before, diff, after }] of Object.entries(APPLIED)) {
  Deno.test(`apply-patch changes ${what}, and undo-edit takes it back`, async () => {
    await using app = await openFilesApp();
    await app.put("x", before);
    await app.call("editor/apply-patch", { path: "x", diff });
    const bytes = (
      content: string | Uint8Array,
    ) => [...typeof content === "string" ? new TextEncoder().encode(content) : content];
    expect([...await Deno.readFile(app.at("x"))]).toEqual(bytes(after));
    await app.call("editor/undo-edit", { path: "x" });
    expect([...await Deno.readFile(app.at("x"))]).toEqual(bytes(before));
  });
}

const REFUSED: Readonly<Record<string, readonly [string, string, RegExp]>> = {
  "lines that are not there": ["a\nb\n", "@@\n a\n-c\n+d\n", /its 2 lines are not in ".*x"/],
  "lines that are there twice": ["a\nb\na\nb\n", "@@\n a\n-b\n+c\n", /2 times in/],
  "lines after an anchor that is there twice": [
    "f\na\nf\na\n",
    "@@ f\n-a\n+b\n",
    /2 times in ".*x": add more lines/,
  ],
  "added lines without a place": ["a\n", "@@\n+x\n", /without a position/],
  "a second section that comes before the first": [
    "a\nb\n",
    "@@\n-b\n+B\n@@\n-a\n+A\n",
    /line 4 of the diff does not apply: its line is not in ".*" after line 2/,
  ],
  "one good section and a wrong one": ["a\nb\n", "@@\n-a\n+A\n@@\n-x\n+X\n", /does not apply/],
  "one of several anchors that is not there": ["a\nb\n", "@@ a\n@@ x\n-b\n+c\n", /anchor/],
  "a line that is none of a diff": ["a\n", "@@\n-a\n?b\n", /Line 3 of the diff/],
  "a second file": ["a\n", "@@\n-a\n+b\n*** Update File: y\n@@\n-c\n+d\n", /one file/],
  "a section without lines": ["a\n", "@@ a\n", /no lines/],
  "nothing": ["a\n", "*** Begin Patch\n*** End Patch\n", /changes nothing/],
};

for (const [what, [before, diff, message]] of Object.entries(REFUSED)) {
  Deno.test(`apply-patch refuses ${what}, and leaves the file as it is`, async () => {
    await using app = await openFilesApp();
    await app.put("x", before);
    const [error] = await app.refused(422, "editor/apply-patch", { path: "x", diff });
    expect(error.loc).toEqual(["body", "diff"]);
    expect(error.msg).toMatch(message);
    expect(await Deno.readTextFile(app.at("x"))).toBe(before);
    await app.refused(404, "editor/undo-edit", { path: "x" });
  });
}

Deno.test("a diff of any change with its whole surroundings gives the changed file", async () => {
  await using app = await openFilesApp({ folder: "/dev/shm" });
  const line = fc.constantFrom("a", "b", "", " a", "+", "-", "@@", "*** x", "\ta ", "é", "日本");
  const change = fc.record({
    before: fc.array(line, { maxLength: 12 }),
    cut: fc.array(fc.record({ at: fc.nat(11), removed: fc.nat(3), added: fc.array(line) }), {
      maxLength: 3,
    }),
    lineBreak: fc.constantFrom("\n", "\r\n"),
    isOpen: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ before, cut, lineBreak, isOpen }) => {
      const { diff, after } = diffOf(before, cut);
      const text = (lines: readonly string[]) =>
        lines.join(lineBreak) + (isOpen || lines.length === 0 ? "" : lineBreak);
      fc.pre(diff.length > 0 && !(isOpen && (before.at(-1) === "" || after.length === 0)));
      const old = text(before);
      // a new file takes "\n"
      const expected = before.length === 0
        ? after.map((each) => `${each}\n`).join("")
        : text(after);
      await app.put("x", old);
      const body = { path: "x", diff: `@@\n${diff.join("\n")}\n` };
      await app.call("editor/apply-patch", body);
      const isOneLine = before.length === 1 && isOpen; // it tells no line break: "\n" is taken
      expect(await Deno.readTextFile(app.at("x")))
        .toBe(isOneLine ? expected.replaceAll("\r\n", "\n") : expected);
    }),
    { numRuns: pick({ short: 300, full: 2_000 }) },
  );
});

/** The diff that shows every line, and the lines after it. */
function diffOf(
  before: readonly string[],
  cuts: readonly { at: number; removed: number; added: readonly string[] }[],
) {
  const diff: string[] = [];
  const after: string[] = [];
  let at = 0;
  for (const cut of [...cuts].sort((a, b) => a.at - b.at)) {
    while (at < Math.min(cut.at, before.length)) keep(before[at++]!);
    for (let left = cut.removed; left > 0 && at < before.length; left--) {
      diff.push(`-${before[at++]}`);
    }
    for (const added of cut.added) {
      diff.push(`+${added}`);
      after.push(added);
    }
  }
  while (at < before.length) keep(before[at++]!);
  return { diff, after };

  function keep(line: string): void {
    diff.push(` ${line}`);
    after.push(line);
  }
}

Deno.test("apply-patch follows a link, keeps the mode, and refuses folders and what is not there", async () => {
  await using app = await openFilesApp();
  const path = await app.put("folder/x", "a\n");
  await Deno.chmod(path, 0o640);
  await Deno.symlink(path, app.at("link"));
  await app.call("editor/apply-patch", { path: "link", diff: "@@\n-a\n+b\n" });
  expect(await Deno.readTextFile(path)).toBe("b\n");
  expect((await Deno.lstat(app.at("link"))).isSymlink).toBe(true);
  expect((await Deno.stat(path)).mode! & 0o777).toBe(0o640);
  await app.refused(400, "editor/apply-patch", { path: "folder", diff: "@@\n-a\n+b\n" });
  await app.refused(404, "editor/apply-patch", { path: "gone", diff: "@@\n-a\n+b\n" });
  expect(namesIn(app.home)).toEqual(["folder", "link"]);
});
