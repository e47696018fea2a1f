/** The elements of programs on macOS, as System Events tells them to a script, in pixels of one display. */

import { z } from "zod";
import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type {
  Accessibility,
  Element,
  ElementAction,
  ElementId,
  ReadTree,
  TreeReading,
} from "../../types/mod.ts";
import type { Placement } from "../placement.ts";
import type { Programs } from "../programs.ts";
import { needsAccessibility } from "../refusals.ts";
import { runScript } from "../script.ts";
import { describeTold, ToldElement } from "./describe.ts";
import { ELEMENT_SCRIPT } from "./element_script.ts";

/** The script ends a reading itself; a program that hangs, or its start, takes this much longer. */
const MORE_MS = 3_000;
/** The longest time of the other questions, each of which starts a process. */
const QUESTION_MS = 5_000;
/** A program that has opened a dialog may answer when that is closed. */
const ACTION_MS = 3_000;
const LOOK_MS = 250;

const Answer = z.object({
  refused: z.enum(["accessibility", "closed"]).optional(),
  roots: z.array(ToldElement).default([]),
  truncated: z.partialRecord(z.enum(["elements", "depth", "time"]), z.boolean()).default({}),
  elements: z.array(ToldElement.nullable()).default([]),
  answer: z.boolean().optional(),
});
type Answer = z.output<typeof Answer>;

export class MacosAccessibility implements Accessibility {
  /** @param placement of the display, now */
  constructor(
    private readonly programs: Programs,
    private readonly placement: () => Placement,
  ) {}

  async read({ signal, ...reading }: TreeReading): Promise<ReadTree> {
    const timeoutMs = reading.timeMs + MORE_MS;
    const answer = await this.#ask({ do: "read", ...reading }, { signal, timeoutMs });
    if (answer.refused === "closed") {
      throw new ServiceError("not_found", "The window is not there any more, or does not show");
    }
    const reasons = ["elements", "depth", "time"] as const;
    return {
      roots: answer.roots.map((root) => describeTold(root, this.placement())),
      truncated: reasons.filter((reason) => answer.truncated[reason]),
      silent: [],
    };
  }

  async refresh(
    ids: readonly ElementId[],
    signal: AbortSignal,
  ): Promise<readonly (Element | undefined)[]> {
    const job = { do: "refresh", ids };
    const { elements } = await this.#ask(job, { signal, timeoutMs: QUESTION_MS });
    return ids.map((_, index) => {
      const told = elements[index];
      return told ? describeTold(told, this.placement()) : undefined;
    });
  }

  async perform(
    id: ElementId,
    action: ElementAction,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    try {
      const job = { do: "perform", id, action };
      const { refused, answer } = await this.#ask(job, { signal, timeoutMs: ACTION_MS });
      if (refused === "closed") throw new ServiceError("conflict", "The element is gone");
      return answer;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "timed_out") return undefined;
      throw error;
    }
  }

  /** System Events does not tell it. */
  elementAt(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  contains(outer: ElementId, inner: ElementId): Promise<boolean> {
    const below = outer.endsWith(":") ? outer : `${outer}.`;
    return Promise.resolve(inner === outer || inner.startsWith(below));
  }

  async changed(signal: AbortSignal): Promise<void> {
    await pause(LOOK_MS, signal);
  }

  async #ask(
    job: Readonly<Record<string, unknown>>,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<Answer> {
    const told = await runScript(this.programs, {
      script: ELEMENT_SCRIPT,
      args: ["elements"],
      stdin: JSON.stringify(job),
      what: "read the elements of programs",
      ...{ signal, timeoutMs },
    });
    const answer = Answer.parse(told);
    if (answer.refused === "accessibility") throw needsAccessibility();
    return answer;
  }
}
