/** resolvePath(): what a path means, and which ones are refused. */

import { expect } from "expect";
import { FieldError } from "../../../src/core/errors.ts";
import { resolvePath } from "../../../src/features/filesystem/paths.ts";

const accepted: [string, string][] = [
  ["/etc/hosts", "/etc/hosts"],
  ["~", "/home/me"],
  ["~/", "/home/me"],
  ["~/a b", "/home/me/a b"],
  ["a/b", "/home/me/a/b"],
  [".", "/home/me"],
  ["..", "/home"],
  ["../../../..", "/"],
  ["./~x", "/home/me/~x"],
  ["a~b", "/home/me/a~b"],
  ["/a//b///c/", "/a/b/c"],
  ["/a/./b/../c", "/a/c"],
  ["/", "/"],
  ["//etc", "/etc"],
  ["a%20b", "/home/me/a%20b"],
  ["日本/😀", "/home/me/日本/😀"],
  [`/${"x".repeat(255)}`, `/${"x".repeat(255)}`],
];

for (const [text, path] of accepted) {
  Deno.test(`resolvePath() takes ${JSON.stringify(text.slice(0, 30))}`, () => {
    expect(resolvePath(text, "/home/me", "path")).toBe(path);
  });
}

const refused: [string, string, string][] = [
  ["an empty one", "", "empty"],
  ["another user's home", "~root", "~"],
  ["something below another user's home", "~root/x", "~"],
  ["a NUL", "a\0b", "NUL"],
  ["a long name", "x".repeat(5_000), "255 bytes"],
  ["a long name of wide characters", "é".repeat(128), "255 bytes"],
  ["a long path", "/abc".repeat(1_500), "4095 bytes"],
];

for (const [what, text, words] of refused) {
  Deno.test(`resolvePath() refuses ${what}, naming the field`, () => {
    let fault: unknown;
    try {
      resolvePath(text, "/home/me", "root_path");
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(FieldError);
    expect((fault as FieldError).field).toBe("root_path");
    expect((fault as FieldError).message).toContain(words);
  });
}
