/** Checks given values against the stored item, and fills stored values into a form; neither shows one. */

import type { Point } from "../../platform/types.ts";
import type { Context } from "../operation.ts";
import { type Claim, DECOY_ITEM, wrongClaims } from "./compare.ts";
import { checkPoints, type Entry, fillIn } from "./fill_in.ts";
import { type Item, itemToText } from "./item.ts";
import { keychainOf, parseItem } from "./stored.ts";
import type { Outcome } from "./throttle.ts";

/** One element of the request: exactly one of `value` and `coordinates` is there. */
export interface AuthElement {
  readonly type: string;
  readonly value?: string | undefined;
  readonly coordinates?: Point | undefined;
}

export interface AuthenticateInput {
  readonly service: string;
  readonly authElements: readonly AuthElement[];
  readonly display_num: number;
}

/**
 * `true` when every value is that of the stored item and every stored value was filled in; `false`,
 * with nothing clicked or typed, when a value is wrong or a field is not stored.
 */
export async function authenticate(context: Context, input: AuthenticateInput): Promise<boolean> {
  const { service, authElements, display_num } = input;
  const places = authElements.flatMap(({ type, coordinates }, index) =>
    coordinates === undefined ? [] : [{ type, at: coordinates, index }]
  );
  await checkPoints(context, display_num, places);
  const { throttle } = context.session;
  return await throttle.attempt(service, context, async () => {
    const item = await lookUp(context, service);
    const outcome = compare(authElements, item);
    const entries = entriesOf(places, item);
    if (!outcome.ok || entries === undefined) return { ...outcome, ok: false };
    await fillIn(context, display_num, entries);
    return outcome;
  });
}

const DECOY_TEXT = itemToText(DECOY_ITEM);

/** The item, or nothing after the same work. */
async function lookUp({ platform }: Context, service: string): Promise<Item | undefined> {
  const text = await keychainOf(platform).read(service);
  const item = parseItem(service, text ?? DECOY_TEXT);
  return text === undefined ? undefined : item;
}

function compare(elements: readonly AuthElement[], item: Item | undefined): Outcome {
  const claims = elements.filter((element): element is Claim => element.value !== undefined);
  const wrong = wrongClaims(claims, item);
  return {
    ok: wrong.length === 0,
    wrong: wrong.map(({ type }) => type).filter((type) => item?.has(type)),
    right: claims.filter((claim) => !wrong.includes(claim)).map(({ type }) => type),
  };
}

/** What is to be filled in, or nothing when one of the fields is not stored. */
function entriesOf(
  places: readonly { type: string; at: Point; index: number }[],
  item: Item | undefined,
): Entry[] | undefined {
  const entries = places.flatMap(({ type, at, index }) => {
    const text = item?.get(type);
    return text === undefined ? [] : [{ at, index, text }];
  });
  return entries.length === places.length ? entries : undefined;
}
