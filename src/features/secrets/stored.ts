/** Reads and writes items of the platform's keychain; nothing here returns a value to a client. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Keychain, Platform } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { requireGroup } from "../switched_off.ts";
import { type Item, itemOfText } from "./item.ts";

/** @throws ServiceError `unavailable` when this platform has no keychain. */
export function requireKeychain({ keychain }: Pick<Platform, "keychain">): Keychain {
  if (keychain.ready) return keychain.use;
  throw new ServiceError("unavailable", `Cannot use a keychain: ${keychain.reason}`);
}

/** The item of a service, or `undefined`. */
async function readItem(keychain: Keychain, service: string): Promise<Item | undefined> {
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

// Schema fields for the names of stored values and for new values.

const MAX_SERVICE_LENGTH = 256;
const MAX_FIELD_LENGTH = 64;
const CONTROL = /\p{Cc}/u;
/** The same check as a JSON schema pattern. */
const PRINTABLE = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";
const utf8 = new TextEncoder();

export const ServiceName = z.string().min(1).max(MAX_SERVICE_LENGTH)
  .refine((name) => !CONTROL.test(name), "A service name must not contain control characters")
  .meta({ pattern: PRINTABLE })
  .describe("The name of the service that the item belongs to, for example `github`.");

export const FieldName = z.string().min(1).max(MAX_FIELD_LENGTH)
  .refine((name) => !CONTROL.test(name), "A field name must not contain control characters")
  .meta({ pattern: PRINTABLE })
  .describe("The name of a field of the item, for example `password`.");

/** Names a stored value, for operations that use it without showing it. */
export const SecretName = z.object({ service: ServiceName, field: FieldName })
  .describe("The value in the keychain to use; it is never returned.");

export type SecretName = z.output<typeof SecretName>;

/** A value to store or to compare. */
export function SecretText(limits: Limits) {
  const most = limits.maxSecretBytes;
  return z.string().max(most)
    .refine(
      (text) => text.length * 3 <= most || utf8.encode(text).byteLength <= most,
      `A value has at most ${most} bytes of UTF-8`,
    );
}
