/** The table of options: what must hold for every entry. */

import { expect } from "expect";
import { LIMITS } from "../../src/config/limits.ts";
import { OPTION_GROUPS, OPTIONS } from "../../src/config/options.ts";

const entries = OPTION_GROUPS.flatMap(({ options }) => options);

Deno.test("every option stands under one heading, and no flag has two meanings", () => {
  const flags = entries.map(({ flag }) => flag);
  expect(new Set(flags).size).toBe(flags.length);
  for (const { flag } of Object.values(OPTIONS)) expect(flags).toContain(flag);
});

for (const { flag, help } of entries) {
  Deno.test(`--${flag} has a name and a help in the style of the others`, () => {
    expect(flag).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(help).toMatch(/^\S.*[^.\s]$/);
  });
}

for (const { flag, bounds, ...limit } of Object.values(LIMITS)) {
  Deno.test(`the default of --${flag} is one that the flag accepts`, () => {
    expect(limit.read(limit.defaultText!)).toBe(limit.default);
    expect(bounds.min).toBeLessThan(bounds.max);
  });
}
