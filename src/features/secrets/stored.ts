/** Reads and writes items of the platform's keychain; nothing here returns a value to a client. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { FieldError, ServiceError } from "../../core/errors.ts";
import { tryParseJson } from "../../core/texts.ts";
import type { Keychain, Platform } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";

/** The values of one service by field name; the keychain stores them as one text. */
export type Item = ReadonlyMap<string, string>;

const Entries = z.array(z.tuple([z.string(), z.string()]));

export function itemToText(item: Item): string {
  return JSON.stringify([...item]);
}

/** @throws an error that does not contain the text, when this service did not write the text. */
export function itemOfText(text: string): Item {
  const { data } = Entries.safeParse(tryParseJson(text));
  if (data !== undefined) return new Map(data);
  throw new TypeError("A keychain item does not have the format of this service");
}

/** @throws ServiceError `unavailable` when this platform has no keychain. */
export function requireKeychain({ keychain }: Pick<Platform, "keychain">): Keychain {
  if (keychain.ready) return keychain.use;
  throw new ServiceError("unavailable", `Cannot use a keychain: ${keychain.reason}`);
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
 * @param field the field of the request that names it
 * @throws FieldError when no such value is stored
 */
export async function readSecret(
  { platform }: Pick<Context, "platform">,
  secret: SecretName,
  field: FieldError["field"],
): Promise<string> {
  const text = await requireKeychain(platform).read(secret.service);
  const value = text === undefined ? undefined : parseItem(secret.service, text).get(secret.field);
  if (value !== undefined) return value;
  throw new FieldError(
    field,
    `The keychain has no field "${secret.field}" for the service "${secret.service}"`,
  );
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
