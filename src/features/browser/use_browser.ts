/** The browser of the service, and pages' elements by the refs of snapshots. */

import { ServiceError, ValueFault } from "../../core/errors.ts";
import { requirePort } from "../../platform/open_port.ts";
import type { BrowserJobName, BrowserJobs, PageElement } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { PageTarget } from "./page_target.ts";

/** @throws ServiceError `unsupported` where the service has no browser; those of the job */
export async function inBrowser<N extends BrowserJobName>(
  { platform, signal }: Pick<Context, "platform" | "signal">,
  name: N,
  input: BrowserJobs[N][0],
): Promise<BrowserJobs[N][1]> {
  return await requirePort(platform.browser).run(name, input, signal);
}

/**
 * The element of a page that a ref names.
 * @throws ValueFault on `field` for an element of another program; ServiceError `conflict`: the ref
 *   is not known any more
 */
export function findPageElement({ session }: Context, ref: string, field = "ref"): PageElement {
  const target = session.refs.get(ref);
  if (target instanceof PageTarget) return target.element;
  throw new ValueFault(field, `"${ref}" is no element of a page in the browser`);
}

/** @throws ServiceError `forbidden` */
export function requireEvaluate({ config }: Context): void {
  if (config.browserEvaluate) return;
  throw new ServiceError(
    "forbidden",
    "Running scripts in pages is off: start the service with --browser-evaluate",
  );
}
