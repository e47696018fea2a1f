/** The self-extracting executable, built once for all tests of a run, and ways to start it. */

import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Left for whoever wants to look at it; git does not see it. */
const OUT = `${ROOT}dist/test`;

export const REPOSITORY = ROOT;

/** Builds it, unless another test of this run has; gives its path. */
export async function builtExecutable(): Promise<string> {
  const path = `${OUT}/computer-control-linux-${Deno.build.arch}`;
  const builder = `${OUT}/built-by`;
  await Deno.mkdir(OUT, { recursive: true });
  using lock = await Deno.create(`${OUT}.lock`);
  await lock.lock(true); // files of tests run side by side
  if (await Deno.readTextFile(builder).catch(() => "") === String(Deno.pid)) return path;
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `${ROOT}tools/compile.ts`, "--kind", "stand-in", "--out", OUT],
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stderr } = await command.output();
  if (code !== 0) throw new Error(`It was not built: ${new TextDecoder().decode(stderr)}`);
  await Deno.writeTextFile(builder, String(Deno.pid));
  return path;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a person who has just logged in has, and nothing of the tests'. */
export function bareEnvironment(home: string): Record<string, string> {
  return { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", HOME: home, LANG: "C.UTF-8" };
}

/** Runs a program to its end, in a bare environment. */
export async function runBare(
  [program, ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = "/",
): Promise<Ended> {
  const command = new Deno.Command(program!, {
    ...{ args, env, cwd, clearEnv: true },
    ...{ stdin: "null", stdout: "piped", stderr: "piped" } as const,
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/**
 * The start of a command line that takes the network and some folders away from a program, or `undefined`
 * and a printed reason where the system does not allow that.
 */
export async function isolation(hidden: readonly string[]): Promise<string[] | undefined> {
  const flags = Deno.uid() === 0 ? ["-n", "-m"] : ["-r", "-n", "-m"];
  const hide = hidden.map((folder) => `mount -t tmpfs none '${folder}'`);
  const script = ["busybox ip link set lo up", ...hide, 'exec "$@"'].join(" && ");
  const start = ["unshare", ...flags, "sh", "-c", script, "sh"];
  const { code, stderr } = await runBare([...start, "true"], bareEnvironment("/"));
  if (code === 0) return start;
  console.log(`Run with network and repository: unshare is refused here (${stderr.trim()})`);
  return undefined;
}
