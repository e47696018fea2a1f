/** Lenient calls understand what models write. */

import { ANYONE } from "../../../src/features/actor.ts";
import { expect } from "expect";
import { InputError } from "../../../src/core/errors.ts";
import { testApp } from "../../support/client.ts";
import { echoBody } from "../../support/sample_operations.ts";

const { signal } = new AbortController();

/** The errors with which an input is refused. */
function errorsOf(check: () => unknown): InputError["errors"] {
  try {
    check();
  } catch (error) {
    if (error instanceof InputError) return error.errors;
    throw error;
  }
  throw new Error("nothing was refused");
}

Deno.test("lenient calls take numbers, booleans, lists and objects as text, strict ones do not", async () => {
  const { callables } = testApp({ operations: [echoBody] });
  const sloppy = {
    x: " 12 ",
    ratio: "0.5",
    flag: "True",
    text: "12",
    keys: '["ctrl", "c"]',
    range: "[1, 2]",
    item: '{"name": "n", "size": "3"}',
    elements: [{ type: "point", x: "1", y: "2" }],
    either: "[4]",
  };
  const prepared = callables.prepare("echoBody", sloppy, { lenient: true });
  const result = await prepared.run({ actor: ANYONE, signal });
  expect(result).toMatchObject({
    value: {
      x: 12,
      ratio: 0.5,
      flag: true,
      text: "12",
      keys: ["ctrl", "c"],
      range: [1, 2],
      item: { name: "n", size: 3 },
      elements: [{ type: "point", x: 1, y: 2 }],
      either: "[4]",
    },
  });
  expect(errorsOf(() => callables.prepare("echoBody", sloppy)).map(({ loc }) => loc[1]))
    .toEqual(["x", "ratio", "flag", "keys", "range", "item", "elements", "elements"]);
});

Deno.test("lenient calls still refuse what nobody can understand, and say what is needed", () => {
  const { callables } = testApp({ operations: [echoBody] });
  for (const x of ["", "twelve", "[1]", "{", "1e999", true]) {
    const [error] = errorsOf(() => callables.prepare("echoBody", { x }, { lenient: true }));
    expect(error).toMatchObject({ loc: ["input", "x"], type: "int_type" });
  }
});

Deno.test("lenient calls read no long text as JSON, which takes long", () => {
  const { callables } = testApp({ operations: [echoBody] });
  const long = `[1,${" ".repeat(70_000)}2]`;
  expect(errorsOf(() => callables.prepare("echoBody", { range: long }, { lenient: true })))
    .toContainEqual(expect.objectContaining({ loc: ["input", "range"], type: "list_type" }));
});
