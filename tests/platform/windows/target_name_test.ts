/** Names of credentials: readable where they can be, and never two for one. */

import { expect } from "expect";
import * as fc from "fast-check";
import { toServiceName, toTargetName } from "../../../src/platform/windows/keychain.ts";

const CASES: readonly (readonly [service: string, target: string])[] = [
  ["github", "computer-control:github"],
  ["mail.example-1_x", "computer-control:mail.example-1_x"],
  ["GitHub", "computer-control:%47it%48ub"],
  ["a*b", "computer-control:a%2ab"],
  ["50%", "computer-control:50%25"],
  ["é", "computer-control:%c3%a9"],
  ["É", "computer-control:%c3%89"],
];

for (const [service, target] of CASES) {
  Deno.test(`targetNameOf() makes ${target} of ${service}`, () => {
    expect(toTargetName(service)).toBe(target);
    expect(toServiceName(target)).toBe(service);
  });
}

Deno.test("serviceNameOf() finds every name again, though case does not count", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 256 });
  fc.assert(fc.property(name, name, (one, other) => {
    expect(toServiceName(toTargetName(one))).toBe(one);
    const folded = [one, other].map((each) => toTargetName(each).toUpperCase());
    expect(folded[0] === folded[1]).toBe(one === other);
    expect(toTargetName(one)).not.toMatch(/[*?]/);
  }));
});

Deno.test("serviceNameOf() knows what is not ours", () => {
  for (
    const target of [
      "github",
      "computer-control",
      "computer-control:A",
      "computer-control:%GG",
      "computer-control:%ff",
    ]
  ) {
    expect([target, toServiceName(target)]).toEqual([target, undefined]);
  }
});
