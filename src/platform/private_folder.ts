/** Folders in which no other user can put, change or rename anything: looked at as sshd looks at the folder of its keys. */

import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { ServiceError } from "../core/errors.ts";
import { isPrivateGroup, trustedOwners } from "./posix/trusted_owners.ts";

const PRIVATE_FOLDER = 0o700;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
/** Entries of such a folder are renamed and removed by their owners only (`/tmp`). */
const STICKY = 0o1000;
const MAX_LINKS = 40;

/** The folder where the service keeps what must outlive it; made where it is missing. Gives its path. */
export function openStateFolder(path: string): Promise<string> {
  return openPrivateFolder(path, "state folder");
}

/** As {@link openStateFolder}, but makes nothing: what is not there yet is as good as what is above it. */
export function checkStateFolder(path: string): Promise<void> {
  return checkPrivateFolder(path, "state folder");
}

/**
 * Makes a folder that only this user may change, with those above it.
 * @throws ServiceError `unavailable` when it cannot be made, or another user could change what is in it.
 */
export async function openPrivateFolder(path: string, what: string): Promise<string> {
  await checkPrivateFolder(path, what); // before anything is made where another user points to
  try {
    await Deno.mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (cause) {
    const reason = cause instanceof Deno.errors.PermissionDenied
      ? "permission denied"
      : (cause as Error).message;
    throw refused(path, what, reason, cause);
  }
  await checkPrivateFolder(path, what);
  return path;
}

/**
 * Looks at the folder, at each one above it, and at the links between them, as far as they are there.
 * @throws ServiceError `unavailable` when another user could change what is in it.
 */
export async function checkPrivateFolder(path: string, what: string): Promise<void> {
  if (Deno.uid() === null) return; // Windows: folders of a user's profile are the user's own
  const fault = await new Check().findFault(resolve(path));
  if (fault !== undefined) throw refused(path, what, fault);
}

/** Whether this user or the root owns it and no other may write to it. */
export function isTrusted({ uid, mode }: Deno.FileInfo): boolean {
  if (uid === null || mode === null) return true;
  return trustedOwners().has(uid) && (mode & (GROUP_WRITES | OTHERS_WRITE)) === 0;
}

class Check {
  #links = 0;

  /** Why the folder at an absolute path cannot be trusted. */
  async findFault(path: string): Promise<string | undefined> {
    const { root } = parse(path);
    const names = path.slice(root.length).split(sep).filter((name) => name !== "");
    let at = root;
    for (let index = 0;; index++) {
      const info = await lookAt(at);
      if (info === undefined) return undefined; // not there: whoever may make it has been looked at
      const isLast = index === names.length;
      if (info.isSymlink) return await this.#faultOfLink(at, info, names.slice(index));
      const fault = await faultOfFolder(at, info, isLast);
      if (fault !== undefined || isLast) return fault;
      at = join(at, names[index]!);
    }
  }

  /** Whoever owns a link can let it lead elsewhere; what it leads to is looked at from the root on. */
  async #faultOfLink(
    link: string,
    info: Deno.FileInfo,
    rest: readonly string[],
  ): Promise<string | undefined> {
    if (++this.#links > MAX_LINKS) return `the links at ${JSON.stringify(link)} lead in a circle`;
    if (!trustedOwners().has(info.uid!)) return ofAnother(link, info);
    const target = await Deno.readLink(link);
    const base = isAbsolute(target) ? target : join(dirname(link), target);
    return await this.findFault(resolve(join(base, ...rest)));
  }
}

async function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof Deno.errors.PermissionDenied) return undefined; // using it will tell
    throw error;
  }
}

async function faultOfFolder(
  path: string,
  info: Deno.FileInfo,
  isLast: boolean,
): Promise<string | undefined> {
  if (!info.isDirectory) return `${JSON.stringify(path)} is no folder`;
  if (!trustedOwners().has(info.uid!)) return ofAnother(path, info);
  const mode = info.mode!;
  if ((mode & STICKY) !== 0 && !isLast) return undefined;
  const byOthers = (mode & OTHERS_WRITE) !== 0;
  const byGroup = (mode & GROUP_WRITES) !== 0 && !await isPrivateGroup(info.gid!);
  if (!byOthers && !byGroup) return undefined;
  const shown = (mode & 0o7777).toString(8);
  const who = isLast ? "other users can change it" : `other users can change ${shownPath(path)}`;
  return `${who} (mode ${shown}): run chmod go-w ${shownPath(path)}`;
}

function ofAnother(path: string, { uid }: Deno.FileInfo): string {
  return `${shownPath(path)} belongs to user ${uid}, and the service runs as user ${Deno.uid()}: ` +
    `run chown ${Deno.uid()} ${shownPath(path)} if nobody else shall use it`;
}

function shownPath(path: string): string {
  return JSON.stringify(path);
}

function refused(path: string, what: string, reason: string, cause?: unknown): ServiceError {
  const message = `Cannot use the ${what} ${shownPath(path)}: ${reason}, ` +
    "or choose another folder with --state-dir";
  return new ServiceError("unavailable", message, { cause });
}
