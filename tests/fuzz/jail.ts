/**
 * A real service where nothing it does can harm: as a user without rights, in namespaces of its own for
 * files and processes, with its home, its temporary files and its display in memory.
 */

import { fileURLToPath } from "node:url";
import type { Limits } from "../../src/config/limits.ts";
import { type LineReader, lineReader } from "../support/lines.ts";
import { testFolder } from "../support/folder.ts";

export interface Jail extends AsyncDisposable {
  readonly url: string;
  /** The service, as this side sees it. */
  readonly pid: number;
  readonly errors: LineReader;
  /** Whether the service is still there. */
  running(): boolean;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const FLAGS = [
  ...["--port", "0", "--virtual-display", "640x480", "--keychain", "file", "--no-setup"],
  ...["--max-command-timeout", "1", "--max-hold", "2", "--keymap-settle", "1"],
];

/** Bounds that keep every request short; the schemas that the service shows have them, too. */
const LIMITS: Partial<Limits> = {
  maxDurationMs: 30,
  maxTypingDelayMs: 1,
  maxTextLength: 40,
  maxWalkMs: 5_000,
  maxTreeEntries: 2_000,
  killAfterMs: 200,
  wrongTryDelayMs: 1,
  maxWrongTryDelayMs: 5,
  focusWaitMs: 20,
  maxSecretBytes: 2_000,
  maxEditBytes: 1_000_000,
};

/** Why there can be no jail here, or nothing. */
export function jailProblem(): string | undefined {
  if (Deno.build.os !== "linux") return "it needs Linux";
  if (Deno.uid() !== 0) return "only root can make a jail";
  const args = [
    "--mount",
    "--pid",
    "--fork",
    "--mount-proc",
    "mount",
    "-t",
    "tmpfs",
    "none",
    "/mnt",
  ];
  const { success } = new Deno.Command("unshare", { args, stderr: "null" }).outputSync();
  return success ? undefined : "the system allows no namespaces";
}

/**
 * A thread that needs more than this ends the service: a leak. The main thread needs 35 MiB; how much is
 * resident tells only when V8 collects its garbage.
 */
const MAX_HEAP_MIB = 192;

/** Mounts first, as root; then the service, as nobody. `$0` is Deno, `$1` its cache, `$2` the repository. */
const SCRIPT = `
set -e
root=/mnt
mount -t tmpfs -o mode=755 none /mnt
mkdir /mnt/home /mnt/deno /mnt/repository
mkdir -m 1777 /mnt/tmp
touch "$root/program"
mount --bind "$0" "$root/program"
mount --bind "$1" /mnt/deno
mount --bind -o ro "$2" /mnt/repository
mount --bind /mnt/tmp /tmp
chown 65534:65534 /mnt/home
shift 2
cd /mnt/home
exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs \\
  "$root/program" run -A --v8-flags=--max-old-space-size=${MAX_HEAP_MIB} \\
  /mnt/repository/tests/support/watched_service.ts "$@"
`;

export async function startJail(): Promise<Jail> {
  const folder = await testFolder();
  const args = [
    ...["--mount", "--pid", "--fork", "--mount-proc", "--kill-child"],
    ...["sh", "-c", SCRIPT, Deno.execPath(), await denoFolder(), ROOT, ...FLAGS],
  ];
  const env = {
    PATH: Deno.env.get("PATH")!,
    HOME: "/mnt/home",
    DENO_DIR: "/mnt/deno",
    TEST_LIMITS: JSON.stringify(LIMITS),
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
    NO_COLOR: "1",
  };
  const options = { env, clearEnv: true, stdin: "null", stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command("unshare", { args, ...options }).spawn();
  const output = lineReader(child.stdout);
  const errors = lineReader(child.stderr);
  let ended = false;
  child.status.then(() => ended = true);
  const found = output.until(/^Address +(http:\/\/[^/\s]+)/).catch(async (cause) => {
    throw new Error(`The service did not start: ${await errors.rest()}`, { cause });
  });
  const [, url] = await found;
  await output.until(/^Found/);
  const rest = errors.rest(); // read on, or a full pipe would hold up the service
  const pid = childOf(child.pid);
  return {
    url: url!,
    pid,
    errors,
    running: () => !ended,
    async [Symbol.asyncDispose]() {
      if (!ended) Deno.kill(pid, "SIGKILL"); // the first of its namespace: all others end with it
      await child.status;
      await Promise.all([output.rest(), rest]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The only child of `unshare`. */
function childOf(pid: number): number {
  return Number(Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`).trim());
}

async function denoFolder(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--no-config"],
    env: { NO_COLOR: "1" },
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}
