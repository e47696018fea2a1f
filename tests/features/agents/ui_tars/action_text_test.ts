/** The texts of UI-TARS models, in all forms that its versions write. */

import { expect } from "expect";
import fc from "fast-check";
import { parseActions, parsePoint } from "../../../../src/features/agents/ui_tars/operation.ts";

const READ: Readonly<Record<string, readonly (readonly [string, Record<string, string>])[]>> = {
  "Thought: I click.\nAction: click(start_box='<|box_start|>(500,300)<|box_end|>')": [
    ["click", { start_box: "<|box_start|>(500,300)<|box_end|>" }],
  ],
  "Action: click(point='<point>12 34</point>')": [
    ["click", { point: "<point>12 34</point>" }],
  ],
  "Thought: 点击。\nAction：left_double(start_box='[1, 2, 3, 4]')": [
    ["left_double", { start_box: "[1, 2, 3, 4]" }],
  ],
  "click(start_box=(1,2))": [["click", { start_box: "(1,2)" }]],
  "Thought: x Action: wait()": [["wait", {}]],
  "Action: drag(start_point='<point>1 2</point>', end_point='<point>3 4</point>')\n\nwait()": [
    ["drag", { start_point: "<point>1 2</point>", end_point: "<point>3 4</point>" }],
    ["wait", {}],
  ],
  "Action: click(start_box='(1,2)'); type(content='a')": [
    ["click", { start_box: "(1,2)" }],
    ["type", { content: "a" }],
  ],
  "Action: scroll(direction='down', point='<point>1 2</point>')": [
    ["scroll", { direction: "down", point: "<point>1 2</point>" }],
  ],
  'Action: type(content="a \\"b\\" \\\\ \\n")': [["type", { content: 'a "b" \\ \n' }]],
  "Action: type(content='it's, isn't it')": [["type", { content: "it's, isn't it" }]],
  "Action: type(content='first\n\nlast')": [["type", { content: "first\n\nlast" }]],
  "Action: type(content='f(x), g(y)')": [["type", { content: "f(x), g(y)" }]],
  "Action: type(content='C:\\dir\\names')": [["type", { content: "C:\\dir\names" }]],
  "Action: type(content='Action: go(1)')": [["type", { content: "Action: go(1)" }]],
  "Action: type(content='')": [["type", { content: "" }]],
};

for (const [text, calls] of Object.entries(READ)) {
  Deno.test(`UI-TARS means ${JSON.stringify(calls)} by ${JSON.stringify(text)}`, () => {
    const read = parseActions(text).map(({ name, args }) => [name, Object.fromEntries(args)]);
    expect(read).toEqual(calls);
  });
}

for (
  const text of ["", "I am done.", "Action:", "Action: click", "Action: click(", "click('1,2')"]
    .concat(["Action: click(start_box='(1,2)", "wait() and so on", "wait(a='b', c)"])
) {
  Deno.test(`UI-TARS means nothing by ${JSON.stringify(text)}`, () => {
    expect(() => parseActions(text)).toThrow();
  });
}

Deno.test("any text that UI-TARS types is read as it was, with the escapes of its prompt", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom("'", '"'), (text, quote) => {
      const written = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t")
        .replaceAll("\r", "\\r").replaceAll(quote, `\\${quote}`);
      const [call] = parseActions(`Thought: t\nAction: type(content=${quote}${written}${quote})`);
      expect(call!.args.get("content")).toBe(text);
    }),
  );
});

Deno.test("long texts with a quote after each other are read in no time that grows faster", () => {
  const content = "' ".repeat(50_000);
  const [call] = parseActions(`type(content='${content}x')`);
  expect(call!.args.get("content")).toBe(`${content}x`);
});

const PLACES: Readonly<Record<string, readonly [number, number]>> = {
  "(500,300)": [500, 300],
  "[500, 300]": [500, 300],
  "<|box_start|>(500,300)<|box_end|>": [500, 300],
  "<|box_start|>(10,20,30,60)<|box_end|>": [20, 40],
  "<bbox>10 20 30 60</bbox>": [20, 40],
  "<point>7 8</point>": [7, 8],
  "0.5, 1.25": [0.5, 1.25],
};

for (const [text, [x, y]] of Object.entries(PLACES)) {
  Deno.test(`UI-TARS means ${x}, ${y} by ${text}`, () => {
    expect(parsePoint(text, "start_box")).toEqual({ x, y });
  });
}

for (const text of ["", "(1)", "(1,2,3)", "(1,2,3,4,5)", "(a,b)", "(1e3,2)", "NaN Infinity"]) {
  Deno.test(`${JSON.stringify(text)} is no place`, () => {
    expect(() => parsePoint(text, "start_box")).toThrow("a point is written (x,y)");
  });
}
