/** The examples, run as their users run them: against the service on a display of its own, with their effect checked. */

import { expect } from "expect";
import { fileURLToPath } from "node:url";
import { scriptClaude, type ScriptedModel, scriptGpt } from "./client/scripted_models.ts";
import { startCommand } from "./support/command.ts";
import { testFolder } from "./support/folder.ts";
import { writePythonClient } from "./support/python_client.ts";
import { unless } from "./support/test_if.ts";
import { hasChromium } from "./support/still_programs.ts";
import { waitFor } from "./support/wait.ts";

const FOLDER = fileURLToPath(new URL("../examples/", import.meta.url));
const PYTHON = "/usr/bin/python3";
const DENO = [Deno.execPath(), "run", "-A", "--no-config"];
const onLinux = unless(Deno.build.os === "linux", "the examples' windows are those of X11");

const CONFIG = fileURLToPath(new URL("../deno.dev.json", import.meta.url));
/** Where `computer-control-client` is the folder of this repository, as its users have the package. */
const DENO_WITH_CLIENT = [Deno.execPath(), "run", "-A", "-c", CONFIG];
const PYTHON_WITH_SDKS = Deno.env.get("PYTHON_WITH_SDKS");

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs an example beside a service that has a virtual display. */
async function runExample(words: readonly string[]): Promise<Ended> {
  await using service = await startCommand(["--virtual-display", "1024x768", "--no-setup"]);
  return await runAt(service.address, words);
}

async function runAt(
  address: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const [program, ...args] = words;
  const { code, stdout, stderr } = await new Deno.Command(program!, {
    args,
    env: { COMPUTER_CONTROL_URL: address, ...env },
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
      await using service = await startCommand(
        ["--virtual-display", "1024x768", "--no-setup"],
        { COMPUTER_CONTROL_TASK: "1" }, // beside the terminal that `deno task start` opens
      );
      const { code, output } = await runAt(service.address, [...words, file]);
      expect([code, output.match(/^step \d+/gm)?.length]).toEqual([0, 7]);
      // the shell in the terminal may still wait for a processor
      await waitFor(async () => (await Deno.stat(file)).size > 0, { what: "the file" });
      expect(await Deno.readTextFile(file)).toBe("Grüße, 漢字 😀\n");
    },
  });
}

for (const words of [[PYTHON, `${FOLDER}agent_loop.py`], [...DENO, `${FOLDER}agent_loop.ts`]]) {
  Deno.test({
    name: `${words.at(-1)!.split("/").at(-1)} ends with 1 when what it waits for does not come`,
    ignore: onLinux,
    async fn() {
      await using folder = await testFolder();
      await using service = await startCommand(["--virtual-display", "1024x768", "--no-setup"]);
      const { code, output } = await runAt(service.address, [...words, `${folder.path}/no/file`]);
      expect([code, output.trimEnd().split("\n").at(-1)]).toEqual([
        1,
        expect.stringContaining("give up"),
      ]);
    },
  });
}

Deno.test({
  name: "examples/fill_form.py fills every field, and the form has it",
  ignore: onLinux,
  async fn() {
    await using folder = await testFolder();
    await using service = await startCommand(
      ["--virtual-display", "1024x768", "--no-setup"],
      { PYTHONUNBUFFERED: "1" }, // the end of a line comes apart from its words
    );
    const file = `${folder.path}/order.json`;
    const ended = await runAt(service.address, [PYTHON, `${FOLDER}fill_form.py`, file]);
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

const move = ["mouse_move", { coordinate: [512, 384] }] as const;
const withoutSdks = onLinux ||
  unless(PYTHON_WITH_SDKS !== undefined, "PYTHON_WITH_SDKS names no Python with `anthropic`");
const agents: [name: string, words: string[], model: ScriptedModel, ignore: boolean][] = [
  ["claude_agent.ts", DENO_WITH_CLIENT, scriptClaude([move]), onLinux],
  ["openai_agent.ts", DENO_WITH_CLIENT, scriptGpt([{ type: "move", x: 512, y: 384 }]), onLinux],
  ["claude_agent.py", [PYTHON_WITH_SDKS ?? ""], scriptClaude([move]), withoutSdks],
];

for (const [name, words, model, ignore] of agents) {
  Deno.test({
    name: `examples/${name} does what the model asks for, and prints its last words`,
    ignore,
    async fn() {
      await using service = await startCommand(["--virtual-display", "1024x768", "--no-setup"]);
      await using api = Deno.serve({ port: 0, onListen() {} }, (request) => model.answer(request));
      const url = `http://127.0.0.1:${api.addr.port}`;
      const ended = await runAt(service.address, [...words, FOLDER + name, "Move the cursor."], {
        ...{ ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: url },
        ...{ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1` },
        PYTHONPATH: await writePythonClient(),
      });
      expect(ended).toEqual({ code: 0, output: "done\n" });
      expect(JSON.stringify(model.requests[0])).toContain("Move the cursor.");
      const position = await fetch(`${service.address}/api/mouse/position`);
      expect(await position.json()).toEqual({ x: 512, y: 384 });
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
