/** The examples, run as their users run them: against the service on a display of its own, with their effect checked. */

import { expect } from "expect";
import { fileURLToPath } from "node:url";
import { startCommand } from "./support/command.ts";
import { testFolder } from "./support/folder.ts";
import { unless } from "./support/test_if.ts";
import { hasChromium } from "./support/still_programs.ts";

const FOLDER = fileURLToPath(new URL("../examples/", import.meta.url));
const PYTHON = "/usr/bin/python3";
const DENO = [Deno.execPath(), "run", "-A", "--no-config"];
const onLinux = unless(Deno.build.os === "linux", "the examples' windows are those of X11");

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs an example beside a service that has a virtual display. */
async function runExample(words: readonly string[]): Promise<Ended> {
  await using service = await startCommand(["--virtual-display", "1024x768", "--no-setup"]);
  const [program, ...args] = words;
  const { code, stdout, stderr } = await new Deno.Command(program!, {
    args,
    env: { COMPUTER_CONTROL_URL: service.address },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

for (
  const [name, ...words] of [
    ["agent_loop.py", PYTHON, `${FOLDER}agent_loop.py`],
    ["agent_loop.ts", ...DENO, `${FOLDER}agent_loop.ts`],
  ]
) {
  Deno.test({
    name: `examples/${name} reaches its goal: the text stands in the file`,
    ignore: onLinux,
    async fn() {
      await using folder = await testFolder();
      const file = `${folder.path}/it's a greeting.txt`;
      const { code, output } = await runExample([...words, file]);
      expect([code, output.match(/^step \d+/gm)?.length]).toEqual([0, 7]);
      expect(await Deno.readTextFile(file)).toBe("Grüße, 漢字 😀\n");
    },
  });
}

Deno.test({
  name: "examples/fill_form.py fills every field, and the form has it",
  ignore: onLinux,
  async fn() {
    await using folder = await testFolder();
    const file = `${folder.path}/order.json`;
    const ended = await runExample([PYTHON, `${FOLDER}fill_form.py`, file]);
    expect(ended).toEqual({ code: 0, output: "the form ended with 0\n" });
    expect(JSON.parse(await Deno.readTextFile(file)))
      .toEqual({ name: "Ada Lovelace", city: "Zürich", gift: true });
  },
});

const cities: [string[], Ended][] = [
  [[], { code: 0, output: "ok: the page turned green\n" }],
  [["Bern"], { code: 1, output: "failed: the page did not turn green\n" }],
];

for (const [words, ended] of cities) {
  Deno.test({
    name: `examples/check_web_page.ts ends with ${ended.code} for "${words}"`,
    ignore: onLinux || unless(hasChromium(), "chromium is not installed"),
    async fn() {
      expect(await runExample([...DENO, `${FOLDER}check_web_page.ts`, ...words])).toEqual(ended);
    },
  });
}

Deno.test({
  name: "an example says what the service answered when it refuses",
  ignore: onLinux,
  fn: refusedExample,
});

async function refusedExample(): Promise<void> {
  await using service = await startCommand(["--virtual-display", "--no-setup", "--read-only"]);
  const { code, stderr } = await new Deno.Command(DENO[0]!, {
    args: [...DENO.slice(1), `${FOLDER}agent_loop.ts`],
    env: { COMPUTER_CONTROL_URL: service.address },
  }).output();
  expect(code).toBe(1);
  expect(new TextDecoder().decode(stderr)).toMatch(/answered 403: .*--read-only/);
}
