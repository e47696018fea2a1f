/** What `cmd` is given on Windows itself, or under wine: the command as it is, its environment and its folder. */

import { expect } from "expect";
import { finish, openProcesses, runCommand } from "../../support/windows/command.ts";

const ignore = Deno.build.os !== "windows";

const LINES: readonly (readonly [command: string, output: string])[] = [
  ["echo hi", "hi\n"],
  ['echo "quoted" text', '"quoted" text\n'],
  ['"C:\\windows\\system32\\cmd.exe" /c echo inner', "inner\n"],
  ['echo "a & b" & echo c', '"a & b" \nc\n'],
  ["echo a^&b", "a&b\n"],
  ["echo 100%", "100%\n"],
  ["echo [%NO_SUCH_VARIABLE%]", "[%NO_SUCH_VARIABLE%]\n"],
  ["echo one&& echo two", "one\ntwo\n"],
  ["cd nowhere 2>nul || echo other", "other\n"],
  ["echo piped| more", "piped\n"],
  ["echo é ñ 日本 漢字 😀", "é ñ 日本 漢字 😀\n"],
  ["echo a\\", "a\\\n"],
  ['echo "a\\"', '"a\\"\n'],
  ["echo trailing\r\n\n", "trailing\n"],
  ["(echo in & echo parens)", "in \nparens\n"],
  ["if 1==1 (echo yes) else (echo no)", "yes\n"],
  ["for %i in (1 2) do @echo %i", "1\n2\n"],
  ["echo 1& echo 2 1>&2& echo 3& echo 4 1>&2& echo 5", "1\n2 \n3\n4 \n5\n"],
];

Deno.test({ name: "cmd runs every command as it is, and writes UTF-8", ignore }, async () => {
  for (const [command, output] of LINES) {
    expect([command, (await runCommand(command)).output]).toEqual([command, output]);
  }
});

Deno.test({ name: "a command ends with the code of its shell", ignore }, async () => {
  expect(await runCommand("exit 7")).toEqual({ output: "", code: 7 });
  expect(await runCommand("exit -1")).toEqual({ output: "", code: 0xffff_ffff });
});

Deno.test(
  { name: "a command gets its environment, whatever the case of names", ignore },
  async () => {
    const env = { Foo: "1", FOO: "2", "ü b": "é漢😀", Path: "C:\\nowhere" };
    const { output } = await runCommand("echo [%foo%] [%ü b%] [%path%] [%SystemRoot%]", { env });
    expect(output.toLowerCase()).toBe("[2] [é漢😀] [c:\\nowhere] [c:\\windows]\n");
  },
);

Deno.test({ name: "a command does not see the token of the service", ignore }, async () => {
  Deno.env.set("SOME_NAME", "t0ken");
  await using processes = openProcesses({ token: "t0ken" });
  const command = processes.start({ command: "echo [%SOME_NAME%]", input: false });
  expect((await finish(command)).output).toBe("[%SOME_NAME%]\n");
});

Deno.test({ name: "a command starts in its folder, on any drive", ignore }, async () => {
  const folder = await Deno.makeTempDir({ prefix: "é 漢 & ^ %" });
  try {
    expect((await runCommand("cd", { cwd: folder })).output).toBe(`${folder}\n`);
    expect((await runCommand("cd", { cwd: "C:\\" })).output).toBe("C:\\\n");
    const refused = (cwd: string) => runCommand("cd", { cwd });
    await expect(refused(`${folder}\\none`)).rejects.toMatchObject({ code: "not_found" });
    await Deno.writeTextFile(`${folder}\\file`, "");
    await expect(refused(`${folder}\\file`)).rejects.toMatchObject({ code: "not_a_directory" });
    const fitting = await folderOfLength(folder, 258);
    expect((await runCommand("cd", { cwd: fitting })).output).toBe(`${fitting}\n`);
    const long = { code: "invalid", field: "cwd" };
    await expect(refused(await folderOfLength(folder, 259))).rejects.toMatchObject(long);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test({ name: "what the shell would cut is refused before it starts", ignore }, async () => {
  const longest = `echo ${"x".repeat(8_000)}`;
  expect((await runCommand(longest)).output).toHaveLength(8_001);
  const tooLarge = { code: "too_large" };
  await expect(runCommand(longest.padEnd(8_192, "x"))).rejects.toMatchObject(tooLarge);
  const variable = { env: { LONG: "x".repeat(32_767) } };
  await expect(runCommand("echo a", variable)).rejects.toMatchObject(tooLarge);
  const lines = runCommand("echo a\necho b");
  await expect(lines).rejects.toMatchObject({ code: "invalid", field: "command" });
});

Deno.test({ name: "another shell gets the command as one argument", ignore }, async () => {
  await using processes = openProcesses({ shell: "no-such-shell.exe" });
  expect(() => processes.start({ command: "echo a", input: false })).toThrow(
    "Cannot start a process now",
  );
});

/** Makes one whose path has exactly so many characters. */
async function folderOfLength(parent: string, length: number): Promise<string> {
  const part = "x".repeat(100);
  const path = `${parent}\\${part}\\${part}`.slice(0, length - 2).padEnd(length, "y");
  await Deno.mkdir(path, { recursive: true });
  return path;
}
