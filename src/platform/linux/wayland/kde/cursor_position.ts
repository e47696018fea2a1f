/**
 * Where the cursor is, by a script that KWin runs: no interface tells it. The script sends the answer
 * as a call to our connection on the bus.
 * https://develop.kde.org/docs/plasma/kwin/api/
 */

import { ServiceError } from "../../../../core/errors.ts";
import { inTime } from "../../../../core/deadline.ts";
import type { Point } from "../../../../core/geometry.ts";
import { SharedRun } from "../../../../core/shared_run.ts";
import { BusError } from "../../bus/bus_error.ts";
import type { MessageBus } from "../../bus/types.ts";

const KWIN = "org.kde.KWin";
const SCRIPTING = {
  destination: KWIN,
  path: "/Scripting",
  interface: "org.kde.kwin.Scripting",
} as const;
/** Where Plasma 6 and Plasma 5 put a script with this number. */
const SCRIPT_PATHS = (id: number) => [`/Scripting/Script${id}`, `/${id}`];
/** How long KWin may take to run the script. */
const ANSWER_MS = 3_000;
const ANSWER = { interface: "computer.control.Cursor", member: "At" } as const;

export class CursorPosition implements AsyncDisposable {
  readonly #queries = new SharedRun(() => this.#ask());
  /** Part of the path of answers, so that no other program sends them by mistake. */
  readonly #token = crypto.randomUUID().replaceAll("-", "");
  #file: Promise<string> | undefined;
  #resolve: ((position: Point) => void) | undefined;
  #answers: Disposable | undefined;

  /** @param folder that KWin can read, for the script */
  constructor(private readonly bus: MessageBus, private readonly folder: string) {}

  /**
   * In the compositor's coordinates. Calls that come while KWin is asked share the next answer.
   * @throws ServiceError `unsupported`: this KWin runs no such script
   */
  read(): Promise<Point> {
    return this.#queries.run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#answers?.[Symbol.dispose]();
    const file = await this.#file?.catch(() => undefined);
    if (file !== undefined) await Deno.remove(file).catch(() => {});
  }

  async #ask(): Promise<Point> {
    const file = await (this.#file ??= this.#writeScript());
    this.#answers ??= this.bus.receive({ ...ANSWER, path: this.#path }, (body) => this.#take(body));
    const { promise, resolve } = Promise.withResolvers<Point>();
    this.#resolve = resolve;
    const name = `computer-control-${this.#token}`;
    try {
      const body = [file, name];
      const { body: [id] } = await this.#call({ member: "loadScript", signature: "ss", body });
      await this.#start(id as number);
      return await inTime(promise, ANSWER_MS, () => unknown("its script has not answered"));
    } catch (error) {
      throw error instanceof BusError ? unknown(error.text) : error;
    } finally {
      await this.#call({ member: "unloadScript", signature: "s", body: [name] }).catch(() => {});
    }
  }

  async #start(id: number): Promise<void> {
    const [now, before] = SCRIPT_PATHS(id);
    const run = { destination: KWIN, interface: "org.kde.kwin.Script", member: "run" };
    try {
      await this.bus.call({ ...run, path: now! });
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      await this.bus.call({ ...run, path: before! });
    }
  }

  async #call(call: { member: string; signature: string; body: readonly unknown[] }) {
    return await this.bus.call({ ...SCRIPTING, ...call });
  }

  #take([x, y]: readonly unknown[]): void {
    if (typeof x === "number" && typeof y === "number") this.#resolve?.({ x, y });
  }

  get #path(): string {
    return `/cursor/${this.#token}`;
  }

  async #writeScript(): Promise<string> {
    const file = `${this.folder}/computer-control-${this.#token}.js`;
    const to = [this.bus.name, this.#path, ANSWER.interface, ANSWER.member].map((each) =>
      JSON.stringify(each)
    );
    const position = "workspace.cursorPos.x, workspace.cursorPos.y";
    await Deno.writeTextFile(file, `callDBus(${to.join(", ")}, ${position});\n`, {
      createNew: true,
      mode: 0o644,
    });
    return file;
  }
}

function unknown(reason: string): ServiceError {
  return new ServiceError("unsupported", `Cannot read where the cursor is: KWin: ${reason}`);
}
