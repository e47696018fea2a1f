/**
 * Types text by pasting: puts it on the pasteboard, pastes it, and restores the previous content.
 */

import { pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { runCliclick } from "./cliclick.ts";
import type { HelperResult } from "../helper_program.ts";
import { PUT_BACK_AFTER_MS, SETTLE_MS } from "../timed_pasting.ts";
import { type Program, type Programs, runProgram } from "./programs.ts";

const PASTE = ["kd:cmd", "t:v", "ku:cmd", `w:${SETTLE_MS}`];

/**
 * The pastes of one text; disposing restores what was on the pasteboard before. Restores only text:
 * a picture or a file that was there is lost.
 */
export class TextPasting implements AsyncDisposable {
  #earlier: string | undefined;
  #last: string | undefined;
  #lastAt = 0;

  constructor(private readonly programs: Programs) {}

  /**
   * Pastes a text into the focused program.
   * @throws ServiceError `unavailable`, `permission_denied`; the reason of `signal`
   */
  async paste(text: string, signal: AbortSignal): Promise<void> {
    this.#earlier ??= (await this.#run("pbpaste", "be read")).stdout;
    signal.throwIfAborted();
    this.#last = text;
    await this.#run("pbcopy", "be written", text);
    signal.throwIfAborted();
    this.#lastAt = performance.now();
    try {
      await runCliclick(this.programs, PASTE, signal);
    } catch (error) {
      // only the first failure is reported
      await runCliclick(this.programs, ["ku:cmd"]).catch(() => {});
      throw error;
    }
  }

  /** Keeps what the user or a program has copied in the meantime. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#earlier === undefined || this.#last === undefined) return;
    const remainingMs = this.#lastAt + PUT_BACK_AFTER_MS - performance.now();
    await pause(remainingMs);
    const { stdout: now } = await this.#run("pbpaste", "be read");
    if (now === this.#last) await this.#run("pbcopy", "be put back", this.#earlier);
    this.#earlier = this.#last = undefined;
  }

  async #run(program: Program & `pb${string}`, what: string, stdin = ""): Promise<HelperResult> {
    const result = await runProgram({
      program: this.programs.find(program) ?? program,
      args: [],
      stdin,
      timeoutMs: this.programs.timeoutMs,
    });
    if (result.code === 0) return result;
    throw new ServiceError(
      "unavailable",
      `The pasteboard cannot ${what}: "${program}" ended with ${result.code}`,
    );
  }
}
