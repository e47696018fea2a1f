/** Decides who got the input, from what the server reported and what it said about presses. */

import type { Handover } from "../../types/mod.ts";
import type { X11Connection } from "./connection.ts";
import type { HandedTo, InputTally, ProbedPress } from "./input_tally.ts";
import type { ProbeAnswer } from "./press_probe.ts";
import { describeRecipient, findWindowAt, takesKeys } from "./recipient.ts";

export interface Probes {
  /** In the order of the presses. */
  readonly answers: readonly ProbeAnswer[];
  /** From before the input, about the pointer, and after it, about the keyboard. */
  readonly before: ProbeAnswer;
  readonly after: ProbeAnswer;
  /** The bits of a resource id that its client chooses. */
  readonly clientMask: number;
}

const NONE = 0;
const POINTER_ROOT = 1;

/** `window`: the one that got it. Else the outcome, or why there is none. */
type Verdict = HandedTo | "none" | { readonly untold: string };

export async function decideHandover(
  connection: X11Connection,
  tally: InputTally,
  probes: Probes,
): Promise<Handover> {
  const { result } = tally;
  if (result === undefined) return { outcome: "nothing" };
  const { kind, count: { sent, lost, last } } = result;
  const taken = async (to: HandedTo): Promise<Handover> => ({
    outcome: "taken",
    recipient: await describeRecipient(connection, to, probes.clientMask),
  });
  const verdicts = kind === "button press"
    ? await Promise.all(pairs(tally, probes).map((pair) => judgeButton(connection, pair, probes)))
    : [];
  if (verdicts.length > 0) {
    const untold = verdicts.find((verdict) => typeof verdict === "object" && "untold" in verdict);
    if (untold) return { outcome: "untold", reason: (untold as { untold: string }).untold };
    const missed = verdicts.filter((verdict) => verdict === "none").length;
    if (missed === verdicts.length) return { outcome: "none" };
    if (missed > 0) {
      return { outcome: "some", taken: verdicts.length - missed, sent: verdicts.length };
    }
    return await taken(verdicts.at(-1) as HandedTo);
  }
  if (lost === 0 && last !== undefined) return await taken(last);
  if (lost < sent) return { outcome: "some", taken: sent - lost, sent };
  if (kind === "key press" || kind === "key release") {
    const verdict = await judgeKeys(connection, probes);
    if (verdict === "none") return { outcome: "none" };
    return "untold" in verdict
      ? { outcome: "untold", reason: verdict.untold }
      : await taken(verdict);
  }
  if (probes.after.frame === NONE) return { outcome: "none" };
  return { outcome: "untold", reason: "The X server does not tell whether a program got it" };
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
    return { untold: "A window manager has handed it on, and the X server does not tell to whom" };
  }
  if (press.handedTo && press.handedOn === "no") return press.handedTo;
  if (!answer.isHeld) return "none";
  if (before.isHeld) {
    return { untold: "A program held the pointer before, and has possibly got it" };
  }
  if (answer.frame === NONE) return { untold: "A program that listens on the background got it" };
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
    return { untold: "A program that holds the keyboard got it" };
  }
  const { focus, frame } = keys[0]!;
  if (focus === NONE || (focus === POINTER_ROOT && frame === NONE)) return "none";
  const window = focus === POINTER_ROOT ? await findWindowAt(connection, frame) : focus;
  if (!await takesKeys(connection, window)) {
    return { untold: "The window with the keyboard focus does not say that it takes keys" };
  }
  return { window, client: (window & ~clientMask) >>> 0 };
}
