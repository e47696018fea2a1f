/** Takes stored values out of a stream of bytes, also those that the border of two chunks cuts. */

import type { Config } from "../../config.ts";
import type { KnownSecrets } from "./known_secrets.ts";
import type { SecretIndex } from "./secret_index.ts";

/** Takes the bytes of one stream, in order. */
export interface Redactor {
  /** What can be shown now; bytes that may be the beginning of a value are kept for the next call. */
  push(chunk: Uint8Array): Uint8Array;
  /** The stream has ended: what was kept. */
  end(): Uint8Array;
}

const NOTHING = new Uint8Array(0);
const OPEN: Redactor = { push: (chunk) => chunk, end: () => NOTHING };

/** A redactor for one stream; with `--no-redact` one that changes nothing. */
export async function createRedactor(
  config: Pick<Config, "redact">,
  known: KnownSecrets,
): Promise<Redactor> {
  if (!config.redact) return OPEN;
  return new StreamRedactor(await known.index());
}

/** Values that are stored while the stream runs are taken out from then on. */
export class StreamRedactor implements Redactor {
  #kept = NOTHING as Uint8Array;

  constructor(private readonly index: SecretIndex) {}

  push(chunk: Uint8Array): Uint8Array {
    if (this.index.isEmpty && this.#kept.byteLength === 0) return chunk;
    return this.#scan(join([this.#kept, chunk]), { ended: false });
  }

  end(): Uint8Array {
    if (this.#kept.byteLength === 0) return NOTHING;
    return this.#scan(this.#kept, { ended: true });
  }

  #scan(bytes: Uint8Array, { ended }: { readonly ended: boolean }): Uint8Array {
    const shown: Uint8Array[] = [];
    let from = 0;
    let search = 0;
    this.#kept = NOTHING;
    for (;;) {
      const { at, find } = this.index.next(bytes, search);
      if (find === undefined) break;
      if (find === "beginning" && !ended) {
        this.#kept = bytes.slice(at);
        return join([...shown, bytes.subarray(from, at)]);
      }
      const pattern = find === "beginning" ? this.index.wholeAt(bytes, at) : find;
      search = at + (pattern?.bytes.byteLength ?? 1);
      if (pattern === undefined) continue;
      shown.push(bytes.subarray(from, at), pattern.label);
      from = search;
    }
    return shown.length === 0 && from === 0 ? bytes : join([...shown, bytes.subarray(from)]);
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.byteLength > 0);
  if (filled.length === 1) return filled[0]!;
  const all = new Uint8Array(filled.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of filled) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}
