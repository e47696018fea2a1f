/** A JSON answer that is sent while it is made, never held whole. */
export class Streamed {
  constructor(
    readonly json: ReadableStream<Uint8Array<ArrayBuffer>>,
    /** Settles when the last byte has been made, or when nobody wants more; never rejects. */
    readonly ended: Promise<void>,
  ) {}
}
