/** Writes the answer of a call: JSON or a file, to standard output or to the file of `--output`. */

import { constants } from "node:os";
import { dirname, join } from "node:path";
import { ConfigError } from "../../config/option.ts";
import { type ByteSink, writeAll } from "../../core/bytes.ts";
import { tryTo } from "../../core/errors.ts";
import { CommandError } from "../command.ts";
import { onStopSignal } from "../signals.ts";

/** JSON that is longer is not indented for a terminal. */
const LONG = 1_024 * 1_024;
const PICTURE_HEADERS = ["x-frame", "x-display", "x-scale", "x-region", "x-changes", "etag"];

interface Destination extends Disposable {
  write(answer: Response): Promise<void>;
}

/** Standard output. JSON is indented for a person. */
export function openStdout(): Destination {
  return {
    async write(answer) {
      try {
        await print(answer);
      } catch (error) {
        // who reads has had enough, as `head` has
        if (!((error as Error).cause instanceof Deno.errors.BrokenPipe)) throw error;
      }
    },
    [Symbol.dispose]() {},
  };
}

async function print(answer: Response): Promise<void> {
  const isJson = isJsonAnswer(answer);
  if (!isJson || !Deno.stdout.isTerminal()) {
    await copy(answer, Deno.stdout, isJson);
    return;
  }
  const text = await answer.text();
  const indented = text.length > LONG ? text : JSON.stringify(JSON.parse(text), undefined, 2);
  await writeOut(Deno.stdout, new TextEncoder().encode(`${indented}\n`));
}

/**
 * A file, opened before anything is sent.
 * @throws ConfigError when it cannot be written
 */
export function openOutput(path: string, os: string): Destination {
  const output = openOutputFile(path, os);
  return {
    async write(answer) {
      const bytes = await copy(answer, output.file, false);
      await orFail(output.finish());
      console.log(JSON.stringify(describe(path, answer, bytes)));
    },
    [Symbol.dispose]: () => output[Symbol.dispose](),
  };
}

function describe(path: string, { headers }: Response, bytes: number) {
  const reported = PICTURE_HEADERS.filter((name) => headers.has(name))
    .map((name) => [name, headers.get(name)]);
  const type = headers.get("content-type");
  return { file: path, media_type: type, bytes, headers: Object.fromEntries(reported) };
}

/** Copies the body as it comes, whatever its size, and gives the number of bytes. */
async function copy(answer: Response, to: ByteSink, endsLine: boolean): Promise<number> {
  let count = 0;
  for await (const chunk of chunks(answer)) {
    await writeOut(to, chunk);
    count += chunk.length;
  }
  if (endsLine) await writeOut(to, Uint8Array.of(NEWLINE));
  return count;
}

const NEWLINE = 10;

async function* chunks({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (cause) {
    throw new CommandError(`The answer broke off: ${(cause as Error).message}`, { cause });
  }
}

async function writeOut(to: ByteSink, bytes: Uint8Array): Promise<void> {
  await orFail(writeAll(to, bytes));
}

async function orFail(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (cause) {
    throw new CommandError(`The answer cannot be written: ${(cause as Error).message}`, { cause });
  }
}

export function isJsonAnswer({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/json") ?? false;
}

// The file of `--output`: it has what it had before until the whole answer has come.

interface OutputFile extends Disposable {
  readonly file: Deno.FsFile;
  /** Makes what was written the content of the file; without it that stays as it was, or there is none. */
  finish(): Promise<void>;
}

/**
 * Opened before anything is sent: what cannot be written must not be asked for. A device or a pipe is written
 * as it comes.
 * @throws ConfigError when it cannot be written
 */
function openOutputFile(path: string, os: string): OutputFile {
  try {
    const old = openExisting(path);
    const about = old?.statSync();
    if (old && !about?.isFile) return openInPlace(old);
    old?.close();
    if (about) return new NextFile(path, os, about);
    const isLink = tryTo(() => Deno.lstatSync(path)) !== undefined; // to what is not there yet
    if (isLink) return openInPlace(Deno.openSync(path, { write: true, create: true }));
    Deno.openSync(path, { write: true, createNew: true }).close(); // whether it can be
    Deno.removeSync(path);
    return new NextFile(path, os);
  } catch (cause) {
    const reason = (cause as Error).message.replace(/: open .*/, "");
    throw new ConfigError(`--output ${JSON.stringify(path)} cannot be written: ${reason}`, {
      cause,
    });
  }
}

function openExisting(path: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(path, { write: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function openInPlace(file: Deno.FsFile): OutputFile {
  return { file, finish: () => Promise.resolve(), [Symbol.dispose]: () => file.close() };
}

/** A file beside the one that it becomes. */
class NextFile implements OutputFile {
  readonly file: Deno.FsFile;
  readonly #path: string;
  /** What a link names, and not the link. */
  readonly #target: string;
  readonly #canReplace: boolean;
  readonly #listening: Disposable;

  /** @param old what is there now */
  constructor(path: string, os: string, old?: Deno.FileInfo) {
    using listening = new DisposableStack();
    listening.use(onStopSignal(os, (name) => {
      this.#remove();
      Deno.exit(ENDED_BY + constants.signals[name]);
    }));
    this.#target = old === undefined ? path : Deno.realPathSync(path);
    const { path: next, isBeside } = createNext(dirname(this.#target), old);
    this.#path = next;
    this.file = Deno.openSync(next, { read: true, write: true });
    this.#canReplace = isBeside && (old === undefined || isAlike(this.file, next, old));
    this.#listening = listening.move();
  }

  async finish(): Promise<void> {
    await this.file.sync();
    if (this.#canReplace && this.#rename()) return;
    using target = await Deno.open(this.#target, { write: true, create: true, truncate: true });
    await this.file.seek(0, Deno.SeekMode.Start);
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let count; (count = await this.file.read(chunk)) !== null;) {
      await writeAll(target, chunk.subarray(0, count));
    }
  }

  [Symbol.dispose](): void {
    this.file.close();
    this.#remove();
    this.#listening[Symbol.dispose]();
  }

  /** Whether it could be; a file that is mounted by itself, say, cannot be replaced. */
  #rename(): boolean {
    try {
      Deno.renameSync(this.#path, this.#target);
      return true;
    } catch {
      return false;
    }
  }

  #remove(): void {
    tryTo(() => Deno.removeSync(this.#path)); // it can have become the other one
  }
}

/** A file that can be written may be in a folder that cannot. */
function createNext(folder: string, old: Deno.FileInfo | undefined) {
  const path = join(folder, `.computer-control-${crypto.randomUUID().slice(0, 8)}`);
  try {
    Deno.openSync(path, { write: true, createNew: true }).close();
    return { path, isBeside: true };
  } catch (error) {
    if (old === undefined) throw error;
    return { path: Deno.makeTempFileSync(), isBeside: false };
  }
}

/** The exit code of a program that a signal has ended, with its number added. */
const ENDED_BY = 128;
const CHUNK_BYTES = 64 * 1024;

/** Gives it the mode of the one that it replaces; whether nothing else tells them apart. */
function isAlike(file: Deno.FsFile, path: string, old: Deno.FileInfo): boolean {
  const { uid, gid } = file.statSync();
  if (old.uid !== uid || old.gid !== gid || (old.nlink ?? 1) > 1) return false;
  if (old.mode !== null) Deno.chmodSync(path, old.mode & 0o7777);
  return true;
}
