/** Storing, listing and forgetting items, and every input that is refused. */

import { expect } from "expect";
import { testApp } from "../../support/client.ts";
import { keepSecretsHidden, secretOf } from "../../support/secrets.ts";

keepSecretsHidden();

const RIGHT = secretOf("right");
const ITEM = { username: "ann", password: RIGHT };

Deno.test("setItem() stores what authenticate() then finds, and replaces all of it", async () => {
  const app = testApp();
  const check = async (type: string, value: string) =>
    (await app.post("/api/keychain/authenticate", {
      service: "github",
      authElements: [{ type, value }],
    })).json;
  const first = await app.post("/api/keychain/set-item", { service: "github", item: ITEM });
  expect([first.status, first.text]).toEqual([204, ""]);
  expect(await check("password", RIGHT)).toBe(true);
  await app.post("/api/keychain/set-item", {
    service: "github",
    item: { password: "new", pin: "1" },
  });
  expect(await check("password", RIGHT)).toBe(false);
  expect(await check("password", "ne")).toBe(false);
  expect(await check("password", "new\0")).toBe(false);
  expect(await check("password", "")).toBe(false);
  expect(await check("username", "ann")).toBe(false);
  expect(await check("pin", "1")).toBe(true);
});

Deno.test("setItem() takes null for a field that is not there", async () => {
  const app = testApp();
  const item = { username: null, password: "p", otp: null };
  await app.post("/api/keychain/set-item", { service: "a", item });
  expect(app.platform.secrets.stored.get("a")).toBe('[["password","p"]]');
});

Deno.test("setItem() takes values of 64 KiB, empty ones, and any field name", async () => {
  const app = testApp();
  const item = { password: "x".repeat(65_536), note: "", "recovery code/1 é": "🔑" };
  const answer = await app.post("/api/keychain/set-item", { service: "a/b ü", item });
  expect(answer.status).toBe(204);
  for (const [type, value] of Object.entries(item)) {
    const authElements = [{ type, value }];
    const right = await app.post("/api/keychain/authenticate", { service: "a/b ü", authElements });
    expect(right.json).toBe(true);
  }
});

Deno.test("listServices() gives the names in the order of their code points", async () => {
  const app = testApp();
  for (const service of ["b", "ä", "B", "a/b", "a"]) {
    await app.post("/api/keychain/set-item", { service, item: ITEM });
  }
  expect((await app.send("GET", "/api/keychain/list-services")).json)
    .toEqual(["B", "a", "a/b", "b", "ä"]);
});

Deno.test("deleteItem() forgets an item, and leaves a missing one alone", async () => {
  const app = testApp();
  await app.post("/api/keychain/set-item", { service: "github", item: ITEM });
  for (let time = 0; time < 2; time++) {
    expect((await app.post("/api/keychain/delete-item", { service: "github" })).status).toBe(204);
  }
  expect((await app.send("GET", "/api/keychain/list-services")).json).toEqual([]);
});

const TOP = secretOf("top");
const KEYCHAIN = "/api/keychain";
const element = { type: "password", value: "v" };

const refused: [string, string, unknown, (string | number)[], string][] = [
  ["no service", "set-item", { item: ITEM }, ["service"], "missing"],
  ["an empty service", "set-item", { service: "", item: ITEM }, ["service"], "string_too_short"],
  [
    "a service of 10 KiB",
    "set-item",
    { service: "s".repeat(10_240), item: ITEM },
    ["service"],
    "string_too_long",
  ],
  [
    "a service with a line break",
    "set-item",
    { service: "a\nb", item: ITEM },
    ["service"],
    "value_error",
  ],
  ["a service with a NUL", "set-item", { service: "a\0b", item: ITEM }, ["service"], "value_error"],
  [
    "half a surrogate pair",
    "set-item",
    '{"service":"\\ud83d","item":{"a":"b"}}',
    ["service"],
    "string_unicode",
  ],
  [
    "a service that is a number",
    "set-item",
    { service: 7, item: ITEM },
    ["service"],
    "string_type",
  ],
  ["no item", "set-item", { service: "a" }, ["item"], "missing"],
  ["an item that is null", "set-item", { service: "a", item: null }, ["item"], "dict_type"],
  ["an item that is a list", "set-item", { service: "a", item: [] }, ["item"], "dict_type"],
  ["an empty item", "set-item", { service: "a", item: {} }, ["item"], "value_error"],
  ["an item of nulls", "set-item", { service: "a", item: { url: null } }, ["item"], "value_error"],
  [
    "a number as password",
    "set-item",
    { service: "a", item: { password: 12345678 } },
    ["item", "password"],
    "string_type",
  ],
  [
    "a number in a field of one's own",
    "set-item",
    { service: "a", item: { password: "p", pin: 1234 } },
    ["item", "pin"],
    "string_type",
  ],
  [
    "a value of 1 MiB",
    "set-item",
    { service: "a", item: { password: "x".repeat(1 << 20) } },
    ["item", "password"],
    "string_too_long",
  ],
  [
    "a value of 64 KiB and a byte of UTF-8",
    "set-item",
    { service: "a", item: { password: `${"x".repeat(65_535)}é` } },
    ["item", "password"],
    "value_error",
  ],
  [
    "a field name with a line break",
    "set-item",
    { service: "a", item: { "a\nb": "c" } },
    ["item", "a\nb"],
    "value_error",
  ],
  [
    "too many fields",
    "set-item",
    {
      service: "a",
      item: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`f${i}`, "v"])),
    },
    ["item"],
    "value_error",
  ],
  ["an empty service to delete", "delete-item", { service: "" }, ["service"], "string_too_short"],
  ["no elements", "authenticate", { service: "a" }, ["authElements"], "missing"],
  [
    "empty elements",
    "authenticate",
    { service: "a", authElements: [] },
    ["authElements"],
    "too_short",
  ],
  [
    "an element with neither value nor coordinates",
    "authenticate",
    { service: "a", authElements: [element, { type: "password" }] },
    ["authElements", 1],
    "value_error",
  ],
  [
    "an element with both",
    "authenticate",
    { service: "a", authElements: [{ ...element, coordinates: { x: 1, y: 1 } }] },
    ["authElements", 0],
    "value_error",
  ],
  [
    "a value that is a number",
    "authenticate",
    { service: "a", authElements: [{ type: "password", value: 7 }] },
    ["authElements", 0, "value"],
    "string_type",
  ],
  [
    "coordinates off the screen",
    "authenticate",
    { service: "a", authElements: [element, { type: "password", coordinates: { x: 1, y: 600 } }] },
    ["authElements", 1, "coordinates", "y"],
    "value_error",
  ],
  [
    "coordinates without y",
    "authenticate",
    { service: "a", authElements: [{ type: "password", coordinates: { x: 1 } }] },
    ["authElements", 0, "coordinates", "y"],
    "missing",
  ],
];

for (const [what, path, body, at, type] of refused) {
  Deno.test(`keychain operations refuse ${what} with 422, store nothing and type nothing`, async () => {
    const app = testApp();
    const answer = await app.post(`${KEYCHAIN}/${path}`, body);
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toMatchObject([{ loc: ["body", ...at], type }]);
    expect(answer.json.detail[0].input).toBeUndefined();
    expect(app.platform.secrets.stored.size).toBe(0);
    expect(app.platform.screen().fake.sent).toEqual([]);
  });
}

Deno.test("keychain operations answer 503 when the keychain cannot be used, without a secret", async () => {
  const app = testApp();
  app.platform.secrets.trouble = "The keyring is locked";
  const answers = [
    await app.post(`${KEYCHAIN}/set-item`, { service: "a", item: ITEM }),
    await app.post(`${KEYCHAIN}/authenticate`, { service: "a", authElements: [element] }),
    await app.post(`${KEYCHAIN}/delete-item`, { service: "a" }),
    await app.send("GET", `${KEYCHAIN}/list-services`),
    await app.post("/api/keyboard/type", { secret: { service: "a", field: "password" } }),
  ];
  for (const { status, json } of answers) {
    expect([status, json]).toMatchObject([503, { detail: "The keyring is locked" }]);
  }
  const ready = await app.send("GET", "/readyz");
  expect(ready.status).toBe(200);
  expect(ready.json.keychain).toEqual({ ready: false, reason: "The keyring is locked" });
  expect(app.logged.join()).not.toContain(RIGHT);
});

Deno.test("an item that another program has changed is 503, and is not quoted", async () => {
  const app = testApp();
  for (const text of [TOP, JSON.stringify({ password: TOP }), '[["a",1]]', ""]) {
    app.platform.secrets.stored.set("a", text);
    const answer = await app.post(`${KEYCHAIN}/authenticate`, {
      service: "a",
      authElements: [element],
    });
    expect(answer.status).toBe(503);
    expect(answer.text + app.logged.join()).not.toContain(TOP);
  }
});
