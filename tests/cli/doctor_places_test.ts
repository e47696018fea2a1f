/** doctor: over disks, folders and users that take something away, and on macOS. */

import { expect } from "expect";
import { readConfig } from "../../src/config/config.ts";
import type { Examine, Verdict } from "../../src/platform/diagnosis.ts";
import { macosDiagnosis } from "../../src/platform/macos/mod.ts";
import { bindReadOnly, cannotMount, mountSmall } from "../features/filesystem/mounts.ts";
import { runCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { fillBut } from "../support/full_disk.ts";
import { startMac } from "../support/mac.ts";

const ignore = await cannotMount();
const USER = 65_534;
const NO_DISPLAY = ["--port", "0", "--disable", "display,mouse,keyboard"];
/** A plain user who sees no process of others, with Deno's modules in a place that is open. */
const AS_USER = [
  ...["unshare", "--mount", "sh", "-c"],
  'mkdir -p "$HOME/deno" && mount --bind "$DENO_DIR" "$HOME/deno" && export DENO_DIR="$HOME/deno" && ' +
  'mount -t proc -o hidepid=2 proc /proc && exec "$@"',
  ...["sh", "setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--clear-groups", "--"],
];

async function doctor(stateDir: string, ...args: string[]) {
  const { code, stdout } = await runCommand([
    ...["doctor", "--json", "--state-dir", stateDir],
    ...[...NO_DISPLAY, ...args],
  ]);
  return { code, found: byName(JSON.parse(stdout).checks) };
}

type Named = Verdict & { readonly name: string };

function byName(checks: readonly Named[]): Record<string, Named> {
  return Object.fromEntries(checks.map((each) => [each.name, each]));
}

Deno.test({
  name: "doctor sees a full disk, works on it, and leaves nothing there",
  ignore,
  async fn() {
    await using disk = await mountSmall("600k");
    const stateDir = `${disk.folder}/state`;
    await Deno.mkdir(stateDir, { mode: 0o700 });
    await using _full = await fillBut(disk.folder, 1);
    const { code, found } = await doctor(stateDir);
    expect(code).toBe(1);
    expect(found["state folder"]).toMatchObject({
      status: "failed",
      detail: `nothing can be written to "${stateDir}": the disk is full`,
      mend: expect.stringContaining("--state-dir"),
    });
    expect(found["disk"]).toMatchObject({ status: "failed" });
    expect([...Deno.readDirSync(stateDir)]).toEqual([]);
  },
});

Deno.test({
  name: "doctor sees a state folder that is read-only",
  ignore,
  async fn() {
    await using folder = await testFolder();
    await Deno.chmod(folder.path, 0o700);
    await using _mounted = await bindReadOnly(folder.path);
    const { code, found } = await doctor(folder.path);
    expect([code, found["state folder"]?.detail]).toEqual([
      1,
      expect.stringMatching(/: it is mounted read-only$/),
    ]);
  },
});

Deno.test("doctor names the chmod for a state folder that others can change", async () => {
  await using folder = await testFolder();
  await Deno.chmod(folder.path, 0o777);
  const { code, found } = await doctor(folder.path);
  expect(code).toBe(1);
  expect(found["state folder"]).toMatchObject({ mend: `chmod go-w "${folder.path}"` });
});

Deno.test({
  name: "doctor names the chown for a state folder of another user",
  ignore,
  async fn() {
    await using folder = await testFolder();
    await Deno.chown(folder.path, USER, USER);
    const { code, found } = await doctor(folder.path);
    expect(code).toBe(1);
    expect(found["state folder"]).toMatchObject({
      mend: `chown 0 "${folder.path}", if no one else should use it`,
    });
  },
});

Deno.test("doctor is not held up by a FIFO where the state folder should be", async () => {
  await using folder = await testFolder();
  const path = `${folder.path}/fifo`;
  await new Deno.Command("mkfifo", { args: [path] }).output();
  const { code, found } = await doctor(path);
  expect([code, found["state folder"]?.status]).toEqual([1, "failed"]);
});

Deno.test({
  name: "doctor works for a plain user who sees no process of others",
  ignore,
  async fn() {
    await using home = await testFolder();
    await Deno.chown(home.path, USER, USER);
    const args = ["doctor", "--json", "--port", "0", "--virtual-display"];
    const { code, stdout, stderr } = await runCommand(
      args,
      { HOME: home.path },
      Deno.execPath(),
      AS_USER,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const found = byName(JSON.parse(stdout).checks);
    expect(found["processes"]).toMatchObject({ status: "note" });
    expect(found["test input"]).toMatchObject({ status: "ok" });
  },
});

Deno.test("doctor names the permissions that macOS has not given", async () => {
  await using mac = await startMac();
  mac.change((desktop) => desktop.answer["recording"] = false);
  mac.uninstall("cliclick");
  const found: Record<string, Verdict> = {};
  const examine: Examine = async (name, check) => found[name] = await check();
  const config = readConfig({}, {}, () => {
    throw new Deno.errors.NotFound();
  });
  await macosDiagnosis.permissions(examine, mac.host, config);
  await macosDiagnosis.programs(examine, mac.host, config);
  await macosDiagnosis.display(examine, mac.host, config);
  expect(found["Screen Recording"]).toMatchObject({
    status: "failed",
    mend: expect.stringContaining("Privacy_ScreenCapture"),
  });
  expect(found["Accessibility"]).toMatchObject({ status: "ok" });
  expect(found["cliclick"]).toMatchObject({ status: "failed", mend: "brew install cliclick" });
  expect(found["display"]).toMatchObject({ status: "failed" });
});

Deno.test("doctor takes a picture and moves the cursor on macOS", async () => {
  await using mac = await startMac();
  const found: Record<string, Verdict> = {};
  const examine: Examine = async (name, check) => found[name] = await check();
  const config = readConfig({}, {}, () => {
    throw new Deno.errors.NotFound();
  });
  await macosDiagnosis.display(examine, mac.host, config);
  expect(Object.entries(found).map(([name, { status }]) => [name, status])).toEqual([
    ["display", "ok"],
    ["test picture", "ok"],
    ["test input", "ok"],
  ]);
  expect(found["test picture"]?.detail).toMatch(/^640x400 captured/);
});
