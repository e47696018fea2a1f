/** Where the cursor is, by a script that KWin runs: no interface tells it. */

import type { Point } from "../../../../core/geometry.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { SharedRun } from "../../../../core/shared_run.ts";
import { KwinScript, type ScriptHost } from "./script.ts";

const FAILURE = "Cannot read where the cursor is";

export class CursorPosition implements AsyncDisposable {
  readonly #script: KwinScript;
  readonly #queries = new SharedRun(() => this.#ask());

  constructor(host: ScriptHost) {
    const source = "answer(workspace.cursorPos.x, workspace.cursorPos.y);";
    this.#script = new KwinScript(host, { source, failure: FAILURE });
  }

  /**
   * In the compositor's coordinates. Calls that come while KWin is asked share the next answer.
   * @throws ServiceError `unsupported`: this KWin runs no such script
   */
  read(): Promise<Point> {
    return this.#queries.run();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#script[Symbol.asyncDispose]();
  }

  async #ask(): Promise<Point> {
    const [x, y] = await this.#script.run();
    if (typeof x === "number" && typeof y === "number") return { x, y };
    throw new ServiceError("unsupported", `${FAILURE}: KWin tells no numbers`);
  }
}
