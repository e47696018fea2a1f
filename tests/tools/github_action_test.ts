/** The GitHub Action: its steps, carried out as a runner does, start a service that can be used. */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { parse } from "yaml";
import { testFolder } from "../support/folder.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

const FOLDER = fileURLToPath(new URL("../../deploy/github-action/", import.meta.url));
const ignore = unless(Deno.build.os === "linux", "the action starts a virtual display of Linux");

interface Step {
  readonly id?: string;
  readonly shell: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { description: string; default: string }>>;
  readonly outputs: Readonly<Record<string, { description: string; value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action: Action = parse(await Deno.readTextFile(`${FOLDER}action.yml`));

/** What a runner puts for `${{ ... }}`. */
function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ *([\w.]+) *\}\}/g, (_, name: string) => {
    expect(Object.keys(values)).toContain(name);
    return values[name]!;
  });
}

/** `NAME=value` lines of the files that a step writes. */
async function readValues(path: string): Promise<Record<string, string>> {
  const lines = (await Deno.readTextFile(path)).split("\n").filter((line) => line !== "");
  return Object.fromEntries(
    lines.map((line) => [line.split("=")[0], line.split("=").slice(1).join("=")]),
  );
}

/** Runs all steps, as the runner of GitHub runs those whose shell is bash. */
async function runAction(folder: string, inputs: Readonly<Record<string, string>>) {
  const chosen = Object.entries(action.inputs).map(([name, { default: value }]) =>
    [`inputs.${name}`, inputs[name] ?? value] as const
  );
  const values: Record<string, string> = Object.fromEntries(chosen);
  const files = { GITHUB_ENV: `${folder}/env`, GITHUB_OUTPUT: `${folder}/output` };
  for (const path of Object.values(files)) await Deno.writeTextFile(path, "");
  let said = "";
  for (const [at, { id, shell, run, env = {} }] of action.runs.steps.entries()) {
    expect(shell).toBe("bash");
    const script = `${folder}/step-${at}.sh`;
    await Deno.writeTextFile(script, fillIn(run, {})); // a value in a script would be run
    const { success, stdout, stderr } = await new Deno.Command("bash", {
      args: ["--noprofile", "--norc", "-eo", "pipefail", script],
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH")!,
        HOME: folder,
        DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
        RUNNER_TEMP: folder,
        GITHUB_ACTION_PATH: FOLDER.replace(/\/$/, ""),
        ...files,
        ...Object.fromEntries(
          Object.entries(env).map(([name, value]) => [name, fillIn(value, values)]),
        ),
      },
    }).output();
    const decoder = new TextDecoder();
    said += decoder.decode(stdout) + decoder.decode(stderr);
    if (!success) return { success, said, outputs: {}, env: {} };
    for (const [name, value] of Object.entries(await readValues(files.GITHUB_OUTPUT))) {
      values[`steps.${id}.outputs.${name}`] = value;
    }
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) =>
    [name, fillIn(value, values)] as const
  );
  return {
    success: true,
    said,
    outputs: Object.fromEntries(outputs),
    env: await readValues(files.GITHUB_ENV),
  };
}

Deno.test("the action is a composite one whose inputs and outputs are described", () => {
  expect(action.runs.using).toBe("composite");
  expect(Object.keys(action.inputs)).toEqual(["size", "flags", "install"]);
  expect(Object.keys(action.outputs)).toEqual(["url", "token", "display", "log"]);
  const described = [action, ...Object.values(action.inputs), ...Object.values(action.outputs)];
  for (const { description } of described) expect(description.length).toBeGreaterThan(10);
});

Deno.test({
  name: "the action's steps start a service with a display, for the steps that follow",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const inputs = {
      size: "640x480",
      flags: "--name=desk-1\n--disable=keychain,recording\n",
      install: "false",
    };
    const { success, said, outputs, env } = await runAction(folder.path, inputs);
    expect([success, said]).toEqual([true, said]);
    const { url, token, display, log } = outputs as Record<string, string>;
    expect(env).toEqual({
      COMPUTER_CONTROL_URL: url,
      COMPUTER_CONTROL_TOKEN: token,
      DISPLAY: display,
    });
    expect(said.match(new RegExp(token!, "g"))).toHaveLength(1);
    expect(said).toContain(`::add-mask::${token}`); // by which the runner hides it
    const headers = { authorization: `Bearer ${token}` };
    const ask = async (path: string) => await (await fetch(url + path, { headers })).json();
    try {
      expect((await fetch(`${url}/api/display/screen_size`)).status).toBe(401);
      expect(await ask("/api/display/screen_size")).toEqual({ width: 640, height: 480 });
      expect(await ask("/api/system/info"))
        .toMatchObject({ name: "desk-1", disabled_groups: ["keychain", "recording"] });
      expect((await ask("/api/display/list"))[0].name).toBe(display);
      expect(await Deno.readTextFile(log!)).not.toContain(token);
    } finally {
      await endService(log!);
    }
  },
});

Deno.test({
  name: "the action fails with the reason, when the service does not start",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const { success, said } = await runAction(folder.path, {
      flags: "--nonsense",
      install: "false",
    });
    expect(success).toBe(false);
    expect(said).toContain("::error title=Computer Control::the service did not start");
    expect(said).toContain("--nonsense");
  },
});

/** Ends the service with this log, as a runner does at the end of a job. */
async function endService(log: string): Promise<void> {
  const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
  const stop = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", main, "stop", "--state-dir", `${dirname(log)}/state`],
  });
  await waitFor(async () => (await stop.output()).success);
}
