/** Starts the entry point of an image as a container does: own processes, own mounts, own loopback, not root. */

import type { Image } from "./image.ts";
import { MOUNTS } from "./mounts.ts";

export interface Running {
  /** The first process of the container, as this computer numbers it. */
  readonly pid: number;
  /** What it has written so far, both streams. */
  readonly written: () => string;
  /** Resolves with the exit code when the container has ended. */
  readonly ended: Promise<number>;
  /** The start of a command line that runs inside, as the image's user. */
  readonly enter: readonly string[];
}

const START = `
set -e
root=$1 user=$2 && shift 2
${MOUNTS}
ip link set lo up 2>/dev/null || busybox ip link set lo up
exec chroot --userspec="$user" "$root" "$@"
`;

/** @param env more variables, as `docker run --env` gives them */
export async function startContainer(
  image: Image,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Running> {
  const ids = await idsOf(image);
  const variables = Object.entries({ ...image.env, ...env }).map(([name, value]) =>
    `${name}=${value}`
  );
  const child = new Deno.Command("unshare", {
    args: [
      ...["--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child"],
      ...["sh", "-c", START, "sh", image.root, ids],
      ...["env", "-i", `--chdir=${image.folder}`, ...variables],
      ...[...image.entrypoint, ...args],
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) text += part;
  });
  const ended = child.status.then(async ({ code }) => {
    await Promise.all(reading);
    return code;
  });
  const pid = await childOf(child.pid);
  const [uid, gid] = ids.split(":");
  const enter = [
    ...["nsenter", `--target=${pid}`, "--mount", "--pid", "--net", "--ipc", "--root"],
    ...[`--setuid=${uid}`, `--setgid=${gid}`, "env", "-i", ...variables],
  ];
  return { pid, ended, enter, written: () => text };
}

/** `1000:1000` */
async function idsOf({ root, user }: Image): Promise<string> {
  const lines = (await Deno.readTextFile(`${root}/etc/passwd`)).split("\n");
  const fields = lines.map((line) => line.split(":")).find(([name]) => name === user);
  if (fields === undefined) throw new Error(`The image has no user "${user}"`);
  return `${fields[2]}:${fields[3]}`;
}

/** The process that unshare has started, when there is one. */
async function childOf(pid: number): Promise<number> {
  while (true) {
    const text = await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`);
    const child = Number(text.split(" ")[0]);
    if (child > 0) return child;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
