/** Running commands with real processes: results, order, environment, folder. */

import { expect } from "expect";
import { testIf } from "../../support/test_if.ts";
import { startShell } from "../../support/shell.ts";

const DONE = { status: "completed", process_id: null, truncated: false } as const;

Deno.test("a command that ends gives its output and its exit code", async () => {
  await using shell = startShell();
  const cases = [
    ["echo hi", "hi\n", 0],
    ["true", "", 0],
    ["exit 3", "", 3],
    ["kill -TERM $$", "", 143],
    ["kill -KILL $$", "", 137],
    ["kill -SEGV $$", "", 139],
    ["kill -35 $$", "", 163],
    ["printf 'no newline'", "no newline", 0],
    ["printf 'a\\nb'; exit 255", "a\nb", 255],
  ] as const;
  for (const [command, output, exit_code] of cases) {
    expect({ command, ...await shell.run(command) }).toEqual({
      command,
      ...{ ...DONE, output, exit_code },
    });
  }
});

Deno.test("an unknown program is 127, with what the shell says", async () => {
  await using shell = startShell();
  const { output, exit_code } = await shell.run("no-such-program-here");
  expect(exit_code).toBe(127);
  expect(output).toContain("no-such-program-here: command not found");
});

Deno.test("a command that looks like an option is a command", async () => {
  await using shell = startShell();
  for (const command of ["-x", "-c echo", "--version", "+x"]) {
    for (const more of [{}, { cwd: "/" }]) {
      const { output, exit_code } = await shell.run(command, more);
      expect({ output, exit_code }).toEqual({
        ...{ output: expect.stringContaining("command not found"), exit_code: 127 },
      });
    }
  }
});

Deno.test("output and errors come in the order in which they were written", async () => {
  await using shell = startShell();
  const { output } = await shell.run("for i in {1..500}; do echo out $i; echo err $i >&2; done");
  const lines = Array.from({ length: 500 }, (_, index) => `out ${index + 1}\nerr ${index + 1}\n`);
  expect(output).toBe(lines.join(""));
});

Deno.test("a command means the same in a spare shell and in one of its own", async () => {
  await using shell = startShell();
  await shell.run("true"); // from now on there is a spare
  const commands = [
    `echo "it's" 'a "test"' \\$HOME \`echo x\` !! ~ * | head -c 7`,
    "echo 'two\nlines'; cat <<END\nhere é 日本 🙂\nEND\n",
    'printf \'%s|\' "$0" "$#" "$-" "$PWD"; ulimit -n; umask',
    "echo $LINENO; if",
    "# nothing",
    "  \n\n",
    String.fromCodePoint(...Array.from({ length: 0x17f }, (_, index) => index + 1))
      .replace(/^/, "cat <<'\u{1f642}'\n") + "\n\u{1f642}\n",
    "readlink /proc/self/fd/0; ps -o pgid= -o sid= -p $$ | tr -s ' ' '\\n' | uniq | wc -l",
    "env | sort | grep -v '^_='",
  ];
  for (const command of commands) {
    const spare = await shell.run(command);
    const own = await shell.run(command, { cwd: "~" });
    expect(spare).toEqual(own);
  }
});

Deno.test("a command gets a whole environment, of which the shell replaces what is its own", async () => {
  await using shell = startShell();
  const env = { MINE: "1", PWD: "/nowhere", OLDPWD: "/nowhere", SHLVL: "77", _: "/nowhere/env" };
  const { output } = await shell.run('echo "$MINE $PWD $SHLVL"', { env, cwd: "/" });
  expect(output).toMatch(/^1 \/ \d+\n$/);
});

Deno.test("a command runs in a session of its own", async () => {
  await using shell = startShell();
  for (const more of [{}, { cwd: "/" }]) {
    const { output } = await shell.run("echo $$; ps -o pgid=,sid= -p $$", more);
    const [pid, group, session] = output.split(/\s+/);
    expect([group, session]).toEqual([pid, pid]);
  }
});

Deno.test("a command never sees the service's own secrets", async () => {
  const env = {
    ...Deno.env.toObject(),
    COMPUTER_CONTROL_TOKEN: "secret-1",
    COMPUTER_CONTROL_KEYCHAIN_KEY: "secret-2",
    computer_control_odd: "secret-3",
    OTHER_NAME: "secret-1",
    DISPLAY: ":9",
  };
  await using shell = startShell({ config: { token: "secret-1" }, host: { env } });
  const authorization = { authorization: "Bearer secret-1" };
  for (const more of [{}, {}, { cwd: "/" }]) {
    const body = { command: "env", ...more };
    const { json } = await shell.app.post("/api/bash/command", body, authorization);
    expect(json.output).toMatch(/^DISPLAY=:42$/m);
    expect(json.output).not.toContain("secret-");
  }
});

Deno.test("cwd is absolute, below ~ or relative to the home", async () => {
  const home = await Deno.makeTempDir();
  await Deno.mkdir(`${home}/a b/c`, { recursive: true });
  const env = { ...Deno.env.toObject(), HOME: home };
  await using shell = startShell({ host: { env } });
  const folderOf = async (cwd: string) => (await shell.run("pwd", { cwd })).output.trimEnd();
  expect((await shell.run("pwd")).output).toBe(`${home}\n`);
  expect(await folderOf("/usr")).toBe("/usr");
  expect(await folderOf("~")).toBe(home);
  expect(await folderOf("~/a b")).toBe(`${home}/a b`);
  expect(await folderOf("a b/c")).toBe(`${home}/a b/c`);
  await Deno.remove(home, { recursive: true });
});

Deno.test("env adds variables", async () => {
  await using shell = startShell();
  const env = { FOO: "a=b 'c' é", "odd.name": "x", EMPTY: "", HOME: "/nowhere" };
  const { output } = await shell.run('echo "$FOO|${EMPTY-unset}|$HOME"; env', { env });
  expect(output).toContain("a=b 'c' é||/nowhere\n");
  expect(output).toContain("odd.name=x\n");
});

Deno.test("--shell says which shell runs commands", async () => {
  await using shell = startShell({ config: { shell: "/bin/sh" } });
  for (let round = 0; round < 2; round++) {
    expect((await shell.run('echo "$0${BASH_VERSION}"')).output).toBe("/bin/sh\n");
  }
});

Deno.test("a command gets exactly the variables that were asked for", async () => {
  await using shell = startShell();
  const env = {
    ...{
      PLAIN: "a b",
      EMPTY: "",
      lower_1: "é\n日本",
      "a-b": "x",
      "a b": "y=z",
      "é": "1",
      "1": "one",
    },
    ...{ "-i": "option", constructor: "c", toString: "t", OPTARG: "7", SECONDS: "x y", HOME: "/" },
    ...{ ENV: "/nowhere", BASH_ENV: "", CDPATH: "/", PATH: "/nowhere", UID_: "7", FUNCNAME: "f" },
  };
  const printed = (await shell.run("exec /usr/bin/env -0", { env })).output.split("\0");
  for (const [name, value] of Object.entries(env)) expect(printed).toContain(`${name}=${value}`);
});

for (const shell of ["/bin/bash", "/bin/dash", "/usr/bin/zsh", "/usr/bin/fish"]) {
  const there = await Deno.stat(shell).then(() => true, () => false);
  testIf(there, `there is no ${shell}`)(
    `${shell} takes a command that looks like an option for a command`,
    async () => {
      await using started = startShell({ config: { shell } });
      for (const command of ["-x", "+x", "--version", "-- echo hi"]) {
        const { output, exit_code } = await started.run(command);
        expect({ command, output, exit_code }).toMatchObject({
          ...{ command, exit_code: 127, output: expect.stringContaining(command.split(" ")[0]!) },
        });
      }
      expect((await started.run("echo hi")).output).toBe("hi\n");
    },
  );
}
