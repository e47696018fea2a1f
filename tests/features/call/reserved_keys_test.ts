/** A field that would be lost on the way is refused. */

import { expect } from "expect";
import { testApp } from "../../support/client.ts";

const bodies: [string, string, string, unknown[]][] = [
  [
    "in an item",
    "/api/keychain/set-item",
    '{"service":"a","item":{"password":"p","__proto__":"q"}}',
    ["item", "__proto__"],
  ],
  [
    "in an item, with escapes",
    "/api/keychain/set-item",
    '{"service":"a","item":{"password":"p","\\u005f_proto__":"q"}}',
    ["item", "__proto__"],
  ],
  [
    "in the environment of a command",
    "/api/bash/command",
    '{"command":"true","env":{"__proto__":"q"}}',
    ["env", "__proto__"],
  ],
  [
    "among the secrets of a command",
    "/api/bash/command",
    '{"command":"true","env_secrets":{"__proto__":{"service":"a","field":"b"}}}',
    ["env_secrets", "__proto__"],
  ],
];

for (const [where, path, body, at] of bodies) {
  Deno.test(`a field called __proto__ is refused ${where}`, async () => {
    const app = testApp();
    const { status, json } = await app.post(path, body);
    expect({ status, detail: json.detail }).toMatchObject({
      status: 422,
      detail: [{ loc: ["body", ...at], type: "value_error" }],
    });
    expect(app.platform.secrets.stored.size).toBe(0);
    expect(app.platform.screen().fake.sent).toEqual([]);
  });
}

Deno.test("__proto__ is one unknown field of many where names are given", async () => {
  const app = testApp({ config: { ignoreUnknownFields: true } });
  await app.post("/api/keychain/set-item", { service: "a", item: { password: "p" } });
  const answer = await app.post(
    "/api/keychain/authenticate",
    '{"service":"a","authElements":[{"type":"password","value":"p","__proto__":{"value":"c"}}],"__proto__":1}',
  );
  expect(answer.json).toBe(true);
});

Deno.test("a text that says __proto__, and fields of other objects' names, are taken", async () => {
  const app = testApp();
  expect((await app.post("/api/keyboard/type", { text: "__proto__" })).status).toBe(200);
  const item = { constructor: "__proto__", toString: "t" };
  expect((await app.post("/api/keychain/set-item", { service: "a", item })).status).toBe(204);
});
