/** `npx -y deno task start`: how a signal to npx itself, or to all of its processes, ends the service. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { lineReader } from "../support/lines.ts";
import { ownPlaces } from "../support/own_places.ts";
import { childrenOf, isRunning } from "../support/processes.ts";
import { testIf } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const version = Deno.version.deno;
const npm = await cacheOfNpm();

const test = testIf(
  Deno.build.os === "linux" && npm !== undefined,
  `needs Linux, npx, and Deno ${version} from npm`,
);

for (const signal of ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGKILL"] as const) {
  test(`${signal} to npx ends the service in order, and nothing is left`, async () => {
    await using started = await startByNpx();
    started.child.kill(signal);
    const [, why] = await started.errors.until(/ stopping (.*)$/);
    expect(why).toMatch(/reason="process \d+, which had started the service, has ended"|SIGTERM/);
    await allEnded(started);
  });
}

test("Ctrl+C, which reaches npx and all that it has started, ends the service in order", async () => {
  await using started = await startByNpx();
  Deno.kill(-started.child.pid, "SIGINT");
  await started.errors.until(/ stopping signal="SIGINT"$/);
  await started.child.status; // npx says that it was interrupted
  await allEnded(started);
});

test("Ctrl+C ends `deno task start` with exit code 0, by a terminal that signals the whole group", async () => {
  await using started = await startByNpx([], [Deno.execPath()]);
  Deno.kill(-started.child.pid, "SIGINT");
  expect((await started.child.status).code).toBe(0);
  await allEnded(started);
});

test("SIGINT to npx alone is npx's own: it keeps it from everybody, and stop ends the service", async () => {
  await using started = await startByNpx();
  started.child.kill("SIGINT");
  const stop = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `${ROOT}main.ts`, "stop"],
    ...{ env: started.env, clearEnv: true, stdout: "piped", stderr: "piped" },
  });
  expect((await stop.output()).code).toBe(0);
  await allEnded(started);
});

for (const through of [["setsid"], ["nohup"]]) {
  test(`a service that ${through} has put into the background outlives the shell`, async () => {
    const script = `"$@" & read -r _`;
    await using started = await startByNpx(["sh", "-c", script, "sh", ...through]);
    await started.child.stdin.close();
    await started.child.status;
    expect((await fetch(`${started.address}/healthz`)).status).toBe(200);
    await waitForLooks(started.service);
    expect((await fetch(`${started.address}/healthz`)).status).toBe(200);
    Deno.kill(started.service, "SIGTERM");
    await started.errors.until(/ stopping signal="SIGTERM"$/);
    await allEnded(started);
  });
}

/** Until the service has stopped and all have ended: what is killed before leaves its temporary files. */
async function allEnded({ errors, processes }: Started): Promise<void> {
  await errors.until(/ stopped$/);
  await waitFor(() => processes.every((pid) => !isRunning(pid)), {
    what: "the end of every process",
  });
}

interface Started extends AsyncDisposable {
  readonly child: Deno.ChildProcess;
  readonly address: string;
  readonly env: Record<string, string>;
  readonly errors: ReturnType<typeof lineReader>;
  readonly service: number;
  /** All processes of it, and the service's own helpers. */
  readonly processes: readonly number[];
}

async function startByNpx(
  through: readonly string[] = [],
  deno: readonly string[] = ["npx", "-y", "--prefer-offline", `deno@${version}`],
): Promise<Started> {
  const places = await ownPlaces();
  const path = Deno.env.get("PATH")!.split(":").filter((each) => !each.includes("node_modules"));
  const env = { ...places.env, ...npm!, PATH: path.join(":") };
  const flags = ["--port", "0", "--virtual-display", "320x240"];
  const [program, ...args] = [...through, ...deno, "task", "start", ...flags];
  const child = new Deno.Command(program!, {
    args,
    cwd: ROOT,
    ...{ env, clearEnv: true, stdin: "piped", stdout: "piped", stderr: "piped", detached: true },
  }).spawn();
  const output = lineReader(child.stdout);
  const errors = lineReader(child.stderr);
  const [, address] = await output.until(/^Address +(http:\S+)/);
  await output.until(/^Found/);
  const processes = descendantsOf(child.pid);
  return {
    child,
    address: address!,
    env,
    errors,
    processes,
    service: processes.find((pid) => commandLineOf(pid).includes("main.ts --port"))!,
    async [Symbol.asyncDispose]() {
      for (const pid of processes) if (isRunning(pid)) Deno.kill(pid, "SIGKILL");
      await child.stdin.close().catch(() => {}); // a test may have closed it
      await Promise.all([child.status, output.rest(), errors.rest()]);
      await places[Symbol.asyncDispose]();
    },
  };
}

/** Where npm has this Deno already, or has just fetched it; `undefined` where it cannot. */
async function cacheOfNpm(): Promise<Record<string, string> | undefined> {
  const cache = Deno.env.get("npm_config_cache") ?? `${Deno.env.get("HOME")}/.npm`;
  const env = { npm_config_cache: cache };
  try {
    const args = ["-y", "--prefer-offline", `deno@${version}`, "--version"];
    const npx = new Deno.Command("npx", { args, env, cwd: "/", stdout: "null", stderr: "null" });
    return (await npx.output()).success ? env : undefined;
  } catch {
    return undefined;
  }
}

function descendantsOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(descendantsOf)];
}

function commandLineOf(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Until the service has had the time to look for its parents several times, by its own use of the processor. */
async function waitForLooks(pid: number): Promise<void> {
  const switches = () =>
    Number(
      /^voluntary_ctxt_switches:\s+(\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))![1],
    );
  const first = switches();
  await waitFor(() => switches() > first + 6, { what: "several looks" });
}
