/** Opening the computer to a network. */

import { expect } from "expect";
import { checkBinding } from "../../src/http/address.ts";

const OPEN = [
  "0.0.0.0",
  "::",
  "192.168.1.5",
  "desk.lan",
  "[::]",
  "128.0.0.1",
  "localhost.evil.example",
];

for (const host of OPEN) {
  Deno.test(`checkBinding() refuses ${host} without a token`, () => {
    expect(() => checkBinding({ host, noAuth: false })).toThrow(/--token-file/);
    expect(() => checkBinding({ host, noAuth: true })).not.toThrow();
    expect(() => checkBinding({ host, noAuth: false, token: "t" })).not.toThrow();
    expect(() => checkBinding({ host, noAuth: false, hasTokens: true })).not.toThrow();
  });
}

for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"]) {
  Deno.test(`checkBinding() lets ${host} pass`, () => {
    expect(() => checkBinding({ host, noAuth: false })).not.toThrow();
  });
}
