/** podman as the test of the image has it: with the base image, and with settings that it works by here. */

import { fileURLToPath } from "node:url";
import { isOnPath } from "../support/test_if.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What the Dockerfile begins with. */
const BASE = "docker.io/library/debian:bookworm-slim";
const NESTED = `${ROOT}tests/deploy/nested.conf`;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Engine {
  /** @throws Error with the last lines of what it wrote, when it fails */
  podman(...args: readonly string[]): Promise<string>;
  /** The same without an error. */
  tryPodman(...args: readonly string[]): Promise<Ended>;
  /** Builds the image of a fresh clone of what is committed. */
  build(tag: string, ...args: readonly string[]): Promise<void>;
}

/** Why the image cannot be built here; `undefined` where it can. */
export function whyNoEngine(): string | undefined {
  if (Deno.build.os !== "linux") return "containers of Linux need Linux";
  if (!isOnPath("podman")) return "podman is not installed";
  return undefined;
}

/** @throws Error when podman starts no container here, or when there is no base image and none can be made */
export async function openEngine(): Promise<Engine> {
  const plain = engineWith({});
  await provideBase(plain);
  if ((await plain.tryPodman("run", "--rm", BASE, "true")).code === 0) return plain;
  const nested = engineWith({ CONTAINERS_CONF: NESTED }, ["--runtime", "runc"]);
  await nested.podman("run", "--rm", BASE, "true");
  return nested;
}

async function provideBase(engine: Engine): Promise<void> {
  if ((await engine.tryPodman("image", "exists", BASE)).code === 0) return;
  if ((await engine.tryPodman("pull", "--quiet", BASE)).code === 0) return;
  console.log(`No registry has given ${BASE}: making it by debootstrap`);
  await runWell("bash", [`${ROOT}tests/deploy/debian_base.sh`, BASE], {});
}

function engineWith(
  env: Readonly<Record<string, string>>,
  ofBuild: readonly string[] = [],
): Engine {
  return {
    podman: async (...args) => (await runWell("podman", args, env)).stdout.trim(),
    tryPodman: (...args) => runProgram("podman", args, env),
    async build(tag, ...args) {
      const clone = await Deno.makeTempDir({ prefix: "computer-control-clone-" });
      try {
        await runWell("git", ["clone", "--quiet", "--no-local", "--depth", "1", ROOT, clone], {});
        // an image in OCI's format would have no health check
        const format = [...ofBuild, "--format", "docker", "--network", "host"];
        await runWell("podman", ["build", ...format, "--tag", tag, ...args, clone], env);
      } finally {
        await Deno.remove(clone, { recursive: true });
      }
    },
  };
}

/** @throws Error with the last lines of what it wrote, when it fails */
async function runWell(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const ended = await runProgram(program, args, env);
  if (ended.code === 0) return ended;
  const said = (ended.stdout + ended.stderr).trim().split("\n").slice(-15).join("\n");
  throw new Error(`"${program} ${args.join(" ")}" ended with ${ended.code}:\n${said}`);
}

async function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
