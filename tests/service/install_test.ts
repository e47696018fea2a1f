/** install-service and uninstall-service by the real program, with a recorder in the place of systemctl. */

import { expect } from "expect";
import { installService, uninstallService } from "../../src/service/install.ts";
import { serviceKind } from "../../src/service/service_kinds.ts";
import { type EndedCommand, runCommand } from "../support/command.ts";
import { fakeHost } from "../support/fake_host.ts";
import { testFolder } from "../support/folder.ts";

interface Desk extends AsyncDisposable {
  readonly unit: string;
  run(...args: string[]): Promise<EndedCommand>;
  /** What systemctl was called with since the last look. */
  calls(): Promise<string[]>;
}

async function desk(script = "", env: Record<string, string> = {}): Promise<Desk> {
  const folder = await testFolder();
  const record = `${folder.path}/record`;
  const recorder = `#!/bin/sh\nprintf '%s\\n' "$*" >>"${record}"\n${script}\n`;
  await Deno.writeTextFile(`${folder.path}/systemctl`, recorder, { mode: 0o755 });
  const all = { HOME: folder.path, PATH: `${folder.path}:${Deno.env.get("PATH")}`, ...env };
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  return {
    unit: `${folder.path}/.config/systemd/user/computer-control.service`,
    run: (...args) => runCommand(args, { ...all, DENO_DIR: cache }),
    async calls() {
      const text = await Deno.readTextFile(record).catch(() => "");
      await Deno.remove(record).catch(() => {});
      return text.split("\n").filter((line) => line !== "");
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const SWITCH_ON = [
  "--user daemon-reload",
  "--user enable computer-control.service",
  "--user restart computer-control.service",
];

Deno.test("install-service writes a unit and starts it, again too; uninstall-service takes it back", async () => {
  await using home = await desk();
  const shown = await home.run("install-service", "--print", "--port", "5000");
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toMatch(/^ExecStart=\S+ run --allow-all \S+\/main\.ts --port=5000$/m);
  expect(await home.calls()).toEqual([]);
  await expect(Deno.stat(home.unit)).rejects.toThrow();

  for (const port of ["5000", "5001"]) {
    const { code, stdout } = await home.run("install-service", "--port", port);
    expect([code, stdout]).toEqual([0, expect.stringContaining(home.unit)]);
    expect(await Deno.readTextFile(home.unit)).toContain(`--port=${port}\n`);
    expect(await home.calls()).toEqual(SWITCH_ON);
  }

  const removed = await home.run("uninstall-service");
  expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining("Removed")]);
  await expect(Deno.stat(home.unit)).rejects.toThrow();
  expect(await home.calls()).toEqual([
    "--user disable --now computer-control.service",
    "--user daemon-reload",
  ]);
  const again = await home.run("uninstall-service");
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("There is no")]);
});

Deno.test("install-service refuses bad flags and the token of the environment", async () => {
  await using home = await desk("", { COMPUTER_CONTROL_TOKEN: "s3cret-s3cret-s3cret" });
  const bad = await home.run("install-service", "--port", "http");
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('--port "http"')]);
  const token = await home.run("install-service");
  expect([token.code, token.stderr]).toEqual([2, expect.stringContaining("--token-file")]);
  expect(token.stdout + token.stderr).not.toContain("s3cret");
  await expect(Deno.stat(home.unit)).rejects.toThrow();
});

Deno.test("install-service says which command failed and why", async () => {
  await using home = await desk("echo no bus >&2; exit 1");
  const { code, stderr } = await home.run("install-service");
  expect([code, stderr]).toEqual([
    1,
    `computer-control: Cannot run "systemctl --user daemon-reload": it ended with 1: no bus\n`,
  ]);
  await expect(Deno.stat(home.unit)).rejects.toThrow();
});

Deno.test("install-service that fails leaves an older unit as it was", async () => {
  await using home = await desk('[ "$2" != restart ] || exit 1');
  await Deno.mkdir(home.unit.slice(0, home.unit.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(home.unit, "older");
  expect((await home.run("install-service")).code).toBe(1);
  expect(await Deno.readTextFile(home.unit)).toBe("older");
});

Deno.test("installService() is exact on macOS too", async () => {
  await using folder = await testFolder();
  const host = fakeHost({ os: "darwin", uid: 501, programs: ["launchctl"] });
  const kind = serviceKind(host, { home: folder.path, stateDir: folder.path }, ["/cc"])!;
  await installService(host, kind);
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
  await expect(installService(host, kind)).rejects.toThrow("systemctl is not installed");
  await expect(Deno.stat(kind.path)).rejects.toThrow();
});
