/** Elements without a program: they keep where they are, what covers them, and what was asked of them. */

import { ServiceError } from "../../src/core/errors.ts";
import type { ClickAt, RefTarget, Revealed } from "../../src/features/input/targets/refs.ts";
import type { Point } from "../../src/platform/types/mod.ts";

export interface FakeTargetOptions {
  readonly at?: Point;
  readonly displayNum?: number;
  readonly name?: string;
  /** Takes note of what was asked, beside what the fake devices were sent. */
  readonly sent?: string[];
}

let count = 0;

export class FakeTarget implements RefTarget {
  readonly key = `fake ${++count}`;
  readonly displayNum: number;
  readonly description: string;
  /** Where its middle shows; `undefined` for one that is gone. */
  at: Point | undefined;
  /** Where scrolling brings it to, while it does not show. */
  scrollsTo: Point | undefined;
  /** Called when it is scrolled. */
  onScroll = () => {};
  /** Called when its program is asked for anything. */
  onAsk = () => {};
  /** Called before it is told whether it still has the focus. */
  onCheck = () => {};
  /** What covers it. */
  coveredBy: string | undefined;
  /** While set, its program answers only then. */
  answer: Promise<void> | undefined;
  takesFocus: "at once" | "by a click" | "never" = "at once";
  hasFocus = false;
  /** The reason of the signal that ended the last question. */
  stopped: unknown;
  readonly #sent: string[];

  constructor(
    { at = { x: 100, y: 50 }, displayNum = 1, name = "Save", sent = [] }: FakeTargetOptions = {},
  ) {
    this.at = at;
    this.displayNum = displayNum;
    this.description = `button "${name}"`;
    this.#sent = sent;
  }

  async reveal(signal: AbortSignal): Promise<Revealed> {
    this.#sent.push("reveal");
    await this.#program(signal);
    const scrolled = this.scrollsTo !== undefined;
    if (this.scrollsTo !== undefined) {
      this.at = this.scrollsTo;
      this.scrollsTo = undefined;
      this.onScroll();
    }
    if (this.at === undefined) throw this.#refusal("is gone");
    if (this.coveredBy !== undefined) throw this.#refusal(`is covered by "${this.coveredBy}"`);
    const { x, y } = this.at;
    return { area: { x: x - 10, y: y - 5, width: 21, height: 11 }, middle: this.at, scrolled };
  }

  async focus(signal: AbortSignal, click: ClickAt): Promise<void> {
    this.#sent.push("focus");
    await this.#program(signal);
    if (this.at === undefined) throw this.#refusal("is gone");
    if (this.takesFocus === "never") throw this.#refusal("does not take the keyboard focus");
    if (this.takesFocus === "by a click") await click(this.at);
    this.hasFocus = true;
  }

  checkFocus(): Promise<void> {
    this.onCheck();
    if (this.hasFocus) return Promise.resolve();
    return Promise.reject(this.#refusal("has lost the keyboard focus"));
  }

  async #program(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.stopped = signal.reason, { once: true });
    this.onAsk();
    await this.answer;
  }

  #refusal(why: string): ServiceError {
    return new ServiceError("conflict", `The ${this.description} ${why}: take a new snapshot`);
  }
}
