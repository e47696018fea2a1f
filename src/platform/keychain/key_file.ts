/** The key file of the encrypted file: 32 random bytes in a private file. */

import { ServiceError } from "../../core/errors.ts";
import { createPrivate, readPrivate, unusable } from "./private_file.ts";
import { importKey, KEY_BYTES, type SealingKey } from "./sealed.ts";

const WHAT = "keychain's key";

/**
 * Reads the key; `undefined` when there is no such file.
 * @throws ServiceError `unavailable` when other users can access the file, or it holds no key
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

/** Creates a new key; never replaces an existing file. */
export async function createKey(path: string): Promise<SealingKey> {
  const raw = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  try {
    await createPrivate(path, raw);
  } catch (error) {
    throw unusable(path, WHAT, error);
  }
  return await importKey(raw);
}

/** The error for a key file that was lost, or that was never at the given path. */
export function missingKey(path: string, { given }: { readonly given: boolean }): ServiceError {
  const remedy = given
    ? `make one with: (umask 077; head -c ${KEY_BYTES} /dev/urandom > "${path}")`
    : "put it back, or move the keychain file away to begin a new one";
  return new ServiceError(
    "unavailable",
    `Cannot use the ${WHAT} "${path}": there is no such file: ${remedy}`,
  );
}
