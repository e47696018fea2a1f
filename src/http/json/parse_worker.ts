/** The worker that parses large bodies beside the thread that answers requests. */

import { serveJobs } from "../../core/serve_jobs.ts";
import { type Chunks, type ParseReply, takeOutLargeTexts } from "./large_bodies.ts";
import { parseJson } from "./parse.ts";

serveJobs((chunks: Chunks): ParseReply => {
  const parsed = parseJson(joined(chunks));
  return { parsed, texts: "value" in parsed ? takeOutLargeTexts(parsed) : [] };
}, ({ texts }) => texts.map(({ bytes }) => bytes.buffer));

function joined(chunks: Chunks): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
