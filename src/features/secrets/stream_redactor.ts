/** Takes known values out of a stream of bytes, also those that the border of two chunks cuts. */

import { joinBytes, NOTHING } from "./bytes.ts";
import type { Searched, SecretIndex } from "./secret_index.ts";

/** Values that become known while the stream runs are taken out from then on. */
export class StreamRedactor {
  #kept: Uint8Array = NOTHING;

  constructor(private readonly index: SecretIndex) {}

  /** What can be shown now; bytes that may be the beginning of a value are kept for the next call. */
  push(chunk: Uint8Array): Uint8Array {
    if (this.index.isEmpty && this.#kept.byteLength === 0) return chunk;
    return this.#scan(joinBytes([this.#kept, chunk]), { ended: false });
  }

  /** The stream has ended: what was kept. */
  end(): Uint8Array {
    if (this.#kept.byteLength === 0) return NOTHING;
    return this.#scan(this.#kept, { ended: true });
  }

  /** What was kept is never shown: its continuation is gone. */
  forget(): void {
    this.#kept = NOTHING;
  }

  #scan(bytes: Uint8Array, { ended }: { readonly ended: boolean }): Uint8Array {
    const text: Searched = { bytes, ended };
    const shown: Uint8Array[] = [];
    let from = 0;
    this.#kept = NOTHING;
    for (;;) {
      const { at, find } = this.index.next(text, from);
      if (find === undefined) break;
      if (find === "beginning") {
        this.#kept = bytes.slice(at);
        return joinBytes([...shown, bytes.subarray(from, at)]);
      }
      shown.push(bytes.subarray(from, at), find.label);
      from = at + find.bytes.byteLength;
    }
    return shown.length === 0 && from === 0 ? bytes : joinBytes([...shown, bytes.subarray(from)]);
  }
}
