/** Query and path fields, which come as text. */

import { expect } from "expect";
import { SAMPLES } from "../support/sample_operations.ts";
import { testApp } from "../support/client.ts";

const GOOD: readonly (readonly [query: string, fields: object])[] = [
  ["", {}],
  ["num=5", { num: 5 }],
  ["num=%2B5", { num: 5 }],
  ["num=1&num=7", { num: 7 }],
  ["ratio=0.5", { ratio: 0.5 }],
  ["ratio=-1e3", { ratio: -1000 }],
  ["all=true", { all: true }],
  ["all=FALSE", { all: false }],
  ["all=1", { all: true }],
  ["name=a%20+b", { name: "a  b" }],
  ["name=", { name: "" }],
  ["until=stable", { until: "stable" }],
];

for (const [query, fields] of GOOD) {
  Deno.test(`app reads the query "${query}"`, async () => {
    const { json } = await testApp({ operations: SAMPLES }).send(
      "GET",
      `/api/sample/query?${query}`,
    );
    expect(json).toEqual({ num: 1, all: false, until: "change", ...fields });
  });
}

const BAD: readonly (readonly [query: string, field: string, type: string, msg: string])[] = [
  [
    "num=abc",
    "num",
    "int_parsing",
    "Input should be a valid integer, unable to parse string as an integer",
  ],
  [
    "num=",
    "num",
    "int_parsing",
    "Input should be a valid integer, unable to parse string as an integer",
  ],
  [
    "num=1.5",
    "num",
    "int_parsing",
    "Input should be a valid integer, unable to parse string as an integer",
  ],
  ["num=-1", "num", "greater_than_equal", "Input should be greater than or equal to 0"],
  ["num=99", "num", "less_than_equal", "Input should be less than or equal to 9"],
  [
    "num=99999999999999999999",
    "num",
    "int_parsing_size",
    "Input should be an integer between -9007199254740991 and 9007199254740991",
  ],
  [
    "ratio=x",
    "ratio",
    "float_parsing",
    "Input should be a valid number, unable to parse string as a number",
  ],
  ["ratio=1e999", "ratio", "finite_number", "Input should be a finite number"],
  [
    "all=maybe",
    "all",
    "bool_parsing",
    "Input should be a valid boolean, unable to interpret input",
  ],
  ["name=abcdef", "name", "string_too_long", "String should have at most 5 characters"],
  ["until=never", "until", "literal_error", "Input should be 'change' or 'stable'"],
];

for (const [query, field, type, msg] of BAD) {
  Deno.test(`app answers 422 with "${type}" to the query "${query}"`, async () => {
    const { status, json } = await testApp({ operations: SAMPLES })
      .send("GET", `/api/sample/query?${query}`);
    expect(status).toBe(422);
    expect(json).toMatchObject({ detail: [{ loc: ["query", field], msg, type }] });
  });
}

const PATHS: readonly (readonly [sent: string, path: string])[] = [
  ["%2Fetc%2Fhosts", "/etc/hosts"],
  ["/etc/hosts", "/etc/hosts"],
  ["etc/hosts", "etc/hosts"],
  ["a%20b%25", "a b%"],
  ["..%2F..%2Fx", "../../x"],
  ["%00", "\0"],
  ["a+b", "a+b"],
  ["%F0%9F%99%82", "🙂"],
];

for (const [sent, path] of PATHS) {
  Deno.test(`app reads the path "${sent}" after info/`, async () => {
    const { json } = await testApp({ operations: SAMPLES }).send("GET", `/api/sample/info/${sent}`);
    expect(json).toEqual({ path });
  });
}

for (const sent of ["%ff", "%", "%2", "%zz", "%ED%A0%80"]) {
  Deno.test(`app answers 422 with "value_error" to the path "${sent}"`, async () => {
    const { status, json } = await testApp({ operations: SAMPLES }).send(
      "GET",
      `/api/sample/info/${sent}`,
    );
    expect(status).toBe(422);
    expect(json.detail).toMatchObject([{ loc: ["path", "path"], type: "value_error" }]);
  });
}

for (const pid of ["abc", "%ff", "1.5", "0x1"]) {
  Deno.test(`app answers 422 with "int_parsing" to the process id "${pid}"`, async () => {
    const { status, json } = await testApp({ operations: SAMPLES })
      .send("DELETE", `/api/sample/process/${pid}`);
    expect(status).toBe(422);
    expect(json.detail).toMatchObject([{ loc: ["path", "pid"], type: "int_parsing" }]);
  });
}

Deno.test("app merges body, query and path, and lists their errors in the order path, query, body", async () => {
  const app = testApp({ operations: SAMPLES });
  const good = await app.post("/api/sample/process/7/input?wait=3", { text: "hi" });
  expect(good.json).toEqual({ pid: 7, wait: 3, text: "hi" });
  const bad = await app.post("/api/sample/process/x/input?wait=y", { text: 1 });
  expect(bad.json.detail.map((error: { loc: string[] }) => error.loc))
    .toEqual([["path", "pid"], ["query", "wait"], ["body", "text"]]);
});

for (const [field, place] of [["pid", "path"], ["display_num", "query"], ["code", "body"]]) {
  Deno.test(`app puts "${place}" before the field when a feature refuses ${field}`, async () => {
    const { status, json } = await testApp({ operations: SAMPLES })
      .post("/api/sample/refuse/1", { code: "invalid", field });
    expect(status).toBe(422);
    expect(json.detail)
      .toEqual([{ loc: [place, field], msg: `${field} is impossible`, type: "value_error" }]);
  });
}
