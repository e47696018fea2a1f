/** The worker that parses large bodies beside the thread that answers requests. */

import { joinBytes } from "../core/bytes.ts";
import { serveJobs } from "../core/serve_jobs.ts";
import { parseJson } from "./parse_json.ts";

serveJobs((chunks: readonly Uint8Array[]) => parseJson(joinBytes(chunks)));
