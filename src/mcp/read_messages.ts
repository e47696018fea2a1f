/** Reads messages from standard input, one a line. */

const LINE_BREAK = 0x0a;

/**
 * Each line as JSON; `undefined` for one that is none. Ends with the input.
 * @throws Error when a line is longer than `maxBytes`
 */
export async function* readMessages(
  input: ReadableStream<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<unknown> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_BREAK); at >= 0; at = chunk.indexOf(LINE_BREAK, from)) {
      pieces.push(chunk.subarray(from, at));
      from = at + 1;
      const text = await new Blob(pieces as Uint8Array<ArrayBuffer>[]).text();
      pieces = [];
      size = 0;
      if (text.trim() !== "") yield parse(text);
    }
    pieces.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxBytes) throw new Error(`A message is longer than ${maxBytes} bytes`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
