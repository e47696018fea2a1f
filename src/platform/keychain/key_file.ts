/** The key of the encrypted file: 32 random bytes in a private file of its own. */

import { ServiceError } from "../../core/errors.ts";
import { createPrivate, readPrivate, unusable } from "./private_file.ts";
import { importKey, KEY_BYTES, type SealingKey } from "./sealed.ts";

const WHAT = "keychain's key";

/**
 * Reads the key; `undefined` when there is no such file.
 * @throws ServiceError `unavailable` when others may reach it or it is no key.
 */
export async function readKey(path: string): Promise<SealingKey | undefined> {
  const file = await readPrivate(path, WHAT);
  if (file === undefined) return undefined;
  if (file.bytes.byteLength !== KEY_BYTES) {
    throw new ServiceError(
      "unavailable",
      `Cannot use the ${WHAT} "${path}": it must hold ${KEY_BYTES} bytes, not ${file.bytes.byteLength}`,
    );
  }
  return await importKey(file.bytes);
}

/** Makes a new key; an existing file is never replaced. */
export async function createKey(path: string): Promise<SealingKey> {
  const raw = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  try {
    await createPrivate(path, raw);
  } catch (error) {
    throw unusable(path, WHAT, error);
  }
  return await importKey(raw);
}

/** The key was lost, or never put where it is said to be. */
export function missingKey(path: string, { given }: { readonly given: boolean }): ServiceError {
  const remedy = given
    ? `make one with: (umask 077; head -c ${KEY_BYTES} /dev/urandom > "${path}")`
    : "put it back, or move the keychain file away to begin a new one";
  return new ServiceError(
    "unavailable",
    `Cannot use the ${WHAT} "${path}": there is no such file: ${remedy}`,
  );
}
