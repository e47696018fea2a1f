/** OpenAI's `shell` and `local_shell`: what real commands and programs write. */

import { expect } from "expect";
import { testFolder } from "../../../support/folder.ts";
import { startShell, type TestShell } from "../../../support/shell.ts";

type Item = Readonly<Record<string, unknown>>;

async function ask(shell: TestShell, output: readonly Item[]): Promise<Item[]> {
  const { status, json } = await shell.app.post("/api/agents/openai", { output });
  expect({ status, json }).toMatchObject({ status: 200, json: { pending_safety_checks: [] } });
  return json.input;
}

function shellCall(action: object, more: object = {}): Item {
  return { type: "shell_call", id: "sh", call_id: "call_1", status: "completed", action, ...more };
}

Deno.test("shell runs commands in order, each with its output and its exit code", async () => {
  await using shell = startShell();
  const commands = ["echo out; echo err >&2; exit 3", "echo $((6 * 7)) > made; cat made"];
  const [answer] = await ask(shell, [
    shellCall({ commands, timeout_ms: null, max_output_length: null }),
  ]);
  expect(answer).toEqual({
    type: "shell_call_output",
    call_id: "call_1",
    output: [
      { stdout: "out\nerr\n", stderr: "", outcome: { type: "exit", exit_code: 3 } },
      { stdout: "42\n", stderr: "", outcome: { type: "exit", exit_code: 0 } },
    ],
  });
});

Deno.test("shell and local_shell begin in the workspace, unless a call names a folder", async () => {
  await using shell = startShell();
  await using folder = await testFolder();
  const local = (action: object) => ({
    ...{ type: "local_shell_call", id: "ls", call_id: "call_2", status: "completed" },
    action: { type: "exec", command: ["pwd"], env: {}, ...action },
  });
  const output = [shellCall({ commands: ["pwd"] }), local({}), local({ working_directory: "/" })];
  const { json } = await shell.app.post("/api/agents/openai", { output, workspace: folder.path });
  expect(json.input[0].output[0].stdout).toBe(`${folder.path}\n`);
  expect(JSON.parse(json.input[1].output).output).toBe(`${folder.path}\n`);
  expect(JSON.parse(json.input[2].output).output).toBe("/\n");
});

Deno.test("shell ends a command that takes too long, and goes on with the next one", async () => {
  await using shell = startShell();
  await shell.run("true"); // from now on there is a spare shell, which needs no time to start
  const commands = ["echo begun; sleep 1000; echo never", "echo next"];
  const [answer] = await ask(shell, [shellCall({ commands, timeout_ms: 300 })]);
  expect(answer!["output"]).toEqual([
    { stdout: "begun\n", stderr: "", outcome: { type: "timeout" } },
    { stdout: "next\n", stderr: "", outcome: { type: "exit", exit_code: 0 } },
  ]);
});

Deno.test("shell keeps the start and the end of an output that is too long", async () => {
  await using shell = startShell();
  const [answer] = await ask(shell, [
    shellCall({ commands: ["seq 1 100000"], max_output_length: 100 }),
  ]);
  const [{ stdout }] = answer!["output"] as [{ stdout: string }];
  expect(answer!["max_output_length"]).toBe(100);
  expect(stdout.length).toBeLessThanOrEqual(100);
  expect(stdout).toMatch(/^1\n2\n3\n[\s\S]*characters omitted[\s\S]*100000\n$/);
});

Deno.test("shell and local_shell show a million characters of all commands of a response", async () => {
  await using shell = startShell();
  const commands = Array(20).fill("seq 1 20000");
  const program = { command: ["seq", "1", "20000"] };
  const answers = await ask(shell, [
    shellCall({ commands }),
    { type: "local_shell_call", id: "l", call_id: "call_2", status: "completed", action: program },
    shellCall({ commands: ["echo short"], max_output_length: 900_000 }),
  ]);
  const outputs = answers[0]!["output"] as { stdout: string }[];
  expect(outputs[0]!.stdout).toMatch(/^1\n2\n[\s\S]*characters omitted[\s\S]*20000\n$/);
  expect(outputs[0]!.stdout.length).toBeLessThanOrEqual(64_000);
  expect(outputs[19]!.stdout).toBe("[108894 characters omitted]");
  expect(JSON.parse(String(answers[1]!["output"])).output).toBe("[108894 characters omitted]");
  expect(JSON.stringify(answers).length).toBeLessThan(1_300_000);
});

Deno.test("shell answers what it cannot run, and leaves calls for the vendor's container alone", async () => {
  await using shell = startShell();
  const never = `${await Deno.makeTempDir()}/never`;
  const environment = { type: "container_reference", container_id: "c" };
  const answers = await ask(shell, [
    shellCall({ commands: [`touch ${never}`] }, { environment }),
    shellCall({ commands: [] }),
    shellCall({ commands: "ls" }),
    shellCall({ commands: ["a\0b"] }),
    shellCall({ commands: ["true"] }, { environment: { type: "local" } }),
  ]);
  expect(answers).toHaveLength(4);
  for (const { output } of answers.slice(0, 3)) {
    expect(output).toMatchObject([{ stdout: "", outcome: { type: "exit", exit_code: 1 } }]);
  }
  expect(answers[3]!["output"]).toMatchObject([{ outcome: { exit_code: 0 } }]);
  await expect(Deno.lstat(never)).rejects.toThrow(Deno.errors.NotFound);
});

function local(action: object): Item {
  return { type: "local_shell_call", id: "ls", call_id: "call_1", status: "completed", action };
}

/** What the program wrote, and its exit code. */
async function runLocal(shell: TestShell, action: object) {
  const [answer] = await ask(shell, [local({ type: "exec", env: {}, ...action })]);
  expect(answer).toMatchObject({
    type: "local_shell_call_output",
    id: "call_1",
    status: "completed",
  });
  const { output, metadata } = JSON.parse(answer!["output"] as string);
  expect(typeof metadata.duration_seconds).toBe("number");
  return [output, metadata.exit_code];
}

Deno.test("local_shell runs a program with exactly its arguments, variables and folder", async () => {
  await using shell = startShell();
  const words = ["it's", "a  b", "$HOME", "`id`", '"', "\\", "*", "", "a\nb", "é;&|<>"];
  const [output, code] = await runLocal(shell, { command: ["printf", "<%s>", ...words] });
  expect([output, code]).toEqual([words.map((word) => `<${word}>`).join(""), 0]);
  const folder = await Deno.makeTempDir();
  const action = { command: ["sh", "-c", "pwd; echo $NAME; exit 5"], env: { NAME: "x y" } };
  expect(await runLocal(shell, { ...action, working_directory: folder, user: null }))
    .toEqual([`${folder}\nx y\n`, 5]);
});

Deno.test("local_shell ends a program that takes too long, and refuses another user", async () => {
  await using shell = startShell();
  const [output, code] = await runLocal(shell, { command: ["sleep", "1000"], timeout_ms: 200 });
  expect([output, code]).toEqual(["\n(ended: it timed out)", 124]);
  const [refused, status] = await runLocal(shell, { command: ["true"], user: "somebody" });
  expect(refused).toMatch(/no other `user`/);
  expect(status).toBe(1);
  const [gone] = await runLocal(shell, { command: ["true"], working_directory: "/gone" });
  expect(gone).toMatch(/gone/);
});

Deno.test("what is switched off is told to the model", async () => {
  await using shell = startShell({ config: { disabled: new Set(["bash", "editor"]) } });
  const operation = { type: "update_file", path: "x", diff: "@@\n-a\n+b\n" };
  const [command, patch] = await ask(shell, [
    shellCall({ commands: ["true"] }),
    { type: "apply_patch_call", call_id: "call_2", operation },
  ]);
  expect(JSON.stringify(command)).toMatch(/disabled/);
  expect(patch).toMatchObject({ status: "failed", output: expect.stringMatching(/disabled/) });
});
