/** The worker that parses large bodies beside the thread that answers requests. */

import { serveJobs } from "../../core/serve_jobs.ts";
import type { Chunks, ParseReply } from "./large_bodies.ts";
import { takeOutLargeTexts } from "./large_texts.ts";
import { parseJson } from "./parse.ts";

serveJobs(async (chunks: Chunks): Promise<ParseReply> => {
  const parsed = parseJson(new Uint8Array(await new Blob([...chunks]).arrayBuffer()));
  return { parsed, texts: "value" in parsed ? takeOutLargeTexts(parsed) : [] };
}, ({ texts }) => texts.map(({ bytes }) => bytes.buffer));
