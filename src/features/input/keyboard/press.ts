/**
 * Presses a key or a combination: down in order, up in reverse order, even after a failure in
 * between.
 */

import { poll } from "../../../core/deadline.ts";
import { FieldError, ServiceError } from "../../../core/errors.ts";
import { findKey, lowerLetter, nearestKeyNames, splitCombination } from "../../../platform/keys.ts";
import type { Key } from "../../../platform/types/mod.ts";
import type { Context } from "../../context.ts";
import { awaitText } from "../clicks.ts";
import { type Effect, type InputTarget, sendInput, sendKeys } from "../effect.ts";
import { type DisplaySession, DisplaySessions } from "../display_sessions.ts";
import { holding } from "../input_lock.ts";
import type { LeasedInput } from "../with_input.ts";

/**
 * Pause between two presses of one key, in milliseconds: programs treat presses with the same time
 * stamp as auto-repeat.
 */
const REPEAT_PAUSE_MS = 12;

interface KeyInput extends InputTarget {
  readonly key: string;
  readonly duration_ms: number;
  readonly repeat: number;
}

/** Presses one key, or a combination written `ctrl+shift+t`. Answers with JSON `null`, or the effect. */
export function pressKey(context: Context, input: KeyInput): Promise<Effect | null> {
  const keys = chordKeys(splitCombination(input.key), "key");
  return pressChord(context, keys, input);
}

interface HotkeyInput extends InputTarget {
  readonly keys: readonly string[];
  readonly repeat: number;
}

export function pressHotkey(context: Context, input: HotkeyInput): Promise<Effect | null> {
  const keys = chordKeys(input.keys, "keys");
  return pressChord(context, keys, { ...input, duration_ms: 0 });
}

async function pressChord(
  context: Context,
  keys: readonly Key[],
  how: Omit<KeyInput, "key">,
): Promise<Effect | null> {
  const effect = await sendKeys(context, how, (leased) => {
    const { displaySession } = leased;
    const text = isCombination(keys) ? awaitText(leased) : undefined;
    const ready = text?.then(() => awaitOthers(leased)) ?? awaitOthers(leased) ??
      displaySession.keyboard.prepare(keys);
    if (!ready && how.duration_ms === 0 && how.repeat === 1) return sendChord(displaySession, keys);
    return sendChords(leased, keys, { ...how, ready });
  });
  return effect ?? null;
}

/**
 * Prepares the keyboard for keys that are pressed next.
 * @throws the reason for which the lease ended meanwhile: nothing may be pressed then
 */
export async function prepareKeys(
  { displaySession, lease }: LeasedInput,
  keys: readonly Key[],
): Promise<void> {
  await displaySession.keyboard.prepare(keys);
  lease.signal.throwIfAborted();
  lease.check();
}

/** Presses all keys in order and releases them in reverse order. */
export function sendChord(displaySession: DisplaySession, keys: readonly Key[]): void {
  const pressed: Key[] = [];
  try {
    pressAll(displaySession, keys, pressed);
  } finally {
    releaseAll(displaySession, pressed);
  }
}

/**
 * Presses and releases the whole combination `repeat` times, holding it for `duration_ms` each
 * time.
 */
async function sendChords(
  leased: LeasedInput,
  keys: readonly Key[],
  { ready, duration_ms, repeat }: Pick<KeyInput, "duration_ms" | "repeat"> & {
    readonly ready: void | Promise<void>;
  },
): Promise<void> {
  const { displaySession, lease } = leased;
  await ready;
  for (let time = 1;; time++) {
    await prepareKeys(leased, keys);
    await holdChord(leased, keys, duration_ms);
    if (time === repeat) return;
    await displaySession.input.confirm();
    await lease.pause(REPEAT_PAUSE_MS);
  }
}

async function holdChord(
  { displaySession, lease }: LeasedInput,
  keys: readonly Key[],
  durationMs: number,
): Promise<void> {
  const pressed: Key[] = [];
  try {
    pressAll(displaySession, keys, pressed);
    if (durationMs > 0) {
      await lease.until(displaySession.input.confirm()); // the time begins with the keys pressed
      await lease.pause(durationMs);
    }
  } finally {
    releaseAll(displaySession, pressed);
  }
}

// Key combinations: pressed in order, released in reverse order.

/**
 * The keys of a combination. ASCII letters count as lower case, so that Shift is pressed only if
 * listed.
 * @throws FieldError on `field`, naming the most similar key names.
 */
export function chordKeys(names: readonly string[], field: string): Key[] {
  return names.map((name, index) => {
    const letter = names.length > 1 || field === "modifiers" ? lowerLetter(name) : name;
    if (field !== "key") return requireKey(letter, [field, index]);
    return requireKey(
      letter,
      field,
      names.length > 1 ? `Part ${index + 1} of the combination: ` : "",
    );
  });
}

/** @throws FieldError on `field` for an unknown name. */
function requireKey(name: string, field: string | readonly (string | number)[], where = ""): Key {
  const key = findKey(name);
  if (key) return key;
  if (name === "") {
    throw new FieldError(field, `${where}the key name is missing; the plus key is "+"`);
  }
  const nearest = nearestKeyNames(name).map((candidate) => `"${candidate}"`);
  const hint = nearest.length === 0
    ? 'a name is a word ("enter", "f5", "ctrl"), a name of the DOM ("ArrowRight"), an X keysym name ("Page_Down") or one character'
    : `the nearest ${nearest.length === 1 ? "is" : "are"} ${nearest.join(", ")}`;
  throw new FieldError(field, `${where}unknown key name; ${hint}`);
}

/**
 * Presses keys in order and adds them to `pressed`; leaves keys that are already held as they are.
 */
export function pressAll(
  displaySession: DisplaySession,
  keys: readonly Key[],
  pressed: Key[],
): void {
  for (const key of keys) {
    if (displaySession.held.hasKey(key) || pressed.some((other) => other.keysym === key.keysym)) {
      continue;
    }
    pressed.push(key);
    displaySession.keyboard.press(key);
  }
  if (isCombination(keys)) displaySession.clicks.combination.note();
}

/** Whether programs take it for a function, and not for a character. */
function isCombination(keys: readonly Key[]): boolean {
  return keys.filter(isNoShift).length > 1;
}

const SHIFTS: readonly number[] = [0xffe1, 0xffe2];

/** With Shift alone, a key is another character or a step back, and no function of the program. */
function isNoShift({ keysym }: Key): boolean {
  return !SHIFTS.includes(keysym);
}

/** Releases the keys that {@link pressAll} pressed, in reverse order. */
export function releaseAll(displaySession: DisplaySession, pressed: readonly Key[]): void {
  for (const key of [...pressed].reverse()) displaySession.keyboard.release(key);
}

// Waits until a person releases held modifiers, which would alter every key, and refuses after a
// timeout.

const POLL_INTERVAL_MS = 10;

/**
 * Returns `undefined` if no modifier is known to be held by others; otherwise waits for the
 * release.
 * @throws ServiceError `conflict` when one is still down after `modifierWaitMs`.
 */
function awaitOthers(leased: LeasedInput): void | Promise<void> {
  const { heldByOthers } = leased.displaySession.keyboard;
  if (!heldByOthers.ready || !heldByOthers.use.seen()) return;
  return waitForRelease(leased);
}

/** Like {@link awaitOthers}, but queries the system instead of relying on its earlier reports. */
export async function waitForRelease({ displaySession, lease }: LeasedInput): Promise<void> {
  const { heldByOthers } = displaySession.keyboard;
  if (!heldByOthers.ready) return; // without this information, keys are sent with whatever is held
  let names: readonly string[] = [];
  const isFree = async () => (names = await heldByOthers.use.modifiers()).length === 0;
  const timeoutMs = displaySession.limits.modifierWaitMs;
  if (await poll(isFree, { everyMs: POLL_INTERVAL_MS, timeoutMs, signal: lease.signal })) return;
  const held = names.map((name) => `"${name}"`).join(" and ");
  throw new ServiceError(
    "conflict",
    `Nothing was typed: a person or a program holds down ${held}; release it, or call /api/system/release-all if no person does`,
  );
}

// Holds keys beyond the request that pressed them.

interface HoldInput extends InputTarget {
  readonly key: string;
}

/**
 * Presses a key until {@link releaseKey}, release-all, the hold time limit, the end of the context's
 * holder or the end of the service.
 */
export async function holdKey(context: Context, target: HoldInput): Promise<Effect | null> {
  const key = requireKey(target.key, "key");
  const effect = await holding((note) =>
    sendKeys(context, target, async (leased) => {
      const { displaySession } = leased;
      const { input, keyboard, held } = displaySession;
      await prepareKeys(leased, [key]);
      note(held.holdKey(key, {
        press: () => keyboard.press(key),
        release() {
          keyboard.release(key);
          input.confirm().catch(() => {}); // a closed display holds nothing down
        },
        scope: context.inputScope,
      }));
      context.inputScope?.note(displaySession);
    })
  );
  return effect ?? null;
}

/** Releases a held key; does nothing if the key is not held. */
export async function releaseKey(context: Context, target: HoldInput): Promise<Effect | null> {
  const key = requireKey(target.key, "key");
  const effect = await sendInput(context, target, ({ displaySession: { keyboard, held } }) => {
    if (!held.hasKey(key)) return;
    held.removeKey(key);
    keyboard.release(key);
  });
  return effect ?? null;
}

/** The names of the held keys as they were given, in order of pressing. */
export async function listHeldKeys(
  { session }: Context,
  { display_num }: { display_num: number },
): Promise<string[]> {
  const { held } = await session.use(DisplaySessions).open(display_num);
  return held.keys.map((key) => key.name);
}
