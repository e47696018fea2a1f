/** Reads and writes items of the platform's keychain; nothing here returns a value to a client. */

import { requireGroup } from "../switched_off.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Keychain, Platform } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import type { SecretName } from "./fields.ts";
import { type Item, itemOfText } from "./item.ts";

/** @throws ServiceError `unavailable` when this platform has no keychain. */
export function requireKeychain({ keychain }: Pick<Platform, "keychain">): Keychain {
  if (keychain.ready) return keychain.use;
  throw new ServiceError("unavailable", `Cannot use a keychain: ${keychain.reason}`);
}

/** The item of a service, or `undefined`. */
export async function readItem(keychain: Keychain, service: string): Promise<Item | undefined> {
  const text = await keychain.read(service);
  return text === undefined ? undefined : parseItem(service, text);
}

/** @throws ServiceError `unavailable` when another program has changed the item. */
export function parseItem(service: string, text: string): Item {
  try {
    return itemOfText(text);
  } catch {
    throw new ServiceError(
      "unavailable",
      `Cannot use the item of "${service}": another program has changed it: set it again`,
    );
  }
}

/**
 * Reads a stored value for use inside the service.
 * @throws ServiceError `forbidden` when the group is disabled, so that no other group bypasses
 * that.
 */
export async function readSecret(
  { platform, config }: Pick<Context, "platform" | "config">,
  { service, field }: SecretName,
): Promise<string | undefined> {
  requireGroup(config, "keychain");
  return (await readItem(requireKeychain(platform), service))?.get(field);
}

/** The message for a caller that names a value which is not stored. */
export function notStored({ service, field }: SecretName): string {
  return `The keychain has no field "${field}" for the service "${service}"`;
}
