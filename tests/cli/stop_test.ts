/** stop and status: by the records of the state folder, of the real program. */

import { expect } from "expect";
import { findInstances, recordInstance } from "../../src/cli/instances.ts";
import { runCommand, type RunningCommand, startCommand, startLimited } from "../support/command.ts";
import { type TestFolder, testFolder } from "../support/folder.ts";
import { isRunning } from "../support/processes.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { startXvfb } from "../support/xvfb.ts";

async function start(folder: TestFolder, display: string, ...args: string[]) {
  return await startCommand(["--state-dir", folder.path, "--display", display, ...args]);
}

function run(folder: TestFolder, ...args: string[]) {
  return runCommand([...args, "--state-dir", folder.path]);
}

function portOf({ address }: RunningCommand): string {
  return new URL(address).port;
}

Deno.test("status and stop say that no service runs, with exit code 3", async () => {
  await using folder = await testFolder();
  const none = expect.stringContaining(`No service is running (state folder "${folder.path}")`);
  expect(await run(folder, "status")).toEqual({ code: 3, stdout: none, stderr: "" });
  expect(await run(folder, "status", "--json")).toEqual({ code: 3, stdout: "[]\n", stderr: "" });
  expect(await run(folder, "stop")).toEqual({ code: 3, stdout: "", stderr: none });
});

Deno.test("stop ends the service in order and waits until it is gone", async () => {
  await using folder = await testFolder();
  await using xvfb = await startXvfb();
  await using service = await start(folder, xvfb.display, "--name", "desk-1");
  const all = await waitFor(async () => {
    const { stdout } = await run(folder, "status", "--json");
    return stdout.includes(`"display": "`) && JSON.parse(stdout);
  }, { what: "the name of the display" });
  expect(all).toEqual([{
    ...{ pid: service.pid, port: Number(portOf(service)), address: service.address },
    ...{ name: "desk-1", version: expect.any(String), display: xvfb.display },
    ...{ since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), state: "running" },
  }]);
  const status = await run(folder, "status");
  expect([status.code, status.stdout]).toEqual([
    0,
    expect.stringContaining(`running  ${service.address}/desk-1  process ${service.pid}`),
  ]);
  expect(await run(folder, "stop")).toEqual({
    code: 0,
    stdout: `Stopped the service at ${service.address} (process ${service.pid})\n`,
    stderr: "",
  });
  await waitFor(() => !isRunning(service.pid), { what: "its end" });
  expect(await service.ended).toBe(0);
  expect((await Array.fromAsync(Deno.readDir(`${folder.path}/instances`))).length).toBe(0);
});

Deno.test("stop asks which one where several run, and takes --port, --name or --all", async () => {
  await using folder = await testFolder();
  await using xvfb = await startXvfb();
  const services = await Promise.all(
    ["a", "b", "c", "d"].map((name) => start(folder, xvfb.display, "--name", name)),
  );
  const [a, b, c, d] = services as [RunningCommand, RunningCommand, RunningCommand, RunningCommand];
  try {
    const unclear = await run(folder, "stop");
    expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining("--all")]);
    for (const { address } of services) expect(unclear.stderr).toContain(address);
    expect(services.every(({ pid }) => isRunning(pid))).toBe(true);

    expect((await run(folder, "stop", "--port", portOf(b))).code).toBe(0);
    expect((await run(folder, "stop", "--name", "c")).code).toBe(0);
    await waitFor(() => !isRunning(b.pid) && !isRunning(c.pid), { what: "the end of two" });
    expect([a, d].map(({ pid }) => isRunning(pid))).toEqual([true, true]);
    expect((await run(folder, "stop", "--name", "c")).code).toBe(3);
    expect((await run(folder, "stop", "--all")).code).toBe(0);
    await waitFor(() => !isRunning(a.pid) && !isRunning(d.pid), { what: "the end of the others" });
  } finally {
    await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
  }
});

Deno.test("stop says that a service hangs and what to do, and --force kills it", async () => {
  await using folder = await testFolder();
  await using xvfb = await startXvfb();
  const args = ["--state-dir", folder.path, "--display", xvfb.display];
  await using service = await startLimited({ shutdownGraceMs: 0, killAfterMs: 0 }, args);
  Deno.kill(service.pid, "SIGSTOP");
  using _goOn = { [Symbol.dispose]: () => isRunning(service.pid) && service.signal("SIGCONT") };
  const status = await run(folder, "status");
  expect([status.code, status.stdout]).toEqual([0, expect.stringContaining("not answering")]);
  const advice = `kill it with computer-control stop --force --port ${portOf(service)}`;
  const hangs = await run(folder, "stop");
  expect([hangs.code, hangs.stderr]).toEqual([1, expect.stringContaining(advice)]);
  expect(isRunning(service.pid)).toBe(true);
  const killed = await run(folder, "stop", "--force");
  expect([killed.code, killed.stdout]).toEqual([
    0,
    expect.stringContaining("which did not respond"),
  ]);
  await waitFor(() => !isRunning(service.pid), { what: "its end" });
});

Deno.test("stop takes no record of a killed service for a running one", async () => {
  await using folder = await testFolder();
  await using xvfb = await startXvfb();
  await using service = await start(folder, xvfb.display);
  service.signal("SIGKILL");
  await service.ended;
  expect((await run(folder, "stop")).code).toBe(3);
  expect((await Array.fromAsync(Deno.readDir(`${folder.path}/instances`))).length).toBe(0);
});

const about = {
  ...{ since: "2026-01-31T12:00:00.000Z", address: "http://127.0.0.1:1", port: 1, name: null },
  ...{ version: "0", display: null, ready: true, stopWithinMs: 100 },
};

Deno.test("stop signals no process that has got the number of a service", async () => {
  await using folder = await testFolder();
  await using _record = await recordInstance(folder.path, about); // held by us, so it "runs"
  const other = new Deno.Command("sleep", { args: ["1000"] }).spawn();
  const [path] = await recordsOf(folder);
  const text = JSON.parse(await Deno.readTextFile(path!));
  await Deno.writeTextFile(path!, JSON.stringify({ ...text, pid: other.pid }));
  const { code, stderr } = await run(folder, "stop", "--force");
  expect([code, stderr]).toEqual([1, expect.stringContaining("is not visible from here")]);
  expect(isRunning(other.pid)).toBe(true);
  other.kill("SIGKILL");
  await other.status;
});

Deno.test({
  name: "stop refuses the record of another user",
  ignore: unless(Deno.uid() === 0, "only root can give a file away"),
  async fn() {
    await using folder = await testFolder();
    await using _record = await recordInstance(folder.path, about);
    const [path] = await recordsOf(folder);
    await Deno.chown(path!, 65_534, 65_534);
    const { code, stderr } = await run(folder, "stop", "--force", "--all");
    expect([code, stderr]).toEqual([1, expect.stringContaining("it belongs to user 65534")]);
  },
});

for (const text of ["", "{", "[]", '{"pid": -1}', "x".repeat(100_000)]) {
  Deno.test(`findInstances() refuses what is no record: ${text.slice(0, 10)}`, async () => {
    await using folder = await testFolder();
    await using _record = await recordInstance(folder.path, about);
    const [path] = await recordsOf(folder);
    await Deno.writeTextFile(path!, text);
    const { running, refused } = await findInstances(folder.path);
    expect([running, refused]).toEqual([[], [
      expect.stringContaining("not a record of a service"),
    ]]);
  });
}

for (
  const address of [
    ...["http://evil@127.0.0.1:4242", "http://127.0.0.1:4242/a", "http://127.0.0.1:4243"],
    ...["https://127.0.0.1:4242", "http://192.0.2.1:4242", "http://other.example:4242"],
  ]
) {
  Deno.test(`findInstances() refuses a record for port 4242 with the address ${address}`, async () => {
    await using folder = await testFolder();
    await using _record = await recordInstance(folder.path, { ...about, port: 4242, address });
    const { running, refused } = await findInstances(folder.path);
    expect([running, refused]).toEqual([[], [expect.stringContaining("is not that of port 4242")]]);
  });
}

Deno.test("findInstances() takes addresses of this computer", async () => {
  await using folder = await testFolder();
  const own = Deno.networkInterfaces().filter(({ address }) => !address.startsWith("fe80"))
    .map(({ address, family }) => family === "IPv6" ? `[${address}]` : address);
  const hosts = ["127.0.0.1", "[::1]", "localhost", ...own];
  await using records = new AsyncDisposableStack();
  for (const host of hosts) {
    const address = `http://${host}:4242`;
    records.use(await recordInstance(folder.path, { ...about, port: 4242, address }));
  }
  const { running, refused } = await findInstances(folder.path);
  expect([running.length, refused]).toEqual([hosts.length, []]);
});

Deno.test({
  name: "findInstances() refuses a record without a start time where the system reports one",
  ignore: unless(Deno.build.os === "linux", "only there start times are reported"),
  async fn() {
    await using folder = await testFolder();
    await using record = await recordInstance(folder.path, about);
    await record.update({ startedAt: null });
    const { running, refused } = await findInstances(folder.path);
    expect([running, refused]).toEqual([[], [expect.stringContaining("is not visible")]]);
  },
});

Deno.test({
  name: "a service is not where another process takes the connections",
  ignore: unless(Deno.build.os === "linux", "only there the system tells"),
  async fn() {
    await using folder = await testFolder();
    for (const hostname of ["127.0.0.1", "::1", "0.0.0.0", "::"]) {
      const listener = Deno.listen({ hostname, port: 0 });
      const { port } = listener.addr;
      const address = `http://${hostname.includes(":") ? "[::1]" : "127.0.0.1"}:${port}`;
      await using _record = await recordInstance(folder.path, { ...about, port, address });
      const [own] = (await findInstances(folder.path)).running;
      expect(await own!.isThere()).toBe(true);
      listener.close();
      {
        await using _stranger = await startListener(hostname, port);
        expect(await own!.isThere()).toBe(false);
      }
    }
  },
});

/** Another process that listens. */
async function startListener(hostname: string, port: number) {
  const code = `Deno.listen({ hostname: "${hostname}", port: ${port} }); console.log("ready");
    setInterval(() => {}, 1_000);`;
  const child = new Deno.Command(Deno.execPath(), {
    ...{ args: ["eval", code], stdin: "null", stdout: "piped" },
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await Promise.all([child.status, reader.cancel()]);
    },
  };
}

Deno.test("findInstances() does not wait for a FIFO", async () => {
  await using folder = await testFolder();
  await Deno.mkdir(`${folder.path}/instances`);
  await new Deno.Command("mkfifo", { args: [`${folder.path}/instances/1-a.json`] }).output();
  expect((await findInstances(folder.path)).refused).toHaveLength(1);
});

async function recordsOf(folder: TestFolder): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(`${folder.path}/instances`));
  const names = entries.map(({ name }) => name).filter((name) => name.endsWith(".json"));
  return names.map((name) => `${folder.path}/instances/${name}`);
}
