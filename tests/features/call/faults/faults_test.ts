/** The words of the 422 answer, one row of the contract after the other, as a client sees them. */

import { expect } from "expect";
import { echoBody } from "../../../support/sample_operations.ts";
import { testApp } from "../../../support/client.ts";

/** A error in words, and bodies that have it: what is sent besides `"x": 1`, and the place. */
type Row = readonly [type: string, msg: string, bodies: Readonly<Record<string, string>>];

const INT = "Input should be a valid integer";
const SAFE = "Input should be an integer between -9007199254740991 and 9007199254740991";
const UNICODE = "Input should be a valid string, unable to parse raw data as a unicode string";
const LONG_LIST = JSON.stringify(Array(17).fill("a"));

const ROWS: readonly Row[] = [
  ["int_type", INT, {
    '"y":"1"': "y",
    '"y":true': "y",
    '"y":null': "y",
    '"y":[1]': "y",
    '"count":"1"': "count",
    '"either":[1,"a"]': "either.1",
  }],
  ["float_type", "Input should be a valid number", { '"ratio":"1"': "ratio" }],
  ["string_type", "Input should be a valid string", {
    '"text":1': "text",
    '"text":null': "text",
    '"note":1': "note",
    '"keys":["a",1]': "keys.1",
    '"env":{"A":1}': "env.A",
    '"either":true': "either",
  }],
  ["bool_type", "Input should be a valid boolean", { '"flag":1': "flag", '"flag":"true"': "flag" }],
  ["list_type", "Input should be a valid list", {
    '"keys":"a"': "keys",
    '"keys":{}': "keys",
    '"range":1': "range",
  }],
  ["dict_type", "Input should be a valid dictionary", {
    '"env":[]': "env",
    '"item":"a"': "item",
    '"element":5': "element",
  }],
  ["missing", "Field required", {
    '"item":{"size":1}': "item.name",
    '"element":{}': "element.type",
    '"elements":[{"type":"value"}]': "elements.0.value",
  }],
  ["int_from_float", `${INT}, got a number with a fractional part`, {
    '"y":1.5': "y",
    '"count":1.5': "count",
  }],
  ["int_parsing_size", SAFE, {
    '"y":9007199254740992': "y",
    '"y":-1e300': "y",
    '"count":9007199254740992': "count",
  }],
  ["finite_number", "Input should be a finite number", {
    '"y":1e400': "y",
    '"ratio":-1e400': "ratio",
  }],
  ["greater_than", "Input should be greater than 0", { '"ratio":0': "ratio" }],
  ["less_than", "Input should be less than 1", { '"ratio":1': "ratio" }],
  ["multiple_of", "Input should be a multiple of 5", { '"step":7': "step" }],
  ["too_short", "List should have at least 1 item after validation, not 0", {
    '"keys":[]': "keys",
  }],
  ["too_short", "List should have at least 2 items after validation, not 1", {
    '"range":[1]': "range",
  }],
  ["too_long", "List should have at most 16 items after validation, not 17", {
    [`"keys":${LONG_LIST}`]: "keys",
  }],
  ["too_long", "List should have at most 2 items after validation, not 3", {
    '"range":[1,2,3]': "range",
  }],
  ["string_too_short", "String should have at least 1 character", {
    '"text":""': "text",
    '"env":{"":"a"}': "env.",
  }],
  ["string_too_long", "String should have at most 4 characters", { '"text":"abcde"': "text" }],
  ["string_too_long", "String should have at most 3 characters", { '"either":"abcd"': "either" }],
  ["string_unicode", UNICODE, {
    '"text":"\\ud800"': "text",
    '"keys":["a","\\udc00"]': "keys.1",
    '"env":{"A":"\\ud83d"}': "env.A",
  }],
  ["literal_error", "Input should be 'left', 'middle' or 'right'", {
    '"button":"up"': "button",
    '"button":1': "button",
  }],
  ["literal_error", "Input should be 'only'", { '"kind":"other"': "kind" }],
  ["literal_error", "Input should be 'value' or 'point'", {
    '"element":{"type":"other"}': "element.type",
  }],
  ["value_error", "Text holds a NUL", { '"clean":"a\\u0000b"': "clean" }],
];

for (const [type, msg, bodies] of ROWS) {
  for (const [fields, place] of Object.entries(bodies)) {
    Deno.test(`app answers 422 with "${type}" to ${fields.slice(0, 40)}`, async () => {
      const { status, json } = await testApp({ operations: [echoBody] })
        .post("/api/sample/echo", `{"x":1,${fields}}`);
      const loc = place.split(".").map((key) => /^\d+$/.test(key) ? Number(key) : key);
      expect(status).toBe(422);
      expect(json).toMatchObject({ detail: [{ loc: ["body", ...loc], msg, type }] });
    });
  }
}

const BOUNDS = [
  ["-1", "greater_than_equal", "Input should be greater than or equal to 0"],
  ["101", "less_than_equal", "Input should be less than or equal to 100"],
  ["13", "value_error", "13 is not possible"],
];

for (const [x, type, msg] of BOUNDS) {
  Deno.test(`app answers 422 with "${type}" when a required field is ${x}`, async () => {
    const { json } = await testApp({ operations: [echoBody] }).post(
      "/api/sample/echo",
      `{"x":${x}}`,
    );
    expect(json).toMatchObject({ detail: [{ loc: ["body", "x"], msg, type }] });
  });
}

Deno.test('app answers 422 with "missing" when a field is absent', async () => {
  const { json } = await testApp({ operations: [echoBody] }).post("/api/sample/echo", {});
  expect(json).toMatchObject({
    detail: [{ loc: ["body", "x"], msg: "Field required", type: "missing" }],
  });
});

Deno.test("app lists every error in the order of the fields, one for each place", async () => {
  const body = { element: { type: "point", x: "1" }, keys: [1, ""], text: 5, ratio: 2, x: 1e300 };
  const { json } = await testApp({ operations: [echoBody] }).post("/api/sample/echo", body);
  expect(
    json.detail.map((error: { loc: string[]; type: string }) => [error.loc.join("."), error.type]),
  )
    .toEqual([
      ["body.x", "int_parsing_size"],
      ["body.ratio", "less_than"],
      ["body.text", "string_type"],
      ["body.keys.0", "string_type"],
      ["body.keys.1", "string_too_short"],
      ["body.element.x", "int_type"],
      ["body.element.y", "missing"],
    ]);
});

Deno.test("app names impossible values only when all types are right", async () => {
  const app = testApp({ operations: [echoBody] });
  const both = await app.post("/api/sample/echo", { x: 1, clean: "\0", flag: 1 });
  expect(both.json.detail.map((error: { type: string }) => error.type)).toEqual(["bool_type"]);
});

Deno.test("app can ignore unknown fields, takes null where it may and fills in defaults", async () => {
  const { status, json } = await testApp({
    operations: [echoBody],
    config: { ignoreUnknownFields: true },
  })
    .post(
      "/api/sample/echo",
      `{"x":1,"note":null,"range":null,"__proto__":{"flag":true},"other":"\\ud800"}`,
    );
  expect(status).toBe(200);
  expect(json).toEqual({ x: 1, button: "left", range: null, note: null });
});

Deno.test("app names at most a thousand errors of a body with nine thousand", async () => {
  const elements = `[${"1,".repeat(9_000)}1]`;
  const { status, json } = await testApp({ operations: [echoBody] })
    .post("/api/sample/echo", `{"x":1,"elements":${elements}}`);
  expect(status).toBe(422);
  expect(json.detail.length).toBe(1_000);
});

Deno.test("app never repeats a faulty value", async () => {
  const app = testApp({ operations: [echoBody] });
  const secret = "hunter2";
  const fields = [
    "y",
    "ratio",
    "flag",
    "button",
    "kind",
    "keys",
    "env",
    "item",
    "either",
    "element",
  ];
  const body = Object.fromEntries(fields.map((field) => [field, secret]));
  const nested = {
    x: 13,
    text: secret,
    clean: `\0${secret}`,
    element: { type: secret },
    env: { A: [secret] },
  };
  for (
    const sent of [{ x: secret, ...body }, nested, { x: 13, clean: `\0${secret}` }, secret, [
      secret,
    ]]
  ) {
    const { status, text } = await app.post("/api/sample/echo", sent);
    expect(status).toBe(422);
    expect(text).not.toContain(secret);
  }
  expect(app.logged).toEqual([]);
});

Deno.test("app lists a lone surrogate beside errors of other fields, in the order of the fields", async () => {
  const { json } = await testApp({ operations: [echoBody] })
    .post("/api/sample/echo", '{"step":"5","text":"\\ud800","x":"1"}');
  expect(json.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[1], type]))
    .toEqual([
      ["x", "int_type"],
      ["text", "string_unicode"],
      ["step", "int_type"],
    ]);
});
