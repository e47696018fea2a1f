/** Texts by the pasteboard: put there, pasted, and what was there is put back. */

import { ServiceError } from "../../errors.ts";
import { runCliclick } from "./cliclick.ts";
import { type ProgramResult, runProgram } from "./program.ts";
import type { Program, Programs } from "./programs.ts";

/** How long the focused program gets to take the text before the pasteboard changes again. */
const SETTLE_MS = 200;

const PASTE = ["kd:cmd", "t:v", "ku:cmd", `w:${SETTLE_MS}`];

export class Pasteboard {
  constructor(private readonly programs: Programs) {}

  /**
   * Pastes a text into the focused program. Only the text that was on the pasteboard comes back: a
   * picture or a file that was there is lost.
   * @throws ServiceError `unavailable`, `permission_denied`
   */
  async paste(text: string, signal: AbortSignal): Promise<void> {
    const { stdout: earlier } = await this.#run("pbpaste", "be read");
    try {
      await this.#run("pbcopy", "be written", text);
      await runCliclick(this.programs, PASTE, signal);
    } catch (error) {
      // the failure that is told is the first one
      await runCliclick(this.programs, ["ku:cmd"]).catch(() => {});
      throw error;
    } finally {
      await this.#run("pbcopy", "be put back", earlier);
    }
  }

  async #run(program: Program & `pb${string}`, what: string, stdin = ""): Promise<ProgramResult> {
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
