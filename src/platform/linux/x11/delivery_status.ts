/** Decides who got the input, from what the server reported and what it said about presses. */

import type { DeliveryStatus, TargetWindow, TargetWindowAnswer } from "../../types/mod.ts";
import { ANY_TYPE, NONE, POINTER_ROOT, PREDEFINED } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import type { HandedTo, InputTally, ProbeAnswer, ProbedPress } from "./record_stream.ts";
import { internAtom, MAX_DEPTH, WindowPing, withAncestors } from "./window_queries.ts";
import { readText, TEXT_WORDS } from "./windows/requests.ts";

interface Probes {
  /** In the order of the presses. */
  readonly answers: readonly ProbeAnswer[];
  /** From before the input, about the pointer, and after it, about the keyboard. */
  readonly before: ProbeAnswer;
  readonly after: ProbeAnswer;
  /** The bits of a resource id that its client chooses. */
  readonly clientMask: number;
}

/** `window`: the one that got it. Else the outcome, or why there is none. */
type Verdict = HandedTo | "none" | { readonly unknown: string };

export async function decideDeliveryStatus(
  connection: X11Connection,
  tally: InputTally,
  probes: Probes,
): Promise<DeliveryStatus> {
  const { result } = tally;
  if (result === undefined) return { status: "nothing" };
  const { kind, count: { sent, lost, last } } = result;
  const taken = async (to: HandedTo): Promise<DeliveryStatus> => ({
    status: "taken",
    targetWindow: await describeTargetWindow(connection, to, probes.clientMask),
  });
  const verdicts = kind === "button press"
    ? await Promise.all(pairs(tally, probes).map((pair) => judgeButton(connection, pair, probes)))
    : [];
  if (verdicts.length > 0) {
    const unknown = verdicts.find((verdict) => typeof verdict === "object" && "unknown" in verdict);
    if (unknown) return { status: "unknown", reason: (unknown as { unknown: string }).unknown };
    const missed = verdicts.filter((verdict) => verdict === "none").length;
    if (missed === verdicts.length) return { status: "none" };
    if (missed > 0) {
      return { status: "some", taken: verdicts.length - missed, sent: verdicts.length };
    }
    return await taken(verdicts.at(-1) as HandedTo);
  }
  if (lost === 0 && last !== undefined) return await taken(last);
  if (lost < sent) return { status: "some", taken: sent - lost, sent };
  if (kind === "key press" || kind === "key release") {
    const verdict = await judgeKeys(connection, probes);
    if (verdict === "none") return { status: "none" };
    return "unknown" in verdict
      ? { status: "unknown", reason: verdict.unknown }
      : await taken(verdict);
  }
  if (probes.after.frame === NONE) return { status: "none" };
  return {
    status: "unknown",
    reason: "The X server does not report whether a program received it",
  };
}

interface Pair {
  readonly answer: ProbeAnswer;
  readonly press: ProbedPress;
}

/** The presses of buttons, each with what was asked about it. */
function pairs(tally: InputTally, { answers }: Probes): readonly Pair[] {
  // the question before the input is recorded as well
  const asked = tally.probed.slice(1);
  return answers.flatMap((answer, index) => {
    const press = asked[index];
    return press && answer.kind === "button" ? [{ answer, press }] : [];
  });
}

async function judgeButton(
  connection: X11Connection,
  { answer, press }: Pair,
  { before, clientMask }: Probes,
): Promise<Verdict> {
  if (press.handedOn === "after") {
    return {
      unknown:
        "A window manager has passed it on, and the X server does not report to which program",
    };
  }
  if (press.handedTo && press.handedOn === "no") return press.handedTo;
  if (!answer.isHeld) return "none";
  if (before.isHeld) {
    return { unknown: "A program had grabbed the pointer, and may have received it" };
  }
  if (answer.frame === NONE) {
    return { unknown: "A program that handles clicks on the background received it" };
  }
  const window = await findWindowAt(connection, answer.frame);
  return { window, client: (window & ~clientMask) >>> 0 };
}

/**
 * The server reports no key that it hands to a program by XInput 2: such keys go to the window with
 * the focus, if nobody holds the keyboard.
 */
async function judgeKeys(
  connection: X11Connection,
  { answers, after, clientMask }: Probes,
): Promise<Verdict> {
  const keys = [...answers.filter(({ kind }) => kind === "key"), after];
  if (keys.some(({ isHeld }) => isHeld)) {
    return { unknown: "A program that has grabbed the keyboard received it" };
  }
  const { focus, frame } = keys[0]!;
  if (focus === NONE || (focus === POINTER_ROOT && frame === NONE)) return "none";
  const window = focus === POINTER_ROOT ? await findWindowAt(connection, frame) : focus;
  if (!await takesKeys(connection, window)) {
    return { unknown: "The window with the keyboard focus does not report that it accepts keys" };
  }
  return { window, client: (window & ~clientMask) >>> 0 };
}

// The window that got input: its title, and whether its program says that it has handled it.

/** The bit of WM_HINTS that says that it has the field `input`. */
const INPUT_HINT = 1;
const KEY_PRESS = 1 << 0;

/** @param clientMask the bits of a resource id that its client chooses */
async function describeTargetWindow(
  connection: X11Connection,
  handedTo: HandedTo,
  clientMask: number,
): Promise<TargetWindow> {
  const chain = await listAncestors(connection, handedTo.window);
  const title = chain && await connection.unlessGone(findTitle(connection, chain));
  const ask = async (): Promise<TargetWindowAnswer> => {
    if (handedTo.window === connection.root) return "desktop";
    if (chain === undefined) return "closed";
    const ping = await WindowPing.of(connection);
    for (const window of chain) {
      // a program that grabs the input of others is not the one that answers for their windows
      if (((window & ~clientMask) >>> 0) !== handedTo.client) continue;
      const takesPart = await connection.unlessGone(ping.takesPart(window));
      if (takesPart === undefined) return "closed";
      if (!takesPart) continue;
      if (await ping.answers(window, chain.at(-1))) return "handled";
      const attributes = await connection.unlessGone(
        connection.request("GetWindowAttributes", window),
      );
      return attributes?.mapState ? "unresponsive" : "closed";
    }
    return "mute";
  };
  return { title, ask };
}

/** The innermost window under the cursor that is in `frame`; `frame` itself when it is gone. */
async function findWindowAt(connection: X11Connection, frame: number): Promise<number> {
  let window = frame;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const inside = await connection.unlessGone(connection.request("QueryPointer", window));
    if (!inside?.child) break;
    window = inside.child;
  }
  return window;
}

/**
 * Whether keys for the window are taken by a client that the server does not report: it, or one
 * around it, is selected for keys, or declares that it takes them (ICCCM 4.1.2.4, WM_HINTS).
 */
async function takesKeys(connection: X11Connection, window: number): Promise<boolean> {
  for (const each of await listAncestors(connection, window) ?? []) {
    const attributes = await connection.unlessGone(connection.request("GetWindowAttributes", each));
    if (((attributes?.allEventMasks ?? 0) & KEY_PRESS) !== 0) return true;
    const hints = await connection.unlessGone(
      connection.request("GetProperty", 0, each, PREDEFINED.WM_HINTS, ANY_TYPE, 0, 2),
    );
    const [flags = 0, , , , input = 0] = hints?.data ?? [];
    if ((flags & INPUT_HINT) !== 0) return input !== 0;
  }
  return false;
}

/** The window and those around it, up to the child of the root; `undefined` when it has closed. */
function listAncestors(connection: X11Connection, window: number): Promise<number[] | undefined> {
  if (window === connection.root) return Promise.resolve([window]);
  return connection.unlessGone(Array.fromAsync(withAncestors(connection, window)));
}

async function findTitle(
  connection: X11Connection,
  chain: readonly number[],
): Promise<string | undefined> {
  const utf8 = await internAtom(connection, "UTF8_STRING");
  const names = [await internAtom(connection, "_NET_WM_NAME"), PREDEFINED.WM_NAME];
  for (const window of chain) {
    if (window === connection.root) return undefined;
    for (const name of names) {
      const asked = [0, window, name, ANY_TYPE, 0, TEXT_WORDS] as const;
      const text = readText(await connection.request("GetProperty", ...asked), utf8);
      if (text !== "") return text;
    }
  }
  return undefined;
}
