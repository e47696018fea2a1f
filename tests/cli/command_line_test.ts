/** The command line: what each flag becomes, and how the real program ends on a bad one. */

import { expect } from "expect";
import { resolve } from "node:path";
import type { Flags } from "../../src/config/config.ts";
import { readCommandLine } from "../../src/cli/command_line.ts";
import { ConfigError } from "../../src/config/option.ts";
import { LIMITS } from "../../src/config/limits.ts";
import { runCommand, startCommand } from "../support/command.ts";
import { unless } from "../support/test_if.ts";
import { startXvfb } from "../support/xvfb.ts";

const read: [string[], Flags][] = [
  [[], {}],
  [["serve"], {}],
  [["--host", "0.0.0.0"], { host: "0.0.0.0" }],
  [["--port", "5000"], { port: "5000" }],
  [["--port=5000"], { port: "5000" }],
  [["--port", "-1"], { port: "-1" }],
  [["--name", "desk-1"], { name: "desk-1" }],
  [["--display", ":5", "--display", "2=:6"], { display: [":5", "2=:6"] }],
  [["--virtual-display"], { "virtual-display": true }],
  [["--virtual-display", "800x600"], { "virtual-display": "800x600" }],
  [["--virtual-display", "--read-only"], { "virtual-display": true, "read-only": true }],
  [["--virtual-display=800x600", "serve"], { "virtual-display": "800x600" }],
  [["--virtual-display", "--", "serve"], { "virtual-display": true }],
  [["--name", "--port"], { name: "--port" }],
  [["--port", "1", "--port", "2"], { port: "2" }],
  [["--backend", "xdotool"], { backend: "xdotool" }],
  [["--input-driver", "xdotool"], { backend: "xdotool" }],
  [["--backend=x11", "--input-driver=xdotool"], { backend: "xdotool" }],
  [["--token-file", "t"], { "token-file": "t" }],
  [["--allow-host", "a", "--allow-host", "b"], { "allow-host": ["a", "b"] }],
  [["--allow-origin", "http://a"], { "allow-origin": ["http://a"] }],
  [["--no-auth"], { "no-auth": true }],
  [["--disable", "bash,editor", "--disable", "mouse"], { disable: ["bash,editor", "mouse"] }],
  [["--read-only"], { "read-only": true }],
  [["--no-redact"], { "no-redact": true }],
  [["--keychain", "file", "--keychain-key-file", "k"], {
    keychain: "file",
    "keychain-key-file": "k",
  }],
  [["--no-setup"], { "no-setup": true }],
  [["--state-dir", "s"], { "state-dir": "s" }],
  [["serve", "--port", "1", "--name", "x"], { port: "1", name: "x" }],
];

for (const [args, expected] of read) {
  Deno.test(`readCommandLine() reads "${args.join(" ")}"`, () => {
    expect(readCommandLine(args)).toEqual({ kind: "serve", flags: expected });
  });
}

Deno.test("readCommandLine() reads mcp, as a service of its own or as a bridge", () => {
  const own = readCommandLine(["mcp", "--name", "x", "--mcp-tools", "all"]);
  expect(own).toEqual({ kind: "mcp", flags: { name: "x", "mcp-tools": "all" }, joins: false });
  const bridge = readCommandLine(["mcp", "--url=http://127.0.0.1:4242/x", "--token-file", "t"]);
  const url = "http://127.0.0.1:4242/x";
  expect(bridge).toEqual({ kind: "mcp", flags: { "token-file": "t" }, joins: true, url });
  expect(readCommandLine(["mcp"])).toEqual({ kind: "mcp", flags: {}, joins: true });
  const errors: readonly [string[], RegExp][] = [
    [["mcp", "--url", "localhost"], /--url.*"localhost": must be the address of a service/],
    [["mcp", "--url", "http://me:pw@localhost"], /must be the address/],
    [["mcp", "--url", "http://localhost", "--port", "1"], /--port is for a separate service/],
    [["--url", "http://localhost"], /--url belongs to mcp/],
  ];
  for (const [args, message] of errors) expect(() => readCommandLine(args)).toThrow(message);
});

for (const { flag } of Object.values(LIMITS)) {
  Deno.test(`readCommandLine() reads --${flag}`, () => {
    expect(readCommandLine([`--${flag}`, "7"])).toEqual({ kind: "serve", flags: { [flag]: "7" } });
  });
}

Deno.test("readCommandLine() reads install-service with the flags of the service", () => {
  const flags = { port: "1" };
  expect(readCommandLine(["install-service", "--port", "1"]))
    .toEqual({ kind: "install", flags, print: false });
  expect(readCommandLine(["install-service", "--print", "--port", "1"]))
    .toEqual({ kind: "install", flags, print: true });
  expect(readCommandLine(["uninstall-service"])).toEqual({ kind: "uninstall" });
});

Deno.test("readCommandLine() reads stop and status", () => {
  expect(readCommandLine(["stop", "--port=5", "--force"]))
    .toEqual({ kind: "stop", port: 5, all: false, force: true });
  expect(readCommandLine(["status", "--name", "a", "--state-dir", "/s", "--json"]))
    .toEqual({ kind: "status", name: "a", stateDir: resolve("/s"), json: true });
});

const refused: [string[], string][] = [
  [["--prot", "1"], 'There is no flag "--prot": did you mean "--port"? '],
  [["--tokenfile=x"], 'There is no flag "--tokenfile=x": did you mean "--token-file"? '],
  [["--hepl"], 'There is no flag "--hepl": did you mean "--help"? '],
  [["-p", "1"], 'There is no flag "-p": "computer-control --help" lists all'],
  [["--xyzzy-plugh"], 'There is no flag "--xyzzy-plugh": "computer-control --help" lists all'],
  [["--port"], "--port needs a value: --port <number>"],
  [["--read-only=yes"], "--read-only takes no value"],
  [["instal-service"], 'There is no command "instal-service": did you mean "install-service"?'],
  [["hlep"], 'There is no command "hlep": did you mean "help"?'],
  [["record"], 'There is no command "record": the commands are serve, '],
  [["hasOwnProperty"], 'There is no command "hasOwnProperty": the commands are serve, '],
  [["x".repeat(100_000)], 'There is no command "x'],
  [["uninstall-service", "--port", "1"], "uninstall-service takes no flags"],
  [["--print"], "--print belongs to install-service"],
  [["--all"], "--all belongs to stop"],
  [["install-service", "--json"], "--json belongs to status"],
  [["stop", "--json"], "stop takes no --json"],
  [["status", "--read-only"], "status takes no --read-only"],
  [
    ["stop", "--port", "0", "--name", "api"],
    '--port "0": must be an integer from 1 to 65535; ',
  ],
  [["--token-file"], "--token-file needs a value: --token-file <path>"],
  [["serve", "more"], "Too many words (serve, more): at most one command, then flags"],
];

for (const [args, message] of refused) {
  Deno.test(`readCommandLine() refuses "${args.join(" ").slice(0, 80)}" in one line`, () => {
    const error = refusalOf(args);
    expect(error.message.slice(0, message.length)).toBe(message);
    expect(error.message).not.toContain("\n");
  });
}

function refusalOf(args: readonly string[]): ConfigError {
  let request: unknown;
  try {
    request = readCommandLine(args);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error(`It is taken as ${JSON.stringify(request)}`);
}

Deno.test("the version is printed", async () => {
  const { version } = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  expect(await runCommand(["--version"])).toEqual({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^${version} \\(from source, Deno [0-9.]+\\)\n$`)),
    stderr: "",
  });
});

const bad: [string[], string][] = [
  [["--frobnicate"], 'There is no flag "--frobnicate"'],
  [["stat-service"], 'There is no command "stat-service"'],
  [["--port", "http"], '--port "http": must be an integer from 0 to 65535'],
  [["--allow-origin", "*"], '--allow-origin "*": is not allowed'],
  [["--token-file", "/none"], '--token-file "/none": cannot be read: there is no such file'],
  [["--host", "0.0.0.0"], "without a token"],
];

for (const [args, message] of bad) {
  Deno.test(`the program ends "${args.join(" ")}" with 2 and one line`, async () => {
    const { code, stdout, stderr } = await runCommand(args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
    expect(stderr.trimEnd()).not.toContain("\n");
  });
}

Deno.test({
  name: "the program refuses a token file that is a link to nothing, a FIFO or a folder",
  ignore: unless(Deno.build.os !== "windows", "links there need a right that few users have"),
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.symlink("nothing", `${folder}/link`);
      await new Deno.Command("mkfifo", { args: ["-m", "600", `${folder}/fifo`] }).output();
      const said = { link: "there is no such file", fifo: "not a regular file", ".": "a folder" };
      for (const [name, reason] of Object.entries(said)) {
        const { code, stderr } = await runCommand(["--token-file", `${folder}/${name}`]);
        expect([name, code, stderr]).toEqual([name, 2, expect.stringContaining(reason)]);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test("the program refuses a token file that others can read, and takes it after chmod 600", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, "s3cret\n");
    await Deno.chmod(path, 0o644);
    const refusal = await runCommand(["--token-file", path]);
    expect(refusal.code).toBe(2);
    expect(refusal.stderr).toContain("chmod 600");
    expect(refusal.stderr).not.toContain("s3cret");

    await Deno.chmod(path, 0o600);
    await using xvfb = await startXvfb();
    await using service = await startCommand(["--token-file", path, "--display", xvfb.display]);
    const url = `${service.address}/api/system/info`;
    const refused = await fetch(url);
    expect(refused.status).toBe(401);
    await refused.body?.cancel();
    const headers = { authorization: "Bearer s3cret" };
    const answer = await fetch(url, { headers });
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain("s3cret");
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("the program ends with 1 and one line when the port is taken", async () => {
  await using xvfb = await startXvfb();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  const { code, stdout, stderr } = await runCommand([
    ...["--port", String(port), "--display", xvfb.display],
  ]);
  expect(code).toBe(1);
  expect(stdout).toBe("");
  const lines = stderr.trimEnd().split("\n").filter((line) => !/ info /.test(line));
  expect(lines).toEqual([
    `computer-control: Cannot listen on 127.0.0.1:${port}: the port is in use: ` +
    "choose another with --port, or 0 for any free one",
  ]);
});
