/** The buses of a virtual display: what programs on it tell, and that nothing is left of them. */

import { basename, join } from "node:path";
import { expect } from "expect";
import { createLog } from "../../../../src/core/log.ts";
import { thisHost } from "../../../../src/platform/host.ts";
import { sendSignal } from "../../../../src/platform/posix/process_table.ts";
import { startOwnBuses } from "../../../../src/platform/linux/virtual/own_buses.ts";
import { startVirtualDisplay } from "../../../../src/platform/linux/virtual/x_display.ts";
import { testFolder } from "../../../support/folder.ts";
import { lineReader } from "../../../support/lines.ts";
import { childrenOf, serverPid } from "../../../support/processes.ts";
import { processIds } from "../../../real_programs/support/processes.ts";
import { waitFor } from "../../../support/wait.ts";
import { doctor } from "../../../support/doctor.ts";
import { startXvfb } from "../../../support/xvfb.ts";
import { startAccessibleSession } from "../../../real_programs/support/accessible_session.ts";
import { openElements } from "../atspi/support/elements.ts";
import { writeProgram } from "../../../support/written_program.ts";

const BUSES = "../../../../src/platform/linux/virtual/own_buses.ts";
const size = { width: 800, height: 600 };

const START_BUSES = `
  import { createLog } from "${import.meta.resolve("../../../../src/core/log.ts")}";
  import { thisHost } from "${import.meta.resolve("../../../../src/platform/host.ts")}";
  import { startOwnBuses } from "${import.meta.resolve(BUSES)}";
  const logged = [];
  const log = createLog((line) => logged.push(line));
  const buses = await startOwnBuses(thisHost(), { display: {}, log });
  console.log(JSON.stringify({ isUndefined: buses === undefined, logged }));`;

async function startDisplay() {
  const folder = await testFolder();
  const logged: string[] = [];
  const log = createLog((line) => logged.push(line));
  const virtual = await startVirtualDisplay(thisHost(), { size, stateDir: folder.path, log });
  return {
    display: virtual.display,
    variables: virtual.variables,
    logged,
    get running() {
      return virtual.running;
    },
    async [Symbol.asyncDispose]() {
      await virtual[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function showZenity(variables: Readonly<Record<string, string>>): Deno.ChildProcess {
  const env = { PATH: Deno.env.get("PATH")!, HOME: "/nonexistent", ...variables };
  const args = ["--info", "--text=Seen"];
  return new Deno.Command("zenity", { args, env, clearEnv: true, stderr: "null" }).spawn();
}

/** The processes that have this in their environment. */
function processesWith(variable: string): number[] {
  return processIds().filter((pid) => environmentOf(pid).includes(variable));
}

function environmentOf(pid: number): readonly string[] {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/environ`).split("\0");
  } catch {
    return []; // it has ended
  }
}

Deno.test("a virtual display has an accessibility bus, which programs of its variables tell", async () => {
  await using virtual = await startDisplay();
  await using elements = await openElements(virtual.display);
  const program = showZenity(virtual.variables);
  try {
    await elements.find("button", "OK");
  } finally {
    program.kill("SIGKILL");
    await program.status;
  }
  expect(virtual.logged).toEqual([]);
});

Deno.test("the buses of a virtual display end with it, and have nothing of the service's secrets", async () => {
  const others = new Set(processIds()); // some may have been left on a display of the same name
  const virtual = await startDisplay();
  const started = processesWith(`DISPLAY=${virtual.display}`).filter((pid) => !others.has(pid));
  expect(started.length).toBeGreaterThan(1);
  for (const pid of started) {
    expect(await Deno.readTextFile(`/proc/${pid}/environ`)).not.toContain("COMPUTER_CONTROL_");
  }
  await virtual[Symbol.asyncDispose]();
  // another service may have the same display by then, with buses of its own
  const running = () => processIds().filter((pid) => started.includes(pid));
  await waitFor(() => running().length === 0, { what: "the end of the buses" });
  const folder = virtual.variables["DBUS_SESSION_BUS_ADDRESS"]!.slice("unix:path=".length);
  await waitFor(() => !thisHost().exists(folder), { what: "the end of the socket" });
});

Deno.test("a virtual display that was started again tells its elements again", async () => {
  await using virtual = await startDisplay();
  const pid = serverPid(virtual.display);
  Deno.kill(pid, "SIGKILL");
  await waitFor(() => serverPid(virtual.display) !== pid && virtual.running, {
    what: "a new server",
  });
  await using elements = await openElements(virtual.display);
  const program = showZenity(virtual.variables);
  try {
    await elements.find("button", "OK");
  } finally {
    program.kill("SIGKILL");
    await program.status;
  }
});

Deno.test("doctor says whether programs report their elements, and what switches them on", async () => {
  await using session = await startAccessibleSession();
  const found = await doctor(["--display", session.display], session.env);
  expect(found.check("elements")).toMatchObject({
    status: "ok",
    detail: "an accessibility bus; 0 programs report their elements",
  });
  const virtual = await doctor(["--virtual-display"]);
  expect(virtual.check("elements")).toMatchObject({ status: "ok" });
  await using xvfb = await startXvfb();
  const none = await doctor(["--display", xvfb.display], {
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/x",
  });
  expect(none.check("elements")).toMatchObject({
    status: "note",
    mend: expect.stringContaining("at-spi2-core"),
  });
});

const AGAIN = "accessibility bus was restarted";

for (
  const [name, program] of [
    ["window manager", "openbox"],
    ["accessibility bus", "at-spi-bus-launcher"],
    ["session bus", "dbus-daemon"],
  ] as const
) {
  Deno.test(`the ${name} of a virtual display is started again after a kill, which is logged`, async () => {
    await using virtual = await startDisplay();
    const find = () =>
      processesWith(`DISPLAY=${virtual.display}`).filter((pid) => isProgram(pid, program));
    await waitFor(() => find().length > 0, { what: program });
    const before = find();
    for (const pid of before) Deno.kill(pid, "SIGKILL");
    await waitFor(() => find().some((pid) => !before.includes(pid)), { what: `a new ${program}` });
    if (name !== "window manager") { // a program that starts before then tells nothing
      await waitFor(() => virtual.logged.some((line) => line.includes(AGAIN)), { what: AGAIN });
    }
    await using elements = await openElements(virtual.display);
    const zenity = showZenity(virtual.variables);
    try {
      await elements.find("button", "OK");
    } finally {
      zenity.kill("SIGKILL");
      await zenity.status;
    }
    expect(virtual.logged.join("\n")).toContain(`${name} ended`);
    expect(virtual.logged.join("\n")).not.toContain("virtual display ended");
  });
}

function isProgram(pid: number, name: string): boolean {
  try {
    return basename(Deno.readTextFileSync(`/proc/${pid}/cmdline`).split("\0")[0]!) === name;
  } catch {
    return false; // it has ended
  }
}

Deno.test("another window manager that takes over stays", async () => {
  await using virtual = await startDisplay();
  const env = { DISPLAY: virtual.display };
  // openbox may never learn that it is replaced while it starts: it has when it manages a window
  const window = new Deno.Command("xterm", { env }).spawn();
  await waitFor(async () => (await findManaged(virtual.display)).includes("window id"), {
    what: "the window manager",
  });
  window.kill("SIGKILL");
  await window.status;
  const other = new Deno.Command("openbox", { args: ["--replace"], env }).spawn();
  let ended = false;
  const end = other.status.then(() => void (ended = true));
  await waitFor(() => virtual.logged.some((line) => line.includes("has taken over")), {
    what: "the other window manager to be found",
  });
  expect(ended).toBe(false);
  other.kill("SIGKILL");
  await end;
});

async function findManaged(display: string): Promise<string> {
  const args = ["-display", display, "-root", "_NET_CLIENT_LIST"];
  const { stdout } = await new Deno.Command("xprop", { args, stderr: "null" }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test("a bus that takes no connection is ended, and the display told to do without", async () => {
  await using folder = await testFolder();
  const stub = join(folder.path, "dbus-daemon");
  const pidFile = join(folder.path, "pid");
  const script = `#!/bin/sh\necho $$ > ${pidFile}\necho unix:path=/nowhere\nexec sleep 300\n`;
  await writeProgram(stub, script);
  const logged: string[] = [];
  const host = { ...thisHost(), which: () => stub };
  const log = createLog((line) => logged.push(line));
  expect(await startOwnBuses(host, { display: {}, log })).toBe(undefined);
  const pid = Number(await Deno.readTextFile(pidFile));
  await waitFor(() => !processIds().includes(pid), { what: "the end of the daemon" });
  expect(logged.join("\n")).toContain("programs on the virtual display report no elements");
});

Deno.test("buses that find no place for their folder are done without, which is logged", async () => {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", START_BUSES],
    env: { TMPDIR: "/nonexistent" }, // not of this process, whose other tests need theirs
    stderr: "inherit",
  }).output();
  expect(code).toBe(0);
  const { isUndefined, logged } = JSON.parse(new TextDecoder().decode(stdout));
  expect(isUndefined).toBe(true);
  expect(logged.join("\n")).toContain("programs on the virtual display report no elements");
});

Deno.test("the folder of buses that were killed with their instance and all scripts is removed by the next", async () => {
  await using folder = await testFolder();
  const program = new URL("../../../support/hold_virtual_display.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", program, folder.path],
    ...{ stdin: "null", stdout: "piped", stderr: "inherit" },
  }).spawn();
  const output = lineReader(child.stdout);
  const display = await output.next();
  child.kill("SIGSTOP"); // it would start them again
  const descendants = (pid: number): number[] =>
    childrenOf(pid).flatMap((each) => [
      each,
      ...descendants(each),
    ]);
  const ofBuses = descendants(child.pid).map((pid) => [pid, environmentOf(pid)] as const)
    .filter(([, env]) => env.includes(`DISPLAY=${display}`));
  for (const [pid] of ofBuses) sendSignal(pid, "SIGKILL"); // scripts before what they start
  child.kill("SIGKILL");
  await child.status;
  await output.rest();
  const [left] = new Set(
    ofBuses.flatMap(([, env]) => env).flatMap((each) =>
      /^DBUS_SESSION_BUS_ADDRESS=unix:path=(.*)\/bus$/.exec(each)?.[1] ?? []
    ),
  );
  expect(thisHost().exists(left!)).toBe(true);
  await using _next = await startDisplay();
  expect(thisHost().exists(left!)).toBe(false);
});
