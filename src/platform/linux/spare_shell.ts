/** A shell that is started in advance, so that a plain command does not wait for one to start. */

import { waitForExit } from "../posix/wait_for_exit.ts";
import type { SpareOptions, SpareShells } from "../posix/processes.ts";
import { openInputPipe } from "./input_pipe.ts";

/** The pipe accepts a script of this size in a single atomic write. */
const MAX_SCRIPT_BYTES = 4_096;

const encoder = new TextEncoder();

interface Spare {
  readonly child: Deno.ChildProcess;
  /**
   * Its environment and folder at the start: for another environment or folder it cannot be used.
   */
  readonly env: object;
  readonly folder: string;
}

export class SpareShell implements SpareShells {
  #spare: Spare | undefined;
  #stopped = false;

  constructor(private readonly options: SpareOptions) {}

  /**
   * Turns the spare into `program` by `exec`, with standard error joined to its output and an empty
   * input, then starts the next spare. Returns `undefined` when no spare is ready for it.
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

  /** Ends the spare shell. */
  discard(): void {
    if (this.#spare === undefined) return;
    const { child } = this.#spare;
    this.#spare = undefined;
    child.stdin.close().catch(() => {});
    child.stdout.cancel().catch(() => {});
    endItNow(child); // a stopped shell would not notice the end of its input
    this.options.onDiscard(child.pid);
  }

  /** Ends the spare shell and starts no more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const ended = this.#spare && waitForExit(this.#spare.child);
    this.discard();
    await ended;
  }

  /** The spare, if it fits, is alive and has received the script. */
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
      return; // the next command then starts without a spare and reports the cause
    }
    this.#spare = { child, env, folder };
    waitForExit(child).then(() => {
      if (this.#spare?.child === child) this.discard(); // it was killed from outside
    });
  }
}

/** Writes the script synchronously; `false` when the shell is dead. */
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

/** Distinguishes a folder from a later one at the same path. */
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
    // it has already ended
  }
}

/** Quotes a text as one literal word of a shell script. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
