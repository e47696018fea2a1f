/** How the program was built and started: for `--version` and for service files. */

import { basename, dirname, join } from "node:path";
import { VERSION } from "../config/config.ts";
import { poll } from "../core/deadline.ts";
import type { Ancestor } from "../platform/ancestors.ts";
import type { Started } from "../platform/host.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Launch {
  /** `0.1.0 (compiled, Deno 2.9.5)` */
  readonly version: string;
  /** The program and arguments that start it again, without its own flags. */
  readonly command: readonly string[];
  /** The folder that a self-extracting file has unpacked. */
  readonly unpacked?: string;
  /** Whether `deno task` has started it and waits for it. */
  readonly byTask?: boolean;
}

/**
 * The values of COMPUTER_CONTROL_KIND, set by the head of a self-extracting file, the command file
 * of a folder, or the launcher of the npm package.
 */
const KINDS: Readonly<Record<string, string>> = {
  "self-extracting": "self-extracting",
  "folder": "folder",
  "npm": "npm package",
};

export function readLaunch({ env, standalone, program, script, deno }: Started): Launch {
  const unpacked = KINDS[env["COMPUTER_CONTROL_KIND"] ?? ""];
  const executable = env["COMPUTER_CONTROL_EXECUTABLE"];
  const version = (kind: string) => `${VERSION} (${kind}, Deno ${deno})`;
  if (standalone) return { version: version("compiled"), command: [program] };
  if (unpacked !== undefined && executable) {
    const folder = unpacked === "self-extracting" ? { unpacked: dirname(script) } : {};
    return { version: version(unpacked), command: [executable], ...folder };
  }
  const kind = env["COMPUTER_CONTROL_KIND"] === "npm" ? KINDS["npm"]! : "from source";
  const byTask = env["COMPUTER_CONTROL_TASK"] === "1";
  return { version: version(kind), command: [program, "run", "--allow-all", script], byTask };
}

/**
 * Our own settings, and variables with which Deno would override our flags: the address to listen
 * on, the client's address. What Deno has read at its start of OpenTelemetry can have a secret.
 */
const HIDDEN = /^(?:COMPUTER_CONTROL_.*|DENO_SERVE_ADDRESS|DENO_TRUST_PROXY_HEADERS|OTEL_.*)$/is;

/**
 * The changes to the environment: hides these variables from Deno and from the programs that we
 * start, and restores those that our own launcher has changed.
 */
export function environmentChanges(env: Env): Map<string, string | undefined> {
  const hidden = Object.keys(env).filter((name) => HIDDEN.test(name));
  const changes = new Map<string, string | undefined>(hidden.map((name) => [name, undefined]));
  if (KINDS[env["COMPUTER_CONTROL_KIND"] ?? ""] === undefined) return changes;
  return changes
    .set("DENO_DIR", env["COMPUTER_CONTROL_DENO_DIR"] || undefined)
    .set("DENO_NO_UPDATE_CHECK", undefined);
}

// Ends a service that `deno task` has started when the task, or the npx that started the task, has
// ended: the signals that end those do not reach the service.

const POLL_INTERVAL_MS = 500;

/**
 * The ancestors with which the service ends: the task, and those that started it only to wait for
 * it (npx and the like with their shell). A shell, a script, systemd or the init of a container is
 * not among them: a service started from one of these is meant to outlive it.
 */
export function findLaunchers(ancestors: readonly Ancestor[]): readonly Ancestor[] {
  const [task, ...others] = ancestors;
  if (task === undefined || !task.args.includes("task", 1)) return []; // `deno task start`
  const end = others.findIndex(({ args }) =>
    !isDenoPackage(args) && !isShell(args) && !isRunner(args)
  );
  const candidates = end < 0 ? others : others.slice(0, end);
  const top = candidates.findLastIndex(({ args }) => isDenoPackage(args) || isRunner(args));
  return [task, ...candidates.slice(0, top + 1)];
}

/**
 * Resolves with a sentence when one of them has ended.
 * @throws the reason of the signal, which ends the watch
 */
export async function watchLaunchers(
  launchers: readonly Ancestor[],
  signal: AbortSignal,
): Promise<string> {
  if (launchers.length === 0) return await new Promise(() => {});
  const findGone = () => launchers.find((each) => each.isGone());
  const gone = await poll(findGone, { everyMs: POLL_INTERVAL_MS, timeoutMs: Infinity, signal });
  return `process ${gone!.pid}, which had started the service, has ended`;
}

/**
 * `node .../node_modules/.bin/deno task start`: the script of Deno's npm package, which waits for
 * Deno.
 */
function isDenoPackage([program = "", script = ""]: readonly string[]): boolean {
  return isNamed(program, ["node"]) && /[\\/](?:\.bin[\\/]deno|deno[\\/]bin\.c?js)$/.test(script);
}

/**
 * `sh -c "deno task start"`: what package runners start; `&` in it means that the command should
 * outlive the shell.
 */
function isShell([program = "", ...rest]: readonly string[]): boolean {
  const script = rest.slice(1).join(" ");
  return isNamed(program, ["sh", "dash", "bash", "ash", "zsh"]) && rest[0] === "-c" &&
    /^['"]?deno['"]?(?: |$)/.test(script) && !/&\s*$|&\s/.test(script);
}

const RUNNERS = ["npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx"];

/** npm sets its title to `npm exec deno task start`, a single string. */
function isRunner([program = "", script = ""]: readonly string[]): boolean {
  if (isNamed(program.split(" ")[0]!, RUNNERS)) return true;
  return isNamed(program, ["node"]) && isNamed(script.replace(/(?:-cli)?\.[cm]?js$/, ""), RUNNERS);
}

function isNamed(path: string, names: readonly string[]): boolean {
  return names.includes(path.slice(path.search(/[^\\/]*$/)));
}

// Manages unpacked folders of self-extracting files: locks our own and removes old versions.

/** Versions that have not been started for this long are removed. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1_000;
/** `0.1.0-36c3ba6220a5f7bc`: the version, and the first digits of its checksum. */
const UNPACKED = /^\d+\.\d+\.\d+\S*-[0-9a-f]{16}$/;
/** A version that is being removed; it is never started again. */
const REMOVED = /^\.removed-/;
/** Written at each start; every running service holds a shared lock on it. */
const MARK = ".used";

/**
 * Locks the folder until the result is disposed of, and removes older versions that are neither
 * running nor recently used. Versions that cannot be removed stay.
 */
export async function holdUnpacked(folder: string): Promise<Disposable> {
  const mark = await Deno.open(join(folder, MARK), { create: true, read: true, write: true });
  await mark.tryLock(false);
  const parent = dirname(folder);
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (!isDirectory || name === basename(folder)) continue;
    if (REMOVED.test(name)) await remove(join(parent, name));
    if (UNPACKED.test(name)) await removeUnused(parent, name);
  }
  return mark;
}

async function removeUnused(parent: string, name: string): Promise<void> {
  const removed = join(parent, `.removed-${name}`);
  try {
    if (!await isUnused(join(parent, name))) return;
    await Deno.rename(join(parent, name), removed);
  } catch {
    return; // not ours, or another process is removing it
  }
  await remove(removed);
}

/**
 * A starting service first writes the mark and then takes the lock, so the age is read again under
 * the lock.
 */
async function isUnused(folder: string): Promise<boolean> {
  const path = join(folder, MARK);
  if (!await isOld(path)) return false;
  using mark = await Deno.open(path, { read: true, write: true });
  return await mark.tryLock(true) && await isOld(path);
}

async function isOld(path: string): Promise<boolean> {
  const { mtime } = await Deno.stat(path);
  return mtime !== null && Date.now() - mtime.getTime() > UNUSED_MS;
}

async function remove(folder: string): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch(() => {}); // the next start tries again
}
