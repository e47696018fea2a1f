/** Bodies that would take long to parse: deep, long, or of many values. */

import { expect } from "expect";
import { MAX_DEPTH, MAX_VALUES } from "../../../src/core/json_scan.ts";
import { echoBody } from "../../support/sample_operations.ts";
import { testApp } from "../../support/client.ts";

const ECHO = "/api/sample/echo";
/** Takes bodies with other fields than those of the operation. */
const openApp = () => testApp({ operations: [echoBody], config: { ignoreUnknownFields: true } });
const MIB = 1024 * 1024;
const deep = (levels: number) => `{"x":1,"other":${"[".repeat(levels)}${"]".repeat(levels)}}`;
const wide = (values: number) => `{"x":1,"other":[${"0,".repeat(values)}0]}`;

// a worker is kept for a while after the last large body
const sanitizers = { sanitizeOps: false, sanitizeResources: false };

const EXCESSIVE: readonly (readonly [what: string, body: string, offset: number, says: string])[] =
  [
    ["100,000 levels", deep(100_000), 15 + MAX_DEPTH - 1, "levels"],
    ["100,000 levels that never end", "[".repeat(100_000), MAX_DEPTH, "levels"],
    ["16 MB of [", "[".repeat(16 * MIB), MAX_DEPTH, "levels"],
    ["one level too many", deep(MAX_DEPTH), 15 + MAX_DEPTH - 1, "levels"],
    ["too many values", wide(MAX_VALUES), 2 * MAX_VALUES + 11, "values"],
  ];

for (const [what, body, offset, says] of EXCESSIVE) {
  Deno.test({
    ...sanitizers,
    name: `app answers 422 to a body of ${what}`,
    async fn() {
      const { status, json } = await openApp().post(ECHO, body);
      expect(status).toBe(422);
      expect(json.detail).toHaveLength(1);
      expect(json.detail[0]).toMatchObject({ loc: ["body", offset], type: "json_invalid" });
      expect(json.detail[0].msg).toContain(says);
    },
  });
}

const FINE: readonly (readonly [what: string, body: string])[] = [
  ["as many levels as there may be", deep(MAX_DEPTH - 1)],
  ["as many values as there may be", wide(MAX_VALUES - 3)],
  ["brackets in texts", `{"x":1,"other":"${'[{\\"'.repeat(100_000)}"}`],
  ["16 MB of text", `{"x":1,"other":"${"é\\n".repeat(4 * MIB - 10)}"}`],
];

for (const [what, body] of FINE) {
  Deno.test({
    ...sanitizers,
    name: `app takes a body of ${what}`,
    async fn() {
      const { status, json } = await openApp().post(ECHO, body);
      expect([status, json.x]).toEqual([200, 1]);
    },
  });
}

Deno.test({
  ...sanitizers,
  name: "app answers 422 to a large body that is no JSON, or not UTF-8, and goes on",
  async fn() {
    const app = openApp();
    const text = "x".repeat(MIB);
    const broken = await app.post(ECHO, `{"x":1,"text":"${text}",}`);
    expect(broken.json.detail[0]).toMatchObject({ loc: ["body", 17 + MIB], type: "json_invalid" });
    const bytes = new TextEncoder().encode(`{"x":1,"text":"${text}"}`);
    bytes[100] = 0xff;
    const headers = { "content-type": "application/json" };
    const binary = await app.send("POST", ECHO, { headers, body: bytes });
    expect(binary.json.detail[0]).toMatchObject({ loc: ["body", 0], type: "json_invalid" });
    const fine = await Promise.all([1, 2, 3].map((x) => app.post(ECHO, { x, other: text })));
    expect(fine.map(({ json }) => json.x)).toEqual([1, 2, 3]);
  },
});

Deno.test({
  ...sanitizers,
  name: "a large body with 16 MB of numbers is refused by count, and a name keeps what it says",
  async fn() {
    const app = openApp();
    expect((await app.post(ECHO, wide(8 * MIB - 100))).status).toBe(422);
    const { json } = await app.post(
      ECHO,
      `{"x":1,"env":{"__proto__":"a"},"other":"${"y".repeat(MIB)}"}`,
    );
    expect(json.detail[0]).toMatchObject({ loc: ["body", "env", "__proto__"] });
  },
});

Deno.test({
  ...sanitizers,
  name: "large texts come as they were sent, and one that no UTF-8 can hold is refused",
  async fn() {
    const app = openApp();
    const texts = ["\ufeffa", "é", "日本", "🙂", 'a\u0000\n"\\'].map((text) =>
      "x" + text.repeat(200_000)
    );
    for (const note of texts) {
      const { json } = await app.post(ECHO, { x: 1, note, env: { [note.slice(0, 3)]: note } });
      expect(json.note === note).toBe(true);
      expect(Object.values(json.env)[0] === note).toBe(true);
    }
    const half = await app.post(ECHO, `{"x":1,"note":"${"y".repeat(MIB)}\\ud83d"}`);
    expect(half.json.detail[0]).toMatchObject({ loc: ["body", "note"], type: "string_unicode" });
  },
});
