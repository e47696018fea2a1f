/** Reads the output of a child process into one reused buffer. */

const BUFFER_BYTES = 64 * 1024;

export class CommandOutput {
  readonly #reader: ReadableStreamBYOBReader;
  #buffer = new ArrayBuffer(0);
  #ended = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader({ mode: "byob" });
  }

  /** Whether the write end is closed, or we have stopped reading. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The next bytes, valid until the next call; `undefined` at the end. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.#ended) return undefined;
    if (this.#buffer.byteLength === 0) this.#buffer = new ArrayBuffer(BUFFER_BYTES);
    const value = await this.#readInto(new Uint8Array(this.#buffer));
    if (value === undefined) {
      this.#ended = true;
      return undefined;
    }
    this.#buffer = value.buffer;
    return value;
  }

  /** A read error counts as the end of the pipe. */
  async #readInto(view: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      const { done, value } = await this.#reader.read(view);
      return done ? undefined : value;
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#reader.cancel().catch(() => {});
  }
}
