/**
 * Checks that no other user can add, change or rename anything in a folder, as sshd checks the
 * folder of its keys.
 */

import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { ServiceError, throwUnless } from "../core/errors.ts";
import { isPrivateGroup, trustedOwners } from "./posix/process_table.ts";

const PRIVATE_FOLDER = 0o700;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
/** In a sticky folder (`/tmp`) only the owner of an entry can rename or remove it. */
const STICKY = 0o1000;
const MAX_LINKS = 40;

/** A folder that is not used: others could change it, or it cannot be created. */
export class UnusableFolder extends ServiceError {
  /** @param problem without the command that mends it */
  constructor(message: string, readonly problem: Problem, options?: ErrorOptions) {
    super("unavailable", message, options);
  }
}

export interface Problem {
  readonly text: string;
  /** A command that mends it. */
  readonly command?: string;
  /** What must be so that it may be run. */
  readonly provided?: string;
}

let isAlone = false;

/**
 * From now on nobody else is on this computer, as `--trust-home` says: what is of this user or of root
 * is trusted, whoever its mode lets in. In a container a volume is root's and open to all, and an
 * orchestrator opens all that is in it to a group.
 */
export function trustHome(): void {
  isAlone = true;
}

/** Whether some of these permissions let in somebody who is there. */
export function letsIn(mode: number, permissions: number): boolean {
  return !isAlone && (mode & permissions) !== 0;
}

/** Creates the state folder, for everything that outlives the service, and returns its path. */
export function openStateFolder(path: string): Promise<string> {
  return openPrivateFolder(path, "state folder");
}

/**
 * As {@link openStateFolder}, but creates nothing: without the folder, checks only its ancestors.
 */
export function checkStateFolder(path: string): Promise<void> {
  return checkPrivateFolder(path, "state folder");
}

/**
 * Creates a folder that only this user can change, and its missing parents.
 * @throws UnusableFolder when it cannot be created, or another user could change its contents.
 */
export async function openPrivateFolder(path: string, what: string): Promise<string> {
  // nothing must be created in a place that another user controls
  await checkPrivateFolder(path, what);
  try {
    await Deno.mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (cause) {
    const text = cause instanceof Deno.errors.PermissionDenied
      ? "permission denied"
      : (cause as Error).message;
    throw refused(path, what, { text }, cause);
  }
  await checkPrivateFolder(path, what);
  return path;
}

/**
 * Checks the folder, its ancestors and the links on the way; what does not exist is skipped.
 * @throws UnusableFolder when another user could change the contents of the folder, or the disk
 * does not say.
 */
export async function checkPrivateFolder(path: string, what: string): Promise<void> {
  if (Deno.uid() === null) return; // on Windows only the user can write to the profile's folders
  const problem = await findProblem(resolve(path)).catch((cause) => {
    throw refused(path, what, { text: (cause as Error).message }, cause);
  });
  if (problem !== undefined) throw refused(path, what, problem);
}

/** Whether a trusted user (`trustedOwners()`) owns the file and no other user can write to it. */
export function isTrusted({ uid, mode }: Deno.FileInfo): boolean {
  if (uid === null || mode === null) return true;
  return trustedOwners().has(uid) && !letsIn(mode, GROUP_WRITES | OTHERS_WRITE);
}

/**
 * Why the folder at an absolute path cannot be trusted.
 * @param links how many links have led there
 */
async function findProblem(path: string, links = 0): Promise<Problem | undefined> {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep).filter((name) => name !== "");
  let at = root;
  for (let index = 0;; index++) {
    const info = await statIfPresent(at);
    // missing; its ancestors, where it would be created, passed the check
    if (info === undefined) return undefined;
    const isLast = index === names.length;
    if (info.isSymlink) {
      // its owner can redirect it; its target is checked from the root
      if (links === MAX_LINKS) return { text: `the links at ${quotePath(at)} form a loop` };
      if (!trustedOwners().has(info.uid!)) return ofAnother(at, info);
      const target = await Deno.readLink(at);
      const base = isAbsolute(target) ? target : join(dirname(at), target);
      return await findProblem(resolve(join(base, ...names.slice(index))), links + 1);
    }
    const problem = await findFolderProblem(at, info, isLast);
    if (problem !== undefined || isLast) return problem;
    at = join(at, names[index]!);
  }
}

async function statIfPresent(path: string): Promise<Deno.FileInfo | undefined> {
  const { NotFound, PermissionDenied } = Deno.errors; // using the folder will report the latter
  return await Deno.lstat(path).catch(
    throwUnless((error) => error instanceof NotFound || error instanceof PermissionDenied),
  );
}

async function findFolderProblem(
  path: string,
  info: Deno.FileInfo,
  isLast: boolean,
): Promise<Problem | undefined> {
  if (!info.isDirectory) return { text: `${quotePath(path)} is not a folder` };
  if (!trustedOwners().has(info.uid!)) return ofAnother(path, info);
  const mode = info.mode!;
  if ((mode & STICKY) !== 0 && !isLast) return undefined;
  const byOthers = letsIn(mode, OTHERS_WRITE);
  const byGroup = letsIn(mode, GROUP_WRITES) && !await isPrivateGroup(info.gid!);
  if (!byOthers && !byGroup) return undefined;
  const octal = (mode & 0o7777).toString(8);
  const who = isLast ? "other users can change it" : `other users can change ${quotePath(path)}`;
  return { text: `${who} (mode ${octal})`, command: `chmod go-w ${quotePath(path)}` };
}

function ofAnother(path: string, { uid }: Deno.FileInfo): Problem {
  return {
    text: `${quotePath(path)} belongs to user ${uid}, and the service runs as user ${Deno.uid()}`,
    command: `chown ${Deno.uid()} ${quotePath(path)}`,
    provided: "no one else should use it",
  };
}

function quotePath(path: string): string {
  return JSON.stringify(path);
}

function refused(path: string, what: string, problem: Problem, cause?: unknown): UnusableFolder {
  const { text, command, provided } = problem;
  const run = command === undefined ? "" : `: run ${command}`;
  const condition = provided === undefined ? "" : ` if ${provided}`;
  const message = `Cannot use the ${what} ${quotePath(path)}: ${text}${run}${condition}. ` +
    "Another folder can be chosen with --state-dir";
  return new UnusableFolder(message, problem, { cause });
}
