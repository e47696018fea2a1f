/** A client that costs next to nothing: one connection, GET, answers with a length. */

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Bytes of the body. */
  readonly length: number;
}

export class RawClient implements Disposable {
  readonly #buffer = new Uint8Array(1024 * 1024);

  private constructor(private readonly connection: Deno.TcpConn, private readonly port: number) {}

  static async connect(port: number): Promise<RawClient> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    connection.setNoDelay(true);
    return new RawClient(connection, port);
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const text = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${this.port}\r\n${lines}\r\n`;
    await this.connection.write(new TextEncoder().encode(text));
    return await this.#read();
  }

  [Symbol.dispose](): void {
    this.connection.close();
  }

  async #read(): Promise<RawAnswer> {
    let head = "";
    let got = 0;
    while (!head.includes("\r\n\r\n")) {
      const size = await this.#more();
      head += new TextDecoder("latin1").decode(this.#buffer.subarray(0, size));
    }
    const end = head.indexOf("\r\n\r\n");
    got = head.length - end - 4;
    const [first, ...rest] = head.slice(0, end).split("\r\n");
    const headers = new Headers(rest.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as [string, string];
    }));
    const status = Number(first!.split(" ")[1]);
    const length = Number(headers.get("content-length") ?? 0);
    while (got < length) got += await this.#more();
    return { status, headers, length };
  }

  async #more(): Promise<number> {
    const size = await this.connection.read(this.#buffer);
    if (size === null) throw new Error("The server closed the connection");
    return size;
  }
}

export function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * percent / 100))]!;
}
