/** startVirtualDisplay(): a real Xvfb, supervised. */

import { expect } from "expect";
import { createLog } from "../../../../src/core/log.ts";
import { thisHost } from "../../../../src/platform/host.ts";
import type { VirtualDisplay } from "../../../../src/platform/linux/linux_display.ts";
import { readParent } from "../../../../src/platform/linux/process/process_identity.ts";
import { startVirtualDisplay } from "../../../../src/platform/linux/virtual/x_display.ts";
import { testFolder } from "../../../support/folder.ts";
import { lineReader } from "../../../support/lines.ts";
import { isRunning, serverPid } from "../../../support/processes.ts";
import { waitFor } from "../../../support/wait.ts";
import { unless } from "../../../support/test_if.ts";

const size = { width: 800, height: 600 };

/** A virtual display that is recorded in a folder of its own. */
async function start(lines: string[] = []): Promise<VirtualDisplay & { readonly folder: string }> {
  const folder = await testFolder();
  const log = createLog((line) => lines.push(line));
  const virtual = await startVirtualDisplay(thisHost(), { size, stateDir: folder.path, log });
  return {
    display: virtual.display,
    variables: virtual.variables,
    folder: folder.path,
    get running() {
      return virtual.running;
    },
    async [Symbol.asyncDispose]() {
      await virtual[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** What xdpyinfo says of the display, asked with nothing but its name, as another user if one is given. */
async function inspect(display: string, uid?: number): Promise<string> {
  const command = ["xdpyinfo", "-display", display];
  const [program, ...args] = uid === undefined
    ? command
    : ["setpriv", "--reuid", String(uid), "--clear-groups", ...command];
  const env = { PATH: Deno.env.get("PATH")!, HOME: "/nonexistent" };
  const { stdout, stderr } = await new Deno.Command(program!, { args, env, clearEnv: true })
    .output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

Deno.test("startVirtualDisplay() starts a server of the size on a free number from 99 on", async () => {
  await using one = await start();
  await using two = await start();
  expect(one.display).not.toBe(two.display);
  for (const { display } of [one, two]) {
    expect(Number(display.slice(1))).toBeGreaterThanOrEqual(99);
  }
  expect(one.running).toBe(true);
  expect(await inspect(one.display)).toContain("dimensions:    800x600 pixels");
  expect(await inspect(one.display)).toContain("depth of root window:    24 planes");
});

Deno.test({
  name: "startVirtualDisplay() lets in programs of the own user and of nobody else",
  ignore: unless(Deno.uid() === 0, "only root can act as another user"),
  async fn() {
    await using virtual = await start();
    expect(await inspect(virtual.display)).toContain("dimensions");
    expect(await inspect(virtual.display, 65534)).toContain("unable to open display");
  },
});

Deno.test("startVirtualDisplay() leaves no cookie file behind", async () => {
  await using virtual = await start();
  const command = await Deno.readTextFile(`/proc/${serverPid(virtual.display)}/cmdline`);
  const cookie = command.match(/-auth\0([^\0]+)/)![1]!;
  await expect(Deno.stat(cookie)).rejects.toThrow(Deno.errors.NotFound);
});

Deno.test("startVirtualDisplay() has one desktop, so that no wheel turned beside a window hides it", async () => {
  await using virtual = await start();
  const args = ["-display", virtual.display, "-root", "_NET_NUMBER_OF_DESKTOPS"];
  const ask = async (...more: string[]) => {
    const { stdout } = await new Deno.Command("xprop", { args: [...args, ...more] }).output();
    return new TextDecoder().decode(stdout);
  };
  // Openbox says which desktop it shows after it has decided how many there are.
  await waitFor(async () => (await ask("_NET_CURRENT_DESKTOP")).includes("DESKTOP(CARDINAL) = 0"));
  expect(await ask()).toBe("_NET_NUMBER_OF_DESKTOPS(CARDINAL) = 1\n");
});

Deno.test("startVirtualDisplay() starts a killed server again on the same number", async () => {
  const lines: string[] = [];
  const lower = await start();
  await using virtual = await start(lines);
  const { display } = virtual;
  await lower[Symbol.asyncDispose](); // its number is free now, and lower
  for (const killed of ["server", "server", "supervisor"]) {
    const pid = serverPid(display);
    Deno.kill(killed === "server" ? pid : readParent(pid)!, "SIGKILL");
    await waitFor(() => !isRunning(pid), { what: "the end of the server" });
    await waitFor(() => serverPid(display) !== pid && virtual.running, { what: "a new server" });
    expect(await inspect(display)).toContain("dimensions:    800x600 pixels");
  }
  expect(virtual.display).toBe(display);
  // a window manager that outlives its server is restarted, too
  expect(lines.filter((line) => line.includes("display was restarted"))).toHaveLength(3);
});

Deno.test("startVirtualDisplay() ends the server when it is disposed", async () => {
  const virtual = await start();
  const pid = serverPid(virtual.display);
  await virtual[Symbol.asyncDispose]();
  expect(isRunning(pid)).toBe(false);
  expect(virtual.running).toBe(false);
});

Deno.test("startVirtualDisplay() leaves nothing when its window manager cannot be started", async () => {
  await using folder = await testFolder();
  let pid = 0;
  const host = thisHost();
  const which = (program: string) => {
    if (program !== "openbox") return host.which(program);
    const [record] = Deno.readDirSync(`${folder.path}/displays`);
    pid = serverPid(`:${parseInt(record!.name)}`);
    throw new Error("there are too many processes");
  };
  const options = { size, stateDir: folder.path, log: createLog(() => {}) };
  await expect(startVirtualDisplay({ ...host, which }, options)).rejects.toThrow("too many");
  expect(pid).not.toBe(0);
  expect(isRunning(pid)).toBe(false);
  expect(await Array.fromAsync(Deno.readDir(`${folder.path}/displays`))).toEqual([]);
});

Deno.test("startVirtualDisplay() starts nothing again after it is disposed", async () => {
  const virtual = await start();
  const pid = serverPid(virtual.display);
  Deno.kill(pid, "SIGKILL");
  await waitFor(() => !virtual.running, { what: "the end of the server to be noticed" });
  await virtual[Symbol.asyncDispose]();
  expect(virtual.running).toBe(false);
  expect(await inspect(virtual.display)).toContain("unable to open display");
});

Deno.test("startVirtualDisplay() leaves no server when the service is killed", async () => {
  await using folder = await testFolder();
  const program = new URL("../../../support/hold_virtual_display.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", program, folder.path],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = lineReader(child.stdout);
  const display = await output.next();
  const pid = serverPid(display!);
  expect(isRunning(pid)).toBe(true);
  child.kill("SIGKILL");
  await child.status;
  await waitFor(() => !isRunning(pid), { what: "the end of the server" });
  await output.rest();
});
