/** What requests name in the browser, and what they may do there. */

import { ServiceError, ValueFault } from "../../core/errors.ts";
import type { PageElement } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { PageTarget } from "./page_target.ts";

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
