/** Streams with stored values taken out of them, for tests. */

import { joinBytes } from "../../src/core/bytes.ts";
import { SecretIndex } from "../../src/features/secrets/secret_index.ts";
import { StreamRedactor } from "../../src/features/secrets/redact.ts";

export function indexOf(secrets: Record<string, Record<string, string>>): SecretIndex {
  const index = new SecretIndex();
  for (const [service, item] of Object.entries(secrets)) {
    index.set(service, new Map(Object.entries(item)));
  }
  return index;
}

/** The stream redacted in chunks of `size` bytes. */
export async function redacted(index: SecretIndex, text: string, size: number): Promise<string> {
  const redactor = new StreamRedactor(index);
  const bytes = new TextEncoder().encode(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.byteLength; at += size) {
    parts.push(await redactor.push(bytes.slice(at, at + size)));
  }
  parts.push(await redactor.end());
  return new TextDecoder().decode(joinBytes(parts));
}
