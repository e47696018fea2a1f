/** Stored values are taken out in every form that programs print, and prompts are not kept back for ever. */

import { expect } from "expect";
import { StreamRedactor } from "../../../src/features/secrets/redact.ts";
import { indexOf, redacted } from "../../support/redacted.ts";
import { holdingUpNobody } from "../../support/turns.ts";

const PEM = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7
VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDu
Qg==
-----END PRIVATE KEY-----
`;
const LABEL = "[redacted:site/key]";

const forms: [string, string, string][] = [
  ["without the final newline", "abc123\n", "=abc123="],
  ["in JSON", 'pa"ss\\word', JSON.stringify({ key: 'pa"ss\\word' })],
  ["in JSON of ASCII", "pässwörd", String.raw`"p\u00e4ssw\u00f6rd"`],
  ["of several lines with CRLF", PEM, PEM.replaceAll("\n", "\r\n")],
  ["in JSON of PHP", "pä/ss/word", String.raw`"p\u00e4\/ss\/word"`],
  ["in JSON of Go", "p&ss<wörd>", String.raw`"p\u0026ss\u003cwörd\u003e"`],
  ["of several lines in JSON", PEM, JSON.stringify([PEM])],
  ["of several lines as a whole", PEM, PEM],
  ["in an address", "pä s&(s)~", `?p=${encodeURIComponent("pä s&(s)~")}`],
  ["in an address of Python", "a.*b+(c)!", "?p=a.%2Ab%2B%28c%29%21"],
  ["in the address of a form", "pä s&(s)~", "?p=p%C3%A4+s%26%28s%29%7E"],
  ["in an address that was typed", 'pä "s&s', "?p=p%C3%A4%20%22s&s"],
];

for (const [how, value, text] of forms) {
  Deno.test(`StreamRedactor takes out a value ${how}`, async () => {
    for (const size of [1, 7, 1_000]) {
      const shown = await redacted(indexOf({ site: { key: value } }), text, size);
      expect(shown).toContain(LABEL);
      for (const line of value.trim().split("\n")) expect(shown).not.toContain(line);
    }
  });
}

Deno.test("StreamRedactor takes out a value line by line, but not the lines that every key has", async () => {
  const indented = PEM.split("\n").map((line) => `  | ${line}\r`).join("\n");
  const lines = (await redacted(indexOf({ site: { key: PEM } }), indented, 9)).split("\n");
  expect(lines.slice(0, 3)).toEqual([
    ...["  | -----BEGIN PRIVATE KEY-----\r", `  | ${LABEL}\r`, `  | ${LABEL}\r`],
  ]);
});

Deno.test("StreamRedactor shows the first characters of what may become a value when nothing follows", async () => {
  const redactor = new StreamRedactor(indexOf({ site: { key: "hunter2-secret" } }));
  const text = async (bytes: Uint8Array | Promise<Uint8Array>) =>
    new TextDecoder().decode(await bytes);
  const push = (part: string) => text(redactor.push(new TextEncoder().encode(part)));
  expect(await push("$ h")).toBe("$ ");
  expect(redactor.keeps).toBe(true);
  expect(await text(redactor.releaseStart())).toBe("h");
  expect(redactor.keeps).toBe(false);
  expect(await text(redactor.releaseStart())).toBe("");
  expect(await push("unter2-secret\n")).toBe(`${LABEL}\n`);
  expect([await push("hu"), await text(redactor.releaseStart()), await push("man")])
    .toEqual(["", "hu", "man"]);
  expect([await push("hunter"), await text(redactor.releaseStart())]).toEqual(["", ""]);
  expect(await push("2")).toBe("");
  expect(await text(redactor.end())).toBe("hunter2");
});

Deno.test("StreamRedactor lets others have a turn while it searches what is made to be slow", async () => {
  const unit = "ab".repeat(32_000);
  const item = Object.fromEntries(
    Array.from({ length: 10 }, (_, number) => [`k${number}`, `${unit.slice(number)}${number}`]),
  );
  const index = indexOf({ long: item });
  const text = `${unit.repeat(40)}3`;
  const shown = await holdingUpNobody(() => redacted(index, text, 65_536));
  expect(shown.endsWith("[redacted:long/k3]")).toBe(true);
});

Deno.test("SecretIndex forgets a value when neither its service nor a command has it any more", async () => {
  const index = indexOf({ site: { key: "tiger99" } });
  const item = new Map([["key", "tiger99"]]);
  const [one, other] = [index.hold("site", item), index.hold("site", item)];
  index.set("site", new Map([["key", "lion-77"]]));
  expect(await redacted(index, "tiger99 lion-77", 3)).toBe(`${LABEL} ${LABEL}`);
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  index.delete("site");
  expect(await redacted(index, "tiger99 lion-77", 3)).toBe(`${LABEL} lion-77`);
  other[Symbol.dispose]();
  expect(await redacted(index, "tiger99", 3)).toBe("tiger99");
  expect(index.isEmpty).toBe(true);
});
