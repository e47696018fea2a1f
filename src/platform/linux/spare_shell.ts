/** One shell that is started ahead of time, so that a plain command does not wait for it. */

import { waitForExit } from "../posix/end_of.ts";
import type { SpareOptions, SpareShells } from "../posix/processes.ts";
import { openInputPipe } from "./input_pipe.ts";

/** A script that fits is taken in by one write, whatever else goes on. */
const MAX_SCRIPT_BYTES = 4_096;

const encoder = new TextEncoder();

interface Spare {
  readonly child: Deno.ChildProcess;
  /** What it was started with and in: for another environment or folder it is of no use. */
  readonly env: object;
  readonly folder: string;
}

export class SpareShell implements SpareShells {
  #spare: Spare | undefined;
  #stopped = false;

  constructor(private readonly options: SpareOptions) {}

  /**
   * Lets the spare become `program`, whose errors go where its output goes and whose input is empty,
   * and starts the next one. Returns `undefined` when there is no spare for it yet.
   */
  become(program: readonly string[], env: object): Deno.ChildProcess | undefined {
    if (this.#stopped) return undefined;
    const script = encoder.encode(`exec ${program.map(quote).join(" ")} </dev/null 2>&1\n`);
    if (script.length > MAX_SCRIPT_BYTES) return undefined;
    const child = this.#handOver(script, env);
    if (child === undefined) this.discard();
    this.#spare = undefined;
    this.#prepare(env);
    return child;
  }

  /** Ends the spare. */
  discard(): void {
    if (this.#spare === undefined) return;
    const { child } = this.#spare;
    this.#spare = undefined;
    child.stdin.close().catch(() => {});
    child.stdout.cancel().catch(() => {});
    endItNow(child); // one that is stopped would not read the end of its input
    this.options.onDiscard(child.pid);
  }

  /** Ends the spare for good. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const ended = this.#spare && waitForExit(this.#spare.child);
    this.discard();
    await ended;
  }

  /** The spare, if it fits, lives and has taken the script. */
  #handOver(script: Uint8Array<ArrayBuffer>, env: object): Deno.ChildProcess | undefined {
    if (this.#spare === undefined || this.#spare.env !== env) return undefined;
    const { child, folder } = this.#spare;
    if (!isReading(child.pid) || readFolderIdentity(this.options.home) !== folder) return undefined;
    if (!send(child.pid, script)) return undefined;
    child.stdin.close().catch(() => {});
    return child;
  }

  #prepare(env: object): void {
    const folder = readFolderIdentity(this.options.home);
    if (folder === undefined) return;
    let child: Deno.ChildProcess;
    try {
      child = this.options.start();
    } catch {
      return; // then the next command is started the long way, and tells why it cannot
    }
    this.#spare = { child, env, folder };
    waitForExit(child).then(() => {
      if (this.#spare?.child === child) this.discard(); // somebody has killed it
    });
  }
}

/** Hands the script over before anything else happens; not to a shell that is dead. */
function send(pid: number, script: Uint8Array<ArrayBuffer>): boolean {
  const pipe = openInputPipe(pid);
  if (pipe === undefined) return false;
  try {
    return pipe.write(script) === script.length;
  } catch {
    return false;
  } finally {
    pipe.close();
  }
}

/** Whether the process is neither dead nor stopped. */
function isReading(pid: number): boolean {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return !"ZXTt".includes(stat[stat.lastIndexOf(")") + 2]!);
  } catch {
    return false;
  }
}

/** What tells a folder from another one at the same path. */
function readFolderIdentity(folder: string): string | undefined {
  try {
    const { dev, ino } = Deno.statSync(folder);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function endItNow(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // it has ended
  }
}

/** A word of a shell script that means exactly this text. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
