/** completion: the scripts in real shells, typed with the Tab key where the shell has a terminal. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { operationsByName } from "../../src/cli/call/call.ts";
import { fieldsOf } from "../../src/cli/call/arguments.ts";
import { COMMANDS } from "../../src/cli/command.ts";
import { findCandidates } from "../../src/cli/completion.ts";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import type { CommandFlag, Option } from "../../src/config/option.ts";
import { OPTION_GROUPS } from "../../src/config/options.ts";
import { runCommand } from "../support/command.ts";
import { type TestFolder, testFolder } from "../support/folder.ts";
import { run } from "../support/desktop.ts";
import { denoFolder } from "../support/own_places.ts";
import { writeProgram } from "../support/written_program.ts";

const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

/** Writes the script that the program prints. */
async function scriptOf(shell: typeof SHELLS[number], folder: TestFolder): Promise<string> {
  const { code, stdout, stderr } = await runCommand(["completion", shell]);
  expect({ shell, code, stderr }).toEqual({ shell, code: 0, stderr: "" });
  const path = `${folder.path}/script`;
  await Deno.writeTextFile(path, stdout);
  return path;
}

const STARTS = {
  bash: { start: "bash --norc --noprofile -i", setup: "" },
  zsh: { start: "zsh -f -i", setup: "autoload -U compinit; compinit -D -u; " },
};

/** Types a line with Tab keys into a shell that has the script. */
async function typeInto(shell: keyof typeof STARTS, line: string): Promise<string[]> {
  await using folder = await testFolder();
  const { start, setup } = STARTS[shell];
  return await type(start, folder, [`${setup}source ${await scriptOf(shell, folder)}`, line]);
}

/**
 * The variables of a shell that finds the program. What is no question of its script is recorded in
 * `recorded`, a word to a line.
 */
async function withProgram(folder: TestFolder, recorded: string): Promise<Record<string, string>> {
  const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
  const program = [
    "#!/bin/sh",
    `[ "$1" = __complete ] && exec "${Deno.execPath()}" run -A "${main}" "$@"`,
    `printf '%s\\n' "$@" > "${recorded}"`,
  ];
  const bin = `${folder.path}/bin`;
  await Deno.mkdir(bin, { recursive: true });
  await writeProgram(`${bin}/computer-control`, program.join("\n"));
  return {
    HOME: folder.path,
    PATH: `${bin}:${Deno.env.get("PATH")}`,
    DENO_DIR: denoFolder(), // it is below the home folder otherwise
  };
}

/** Types lines into a shell in a terminal; gives the words of the last one as the program gets them. */
async function type(
  shell: string,
  folder: TestFolder,
  lines: readonly string[],
): Promise<string[]> {
  const recorded = `${folder.path}/words`;
  const child = new Deno.Command("script", {
    args: ["-qec", shell, "/dev/null"],
    cwd: folder.path,
    env: { TERM: "dumb", ...await withProgram(folder, recorded) },
    stdin: "piped",
    stdout: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode([...lines, "exit", ""].join("\n")));
  await writer.close();
  await child.status;
  return (await Deno.readTextFile(recorded)).trimEnd().split("\n");
}

const typed: [string, string[]][] = [
  ["doc\t--key-ch\t", ["doctor", "--key-ch"]],
  ["doc\t--keychain-k\t/etc/hostn\t", ["doctor", "--keychain-key-file", "/etc/hostname"]],
  ["--back\tx11", ["--backend", "x11"]],
  ["call mouse.mo\t--dur\t5 --x 1", ["call", "mouse.move", "--duration-ms", "5", "--x", "1"]],
  ["call mouse.down --but\tmid\t", ["call", "mouse.down", "--button", "middle"]],
  ["call display.screenshot --format=w\t", ["call", "display.screenshot", "--format=webp"]],
  ["call editor.v\t--path /etc/hostn\t", ["call", "editor.view", "--path", "/etc/hostname"]],
  ["stop --for\t", ["stop", "--force"]],
  ["completion fi\t", ["completion", "fish"]],
];

for (const shell of ["bash", "zsh"] as const) {
  for (const [line, expected] of typed) {
    Deno.test(`${shell} completes "${line.replaceAll("\t", "<Tab>")}"`, async () => {
      expect(await typeInto(shell, `computer-control ${line}`)).toEqual(expected);
    });
  }
}

Deno.test("zsh finds the script in a folder of fpath", async () => {
  await using folder = await testFolder();
  const script = await scriptOf("zsh", folder);
  await Deno.rename(script, `${folder.path}/_computer-control`);
  const setup = `fpath=(${folder.path} $fpath); autoload -U compinit; compinit -D -u`;
  for (const line of ["computer-control doc\t--read\t", "computer-control call mouse.mo\t"]) {
    const words = await type("zsh -f -i", folder, [setup, line]);
    expect(words).toEqual(
      line.includes("doc") ? ["doctor", "--read-only"] : ["call", "mouse.move"],
    );
  }
});

Deno.test("fish lists what can follow, and says what it is", async () => {
  await using folder = await testFolder();
  const script = await scriptOf("fish", folder);
  const env = await withProgram(folder, "/dev/null");
  const list = async (line: string) => {
    const command = `source ${script}; complete -C ${JSON.stringify(`computer-control ${line}`)}`;
    const output = await run("fish", ["--no-config", "-c", command], env);
    const lines = new TextDecoder().decode(output).split("\n").filter((each) => each !== "");
    return lines.map((each) => each.split("\t"));
  };
  const words = async (line: string) => (await list(line)).map(([word]) => word);
  expect(await list("doc")).toEqual([["doctor", expect.stringContaining("check")]]);
  expect(await list("call mouse.mo")).toEqual([["mouse.move", "Move the cursor"]]);
  expect(await words("call mouse.down --button m")).toEqual(["middle"]);
  expect(await words("call display.screenshot --format=w")).toEqual(["--format=webp"]);
  expect(await words("--backend x")).toEqual(["x11", "xdotool"]);
  expect(await words("stop --fo")).toEqual(["--force"]);
  expect(await words("status --fo")).toEqual([]);
  expect(await words("call editor.view --path /etc/hostn")).toEqual(["/etc/hostname"]);
  expect(await words("completion z")).toEqual(["zsh"]);
});

/** What can follow these words; an empty one stands for a space at their end. */
async function candidates(...words: string[]): Promise<string[]> {
  const found = await findCandidates(words);
  if (found === ":files") return [found];
  return found.map(({ word }) => word);
}

Deno.test("every command, flag and value is a candidate where it can stand", async () => {
  const commands = Object.keys(COMMANDS);
  expect(await candidates("")).toEqual(commands);
  for (const entry of OPTION_GROUPS.flatMap(({ options }) => options)) {
    const { flag, values = [], isPath }: CommandFlag & Partial<Option<string, never>> = entry;
    const takers: string[] = [];
    for (const command of commands) {
      if ((await candidates(command, "--")).includes(`--${flag}`)) takers.push(command);
    }
    expect([flag, takers]).not.toEqual([flag, []]);
    const found = await candidates(takers[0]!, `--${flag}`, "");
    expect([flag, found]).toEqual([
      flag,
      expect.arrayContaining(isPath ? [":files"] : [...values]),
    ]);
  }
  expect(await candidates("--")).toContain("--keychain-key-file");
});

Deno.test("every operation, field and value is a candidate of call", async () => {
  const operations = await operationsByName(DEFAULT_LIMITS);
  expect(await candidates("call", "")).toEqual([...operations.keys()]);
  for (const [name, operation] of operations) {
    const flags = await candidates("call", name, "--");
    expect([name, flags]).toEqual([name, expect.arrayContaining(["--url", "--help"])]);
    for (const { flag, values } of fieldsOf(operation)) {
      expect([name, flags]).toEqual([name, expect.arrayContaining([flag])]);
      if (values.length === 0) continue;
      const found = await candidates("call", name, flag, "");
      expect([name, flag, found]).toEqual([name, flag, expect.arrayContaining([...values])]);
    }
  }
  expect(await candidates("call", "mouse.move", "--di")).toEqual(["--display-num"]);
  expect(await candidates("call", "display.screenshot", "--format=w")).toEqual(["--format=webp"]);
  // as bash splits it
  expect(await candidates("call", "display.screenshot", "--format", "=", "w")).toEqual(["webp"]);
});

Deno.test("each script asks the program, and leaves paths to the shell", async () => {
  await using folder = await testFolder();
  for (const shell of SHELLS) {
    const script = await Deno.readTextFile(await scriptOf(shell, folder));
    expect([shell, script]).toEqual([shell, expect.stringContaining("__complete -- ")]);
    expect([shell, script]).toEqual([shell, expect.stringContaining(":files")]);
  }
});

Deno.test("bash, zsh and fish find no error in their script", async () => {
  await using folder = await testFolder();
  for (const shell of ["bash", "zsh", "fish"] as const) {
    await run(shell, ["-n", await scriptOf(shell, folder)]);
  }
});

Deno.test("completion takes one shell", async () => {
  for (const args of [[], ["tcsh"], ["bash", "zsh"], ["toString"]]) {
    const { code, stdout, stderr } = await runCommand(["completion", ...args]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("bash, zsh, fish, powershell");
  }
  const { code, stdout } = await runCommand(["completion", "--help"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("fish/completions")]);
});
