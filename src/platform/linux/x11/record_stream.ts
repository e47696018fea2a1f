/** A connection to an X server that records: it carries nothing else. */

import { Buffer } from "node:buffer";
import { environment } from "../../environment.ts";
import type { X11Connection } from "./connection.ts";
import { findCookie } from "./cookie.ts";
import { localSocketPath } from "./local_stream.ts";
import { readRecorded, type Recorded, startRecording, stopRecording } from "./record_protocol.ts";
import { readClientMask, readSetup, setupRequest } from "./stillness_requests.ts";

const FIRST_BYTES = 64 * 1024;

interface RecordOptions {
  /** The opcode of the extension. */
  readonly opcode: number;
  /** The window whose grabs are reported as probes. */
  readonly probeWindow: number;
  readonly use: (recorded: Recorded) => void;
}

export class RecordStream implements AsyncDisposable {
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #context = 0;
  #isClosed = false;
  /** The bits of a resource id that its client chooses. */
  clientMask = 0;

  private constructor(
    private readonly socket: Deno.Conn,
    private readonly options: RecordOptions,
  ) {
    for (const { promise } of [this.#started, this.#ended]) promise.catch(() => {});
  }

  /** `undefined` for a server that has no socket on this computer, or refuses the connection. */
  static async open(name: string, options: RecordOptions): Promise<RecordStream | undefined> {
    const path = localSocketPath(name);
    const { auth } = await findCookie(name, { env: environment(), hostname: Deno.hostname() });
    if (path === undefined || auth === undefined) return undefined;
    const stream = new RecordStream(await Deno.connect({ transport: "unix", path }), options);
    try {
      if (await stream.#begin(setupRequest(auth))) return stream;
    } catch { /* the server closed the connection */ }
    await stream[Symbol.asyncDispose]();
    return undefined;
  }

  /** Resolves when everything that happens from now on is recorded. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** Resolves after {@link stop}, when everything up to then has been read. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Ends the recording by a request on the connection that has sent the input. */
  stop({ client, connected }: X11Connection): void {
    if (!connected) return;
    client.seq_num++;
    client.pack_stream.put(Buffer.from(stopRecording(this.options.opcode, this.#context)));
    client.pack_stream.submit();
    client.pack_stream.flush();
  }

  [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isClosed) this.socket.close();
    this.#isClosed = true;
    return Promise.resolve();
  }

  /** Whether the server has accepted the connection; its answers are then read until it closes. */
  async #begin(setup: Uint8Array<ArrayBuffer>): Promise<boolean> {
    await writeAll(this.socket, setup);
    let base: number | undefined | "more";
    while ((base = readSetup(this.#bytes.subarray(0, this.#length))) === "more") {
      if (!await this.#read()) return false;
    }
    if (base === undefined) return false;
    this.#context = base;
    this.clientMask = readClientMask(this.#bytes);
    this.#length = 0;
    await writeAll(this.socket, startRecording(this.options.opcode, base));
    this.#follow();
    return true;
  }

  async #follow(): Promise<void> {
    try {
      while (await this.#read()) this.#use();
      throw new Error("the X server has closed the connection");
    } catch (error) {
      this.#started.reject(error);
      this.#ended.reject(error);
    }
  }

  #use(): void {
    const used = readRecorded(this.#bytes.subarray(0, this.#length), {
      probeWindow: this.options.probeWindow,
      use: (recorded) => {
        if (recorded === "started") this.#started.resolve();
        else if (recorded === "ended") this.#ended.resolve();
        else if (recorded === "refused") this.#started.reject(new Error("it was refused"));
        else this.options.use(recorded);
      },
    });
    this.#bytes.copyWithin(0, used, this.#length);
    this.#length -= used;
  }

  /** Whether there was more. */
  async #read(): Promise<boolean> {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    const count = await this.socket.read(this.#bytes.subarray(this.#length));
    this.#length += count ?? 0;
    return count !== null;
  }
}

async function writeAll(socket: Deno.Conn, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await socket.write(bytes.subarray(done));
}
