/** An X client of bare bytes, which draws on the root window and goes on with the first bytes of an answer. */

const ROOT_BACKGROUND = 1 << 1;
const Z_PIXMAP = 2;

export class RawX implements Disposable {
  readonly #bytes = new Uint8Array(1 << 20);

  private constructor(
    private readonly connection: Deno.UnixConn,
    private readonly root: number,
  ) {}

  /** @param root as another client knows it */
  static async open(display: string, root: number): Promise<RawX> {
    const path = `/tmp/.X11-unix/X${display.slice(1)}`;
    const x = new RawX(await Deno.connect({ transport: "unix", path }), root);
    await x.connection.write(Uint8Array.of(0x6c, 0, 11, ...new Array(9).fill(0))); // without a cookie
    const answer = new DataView(x.#bytes.buffer);
    for (let length = 0; length < 8 || length < 8 + 4 * answer.getUint16(6, true);) {
      length += await x.connection.read(x.#bytes.subarray(length)) ?? 0;
    }
    return x;
  }

  /** Fills a part of the root window, after a request that makes this client the first to be answered. */
  async draw(pixel: number): Promise<void> {
    await this.#send(...FOCUS, ...this.#fill(pixel), ...FOCUS);
    await this.#read(64);
  }

  /** Draws and asks for so much that the first bytes come while the server is still at work. */
  async drawWithLongAnswer(pixel: number, { width, height }: { width: number; height: number }) {
    const get = [73 | Z_PIXMAP << 8 | 5 << 16, this.root, 0, width | height << 16, 0xffffffff];
    await this.#send(...FOCUS, ...this.#fill(pixel), ...get);
    const total = 64 + width * height * 4;
    const got = await this.#read(64 + 1);
    return { rest: () => this.#read(total - got) };
  }

  [Symbol.dispose](): void {
    this.connection.close();
  }

  #fill(pixel: number): number[] {
    const background = [2 | 4 << 16, this.root, ROOT_BACKGROUND, pixel];
    const clear = [61 | 4 << 16, this.root, 0, 8 | 8 << 16];
    return [...background, ...clear];
  }

  async #send(...words: number[]): Promise<void> {
    await this.connection.write(new Uint8Array(Uint32Array.from(words).buffer));
  }

  /** Reads at least so many bytes. */
  async #read(atLeast: number): Promise<number> {
    let got = 0;
    while (got < atLeast) {
      const count = await this.connection.read(this.#bytes);
      if (count === null) throw new Error("The X server closed the connection");
      got += count;
    }
    return got;
  }
}

const FOCUS = [43 | 1 << 16] as const;
