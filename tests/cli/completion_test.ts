/** completion: the scripts in real shells, typed with the Tab key where the shell has a terminal. */

import { expect } from "expect";
import { allWords } from "../../src/cli/completion/words.ts";
import { OPTION_GROUPS } from "../../src/config/options.ts";
import { runCommand } from "../support/command.ts";
import { type TestFolder, testFolder } from "../support/folder.ts";
import { run } from "../support/desktop.ts";

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
    env: { TERM: "dumb", HOME: folder.path },
    stdin: "piped",
    stdout: "null",
  }).spawn();
  const record = `computer-control() { printf '%s\\n' "$@" > ${recorded}; }`;
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode([record, ...lines, "exit", ""].join("\n")));
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
  const list = async (line: string) => {
    const command = `source ${script}; complete -C ${JSON.stringify(`computer-control ${line}`)}`;
    const output = await run("fish", ["--no-config", "-c", command], { HOME: folder.path });
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

Deno.test("every command, flag, operation and field is in each script", async () => {
  const { commands, operations, flags } = allWords();
  const words = [
    ...[...commands, ...operations].map(({ word }) => word),
    ...[...flags.values()].flat().map(({ flag }) => flag.slice(2)),
    ...[...flags.values()].flat().flatMap(({ values }) => values),
  ];
  expect(words).toEqual(expect.arrayContaining(["display-num", "webp", "keychain-key-file"]));
  for (const { flag } of OPTION_GROUPS.flatMap(({ options }) => options)) {
    expect(words).toContain(flag);
  }
  await using folder = await testFolder();
  for (const shell of SHELLS) {
    const script = await Deno.readTextFile(await scriptOf(shell, folder));
    const known = new Set(script.match(/[\w.-]+/g)?.map((word) => word.replace(/^--/, "")));
    expect([shell, words.filter((word) => !known.has(word))]).toEqual([shell, []]);
  }
});

Deno.test("bash, zsh and fish find no fault in their script", async () => {
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
