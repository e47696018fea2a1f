/** Writes the answer of a call: JSON or a file, to standard output or to the file of `--output`. */

import { type ByteSink, writeAll } from "../../core/bytes.ts";
import { CommandError } from "../command.ts";
import { openOutputFile } from "./output_file.ts";

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
