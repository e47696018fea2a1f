/** What chaos happens to: an X server, a disk of its own and the service, each of which can be killed and comes back. */

import { fileURLToPath } from "node:url";
import { lineReader } from "../../support/lines.ts";
import { ownPlaces } from "../../support/own_places.ts";
import { startXvfb, type Xvfb } from "../../support/xvfb.ts";

/** Small enough to be filled at once. */
const DISK_MIB = 32;
const FAKE_TIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

export interface World extends AsyncDisposable {
  /** The folder on the disk of its own. */
  readonly folder: string;
  readonly display: string;
  readonly address: string;
  /** Of the service, as it runs now. */
  readonly pid: number;
  readonly xvfbPid: number;
  /** What the service has logged as errors. */
  readonly errors: readonly string[];
  killService(): Promise<void>;
  startService(): Promise<void>;
  killXvfb(): Promise<void>;
  startXvfb(): Promise<void>;
  /** Sets the clock of the service forward, from what it shows now; nobody else's. */
  setClockForward(hours: number): Promise<void>;
}

export async function createWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const places = stack.use(await ownPlaces());
  const folder = await mountDisk(stack);
  const clock = `${places.path}/clock`;
  await Deno.writeTextFile(clock, "+0d");
  let xvfb: Xvfb = await startXvfb();
  stack.defer(() => xvfb[Symbol.asyncDispose]());
  const errors: string[] = [];
  const env = {
    ...places.env,
    LD_PRELOAD: FAKE_TIME,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  const start = (port: string) => startProcess({ env, port, folder, xvfb, errors });
  let service = await start("0");
  stack.defer(() => service.end("SIGTERM"));
  const { port } = new URL(service.address);
  const kept = stack.move();
  return {
    folder,
    display: xvfb.display,
    address: service.address,
    errors,
    get pid() {
      return service.pid;
    },
    get xvfbPid() {
      return xvfb.pid;
    },
    killService: () => service.end("SIGKILL"),
    async startService() {
      service = await start(port);
    },
    killXvfb: () => xvfb.kill(),
    async startXvfb() {
      xvfb = await startXvfb({ display: xvfb.display });
    },
    setClockForward: (hours) => Deno.writeTextFile(clock, `+${hours}h`),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A file system in memory, so that it can be full without harm. */
async function mountDisk(stack: AsyncDisposableStack): Promise<string> {
  const folder = await Deno.makeTempDir();
  await run("mount", ["-t", "tmpfs", "-o", `size=${DISK_MIB}m`, "tmpfs", folder]);
  stack.defer(async () => {
    await run("umount", ["-l", folder]);
    await Deno.remove(folder);
  });
  return folder;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args: [...args] }).output();
  if (!success) throw new Error(`${program}: ${new TextDecoder().decode(stderr)}`);
}

interface Start {
  readonly env: Readonly<Record<string, string>>;
  readonly port: string;
  readonly folder: string;
  readonly xvfb: Xvfb;
  readonly errors: string[];
}

async function startProcess({ env, port, folder, xvfb, errors }: Start) {
  const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const ownClock = fileOf("own_clock.ts");
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--preload", ownClock, fileOf("../../../main.ts")],
      ...["--port", port, "--display", `1=${xvfb.display}`],
      ...["--state-dir", `${folder}/state`, "--keychain", "file"],
    ],
    env: { ...env },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const logged = lineReader(process.stderr);
  const logs = collect(logged, errors);
  const lines = lineReader(process.stdout);
  const [, address] = await lines.until(/^Address +(http:\S+)/);
  const rest = lines.rest();
  return {
    pid: process.pid,
    address: address!,
    async end(signal: Deno.Signal) {
      try {
        process.kill(signal);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // it has ended already
      }
      await Promise.all([process.status, rest, logs]);
      // what the library of the false clock leaves when it is killed
      for (const name of ["faketime_shm", "sem.faketime_sem"]) {
        await Deno.remove(`/dev/shm/${name}_${process.pid}`).catch(() => {});
      }
    },
  };
}

async function collect(lines: ReturnType<typeof lineReader>, errors: string[]): Promise<void> {
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    if (/^\S+ error (?!request failed)/.test(line)) errors.push(line);
  }
}
