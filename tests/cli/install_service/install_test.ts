/** install-service and uninstall-service by the real program, with a recorder in the place of systemctl. */

import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect } from "expect";
import { readCommandLine, type ServiceRequest } from "../../../src/cli/command_line.ts";
import {
  installService,
  runServiceCommand,
  uninstallService,
} from "../../../src/cli/install_service/install.ts";
import { serviceKind } from "../../../src/cli/install_service/service_kinds.ts";
import { type EndedCommand, linkDeno, runCommand, startCommand } from "../../support/command.ts";
import { fakeHost } from "../../support/fake_host.ts";
import { testFolder } from "../../support/folder.ts";
import { waitFor } from "../../support/wait.ts";
import { writeProgram } from "../../support/written_program.ts";

interface Home extends AsyncDisposable {
  readonly unit: string;
  run(...args: string[]): Promise<EndedCommand>;
  /** What systemctl was called with since the last look. */
  calls(): Promise<string[]>;
}

/** What systemd does with the one unit, in the folder that this script is in. */
const SYSTEMD = `
here=$(dirname "$0")
is_alive() { [ -r "/proc/$1/status" ] && ! grep -q '^State:.Z' "/proc/$1/status"; }
stop() {
  read -r pid <"$here/pid" || return
  kill "$pid"
  while is_alive "$pid"; do sleep 0.05; done
  rm "$here/pid"
}
case "$2" in
  restart)
    stop
    command=$(sed -n 's/^ExecStart=//p' "$here/.config/systemd/user/computer-control.service")
    sh -c "exec $command" >"$here/log" 2>&1 &
    echo $! >"$here/pid"
    ;;
  disable) stop ;;
  show)
    read -r pid <"$here/pid"
    if is_alive "$pid"; then echo NRestarts=0; else echo NRestarts=1; fi
    ;;
esac 2>/dev/null
exit 0
`;

async function makeHome(script = "", env: Record<string, string> = {}): Promise<Home> {
  const folder = await testFolder();
  const record = `${folder.path}/record`;
  const recorder = `#!/bin/sh\n[ "$2" = show ] || printf '%s\\n' "$*" >>"${record}"\n`;
  const systemctl = `${recorder}${script}\n${SYSTEMD}`;
  await writeProgram(`${folder.path}/systemctl`, systemctl);
  const journal = `#!/bin/sh\ncat "$(dirname "$0")/log"\n`;
  await writeProgram(`${folder.path}/journalctl`, journal);
  const all = { HOME: folder.path, PATH: `${folder.path}:${Deno.env.get("PATH")}`, ...env };
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  const deno = await linkDeno(folder.path);
  return {
    unit: `${folder.path}/.config/systemd/user/computer-control.service`,
    run: (...args) => runCommand(args, { ...all, DENO_DIR: cache }, deno),
    async calls() {
      if (!existsSync(record)) return [];
      const text = await Deno.readTextFile(record);
      await Deno.remove(record);
      return text.split("\n").filter((line) => line !== "");
    },
    async [Symbol.asyncDispose]() {
      await runCommand(["uninstall-service"], { ...all, DENO_DIR: cache }, deno);
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The flags of a service that needs nothing of this computer. */
const PLAIN = ["--display", ":4095", "--no-setup", "--keychain", "file"];

const SWITCH_ON = [
  "--user daemon-reload",
  "--user enable computer-control.service",
  "--user restart computer-control.service",
];

Deno.test("install-service writes a unit and starts it, again too; uninstall-service takes it back", async () => {
  await using home = await makeHome();
  const shown = await home.run("install-service", "--print", "--port", "5000");
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toMatch(
    /^ExecStart=\S+ run --allow-all (\S+|"[^"]+)\/main\.ts"? --port=5000$/m,
  );
  expect(await home.calls()).toEqual([]);
  await expect(Deno.stat(home.unit)).rejects.toThrow();

  for (const port of [freePort(), freePort()]) {
    const { code, stdout } = await home.run("install-service", "--port", port, ...PLAIN);
    expect([code, stdout]).toEqual([0, expect.stringContaining(home.unit)]);
    expect(stdout).toContain(`which runs at http://127.0.0.1:${port};`);
    expect(stdout).toContain("loginctl enable-linger");
    expect(await Deno.readTextFile(home.unit)).toContain(`--port=${port} `);
    expect(await home.calls()).toEqual(SWITCH_ON);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  }

  const removed = await home.run("uninstall-service");
  expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining("Removed")]);
  await expect(Deno.stat(home.unit)).rejects.toThrow();
  expect(await home.calls()).toEqual([
    "--user disable --now computer-control.service",
    "--user daemon-reload",
    "--user reset-failed computer-control.service",
  ]);
  const again = await home.run("uninstall-service");
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("There is no")]);
});

Deno.test("install-service refuses bad flags and the token of the environment", async () => {
  await using home = await makeHome("", { COMPUTER_CONTROL_TOKEN: "s3cret-s3cret-s3cret" });
  const bad = await home.run("install-service", "--port", "http");
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('--port "http"')]);
  const token = await home.run("install-service");
  expect([token.code, token.stderr]).toEqual([2, expect.stringContaining("--token-file")]);
  expect(token.stdout + token.stderr).not.toContain("s3cret");
  await expect(Deno.stat(home.unit)).rejects.toThrow();
});

Deno.test("install-service says which command failed and why", async () => {
  await using home = await makeHome("echo no bus >&2; exit 1");
  const { code, stderr } = await home.run("install-service");
  expect([code, stderr]).toEqual([
    1,
    `computer-control: Cannot run "systemctl --user daemon-reload": it ended with 1: no bus\n`,
  ]);
  await expect(Deno.stat(home.unit)).rejects.toThrow();
});

Deno.test("install-service that fails leaves an older unit as it was", async () => {
  await using home = await makeHome('[ "$2" != restart ] || exit 1');
  await Deno.mkdir(home.unit.slice(0, home.unit.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(home.unit, "older");
  expect((await home.run("install-service")).code).toBe(1);
  expect(await Deno.readTextFile(home.unit)).toBe("older");
});

Deno.test("install-service that finds its port taken says so, and takes all back", async () => {
  await using home = await makeHome();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const port = String(taken.addr.port);
  const { code, stdout, stderr } = await home.run("install-service", "--port", port, ...PLAIN);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("The service was removed again, because it ends. The end of its log:\n");
  expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port}: the port is in use`);
  await expect(Deno.stat(home.unit)).rejects.toThrow();
  expect(await home.calls()).toContain("--user disable --now computer-control.service");
});

Deno.test("install-service that fails lets the older service run again", async () => {
  await using home = await makeHome();
  const port = freePort();
  expect((await home.run("install-service", "--port", port, ...PLAIN)).code).toBe(0);
  const before = await Deno.readTextFile(home.unit);
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const args = ["--port", String(taken.addr.port), ...PLAIN];
  expect((await home.run("install-service", ...args)).code).toBe(1);
  expect(await Deno.readTextFile(home.unit)).toBe(before);
  await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok);
});

for (const command of ["serve", "install-service"]) {
  Deno.test(`${command} refuses a shell that is not there`, async () => {
    await using home = await makeHome();
    for (const shell of ["nope", "./nope", "/bin", "/etc/passwd"]) {
      const { code, stdout, stderr } = await home.run(command, "--port", "0", "--shell", shell);
      expect({ shell, code, stdout }).toEqual({ shell, code: 2, stdout: "" });
      expect(stderr).toContain(`--shell "${shell}": there is no`);
    }
    expect(await home.calls()).toEqual([]);
  });
}

Deno.test("install-service writes where a shell is that is given by name", async () => {
  await using home = await makeHome();
  const { stdout } = await home.run("install-service", "--print", "--shell", "sh");
  expect(stdout).toMatch(/^ExecStart=.* --shell=\/(usr\/)?bin\/sh$/m);
});

Deno.test("a service runs its commands by a shell that is given by name or from its own folder", async () => {
  for (const shell of ["sh", "../../../../../../../../../../../../bin/sh"]) {
    await using service = await startCommand([...PLAIN, "--shell", shell]);
    const answer = await fetch(`${service.address}/api/bash/command`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ command: "echo $0" }),
    });
    expect(await answer.json()).toMatchObject({
      output: expect.stringMatching(/^\/(usr\/)?bin\/sh\n$/),
      exit_code: 0,
    });
  }
});

for (
  const path of [
    "/home/me/.npm/_npx/3f/node_modules/deno/deno",
    "C:\\Users\\me\\AppData\\Local\\npm-cache\\_npx\\3f\\node_modules\\deno\\deno.exe",
    "/home/me/.cache/pnpm/dlx-12/node_modules/deno/deno",
  ]
) {
  Deno.test(`install-service refuses a program in a cache: ${path}`, async () => {
    const launch = { version: "0", command: [path, "run", "--allow-all", "/src/main.ts"] };
    const request = readCommandLine(["install-service"]) as ServiceRequest;
    const running = runServiceCommand(request, { host: fakeHost(), launch, cwd: "/" });
    await expect(running).rejects.toThrow('"npm install --global deno"');
  });
}

Deno.test("installService() is exact on macOS too", async () => {
  await using folder = await testFolder();
  const host = fakeHost({ os: "darwin", uid: 501, programs: ["launchctl"] });
  const kind = serviceKind(host, { home: folder.path, stateDir: folder.path }, ["/cc"])!;
  await installService(host, kind, () => Promise.resolve("http://127.0.0.1:1"));
  expect((await Deno.stat(kind.path)).isFile).toBe(true);
  await uninstallService(host, kind);
  await expect(Deno.stat(kind.path)).rejects.toThrow();
  expect(host.ran).toEqual([
    "launchctl bootout gui/501/computer-control",
    `launchctl bootstrap gui/501 ${kind.path}`,
    "launchctl bootout gui/501/computer-control",
  ]);
});

Deno.test("installService() says when the system has no such program", async () => {
  await using folder = await testFolder();
  const host = fakeHost();
  const kind = serviceKind(host, { home: folder.path, stateDir: folder.path }, ["/cc"])!;
  const started = () => Promise.reject(new Error("it was never switched on"));
  await expect(installService(host, kind, started)).rejects.toThrow("systemctl is not installed");
  await expect(Deno.stat(kind.path)).rejects.toThrow();
});

Deno.test("installService() leaves nothing when the file cannot be written", async () => {
  await using folder = await testFolder();
  const host = fakeHost();
  const kind = serviceKind(host, { home: folder.path, stateDir: folder.path }, ["/cc"])!;
  await Deno.mkdir(`${kind.path}/something`, { recursive: true });
  const started = () => Promise.reject(new Error("it was never switched on"));
  await expect(installService(host, kind, started)).rejects.toThrow(`Cannot write "${kind.path}"`);
  const left = await Array.fromAsync(Deno.readDir(dirname(kind.path)));
  expect(left.map(({ name }) => name)).toEqual([basename(kind.path)]);
});

function freePort(): string {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return String(listener.addr.port);
}
