/** The watch over the keychain tests fails when a secret shows. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { testFolder } from "../../support/folder.ts";
import { hasSecret, secretOf, spelled, withoutAsked } from "../../support/secrets.ts";

const SUPPORT = new URL("../../support/secrets.ts", import.meta.url).href;
const CONFIG = fileURLToPath(new URL("../../../deno.dev.json", import.meta.url));

/** Runs a test file that is watched, and gives its exit code and what it said. */
async function runWatched(body: string) {
  await using folder = await testFolder();
  const path = `${folder.path}/watched_test.ts`;
  await Deno.writeTextFile(
    path,
    `import { keepSecretsHidden, secretOf } from "${SUPPORT}";
keepSecretsHidden();
const SECRET = secretOf("shown");
/** Two looks take less time than it lives. */
async function live(command: string, options = {}) {
  const child = new Deno.Command("sh", { args: ["-c", command, "sh"], ...options }).spawn();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  child.kill("SIGKILL");
  await child.status;
}
Deno.test("watched", async () => { ${body} });
`,
  );
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--config", CONFIG, path],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, said: decoder.decode(stdout) + decoder.decode(stderr) };
}

const shown: [string, string, string][] = [
  ["in an argument", 'await live("read -r _ # " + SECRET, { stdin: "piped" })', "cmdline of "],
  [
    "in an environment",
    'await live("exec sleep 1000", { env: { PASSWORD: SECRET } })',
    "environ of ",
  ],
  ["in the log", 'console.error("stored", { SECRET })', "console.error"],
];

for (const [where, body, place] of shown) {
  Deno.test(`the watch fails when a secret stands ${where}`, async () => {
    const { code, said } = await runWatched(body);
    expect(code).not.toBe(0);
    expect(said).toContain(place);
  });
}

Deno.test("the watch passes when a command has the secret that it asked for", async () => {
  const { code, said } = await runWatched(
    'await live("exec sleep 1000", { env: { ASKED: SECRET } })',
  );
  expect({ code, said }).toMatchObject({ code: 0 });
});

Deno.test("hasSecret() finds a secret wherever it stands, also as Base64", () => {
  for (let before = 0; before < 4; before++) {
    const text = `${"x".repeat(before)}${secretOf("a b")} and more`;
    expect(hasSecret(text)).toBe(true);
    expect(hasSecret(new TextEncoder().encode(text).toBase64())).toBe(true);
  }
  expect(hasSecret(spelled(secretOf("a")))).toBe(false);
  expect(hasSecret(secretOf("a").slice(0, -4))).toBe(false);
  const environment = `A=1\0ASKED_B=${secretOf("b")}\0C=2`;
  expect(withoutAsked(environment)).toBe("A=1\0\0C=2");
});
