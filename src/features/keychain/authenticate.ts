/**
 * Checks given values against a stored item and fills stored values into a form; never returns a
 * value.
 */

import { timingSafeEqual } from "node:crypto";
import { poll } from "../../core/deadline.ts";
import { FieldError, ignoreCode, ServiceError } from "../../core/errors.ts";
import type { Point } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { checkOnScreen, inField } from "../fields.ts";
import { awaitClick, clickOnDisplay } from "../input/clicks.ts";
import { checkCurrent, checkInPicture, findFrame, type Frame, toScreen } from "../input/frames.ts";
import { awaitLookUp } from "../input/effect.ts";
import { type LeasedInput, withInput } from "../input/with_input.ts";
import { DEFAULT_PACE, typeOnDisplay } from "../input/keyboard/type_text.ts";
import { type Item, itemToText, parseItem, requireKeychain } from "../secrets/stored.ts";
import { type DisplaySession, DisplaySessions } from "../input/display_sessions.ts";
import { focusElement, hideField } from "../input/targets/send_at.ts";
import {
  findOneDisplay,
  isElement,
  type Named,
  Refs,
  type RefTarget,
} from "../input/targets/refs.ts";
import { type AttemptResult, Throttle } from "./throttle.ts";

// Compares given values with stored ones in constant time, so that timing reveals nothing about the
// stored ones.

/** Compared when nothing is stored, so that the work is the same; never counts as equal. */
const DECOY_ITEM: Item = new Map([["username", "decoy"], ["password", "decoy-password"]]);
const DECOY_VALUE = "decoy-password";

/** Always compares all values that are given. */
function compare(elements: readonly AuthElement[], item: Item | undefined): AttemptResult {
  const against = item ?? DECOY_ITEM;
  const wrong: string[] = [];
  const right: string[] = [];
  for (const { type, value } of elements) {
    if (value === undefined) continue;
    const stored = against.get(type);
    const isEqual = isSame(value, stored ?? DECOY_VALUE);
    const isRight = isEqual && stored !== undefined && item !== undefined;
    (isRight ? right : wrong).push(type);
  }
  const isStored = (type: string) => item?.has(type) ?? false;
  return { ok: wrong.length === 0, wrong: wrong.filter(isStored), right };
}

/** The work depends only on the length of `given`. */
function isSame(given: string, stored: string): boolean {
  const left = new TextEncoder().encode(given);
  const right = new Uint8Array(left.byteLength);
  const bytes = new TextEncoder().encode(stored);
  right.set(bytes.subarray(0, left.byteLength));
  const sameBytes = timingSafeEqual(left, right);
  return sameBytes && left.byteLength === bytes.byteLength;
}

/** One element of the request: exactly one of `value`, `coordinates` and `ref` is present. */
interface AuthElement {
  readonly type: string;
  readonly value?: string | undefined;
  readonly coordinates?: Point | undefined;
  /** The field that gets the stored value. */
  readonly ref?: string | undefined;
}

interface AuthenticateInput {
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
  const throttle = context.session.use(Throttle);
  const { service, authElements, clear } = input;
  const listed = listFillTargets(context, input);
  const { display_num, targets } = listed instanceof Promise ? await listed : listed;
  if (targets.length === 0) {
    return await throttle.attempt(service, context, async () => {
      return compare(authElements, await findItem(context, service));
    });
  }
  const checked = checkPoints(context, display_num, targets);
  if (checked !== undefined) await checked;
  return await throttle.attempt(service, context, async () => {
    const lookUp = findItem(context, service);
    lookUp.catch(() => {}); // reported while the lock is held, if it gets that far
    let outcome: AttemptResult | undefined;
    await withInput(context, display_num, async (leased) => {
      const item = await awaitLookUp(lookUp, leased);
      const compared = compare(authElements, item);
      const entries = listEntries(targets, item);
      const ok = compared.ok && entries !== undefined;
      if (ok) await fillIn(context, { ...leased, entries, clear });
      outcome = { ...compared, ok };
    });
    return outcome!;
  });
}

interface FillTargets {
  readonly display_num: number;
  readonly targets: readonly FillTarget[];
}

/** The elements to fill in, with their points on the screen. */
function listFillTargets(
  context: Context,
  input: AuthenticateInput,
): FillTargets | Promise<FillTargets> {
  const { authElements, frame } = input;
  const picture = frame === undefined
    ? undefined
    : findFrame(context, frame, { displayNum: input.display_num });
  const elements: Named[] = [];
  const targets = authElements.flatMap(({ type, coordinates, ref }, index): FillTarget[] => {
    if (coordinates !== undefined) {
      return [{ type, at: onScreen(picture, { at: coordinates, index }), index }];
    }
    if (ref === undefined) return [];
    const target = context.session.use(Refs).get(ref);
    elements.push({ target, field: ["authElements", index, "ref"] });
    return [{ type, at: target, index }];
  });
  const display_num = findOneDisplay(elements, {
    displayNum: picture?.displayNum ?? input.display_num,
    isFixed: picture !== undefined,
  });
  const listed = { targets, display_num };
  return picture === undefined ? listed : checkCurrent(context, picture).then(() => listed);
}

function onScreen(
  frame: Frame | undefined,
  { at, index }: { readonly at: Point; readonly index: number },
): Point {
  if (frame === undefined) return at;
  inField(fieldPath({ index }), () => checkInPicture(frame, at));
  return toScreen(frame, at);
}

/** An element to fill in; `at` is on the screen, `index` locates it in the request. */
interface FillTarget {
  readonly type: string;
  readonly at: Point | RefTarget;
  readonly index: number;
}

const DECOY_TEXT = itemToText(DECOY_ITEM);

/** The item, or `undefined` after the same amount of work. */
async function findItem({ platform }: Context, service: string): Promise<Item | undefined> {
  const text = await requireKeychain(platform).read(service);
  const item = parseItem(service, text ?? DECOY_TEXT);
  return text === undefined ? undefined : item;
}

/** The values to fill in, or `undefined` if a field is not stored. */
function listEntries(targets: readonly FillTarget[], item: Item | undefined): Entry[] | undefined {
  const entries = targets.flatMap((target) => {
    const text = item?.get(target.type);
    return text === undefined ? [] : [{ ...target, text }];
  });
  return entries.length === targets.length ? entries : undefined;
}

// Fills stored values into a form while it holds the input lock: clicks each field, then types its
// value.

/** A value and the form field for it. */
interface Entry extends FillTarget {
  readonly text: string;
}

/** Where and how to fill in the fields. */
interface FillIn extends LeasedInput {
  /** Whether to empty each field first; by default, those that are given as elements. */
  readonly clear: boolean | undefined;
}

/** Interval between checks whether a clicked window has the keyboard focus, in milliseconds. */
const FOCUS_POLL_INTERVAL_MS = 5;

/**
 * Checks immediately if the display is open.
 * @throws FieldError on a point outside the screen, before any value is looked up.
 */
function checkPoints(
  context: Context,
  displayNum: number,
  targets: readonly FillTarget[],
): void | Promise<void> {
  const check = ({ display }: DisplaySession) => {
    for (const { at, index } of targets) {
      if (!isElement(at)) inField(fieldPath({ index }), () => checkOnScreen(display, at));
    }
  };
  const displaySession = context.session.use(DisplaySessions).open(displayNum);
  return displaySession instanceof Promise ? displaySession.then(check) : check(displaySession);
}

/** The path of the point in the input. */
function fieldPath({ index }: Pick<FillTarget, "index">): readonly (string | number)[] {
  return ["authElements", index, "coordinates"];
}

/**
 * Clicks nothing until all values are known to be typable. On a failure, every key and button is
 * released.
 */
async function fillIn(
  context: Context,
  { entries, ...how }: FillIn & { readonly entries: readonly Entry[] },
): Promise<void> {
  for (const entry of entries) await checkTypable(how.displaySession, entry);
  try {
    for (const entry of entries) await fillField(context, { ...how, ...entry });
  } catch (error) {
    await releaseEverything(how.displaySession);
    throw error;
  }
}

/** Replaces the error, which would reveal characters of the value. */
async function checkTypable(
  displaySession: DisplaySession,
  { at, text, index }: Entry,
): Promise<void> {
  if (isElement(at) && at.enterSecret) return;
  try {
    await using _plan = await displaySession.keyboard.plan(text, {
      delayMs: DEFAULT_PACE.typing_delay,
      isSecret: true,
    });
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    throw new FieldError(["authElements", index], "The stored value cannot be typed here");
  }
}

async function fillField(
  context: Context,
  { displaySession, lease, at, text, clear }: FillIn & Entry,
): Promise<void> {
  lease.signal.throwIfAborted();
  const leased = { displaySession, lease };
  const target = isElement(at) ? at : undefined;
  if (isElement(at)) await focusElement(context, at, leased, "secret");
  else {
    await clickOnDisplay(leased, { point: at, button: "left", times: 1 });
    await awaitFocus(leased, at);
  }
  using _hidden = await hideField(context, at, leased);
  await typeOnDisplay(context, {
    ...leased,
    text,
    isSecret: true,
    clear: clear ?? target !== undefined,
    target,
    ...DEFAULT_PACE,
  });
}

/** A secret must not be typed into a window other than the clicked one. */
async function awaitFocus(leased: LeasedInput, at: Point): Promise<void> {
  const { displaySession, lease } = leased;
  const deadline = performance.now() + displaySession.limits.focusWaitMs;
  await awaitClick(leased);
  const { focus } = displaySession.display;
  if (!focus.ready) return;
  const hasKeyboard = async () => await focus.use.keyTarget({ at }) !== "elsewhere";
  const timeoutMs = deadline - performance.now();
  if (
    await poll(hasKeyboard, { everyMs: FOCUS_POLL_INTERVAL_MS, timeoutMs, signal: lease.signal })
  ) return;
  throw new ServiceError(
    "conflict",
    `Nothing was typed at ${at.x}, ${at.y}: the window there does not take the keyboard focus`,
  );
}

async function releaseEverything(displaySession: DisplaySession): Promise<void> {
  displaySession.held.clear();
  // a closed display holds nothing down
  await ignoreCode("unavailable", () => displaySession.input.releaseAll());
}
