/**
 * Scripts that KWin runs: what no interface of it reports or does. A script sends its answers as
 * calls to our connection on the bus.
 * https://develop.kde.org/docs/plasma/kwin/api/
 */

import { inTime, pause, within } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { KeyedLock } from "../../../../core/locks.ts";
import { type BusCall, BusError, type MessageBus } from "../../bus/types.ts";

const KWIN = "org.kde.KWin";
const SCRIPTING = {
  destination: KWIN,
  path: "/Scripting",
  interface: "org.kde.kwin.Scripting",
} as const;
/** Where Plasma 6 and Plasma 5 put a script with this number. */
const SCRIPT_PATHS = (id: number) => [`/Scripting/Script${id}`, `/${id}`];
/** How long KWin may take to run a script. */
const ANSWER_TIMEOUT_MS = 3_000;
/** After this KWin is asked to run all scripts that were loaded. */
const RUN_ALL_MS = 500;
/** KWin unloads a script asynchronously, and until then loads it no second time. */
const LOAD = { tries: 5, pauseMs: 50 } as const;
const ANSWER = { interface: "computer.control.Script", member: "Answer" } as const;

/** Where scripts run: one at a time, because KWin gives numbers again while they are in use. */
export class ScriptHost {
  readonly #lock = new KeyedLock<string>();

  /** @param folder that KWin can read */
  constructor(readonly bus: MessageBus, readonly folder: string) {}

  runExclusive<T>(run: () => Promise<T>): Promise<T> {
    return this.#lock.run(["script"], run);
  }
}

interface ScriptOptions {
  /** JavaScript, in which `answer(...)` sends an answer; its functions may not be newer than 2009. */
  readonly source: string;
  /** What cannot be done without it, for messages: `Cannot read where the cursor is`. */
  readonly failure: string;
}

export class KwinScript implements AsyncDisposable {
  /** Part of the path of answers, so that no other program sends them by mistake. */
  readonly #token = crypto.randomUUID().replaceAll("-", "");
  #file: Promise<string> | undefined;
  #answers: Disposable | undefined;
  #take: (answer: readonly unknown[]) => void = () => {};

  constructor(private readonly host: ScriptHost, private readonly options: ScriptOptions) {}

  /**
   * Runs it to its first answer; only one run at a time.
   * @throws ServiceError `unsupported`: this KWin runs no such script
   */
  async run(): Promise<readonly unknown[]> {
    return await this.host.runExclusive(async () => {
      try {
        return await this.#start(() => {});
      } finally {
        await this.#unload();
      }
    });
  }

  /**
   * Runs it until it is disposed; resolves at its first answer, and every one is taken.
   * @throws ServiceError `unsupported`: this KWin runs no such script
   */
  async start(take: () => void): Promise<void> {
    await this.host.runExclusive(async () => {
      try {
        await this.#start(take);
      } catch (error) {
        await this.#unload(); // it may still run, and could not be loaded again
        throw error;
      }
    });
  }

  async #start(take: () => void): Promise<readonly unknown[]> {
    const { promise: first, resolve } = Promise.withResolvers<readonly unknown[]>();
    this.#take = (answer) => {
      resolve(answer);
      take();
    };
    const file = await (this.#file ??= this.#write());
    this.#answers ??= this.host.bus.receive(
      { ...ANSWER, path: this.#path },
      (body) => this.#take(body),
    );
    try {
      await this.#runLoaded(await this.#load(file));
      if (!await within(first, RUN_ALL_MS)) await this.#call({ member: "start" });
      return await inTime(
        first,
        ANSWER_TIMEOUT_MS,
        () => this.#refusal("its script did not respond"),
      );
    } catch (error) {
      throw error instanceof BusError ? this.#refusal(error.text) : error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#answers?.[Symbol.dispose]();
    await this.#unload();
    const file = await this.#file?.catch(() => undefined);
    if (file !== undefined) await Deno.remove(file).catch(() => {});
  }

  /** Returns the script's number. KWin answers a negative one while it has a script of this name. */
  async #load(file: string): Promise<number> {
    const body = [file, this.#name];
    for (let tries = 1;; tries++) {
      const { body: [id] } = await this.#call({ member: "loadScript", signature: "ss", body });
      if (typeof id === "number" && id >= 0) return id;
      if (tries === LOAD.tries) throw this.#refusal("it did not load its script");
      await this.#unload();
      await pause(LOAD.pauseMs);
    }
  }

  async #runLoaded(id: number): Promise<void> {
    const [now, before] = SCRIPT_PATHS(id);
    const run = { destination: KWIN, interface: "org.kde.kwin.Script", member: "run" };
    try {
      await this.host.bus.call({ ...run, path: now! });
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      await this.host.bus.call({ ...run, path: before! });
    }
  }

  async #unload(): Promise<void> {
    if (this.#file === undefined || !this.host.bus.connected) return;
    const body = [this.#name];
    await this.#call({ member: "unloadScript", signature: "s", body }).catch(() => {});
  }

  async #call(call: Pick<BusCall, "member" | "signature" | "body">) {
    return await this.host.bus.call({ ...SCRIPTING, ...call });
  }

  get #name(): string {
    return `computer-control-${this.#token}`;
  }

  get #path(): string {
    return `/script/${this.#token}`;
  }

  async #write(): Promise<string> {
    const file = `${this.host.folder}/${this.#name}.js`;
    const to = [this.host.bus.name, this.#path, ANSWER.interface, ANSWER.member].map((each) =>
      JSON.stringify(each)
    );
    const answer = `callDBus.bind(null, ${to.join(", ")})`;
    const text = `(function (answer) {\n${this.options.source}\n})(${answer});\n`;
    try {
      await Deno.writeTextFile(file, text, { createNew: true, mode: 0o644 });
    } catch (error) {
      this.#file = undefined; // the next run tries again: there may be space by then
      await Deno.remove(file).catch(() => {});
      throw error;
    }
    return file;
  }

  #refusal(reason: string): ServiceError {
    return new ServiceError("unsupported", `${this.options.failure}: KWin: ${reason}`);
  }
}

// What KWin gives only to programs that a `.desktop` file names.

/** Wayland interfaces: mouse and keyboard input, and the state of the lock keys. */
export const KDE_WAYLAND_INTERFACES = ["org_kde_kwin_fake_input", "org_kde_kwin_keystate"] as const;

/** D-Bus interfaces: pictures of the screen. */
export const KDE_BUS_INTERFACES = ["org.kde.KWin.ScreenShot2"] as const;

/** What to do where KWin does not give them to this program. */
export const GRANT_ADVICE = 'run "computer-control grant kde", and restart the service';
