/** Keeps the browser: started or reached at the first job, and again after its end. */

import { ServiceError } from "../../core/errors.ts";
import { KeyedLock } from "../../core/keyed_lock.ts";
import { unlessStopped } from "../../core/serve_jobs.ts";
import type { BrowserJobName, BrowserJobs } from "../types/browser_jobs.ts";
import { CdpError } from "./cdp/connection.ts";
import { type BrowserJob, JOBS } from "./jobs.ts";
import { makeProfile } from "./profile.ts";
import { RunningBrowser } from "./running_browser.ts";
import type { BrowserSource } from "./source.ts";

export type BrowserRequest =
  | { readonly end: true }
  | { readonly source: BrowserSource; readonly name: BrowserJobName; readonly input: unknown };

/** What presses something or moves the focus runs one after the other, in the order of arrival. */
const INPUT: ReadonlySet<BrowserJobName> = new Set([
  ...["click", "pointer", "drag", "scroll", "focus", "type", "keys", "fill"] as const,
]);

export class BrowserKeeper {
  #browser: RunningBrowser | undefined;
  #starting: Promise<RunningBrowser> | undefined;
  #profile: string | undefined;
  readonly #input = new KeyedLock<string>();
  /** Counts the releases of everything, which end all input that runs or waits. */
  #releases = 0;

  async carryOut(request: BrowserRequest, checkStop: () => void): Promise<object | null> {
    if ("end" in request) return await this.#end();
    // a caller that has left gives its place to others, whatever the page or the address still does
    return await unlessStopped(this.#run(request, checkStop), checkStop);
  }

  async #run(
    { source, name, input }: Exclude<BrowserRequest, { end: true }>,
    checkStop: () => void,
  ): Promise<object | null> {
    if (name === "release") {
      if (!this.#browser?.isOpen) return null; // nothing is down
      if ((input as BrowserJobs["release"][0]).tab === undefined) this.#releases++;
    }
    const releases = this.#releases;
    const browser = await this.#open(source);
    const run = JOBS[name] as BrowserJob<BrowserJobName>;
    const checkInput = () => {
      checkStop();
      if (!INPUT.has(name) || this.#releases === releases) return;
      throw new ServiceError("conflict", "Dropped: all input was released meanwhile");
    };
    const work = async () => {
      checkInput();
      return await run(browser, input as never, checkInput) as object | undefined ?? null;
    };
    try {
      return INPUT.has(name) ? await this.#input.run(["input"], work) : await work();
    } catch (error) {
      if (!(error instanceof CdpError)) throw error;
      const message = `The page changed meanwhile, or the browser refuses: ${error.message}`;
      throw new ServiceError("conflict", message, { cause: error });
    }
  }

  /** One start for all that wait for it, also when it fails. */
  async #open(source: BrowserSource): Promise<RunningBrowser> {
    await this.#browser?.settle();
    if (this.#browser?.isOpen) return this.#browser;
    this.#starting ??= this.#start(source).finally(() => this.#starting = undefined);
    return await this.#starting;
  }

  async #start(source: BrowserSource): Promise<RunningBrowser> {
    await this.#browser?.end();
    this.#browser = undefined;
    return this.#browser = await RunningBrowser.open(source, async () => {
      return this.#profile ??= await makeProfile();
    });
  }

  async #end(): Promise<null> {
    await this.#starting?.catch(() => {}); // whoever waits for it is told
    await this.#browser?.end();
    if (this.#profile !== undefined) {
      await Deno.remove(this.#profile, { recursive: true }).catch(() => {}); // it may be in use
    }
    return null;
  }
}
