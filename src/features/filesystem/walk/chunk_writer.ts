/** Collects JSON text into chunks and sends them as bytes. */

/** Approximate number of characters per chunk. */
const CHUNK = 64 * 1024;

export class ChunkWriter {
  #text = "";
  readonly #encoder = new TextEncoder();

  constructor(private readonly send: (chunk: Uint8Array<ArrayBuffer>) => void) {}

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= CHUNK) this.flush();
  }

  flush(): void {
    if (this.#text === "") return;
    const chunk = this.#encoder.encode(this.#text);
    this.#text = "";
    this.send(chunk);
  }
}
