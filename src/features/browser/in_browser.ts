/** Runs jobs in the browser of the service. */

import { requirePort } from "../../platform/open_port.ts";
import type { BrowserJobName, BrowserJobs } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import type { Redacting } from "../secrets/redact_texts.ts";
import { redactingErrors } from "./redact_text.ts";

/** @throws ServiceError `unsupported` where the service has no browser; those of the job */
export async function inBrowser<N extends BrowserJobName>(
  context: Redacting & Pick<Context, "platform">,
  name: N,
  input: BrowserJobs[N][0],
): Promise<BrowserJobs[N][1]> {
  const browser = requirePort(context.platform.browser);
  return await redactingErrors(context, () => browser.run(name, input, context.signal));
}
