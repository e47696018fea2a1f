/** The worker: parses large bodies beside the thread that answers requests. */

import type { ParseReply, ParseRequest } from "./large_bodies.ts";
import { takeOutLargeTexts } from "./large_texts.ts";
import { parseJson } from "./parse.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ParseRequest>) => void;
  postMessage(reply: ParseReply, transfer: readonly ArrayBuffer[]): void;
};

scope.onmessage = async ({ data: { id, chunks } }) => {
  const parsed = parseJson(new Uint8Array(await new Blob([...chunks]).arrayBuffer()));
  const texts = "value" in parsed ? takeOutLargeTexts(parsed) : [];
  scope.postMessage({ id, parsed, texts }, texts.map(({ bytes }) => bytes.buffer));
};
