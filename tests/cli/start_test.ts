/** The start of the running program: the port first, then the display, and what the programs it starts may know. */

import { join } from "node:path";
import { expect } from "expect";
import { namesIn } from "../../src/core/files.ts";
import { runCommand, startCommand } from "../support/command.ts";
import { ownPlaces } from "../support/own_places.ts";
import { serverPid } from "../support/processes.ts";
import { waitFor } from "../support/wait.ts";
import { writeProgram } from "../support/written_program.ts";

/** An Xvfb that starts when a file exists. */
const LATE_XVFB = `#!/bin/sh
touch "$GATE.asked"
until [ -e "$GATE" ]; do sleep 0.02; done
exec ${findXvfb()} "$@"
`;

Deno.test("a taken port is refused before anything is opened", async () => {
  await using late = await lateXvfb();
  late.open();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  const args = ["--port", String(port), "--virtual-display", "640x480"];
  const { code, stdout, stderr } = await runCommand(args, late.env);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trimEnd().split("\n")).toEqual([
    `computer-control: Cannot listen on 127.0.0.1:${port}: the port is in use: ` +
    "choose another with --port, or 0 for any free one",
  ]);
  expect(late.asked()).toBe(false);
});

Deno.test("the service listens where it says, whatever Deno's own variables say", async () => {
  const env = { DENO_SERVE_ADDRESS: "tcp:127.0.0.2:0" };
  await using service = await startCommand(["--virtual-display", "640x480"], env);
  expect((await fetch(`${service.address}/healthz`)).status).toBe(200);
});

Deno.test("the service answers 503 until the display is open", async () => {
  await using late = await lateXvfb();
  const url = `http://127.0.0.1:${freePort()}/api/display/screen_size`;
  const args = ["--port", new URL(url).port, "--virtual-display", "640x480"];
  const starting = startCommand(args, late.env);
  try {
    await waitFor(() => late.asked(), { what: "the start of Xvfb" });
    const early = await fetch(url, { headers: { "x-request-id": "mine" } });
    expect(early.status).toBe(503);
    expect(early.headers.get("retry-after")).toBe("1");
    expect(early.headers.get("x-request-id")).toBe("mine");
    expect(await early.json()).toMatchObject({ detail: "The service is starting" });
  } finally {
    late.open();
    await using _service = await starting;
    const answer = await fetch(url);
    expect([answer.status, await answer.json()]).toEqual([200, { width: 640, height: 480 }]);
  }
});

/** A service whose display does not open before `late` lets it. */
async function startLate(late: LateXvfb) {
  const places = await ownPlaces();
  const main = new URL("../../main.ts", import.meta.url).href;
  const flags = ["--port", "0", "--state-dir", places.path, "--virtual-display", "640x480"];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", main, ...flags],
    env: { ...places.env, ...late.env, TMPDIR: places.path },
    clearEnv: true,
    ...{ stdin: "null", stdout: "null", stderr: "null" },
  }).spawn();
  await waitFor(() => late.asked(), { what: "the start of Xvfb" });
  return {
    child,
    /** The records of services and displays, and temporary files. */
    async files() {
      const folders = ["instances", "displays"].map((name) => namesIn(join(places.path, name)));
      const temporary = (await namesIn(places.path)).filter((name) => name.startsWith("computer"));
      return [...temporary, ...(await Promise.all(folders)).flat()];
    },
    [Symbol.asyncDispose]: () => places[Symbol.asyncDispose](),
  };
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} while the display is opened ends the service with 0, and leaves nothing`, async () => {
    await using late = await lateXvfb();
    await using starting = await startLate(late);
    expect(await starting.files()).not.toEqual([]);
    starting.child.kill(signal);
    late.open();
    expect(await starting.child.status).toMatchObject({ code: 0, signal: null });
    expect(await starting.files()).toEqual([]);
  });
}

Deno.test("a second Ctrl+C does not wait for a display that does not open, and leaves no cookie of it", async () => {
  await using late = await lateXvfb();
  await using starting = await startLate(late);
  let status: Deno.CommandStatus | undefined;
  starting.child.status.then((ended) => status = ended);
  const hasEnded = () => {
    if (status === undefined) starting.child.kill("SIGINT"); // within a second it is the same one
    return status !== undefined;
  };
  await waitFor(hasEnded, { what: "the end of the service" });
  expect(status).toMatchObject({ code: 130, signal: null });
  const isGone = async () => !(await starting.files()).some((name) => name.endsWith(".xauth"));
  await waitFor(isGone, { what: "the end of the file with the cookie" });
});

Deno.test("the programs that the service starts do not get the token", async () => {
  const env = { COMPUTER_CONTROL_TOKEN: "s3cret", COMPUTER_CONTROL_OTHER: "s3cret" };
  await using service = await startCommand(["--virtual-display", "640x480"], env);
  const [, display] = service.output.seen.join("\n").match(/display 1 is "(:\d+)"/)!;
  const environment = await Deno.readTextFile(`/proc/${serverPid(display!)}/environ`);
  expect(environment).toContain("PATH=");
  expect(environment).not.toContain("COMPUTER_CONTROL_");
  expect(environment).not.toContain("s3cret");
  const refused = await fetch(`${service.address}/docs`);
  expect(refused.status).toBe(401);
  await refused.body?.cancel();
});

interface LateXvfb extends AsyncDisposable {
  /** The environment in which it is found. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether somebody has tried to start it. */
  asked(): boolean;
  /** Lets it start. */
  open(): void;
}

async function lateXvfb(): Promise<LateXvfb> {
  const folder = await temporaryFolder();
  const gate = `${folder.path}/gate`;
  await writeProgram(`${folder.path}/Xvfb`, LATE_XVFB);
  return {
    env: { PATH: `${folder.path}:${Deno.env.get("PATH")}`, GATE: gate },
    asked: () => exists(`${gate}.asked`),
    open: () => Deno.writeTextFileSync(gate, ""),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

function findXvfb(): string {
  const folders = Deno.env.get("PATH")!.split(":");
  return folders.map((folder) => `${folder}/Xvfb`).find(exists) ?? "Xvfb";
}
