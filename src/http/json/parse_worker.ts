/** The worker that parses large bodies beside the thread that answers requests. */

import { joinBytes } from "../../core/bytes.ts";
import { serveJobs } from "../../core/serve_jobs.ts";
import { type Chunks, type ParseReply, takeOutLargeTexts } from "./large_bodies.ts";
import { parseJson } from "./parse.ts";

serveJobs((chunks: Chunks): ParseReply => {
  const parsed = parseJson(joinBytes(chunks));
  return { parsed, texts: "value" in parsed ? takeOutLargeTexts(parsed) : [] };
}, ({ texts }) => texts.map(({ bytes }) => bytes.buffer));
