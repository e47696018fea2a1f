/**
 * What `computer-control grant portal` leaves in the state folder: that the person has agreed, and
 * the tokens by which the desktop knows it again.
 */

import { join } from "node:path";
import { z } from "zod";
import { ServiceError } from "../../../../core/errors.ts";
import { openStateFolder } from "../../../private_folder.ts";
import { readPrivate, replacePrivate } from "../../../keychain/private_file.ts";

/** Each token serves one start of a session, which gives the next one. */
export interface GrantRecord {
  /** Restores mouse, keyboard and pictures. Absent where the desktop keeps no such permission. */
  readonly remoteDesktop?: string | undefined;
  /** Restores pictures alone. */
  readonly screenCast?: string | undefined;
}

const WHAT = "grant of the desktop portal";
const FILE = "desktop-portal.json";
const Token = z.string().min(1).max(1_024);
const Stored = z.object({
  remote_desktop_token: Token.optional(),
  screen_cast_token: Token.optional(),
});

export function grantRecordPath(stateDir: string): string {
  return join(stateDir, FILE);
}

/**
 * Returns `undefined` when nothing is granted.
 * @throws ServiceError `unavailable` when other users can reach the file, or it is damaged.
 */
export async function readGrantRecord(stateDir: string): Promise<GrantRecord | undefined> {
  const path = grantRecordPath(stateDir);
  const file = await readPrivate(path, WHAT);
  if (file === undefined) return undefined;
  const stored = Stored.safeParse(parse(new TextDecoder().decode(file.bytes)));
  if (!stored.success) {
    throw new ServiceError(
      "unavailable",
      `Cannot read the ${WHAT} "${path}": it is damaged; run computer-control grant portal again`,
    );
  }
  const { remote_desktop_token: remoteDesktop, screen_cast_token: screenCast } = stored.data;
  return { remoteDesktop, screenCast };
}

/** @throws ServiceError `unavailable` */
export async function writeGrantRecord(stateDir: string, record: GrantRecord): Promise<void> {
  const path = grantRecordPath(await openStateFolder(stateDir));
  const text = JSON.stringify({
    remote_desktop_token: record.remoteDesktop,
    screen_cast_token: record.screenCast,
  });
  try {
    await replacePrivate(path, new TextEncoder().encode(`${text}\n`));
  } catch (error) {
    const message = `Cannot write the ${WHAT} "${path}": ${(error as Error).message}`;
    throw new ServiceError("unavailable", message, { cause: error });
  }
}

/** Whether there was something to remove. @throws ServiceError `unavailable` */
export async function removeGrantRecord(stateDir: string): Promise<boolean> {
  const path = grantRecordPath(stateDir);
  try {
    await Deno.remove(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    const message = `Cannot remove the ${WHAT} "${path}": ${(error as Error).message}`;
    throw new ServiceError("unavailable", message, { cause: error });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
