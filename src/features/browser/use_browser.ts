/** What requests name in the browser, and what they may do there. */

import { FieldError, ServiceError } from "../../core/errors.ts";
import type { PageElement } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { redactTexts } from "../secrets/redact_texts.ts";
import { PageTarget } from "./page_target.ts";
import { Refs } from "../input/targets/refs.ts";

/**
 * The element of a page that a ref names.
 * @throws FieldError on `field` for an element of another program; ServiceError `conflict`: the ref
 *   is not known any more
 */
export function findPageElement({ session }: Context, ref: string, field = "ref"): PageElement {
  const target = session.use(Refs).get(ref);
  if (target instanceof PageTarget) return target.element;
  throw new FieldError(field, `"${ref}" is not an element of a page in the browser`);
}

/** @throws ServiceError `forbidden` */
export function requireEvaluate({ config }: Context): void {
  if (config.browserEvaluate) return;
  throw new ServiceError(
    "forbidden",
    "Running scripts in pages is disabled: start the service with --browser-evaluate",
  );
}

/** Without values of the keychain; all texts at once, since they are bounded. Numbers stay. */
export async function redactAll<T>(context: Context, value: T): Promise<T> {
  const texts: string[] = [];
  mapTexts(value, (text) => void texts.push(text));
  const { shown } = await redactTexts(context, texts);
  let at = 0;
  return mapTexts(value, () => shown[at++]);
}

function mapTexts<T>(value: T, change: (text: string) => string | undefined | void): T {
  return JSON.parse(
    JSON.stringify(value, (_, each) => typeof each === "string" ? change(each) ?? "" : each),
  );
}
