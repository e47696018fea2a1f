/** Reads the output of a program line by line, so that a test can wait for one. */

export interface LineReader {
  /** The next line, or `undefined` at the end. */
  next(): Promise<string | undefined>;
  /** Reads on until a line matches; throws at the end of the output, quoting what came. */
  until(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Everything read so far. */
  readonly seen: readonly string[];
  /** Reads to the end. */
  rest(): Promise<readonly string[]>;
  /** Reads no more: another program may hold the output open. */
  cancel(): Promise<void>;
}

export function lineReader(stream: ReadableStream<Uint8Array>): LineReader {
  const reader = stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader();
  const seen: string[] = [];
  let pending = "";
  let ended = false;

  async function next(): Promise<string | undefined> {
    while (true) {
      const end = pending.indexOf("\n");
      if (end >= 0) {
        const line = pending.slice(0, end);
        pending = pending.slice(end + 1);
        seen.push(line);
        return line;
      }
      if (ended) {
        if (pending === "") return undefined;
        const line = pending;
        pending = "";
        seen.push(line);
        return line;
      }
      const { done, value } = await reader.read();
      if (done) ended = true;
      else pending += value;
    }
  }

  async function until(pattern: RegExp): Promise<RegExpMatchArray> {
    while (true) {
      const line = await next();
      if (line === undefined) {
        throw new Error(`The output ended before ${pattern} came:\n${seen.join("\n")}`);
      }
      const match = line.match(pattern);
      if (match !== null) return match;
    }
  }

  async function rest(): Promise<readonly string[]> {
    while (await next() !== undefined);
    return seen;
  }

  return { next, until, rest, cancel: () => reader.cancel(), seen };
}
