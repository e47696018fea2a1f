/** Secrets that let somebody in, as tokens, links and tickets do: only their hashes are kept. */

import { createHash, randomBytes } from "node:crypto";

/** A secret that cannot be guessed: the prefix, and 32 random bytes in base64url. */
export function makeSecret(prefix: string): string {
  return prefix + randomBytes(32).toString("base64url");
}

/** What is kept of a secret, and what it is found by. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
