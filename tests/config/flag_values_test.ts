/** The texts of flags that are hosts, with a port and without one. */

import { expect } from "expect";
import { readHostAndPort } from "../../src/config/flag_values.ts";

const READ: readonly (readonly [text: string, value: string])[] = [
  ["Desk.example", "desk.example"],
  ["Desk.example:8080", "desk.example:8080"],
  ["desk.example:08080", "desk.example:8080"],
  ["192.168.1.5:1", "192.168.1.5:1"],
  ["fe80::1", "fe80::1"],
  ["[fe80::1]", "fe80::1"],
  ["[FE80::1]:65535", "[fe80::1]:65535"],
];

for (const [text, value] of READ) {
  Deno.test(`readHostAndPort() reads "${text}"`, () => {
    expect(readHostAndPort(text)).toBe(value);
  });
}

const REFUSED: readonly (readonly [text: string, message: string])[] = [
  ["desk.example:0", '"desk.example:0": the port must be from 1 to 65535'],
  ["desk.example:65536", '"desk.example:65536": the port must be from 1 to 65535'],
  ["desk.example:", "must be a host name or an IP address"],
  ["desk.example:http", "must be a host name or an IP address"],
  [":80", "must be a host name or an IP address"],
  ["*:80", "must be a host name or an IP address"],
  ["http://desk.example:80", "must be a host name or an IP address"],
];

for (const [text, message] of REFUSED) {
  Deno.test(`readHostAndPort() refuses "${text}"`, () => {
    expect(() => readHostAndPort(text)).toThrow(message);
  });
}
