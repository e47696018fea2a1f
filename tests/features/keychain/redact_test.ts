/** Stored values are taken out of streams, however the stream is cut. */

import { expect } from "expect";
import fc from "fast-check";
import { createRedactor, StreamRedactor } from "../../../src/features/secrets/redact.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { testApp } from "../../support/client.ts";
import { indexOf, redacted } from "../../support/redacted.ts";
import { KnownSecrets } from "../../../src/features/secrets/known_secrets.ts";

const SECRETS: Record<string, Record<string, string>> = {
  github: { password: "hunter2-hunter3", username: "ann", token: "aaaaaab" },
  bank: {
    password: "hunter2",
    pin: "12345",
    short: "ééééé",
    code: "4829137",
    number: "48291375",
    note: "zwei\nZeilen",
    key: "ключ🔑日本",
  },
};

const cases: [string, string][] = [
  ["nothing here", "nothing here"],
  ["", ""],
  ["hunter2", "[redacted:bank/password]"],
  ["x hunter2 y", "x [redacted:bank/password] y"],
  ["hunter2-hunter3", "[redacted:github/password]"],
  ["hunter2-hunter", "[redacted:bank/password]-hunter"],
  ["hunter2hunter2", "[redacted:bank/password][redacted:bank/password]"],
  ["hunter", "hunter"],
  ["hhunter2-hunter2", "h[redacted:bank/password]-[redacted:bank/password]"],
  ["aaaaaaaaab", "aaa[redacted:github/token]"],
  ["ann has the pin 12345 ééééé", "ann has the pin 12345 ééééé"],
  ["4829137 48291370 48291375", "4829137 48291370 [redacted:bank/number]"],
  ["a zwei\nZeilen b", "a [redacted:bank/note] b"],
  ["ключ🔑日本!", "[redacted:bank/key]!"],
  ["ключ🔑日x", "ключ🔑日x"],
  ["héé 🔑", "héé 🔑"],
];

for (const [text, expected] of cases) {
  Deno.test(`StreamRedactor makes ${JSON.stringify(expected)} of ${JSON.stringify(text)}, however it is cut`, async () => {
    for (let size = 1; size <= text.length * 4 + 1; size++) {
      expect(await redacted(indexOf(SECRETS), text, size)).toBe(expected);
    }
  });
}

Deno.test("StreamRedactor shows at once what cannot be the beginning of a value", async () => {
  const redactor = new StreamRedactor(indexOf(SECRETS));
  const push = async (text: string) =>
    new TextDecoder().decode(await redactor.push(new TextEncoder().encode(text)));
  expect(await push("login: h")).toBe("login: ");
  expect(await push("ello")).toBe("hello");
  expect(await push(" hunter2")).toBe(" ");
  expect(await push("\n")).toBe("[redacted:bank/password]\n");
});

Deno.test("StreamRedactor knows values that are stored and forgotten while the stream runs", async () => {
  const index = indexOf({});
  const redactor = new StreamRedactor(index);
  const push = async (text: string) =>
    new TextDecoder().decode(await redactor.push(new TextEncoder().encode(text)));
  expect(await push("tiger99\n")).toBe("tiger99\n");
  index.set("zoo", new Map([["password", "tiger99"]]));
  expect(await push("tiger99\n")).toBe("[redacted:zoo/password]\n");
  index.set("zoo", new Map([["password", "lion-77"]]));
  expect(await push("tiger99 lion-77\n")).toBe("tiger99 [redacted:zoo/password]\n");
  index.delete("zoo");
  expect(await push("lion-77\n")).toBe("lion-77\n");
});

Deno.test("StreamRedactor finds one of 20,000 values that begin alike", async () => {
  const items = Array.from({ length: 20_000 }, (_, number) => [`s${number}`, {
    token: `ghp_${String(number * 7919).padStart(12, "0")}`,
  }]);
  const index = indexOf(Object.fromEntries(items));
  const text = `${"x".repeat(100_000)} ghp_${String(7919 * 19_999).padStart(12, "0")} end`;
  expect(await redacted(index, text, 4096)).toBe(
    `${"x".repeat(100_000)} [redacted:s19999/token] end`,
  );
});

Deno.test("createRedactor() takes out what the keychain holds, also what was stored before", async () => {
  const app = testApp();
  app.platform.secrets.stored.set("old", '[["password","from before"]]');
  const redactor = createRedactor(app.config, app.session.use(KnownSecrets));
  await redactor.ready;
  await app.post("/api/keychain/set-item", { service: "new", item: { token: "later one" } });
  const bytes = await redactor.push(new TextEncoder().encode("from before, later one."));
  expect(new TextDecoder().decode(bytes))
    .toBe("[redacted:old/password], [redacted:new/token].");
  await app.post("/api/keychain/delete-item", { service: "new" });
  expect(new TextDecoder().decode(await redactor.push(new TextEncoder().encode("later one."))))
    .toBe("later one.");
});

Deno.test("createRedactor() changes nothing with --no-redact, nor when the keychain cannot be read", async () => {
  const secret = new TextEncoder().encode("from before.");
  const open = testApp({ config: { redact: false } });
  open.platform.secrets.stored.set("old", '[["password","from before"]]');
  const first = createRedactor(open.config, open.session.use(KnownSecrets));
  await first.ready;
  expect(await first.push(secret)).toEqual(secret);
  const locked = testApp();
  locked.platform.secrets.trouble = "The keyring is locked";
  const second = createRedactor(locked.config, locked.session.use(KnownSecrets));
  await second.ready;
  expect(await second.push(secret)).toEqual(secret);
});

Deno.test("createRedactor() drops what is too much to be held back, and the values that this cuts", async () => {
  const limits = { ...DEFAULT_LIMITS, keptHeadBytes: 20, keptTailBytes: 20 };
  const app = testApp({ config: { limits } });
  const { promise, resolve } = Promise.withResolvers<void>();
  app.platform.secrets.stored.set("zoo", '[["password","tiger-secret"]]');
  app.platform.secrets.open = promise;
  const redactor = createRedactor(app.config, app.session.use(KnownSecrets));
  const push = async (text: string) =>
    new TextDecoder().decode(await redactor.push(new TextEncoder().encode(text)));
  expect(await push("one tiger-secret two tig")).toBe("");
  expect(redactor.lost).toBe(false);
  expect(await push("er-secret three four")).toBe("");
  expect(redactor.lost).toBe(true);
  expect(await push("small")).toBe("");
  resolve();
  await redactor.ready;
  expect(await push("")).toBe("one [redacted:zoo/password] two ");
  expect(await push("r-secret, tiger-secret, tiger-secret!")).toBe("[redacted:zoo/password]!");
});

Deno.test("StreamRedactor finds long values that begin like the text again and again", async () => {
  const value = `${"a".repeat(65_000)}b`;
  const index = indexOf({ long: { key: value, other: `${"a".repeat(300)}c` } });
  const text = `${"a".repeat(200_000)}b ${"a".repeat(1_000)}c${value.slice(0, -1)}`;
  expect(await redacted(index, text, 65_536)).toBe(
    `${"a".repeat(200_000 - 65_000)}[redacted:long/key] ` +
      `${"a".repeat(700)}[redacted:long/other]${value.slice(0, -1)}`,
  );
});

Deno.test("StreamRedactor finds long values, however the stream is cut", async () => {
  const unit = "abcabd".repeat(30);
  const index = indexOf({ x: { one: `${unit}!`, two: `${unit}${unit}?` } });
  const text = `${unit}${unit}! ${unit}${unit}${unit}? ${unit}`;
  for (let size = 1; size <= text.length; size += 7) {
    expect(await redacted(index, text, size))
      .toBe(`${unit}[redacted:x/one] ${unit}[redacted:x/two] ${unit}`);
  }
});

Deno.test("StreamRedactor finds what a plain search finds, in texts that are all beginnings", async () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 6, maxLength: 9 });
  const value = fc.tuple(word, fc.integer({ min: 1, max: 20 })).map(([unit, n]) => unit.repeat(n));
  await fc.assert(fc.asyncProperty(
    fc.array(value, { minLength: 1, maxLength: 4 }),
    fc.array(fc.oneof(word, value), { maxLength: 20 }).map((parts) => parts.join("")),
    fc.integer({ min: 1, max: 100 }),
    async (values, text, size) => {
      const item = Object.fromEntries(values.map((each, number) => [String(number), each]));
      expect(await redacted(indexOf({ x: item }), text, size)).toBe(plainSearch(values, text));
    },
  ));
});

/** The longest value at each place, from the left to the right. */
function plainSearch(values: readonly string[], text: string): string {
  const longestFirst = values.map((value, number) => ({ value, number }))
    .sort((a, b) => b.value.length - a.value.length);
  let shown = "";
  for (let at = 0; at < text.length;) {
    const found = longestFirst.find(({ value }) => text.startsWith(value, at));
    shown += found ? `[redacted:x/${found.number}]` : text[at];
    at += found?.value.length ?? 1;
  }
  return shown;
}
