/** The fields of every operation as flags. */

import { expect } from "expect";
import { fieldsOf } from "../../src/cli/call/arguments.ts";
import { operationsByName, widestLimits } from "../../src/cli/call/call.ts";
import { FlatInput } from "../../src/features/call/check_fields.ts";
import { EXAMPLES } from "../../src/features/examples.ts";

const operations = await operationsByName(widestLimits());

Deno.test("no field has the flag of another field, nor that of the help", () => {
  const all = [...operations].map(([name, operation]) => {
    const flags = fieldsOf(operation).map(({ flag }) => flag);
    const taken = flags.filter((flag, at) => flag === "--help" || flags.indexOf(flag) !== at);
    return [name, taken];
  });
  expect(all.filter(([, taken]) => taken!.length > 0)).toEqual([]);
});

for (const [name, operation] of operations) {
  const { params, query, body } = EXAMPLES[operation.id] ?? {};
  const example: Record<string, unknown> = { ...params, ...query, ...body };
  Deno.test(`flags give ${name} the fields of its example`, () => {
    const fields = fieldsOf(operation);
    const read = Object.entries(example).map(([key, value]) => {
      const field = fields.find((each) => each.name === key)!;
      return [key, field.read(textsOf(value))];
    });
    expect(Object.fromEntries(read)).toEqual(example);
    expect(() => new FlatInput(operation).read(Object.fromEntries(read))).not.toThrow();
  });
}

/** As somebody writes it: a list item by item, objects as JSON. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item) => textsOf(item)[0]!);
  return [typeof value === "object" ? JSON.stringify(value) : String(value)];
}
