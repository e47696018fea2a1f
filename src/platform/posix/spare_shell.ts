/** One shell that is started ahead of time, so that a plain command does not wait for it. */

/** A script that fits is taken in by one write, whatever else goes on. */
const MAX_SCRIPT_BYTES = 4_096;

const encoder = new TextEncoder();

/** How a spare is started: it reads its script from its input. */
export type StartSpare = () => Deno.ChildProcess;

export class SpareShell {
  #spare: Deno.ChildProcess | undefined;
  /** What the spare was started with: for another environment it is of no use. */
  #env: object | undefined;
  #stopped = false;

  constructor(private readonly start: StartSpare) {}

  /**
   * Lets the spare become `program`, whose errors go where its output goes and whose input is empty,
   * and starts the next one. Returns `undefined` when there is no spare for it yet.
   */
  become(program: readonly string[], env: object): Deno.ChildProcess | undefined {
    if (this.#stopped) return undefined;
    const script = encoder.encode(`exec ${program.map(quote).join(" ")} </dev/null 2>&1\n`);
    if (script.length > MAX_SCRIPT_BYTES) return undefined;
    const spare = this.#env === env ? this.#spare : undefined;
    if (spare === undefined) this.discard();
    this.#spare = undefined;
    if (spare !== undefined) send(spare, script);
    this.#prepare(env);
    return spare;
  }

  /** Ends the spare. */
  discard(): void {
    this.#spare?.stdin.close().catch(() => {});
    this.#spare?.stdout.cancel().catch(() => {});
    this.#spare = undefined;
  }

  /** Ends the spare for good. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const ended = this.#spare?.status;
    this.discard();
    await ended;
  }

  #prepare(env: object): void {
    let spare: Deno.ChildProcess;
    try {
      spare = this.start();
    } catch {
      return; // then the next command is started the long way, and tells why it cannot
    }
    this.#spare = spare;
    this.#env = env;
    spare.status.then(() => {
      if (this.#spare === spare) this.discard(); // somebody has killed it
    });
  }
}

function send({ stdin }: Deno.ChildProcess, script: Uint8Array): void {
  const writer = stdin.getWriter();
  writer.write(script).then(() => writer.close()).catch(() => {}); // its end is told by its status
}

/** A word of a shell script that means exactly this text. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
