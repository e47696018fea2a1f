/** Keeps the browser: started or reached at the first job, and again after its end. */

import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { KeyedLock } from "../../core/keyed_lock.ts";
import type { BrowserJobName } from "../types/browser_jobs.ts";
import { CdpError } from "./cdp/connection.ts";
import { type BrowserJob, JOBS } from "./jobs.ts";
import { RunningBrowser } from "./running_browser.ts";
import type { BrowserSource } from "./source.ts";

export type BrowserRequest =
  | { readonly end: true }
  | { readonly source: BrowserSource; readonly name: BrowserJobName; readonly input: unknown };

/** What presses something or moves the focus runs one after the other, in the order of arrival. */
const INPUT: ReadonlySet<BrowserJobName> = new Set([
  ...["click", "pointer", "drag", "scroll", "focus", "type", "keys", "fill"] as const,
]);

/** How often is looked whether the caller has left. */
const LOOK_MS = 100;

export class BrowserKeeper {
  #browser: RunningBrowser | undefined;
  #starting: Promise<RunningBrowser> | undefined;
  #profile: string | undefined;
  readonly #input = new KeyedLock<string>();

  async carryOut(request: BrowserRequest, checkStop: () => void): Promise<object | null> {
    if ("end" in request) return await this.#end();
    return await unlessStopped(this.#run(request, checkStop), checkStop);
  }

  async #run(
    { source, name, input }: Exclude<BrowserRequest, { end: true }>,
    checkStop: () => void,
  ): Promise<object | null> {
    const browser = await this.#open(source);
    const run = JOBS[name] as BrowserJob<BrowserJobName>;
    const work = async () => {
      checkStop();
      return await run(browser, input as never, checkStop) as object | undefined ?? null;
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
      return this.#profile ??= await Deno.makeTempDir({ prefix: "computer-control-browser-" });
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

/** A caller that has left gives its place to others, whatever the page or the address still does. */
async function unlessStopped<T>(work: Promise<T>, checkStop: () => void): Promise<T> {
  while (!await within(work, LOOK_MS)) checkStop();
  return await work;
}
