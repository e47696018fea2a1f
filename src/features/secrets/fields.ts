/** Schema fields for the names of stored values and for new values. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";

const MAX_SERVICE_LENGTH = 256;
const MAX_FIELD_LENGTH = 64;
const CONTROL = /\p{Cc}/u;
/** The same check as a JSON schema pattern. */
const PRINTABLE = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";
const utf8 = new TextEncoder();

export const ServiceName = z.string().min(1).max(MAX_SERVICE_LENGTH)
  .refine((name) => !CONTROL.test(name), "A service name has no control characters")
  .meta({ pattern: PRINTABLE })
  .describe("The name of the service that the item belongs to, for example `github`.");

export const FieldName = z.string().min(1).max(MAX_FIELD_LENGTH)
  .refine((name) => !CONTROL.test(name), "A field name has no control characters")
  .meta({ pattern: PRINTABLE })
  .describe("The name of a field of the item, for example `password`.");

/** Names a stored value, for operations that use it without showing it. */
export const SecretName = z.object({ service: ServiceName, field: FieldName })
  .describe("The value in the keychain to use; it is never shown.");

export type SecretName = z.output<typeof SecretName>;

/** A value to store or to compare. */
export function SecretText(limits: Limits) {
  const most = limits.maxSecretBytes;
  return z.string().max(most)
    .refine(
      (text) => text.length * 3 <= most || utf8.encode(text).byteLength <= most,
      `A value takes at most ${most} bytes of UTF-8`,
    );
}
