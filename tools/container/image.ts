/** Makes in a folder what an image builder makes of a Dockerfile, step by step, and measures each step. */

import { dirname, join } from "node:path";
import { type Instruction, readList, readPairs } from "./dockerfile.ts";
import { MOUNTS } from "./mounts.ts";
import { runWell } from "../compile/run.ts";

export interface Image {
  readonly root: string;
  readonly user: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly healthcheck: readonly string[];
  /** The steps that added something, with the bytes that they take on the disk. */
  readonly layers: readonly Layer[];
}

export interface Layer {
  readonly step: string;
  readonly bytes: number;
}

export interface ImageOptions {
  /** An empty folder. */
  readonly root: string;
  /** Where `COPY` copies from. */
  readonly context: string;
  readonly args: Readonly<Record<string, string>>;
  /** Fills `root` with the base image. */
  makeBase(base: string, root: string): Promise<void>;
  say(line: string): void;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** @throws Error of the step that fails. */
export async function makeImage(
  steps: readonly Instruction[],
  options: ImageOptions,
): Promise<Image> {
  const { root, say } = options;
  const image = {
    ...{ root, user: "root", folder: "/", env: { PATH } as Record<string, string> },
    ...{ entrypoint: [] as readonly string[], healthcheck: [] as readonly string[] },
    layers: [] as Layer[],
  };
  let before = 0;
  for (const { keyword, flags, rest } of steps) {
    if (keyword === "FROM") await options.makeBase(rest, root);
    if (keyword === "RUN") await runInside(root, rest);
    if (keyword === "COPY") await copy(options, flags, rest);
    if (keyword === "USER") image.user = rest;
    if (keyword === "WORKDIR") image.folder = rest;
    if (keyword === "ENV") Object.assign(image.env, readPairs(rest));
    if (keyword === "ENTRYPOINT") image.entrypoint = readList(rest);
    if (keyword === "HEALTHCHECK") image.healthcheck = readList(rest.replace(/^CMD /, ""));
    if (!["FROM", "RUN", "COPY"].includes(keyword)) continue;
    const bytes = await bytesOf(root);
    image.layers.push({ step: `${keyword} ${rest}`, bytes: bytes - before });
    say(`${String(Math.round((bytes - before) / 1e6)).padStart(5)} MB  ${keyword} ${rest}`);
    before = bytes;
  }
  return image;
}

/** As root, with the programs of the folder and the network of this computer. */
async function runInside(root: string, script: string): Promise<void> {
  await Deno.copyFile("/etc/resolv.conf", join(root, "etc/resolv.conf"));
  const inside = `set -e; root=$1\n${MOUNTS}\nexec chroot "$root" /bin/sh -c "$2"`;
  const env = ["env", "-i", `PATH=${PATH}`, "DEBIAN_FRONTEND=noninteractive", "LANG=C.UTF-8"];
  await runWell("unshare", [
    ...["--mount", "--pid", "--fork", "--kill-child"],
    ...env,
    ...["sh", "-c", inside, "sh", root, script],
  ]);
}

async function copy(
  { root, context, args }: ImageOptions,
  flags: Readonly<Record<string, string>>,
  rest: string,
): Promise<void> {
  const [from, to] = rest.replaceAll(/\$\{(\w+)\}/g, (_, name) => args[name] ?? "").split(/\s+/);
  const target = join(root, to!);
  await Deno.mkdir(dirname(target), { recursive: true });
  await Deno.copyFile(join(context, from!), target);
  await Deno.chmod(target, parseInt(flags["chmod"] ?? "644", 8));
}

async function bytesOf(root: string): Promise<number> {
  return Number((await runWell("du", ["-sx", "-B1", root])).split("\t")[0]);
}
