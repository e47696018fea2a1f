/**
 * Checks given values against a stored item and fills stored values into a form; never returns a
 * value.
 */

import type { Point } from "../../platform/types/mod.ts";
import { inField } from "../fields.ts";
import { checkCurrent, findFrame } from "../input/framed.ts";
import { checkInPicture, type Frame, toScreen } from "../input/frames.ts";
import { requireGroup } from "../switched_off.ts";
import type { Context } from "../context.ts";
import { findOneDisplay, type Named } from "../targets/one_display.ts";
import { withInput } from "../input/with_input.ts";
import { type Claim, DECOY_ITEM, wrongClaims } from "./compare.ts";
import { checkPoints, type Entry, fieldPath, fillIn, type PlaceInRequest } from "./fill_in.ts";
import { lookedUp } from "../input/looked_up.ts";
import { type Item, itemToText } from "../secrets/item.ts";
import { parseItem, requireKeychain } from "../secrets/stored.ts";
import type { Outcome } from "./throttle.ts";

/** One element of the request: exactly one of `value`, `coordinates` and `ref` is present. */
export interface AuthElement {
  readonly type: string;
  readonly value?: string | undefined;
  readonly coordinates?: Point | undefined;
  /** The field that gets the stored value. */
  readonly ref?: string | undefined;
}

export interface AuthenticateInput {
  readonly service: string;
  readonly authElements: readonly AuthElement[];
  /** The picture that all coordinates refer to. */
  readonly frame?: string | undefined;
  /** Whether to empty each field before typing its value; by default, those of `ref`. */
  readonly clear?: boolean | undefined;
  readonly display_num: number;
}

/**
 * `true` when every given value matches the stored item and every stored value was filled in;
 * `false`, with nothing clicked or typed, when a value is wrong or a field is not stored. A request
 * that fills in joins the display's queue on arrival, unless the throttle delays it.
 */
export async function authenticate(context: Context, input: AuthenticateInput): Promise<boolean> {
  const { throttle } = context.session;
  const { service, authElements, clear } = input;
  const placed = listPlaces(context, input);
  const { display_num, places } = placed instanceof Promise ? await placed : placed;
  if (places.length === 0) {
    return await throttle.attempt(service, context, async () => {
      return compare(authElements, await lookUp(context, service));
    });
  }
  requireInput(context);
  const checked = checkPoints(context, display_num, places);
  if (checked !== undefined) await checked;
  return await throttle.attempt(service, context, async () => {
    const looking = lookUp(context, service);
    looking.catch(() => {}); // reported in the turn, if it gets one
    let outcome: Outcome | undefined;
    await withInput(context, display_num, async (displaySession, turn) => {
      const item = await lookedUp(looking, turn, context.config.limits);
      const compared = compare(authElements, item);
      const entries = listEntries(places, item);
      const ok = compared.ok && entries !== undefined;
      if (ok) await fillIn(context, { displaySession, turn, entries, clear });
      outcome = { ...compared, ok };
    });
    return outcome!;
  });
}

interface Placed {
  readonly display_num: number;
  readonly places: readonly Place[];
}

/** The elements to fill in, with their points on the screen. */
function listPlaces(context: Context, input: AuthenticateInput): Placed | Promise<Placed> {
  const { authElements, frame } = input;
  const shown = frame === undefined
    ? undefined
    : findFrame(context, frame, { displayNum: input.display_num });
  const elements: Named[] = [];
  const places = authElements.flatMap(({ type, coordinates, ref }, index): Place[] => {
    if (coordinates !== undefined) {
      return [{ type, at: onScreen(shown, { at: coordinates, index }), index }];
    }
    if (ref === undefined) return [];
    const target = context.session.refs.get(ref);
    elements.push({ target, field: ["authElements", index, "ref"] });
    return [{ type, at: target, index }];
  });
  const display_num = findOneDisplay(elements, {
    displayNum: shown?.displayNum ?? input.display_num,
    isFixed: shown !== undefined,
  });
  const placed = { places, display_num };
  return shown === undefined ? placed : checkCurrent(context, shown).then(() => placed);
}

function onScreen(
  frame: Frame | undefined,
  { at, index }: { readonly at: Point; readonly index: number },
): Point {
  if (frame === undefined) return at;
  inField(fieldPath({ index }), () => checkInPicture(frame, at));
  return toScreen(frame, at);
}

/** Filling in clicks and types, so it must not bypass a disabled group. */
function requireInput({ config }: Context): void {
  for (const group of ["mouse", "keyboard"] as const) requireGroup(config, group);
}

/** An element to fill in; `at` is on the screen, `index` is the position in the request. */
interface Place extends PlaceInRequest {
  readonly type: string;
}

const DECOY_TEXT = itemToText(DECOY_ITEM);

/** The item, or `undefined` after the same amount of work. */
async function lookUp({ platform }: Context, service: string): Promise<Item | undefined> {
  const text = await requireKeychain(platform).read(service);
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

/** The values to fill in, or `undefined` if a field is not stored. */
function listEntries(
  places: readonly Place[],
  item: Item | undefined,
): Entry[] | undefined {
  const entries = places.flatMap(({ type, at, index }) => {
    const text = item?.get(type);
    return text === undefined ? [] : [{ at, index, text }];
  });
  return entries.length === places.length ? entries : undefined;
}
