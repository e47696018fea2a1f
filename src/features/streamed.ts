/** A JSON answer that is sent while it is generated, never held in memory as a whole. */
export class Streamed {
  constructor(
    readonly json: ReadableStream<Uint8Array<ArrayBuffer>>,
    /** Settles when the last byte has been generated, or when the reader cancels; never rejects. */
    readonly ended: Promise<void>,
  ) {}
}

/** A file that is sent while it is read, never held in memory as a whole. */
export interface FileStream {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** In bytes. */
  readonly length: number;
}
