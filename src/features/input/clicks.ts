/**
 * Delays operations after a click until the click is delivered, and keys also until the focus has
 * followed it.
 */

import { poll } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Button, Delivery, Focus, KeyTarget, Point } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { checkOnScreen } from "../fields.ts";
import type { DisplaySession } from "./display_sessions.ts";
import type { LastClick, Press } from "./click_history.ts";
import type { InputLease } from "./input_lock.ts";
import { confirmInput, type LeasedInput, type SendInput, withInput } from "./with_input.ts";

/**
 * How long a clicked window that cannot be queried has to take the keyboard focus, in milliseconds;
 * many never do (panels, docks), and some systems report none.
 */
const FOCUS_SETTLE_MS = 100;
/**
 * How long a program has to follow a combination of keys, in milliseconds, once it has handled it:
 * browsers ask their page first, and move the focus (Ctrl+L, Ctrl+F) when that has answered. Keys
 * that come sooner go to the page.
 */
const COMBINATION_SETTLE_MS = 50;
/**
 * How long a program may keep the keys of a text, in milliseconds, once it has received them: Qt
 * shows them to assistive technology first, which has 100 ms to answer, but follows combinations of
 * keys and clicks at once.
 */
const TEXT_SETTLE_MS = 120;
/** Of a text that ended longer ago no key is kept, unless its program hangs. */
const TEXT_MEMORY_MS = 1_000;
/** Pause between checks, in milliseconds: starts at `first` and grows up to `most`. */
const POLL_INTERVAL_MS = { first: 1, most: 8 };

/** {@link withInput} for keys: `send` runs when no key can overtake the last click. */
export function withKeys(context: Context, displayNum: number, send: SendInput): Promise<void> {
  return withInput(context, displayNum, (leased) => {
    const waiting = awaitClick(leased);
    if (!waiting) return send(leased);
    return waiting.then(() => {
      leased.lease.signal.throwIfAborted(); // the lease may have ended as the wait did
      return send(leased);
    });
  });
}

/**
 * Returns `undefined` when there is no click to wait for; otherwise keys may be sent when the
 * promise resolves.
 * @throws ServiceError `conflict` when the click is not delivered within `focusWaitMs`.
 */
export function awaitClick(leased: LeasedInput): void | Promise<void> {
  const { clicks: { last: click }, display: { focus } } = leased.displaySession;
  if (click === undefined || click.settled) return settleCombination(leased);
  if (!focus.ready) return settlePause(leased.lease, click);
  return settle({ ...leased, click, focus: focus.use });
}

/**
 * Resolves when the programs have received all mouse input; returns `undefined` if they cannot be
 * queried.
 */
export function awaitHandled(leased: LeasedInput): void | Promise<void> {
  const { clicks: { last: click }, display: { focus, delivery } } = leased.displaySession;
  if (!focus.ready || !delivery.ready) return;
  return awaitDelivery({ ...leased, click, focus: focus.use })
    .then(() => leased.lease.until(delivery.use.handled())).then(() => {});
}

/**
 * Returns `undefined` when the cursor may move to `to` immediately; otherwise it may when the
 * promise resolves. If a window manager holds a click back, the X server delivers it where the
 * cursor is at its release.
 * @throws ServiceError `conflict` when the click is not delivered within `focusWaitMs`.
 */
export function awaitClickDelivered(leased: LeasedInput, to?: Point): void | Promise<void> {
  const { displaySession } = leased;
  const click = to ? displaySession.clicks.leftBehind(to) : displaySession.clicks.undelivered;
  const { delivery } = displaySession.display;
  // the state of a button that is held down on purpose says nothing about a click
  if (click === undefined || !delivery.ready || displaySession.held.hasButton(click.button)) return;
  return awaitNotHeldBack(leased, click, delivery.use);
}

/**
 * Checks in the same round trip as a click whether it is held back. Usually it is not, and the next
 * operation need not check: a click elsewhere then costs one round trip instead of two.
 */
function checkDelivery(displaySession: DisplaySession): void {
  const click = displaySession.clicks.last;
  const { delivery } = displaySession.display;
  if (click === undefined || !delivery.ready || displaySession.held.hasButton(click.button)) return;
  delivery.use.heldBack(click.button, { isPatient: true }).then(
    (isHeldBack) => {
      if (!isHeldBack) click.delivered = true;
    },
    () => {}, // the confirmation of the click reports a lost display
  );
}

/**
 * Returns `undefined` when no combination of keys and no button can overtake a text; otherwise they
 * may be pressed when the promise resolves. Where no program reports that it has the keys, the text
 * gets its time from when it was sent.
 */
export function awaitText({ displaySession, lease }: LeasedInput): Promise<void> | undefined {
  const { clicks, display: { delivery } } = displaySession;
  const { age } = clicks.text;
  if (age >= (delivery.ready ? TEXT_MEMORY_MS : TEXT_SETTLE_MS)) return undefined;
  const settling = delivery.ready
    ? settleText(lease, delivery.use)
    : lease.pause(TEXT_SETTLE_MS - age);
  return settling.then(() => clicks.text.forget());
}

async function settleText(lease: InputLease, delivery: Delivery): Promise<void> {
  await lease.until(delivery.keysHandled());
  await lease.pause(TEXT_SETTLE_MS);
  await lease.until(delivery.keysHandled());
}

function settleCombination({ displaySession, lease }: LeasedInput): void | Promise<void> {
  const { clicks, display: { delivery } } = displaySession;
  if (clicks.combination.age >= FOCUS_SETTLE_MS) return;
  const handled = delivery.ready ? lease.until(delivery.use.keysHandled()) : Promise.resolve();
  return handled.then(() => lease.pause(COMBINATION_SETTLE_MS))
    .then(() => clicks.combination.forget());
}

/** Gives the click time to arrive, where nothing reports that: some programs handle keys before clicks. */
function settlePause(lease: InputLease, click: LastClick): void | Promise<void> {
  const ms = click.time + FOCUS_SETTLE_MS - performance.now();
  click.settled = true;
  if (ms > 0) return lease.pause(ms);
}

interface FocusPoll extends LeasedInput {
  readonly click: LastClick | undefined;
  readonly focus: Focus;
}

async function settle(polling: FocusPoll & { readonly click: LastClick }): Promise<void> {
  const { displaySession: { display: { delivery }, limits }, lease, click } = polling;
  if (!click.delivered && await awaitDelivery(polling) === "held back") {
    throw notDelivered("No key was pressed", limits.focusWaitMs);
  }
  click.delivered = true;
  if (!delivery.ready || !await lease.until(delivery.use.handled(click.at))) {
    await pollUntil(polling, click.time + FOCUS_SETTLE_MS, (target) => target === "clicked");
  }
  click.settled = true;
}

async function awaitNotHeldBack(
  { displaySession, lease }: LeasedInput,
  click: LastClick,
  delivery: Delivery,
): Promise<void> {
  const { focusWaitMs } = displaySession.limits;
  if (click.confirmation !== "done") await confirmInput(displaySession);
  const polling = { everyMs: POLL_INTERVAL_MS, timeoutMs: focusWaitMs, signal: lease.signal };
  if (!await poll(async () => !await delivery.heldBack(click.button), polling)) {
    throw notDelivered("The mouse did nothing", focusWaitMs);
  }
  click.delivered = true;
}

/** Where keys go once the last click has been delivered; `held back` if that takes too long. */
async function awaitDelivery(polling: FocusPoll): Promise<KeyTarget> {
  await confirmInput(polling.displaySession);
  const end = performance.now() + polling.displaySession.limits.focusWaitMs;
  return await pollUntil(polling, end, (target) => target !== "held back");
}

/** The last target that was seen: one that is enough, or what there was at the end. */
async function pollUntil(
  { displaySession, lease, click, focus }: FocusPoll,
  end: number,
  enough: (target: KeyTarget) => boolean,
): Promise<KeyTarget> {
  // the state of a button that is held down on purpose says nothing about a click
  const button = click && !displaySession.held.hasButton(click.button) ? click.button : undefined;
  let target: KeyTarget | undefined;
  const check = async () => enough(target = await focus.keyTarget({ button, at: click?.at }));
  const timeoutMs = end - performance.now();
  await poll(check, { everyMs: POLL_INTERVAL_MS, timeoutMs, signal: lease.signal });
  return target!;
}

function notDelivered(outcome: string, timeoutMs: number): ServiceError {
  return new ServiceError(
    "conflict",
    `${outcome}: the previous click was not delivered within ${timeoutMs} ms; the window ` +
      "manager holds it back, or a person holds the button down: release it, or call /api/system/release-all",
  );
}

// Moves the cursor and clicks while an operation holds the input lock.

/** How the button is clicked. */
export interface ClickKind {
  readonly button: Button;
  /** 1: a click, 2: a double click, 3: a triple click. */
  readonly times: number;
}

export interface ClickPlan extends ClickKind {
  readonly point: Point | undefined;
}

/** Clicks while the input lock is held; returns `undefined` if it finishes synchronously. */
export function clickOnDisplay(leased: LeasedInput, plan: ClickPlan): void | Promise<void> {
  const move = () => moveIfGiven(leased, plan.point);
  const click = () => clickHere(leased.displaySession, plan);
  const moving = awaitText(leased)?.then(() => ifAlive(leased, move)) ?? move();
  return moving ? moving.then(() => ifAlive(leased, click)) : click();
}

/** Sends after a wait, unless the lease ended meanwhile. */
export function ifAlive<T>({ lease }: LeasedInput, send: () => T): T {
  lease.check();
  return send();
}

/** Moves to the point of the request, if it has one; see {@link moveTo}. */
export function moveIfGiven(leased: LeasedInput, point: Point | undefined): void | Promise<void> {
  if (!point) return;
  checkOnScreen(leased.displaySession.display, point);
  return moveTo(leased, point);
}

/**
 * Moves as soon as no window manager holds back the last click, which the move would displace;
 * returns `undefined` if that is immediately.
 */
export function moveTo(leased: LeasedInput, to: Point): void | Promise<void> {
  const { displaySession } = leased;
  const waiting = awaitClickDelivered(leased, to);
  const move = () => {
    displaySession.input.mouse.move(to);
    displaySession.clicks.noteMove(to);
  };
  return waiting ? waiting.then(() => ifAlive(leased, move)) : move();
}

function clickHere(displaySession: DisplaySession, plan: ClickPlan): void {
  const { mouse } = displaySession.input;
  const press = describePress(displaySession, plan);
  for (let i = 0; i < plan.times; i++) {
    displaySession.clicks.separate(mouse, press, { index: i, times: plan.times });
    mouse.press(plan.button);
    mouse.release(plan.button);
  }
  displaySession.held.removeButton(plan.button);
  displaySession.clicks.note(press, plan.times);
  checkDelivery(displaySession);
}

export function describePress(displaySession: DisplaySession, { button, point }: ClickPlan): Press {
  return { button, displayNum: displaySession.display.displayNum, at: point };
}
