/** compileGlob(): what each pattern means, by the words of the interface. */

import { expect } from "expect";
import { compileGlob } from "../../../src/features/filesystem/walk/glob.ts";

function matches(pattern: string, path: string): boolean {
  return compileGlob(pattern)(path.split("/").at(-1)!, () => path);
}

/** Pattern, what it matches, what it does not. */
const table: [string, string[], string[]][] = [
  ["*.txt", ["a.txt", "x/y/a.txt", ".txt"], ["a.txt.bak", "txt", "a.TXT"]],
  ["*", ["a", ".a", "a\nb", "日本"], []],
  ["?", ["a", "é", "日", "😀", "\n"], ["ab"]],
  ["a?c", ["abc", "a😀c"], ["ac", "abbc"]],
  ["a*b*c", ["abc", "aXbXc", "abbcc"], ["ab", "acb"]],
  ["a**b", ["ab", "axxb"], ["a"]],
  ["**/*.txt", ["a.txt", "x/y/a.txt"], ["a.md"]],
  ["src/*.ts", ["src/a.ts"], ["src/b/a.ts", "a.ts"]],
  ["src/**/*.ts", ["src/a.ts", "src/b/c/a.ts"], ["srcx/a.ts", "x/src/a.ts"]],
  ["src/**", ["src/a", "src/a/b"], ["src", "srcx/a"]],
  ["**", ["a", "a/b"], []],
  ["**/a", ["a", "x/a", "x/y/a"], ["xa"]],
  ["a/**/b", ["a/b", "a/x/y/b"], ["a/xb"]],
  ["**/**/**/*", ["a", "x/y/z"], []],
  ["a/*/b", ["a/x/b"], ["a/b", "a/x/y/b"]],
  ["**/.x/*", [".x/a", "y/.x/a"], [".x"]],
  ["[a-c].x", ["b.x"], ["d.x"]],
  ["[!a-c].x", ["d.x", "😀.x"], ["b.x"]],
  ["[^a-c].x", ["d.x"], ["b.x"]],
  ["a[!x]b/c", [], ["a/b/c"]],
  ["[]a]", ["]", "a"], ["b"]],
  ["[!]]", ["a"], ["]"]],
  ["[\\]]x", ["]x"], ["\\x"]],
  ["[a-]", ["-", "a"], ["b"]],
  ["[z-a]", [], ["x", "z"]],
  ["[a", ["[a"], ["a"]],
  ["[[:alpha:]]", [], ["a"]],
  ["{a,b}.ts", ["a.ts", "b.ts"], ["c.ts", "{a,b}.ts"]],
  ["{,a}b", ["b", "ab"], ["aab"]],
  ["{a,{b,c}}", ["a", "b", "c"], ["d"]],
  ["{a,b}*.ts", ["bx.ts"], ["x.ts"]],
  ["*.{a,b}", ["x.a", "x.b"], ["x.c"]],
  ["x/{a,b/c}.ts", ["x/a.ts", "x/b/c.ts"], ["x/b.ts"]],
  ["{a/b,c}", ["a/b", "c"], ["b", "a"]],
  ["{a", ["{a"], ["a"]],
  ["a}", ["a}"], ["a"]],
  ["{a}", ["{a}"], ["a"]],
  ["a,b", ["a,b"], ["a"]],
  ["a{1..3}", ["a{1..3}"], ["a1", "a2", "a3"]],
  ["{{a,b},c}x", ["ax", "bx", "cx"], ["x", "{a}x"]],
  ["{a{b,c}d}", ["{abd}", "{acd}"], ["abd"]],
  ["{a,b}{c,d}", ["ac", "bd"], ["ab"]],
  ["{a\\,b,c}", ["a,b", "c"], ["a"]],
  ["{[a,b],c}", ["a", ",", "c"], ["[a"]],
  ["{[z-a],b}", ["b"], ["z"]],
  ["x/{a*,b}", ["x/ab", "x/b"], ["x/c"]],
  ["a.b", ["a.b"], ["axb"]],
  ["a(b)c", ["a(b)c"], ["abc"]],
  ["+(a)", ["+(a)"], ["a", "aa"]],
  ["@(a)", ["@(a)"], ["a"]],
  ["!a", ["!a"], ["b"]],
  ["a|b", ["a|b"], ["a", "b"]],
  ["$x^", ["$x^"], ["x"]],
  ['"q"', ['"q"'], ["q"]],
  ["'q'", ["'q'"], ["q"]],
  ["#a", ["#a"], ["a"]],
  ["\\*", ["*"], ["a"]],
  ["\\{a,b}", ["{a,b}"], ["a"]],
  ["a\\", ["a\\"], ["a"]],
  ["./a", ["a"], ["b"]],
  ["/a", ["a", "x/a"], ["b"]],
  ["*/", [], ["a"]],
];

for (const [pattern, wanted, unwanted] of table) {
  Deno.test(`compileGlob() understands ${JSON.stringify(pattern)}`, () => {
    expect(wanted.filter((path) => !matches(pattern, path))).toEqual([]);
    expect(unwanted.filter((path) => matches(pattern, path))).toEqual([]);
  });
}

const long = "a".repeat(250);
const deep = "a/".repeat(1_000) + "a";

for (
  const [pattern, path] of [
    ["**/**/**/**/*", `${deep}/b`],
    ["**/a/**/a/**/a/**/a/**/a/**/z", deep],
    ["*a*a*a*a*a*a*a*a*a*a*a*a*b", long],
    ["{*a*a*a*a*a*a*a*a*a*a*b,x}", "a".repeat(200)],
    ["x/{*a*a*a*a*a*a*a*a*a*a*b,x}", `x/${"a".repeat(200)}`],
    ["?*?*?*?*?*?*?*?*?*?*?*b", long],
    [`**/${"*a".repeat(400)}b`, `x/${long}`],
  ] as const
) {
  Deno.test(`compileGlob() takes no exponential time for ${pattern.slice(0, 30)}`, () => {
    const start = performance.now();
    matches(pattern, path);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
}

Deno.test("compileGlob() refuses braces that stand for too many patterns", () => {
  expect(() => compileGlob("{a,b/c}".repeat(12))).toThrow(RangeError);
  expect(() => compileGlob("{a,b}".repeat(12))).toThrow(RangeError);
  expect(() => compileGlob(`${"{a,b}".repeat(8)}{${",".repeat(5_000)}}`)).toThrow(RangeError);
});
