/** What is known about the effect of an input operation, as a request asks for it by `effect`. */

import { z } from "zod";
import { json, noContent } from "../outcomes.ts";

export const EffectField = z.boolean().default(false).describe(
  "If true, the answer says what is known about the effect; it then takes longer, up to a second where a program does not answer.",
);

const Reason = z.string().max(1_000).describe("One sentence says why, or what is not known.");
const Window = z.string().max(400).optional().describe(
  "The window with this title got the input, or the last of it.",
);

export const Effect = z.discriminatedUnion("effect", [
  z.object({
    effect: z.literal("confirmed"),
    by: z.enum(["server", "program"]).describe(
      "`program`: the program that got the input says that it has handled it. `server`: the X server, or the system, has done it; whether a program has handled it is not known.",
    ),
    reason: Reason,
    window: Window,
  }),
  z.object({
    effect: z.literal("unverified").describe(
      "The input was sent, and nothing says that it had an effect, or something says that it had none.",
    ),
    reason: Reason,
    window: Window,
  }),
]).describe("The effect of the input, as far as it is known.");

export type Effect = Readonly<z.output<typeof Effect>>;

/** The answers of an operation that has nothing to report but its effect. */
export function doneOrEffect(description: string) {
  return {
    oneOf: {
      done: noContent(description),
      effect: json(
        `${description} With \`effect\`, the answer says what is known of that.`,
        Effect,
      ),
    },
  } as const;
}

type DoneOrEffect =
  | { readonly outcome: "done" }
  | { readonly outcome: "effect"; readonly body: Effect };

const DONE = { outcome: "done" } as const;

/** Names the answer of {@link doneOrEffect} that the operation gives. */
export function answerEffect<C, I>(
  run: (context: C, input: I) => Promise<Effect | void> | Effect | void,
): (context: C, input: I) => Promise<DoneOrEffect> | DoneOrEffect {
  return (context, input) => {
    const running = run(context, input);
    return running instanceof Promise ? running.then(nameAnswer) : nameAnswer(running);
  };
}

function nameAnswer(effect: Effect | void): DoneOrEffect {
  return effect ? { outcome: "effect", body: effect } : DONE;
}
