/** Reads the messages with which a service answers one: one as JSON, or several as an event stream. */

type Json = Readonly<Record<string, unknown>>;

/** @throws Error when the answer is no message of the protocol */
export async function* readReplies(response: Response): AsyncGenerator<Json> {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream") && response.body !== null) {
    yield* readEvents(response.body);
    return;
  }
  const text = await response.text();
  const message = parse(text);
  if (message?.["jsonrpc"] !== "2.0") {
    const detail = message?.["detail"];
    throw new Error(`it answers ${response.status}${detail === undefined ? "" : `: ${detail}`}`);
  }
  yield message;
}

/** The data of each event (HTML standard, 9.2.6), which is one message. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Json> {
  const lines = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>);
  let pending = "";
  for await (const text of lines) {
    pending += text;
    const events = pending.split(/\r?\n\r?\n/);
    pending = events.pop()!;
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"))
        .map((line) => line.slice("data:".length).trimStart()).join("\n");
      const message = data === "" ? undefined : parse(data);
      if (message !== undefined) yield message;
    }
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
