/** Keeps the browser: started or reached at the first job, and again after its end. */

import { pause, within } from "../../core/deadline.ts";
import { droppedInput, ServiceError } from "../../core/errors.ts";
import { KeyedLock } from "../../core/locks.ts";
import { type JobCaller, Stopped, unlessStopped } from "../../core/serve_jobs.ts";
import {
  type BrowserJobName,
  type BrowserJobs,
  INPUT_JOBS,
  type PageDialog,
} from "../types/browser.ts";
import { CdpError } from "./cdp/connection.ts";
import {
  focusForDisplay,
  hasFocus,
  locateOnDisplay,
  sawMouse,
  sawPress,
  watchMouse,
} from "./elements.ts";
import { enterSecret, fill, upload } from "./fill/fill.ts";
import { listAllFrames, readFrameText } from "./isolated_world.ts";
import { pressKeys, typeText } from "./keys/keyboard.ts";
import { navigate, openTab } from "./navigate.ts";
import { makeProfile } from "./own_program.ts";
import type { BrowserSource } from "./page_scripts.ts";
import { click, drag, pointer, releaseButtons, scroll } from "./pointer.ts";
import { type BrowserJob, RunningBrowser } from "./running_browser.ts";
import { loadState, saveState } from "./saved_state.ts";
import type { Release } from "./tab.ts";
import { find, snapshot } from "./snapshot/snapshot.ts";
import { wait } from "./wait.ts";

export type BrowserRequest =
  | { readonly end: true }
  | {
    readonly source: BrowserSource;
    readonly name: BrowserJobName;
    readonly input: unknown;
    /** How often all input had been released when it arrived. */
    readonly releases: number;
  };

/** Pauses between attempts to reach a browser again in whose pages something is down. */
const RELEASE_AGAIN_MS = [100, 1_000, 3_000, 10_000, 30_000];

type RequestCaller = Pick<JobCaller, "checkStop" | "request">;

export class BrowserSupervisor {
  #browser: RunningBrowser | undefined;
  #starting: Promise<RunningBrowser> | undefined;
  #profile: string | undefined;
  /** What lost connections have left down in pages, by their targets. */
  readonly #left = new Map<string, readonly Release[]>();
  /** Input runs one after the other; one batch of texts at a time is with the main thread. */
  readonly #lock = new KeyedLock<"input" | "redaction">();
  /** How often everything was released, which ends all input that has arrived before. */
  #releases = 0;
  readonly #ended = new AbortController();

  async execute(request: BrowserRequest, caller: RequestCaller): Promise<object | null> {
    if ("end" in request) return await this.#end();
    const left = new AbortController();
    try {
      // a caller that has left frees its slot for others, whatever the page or the address still does
      const work = this.#run(request, caller, left.signal);
      return await unlessStopped(work, () => caller.checkStop());
    } finally {
      left.abort(new Stopped());
    }
  }

  async #run(
    { source, name, input, releases }: Exclude<BrowserRequest, { end: true }>,
    caller: RequestCaller,
    left: AbortSignal,
  ): Promise<object | null> {
    if (name === "release") {
      const isOfAll = (input as BrowserJobs["release"][0]).tab === undefined;
      if (isOfAll) this.#releases = Math.max(this.#releases, releases); // also for what waits for a browser
      if (!this.#browser?.isOpen && this.#left.size === 0) return null; // nothing is down
    }
    const browser = await this.#open(source);
    const run = JOBS[name] as BrowserJob<BrowserJobName>;
    const checkInput = () => {
      caller.checkStop();
      if (INPUT_JOBS.has(name) && releases < this.#releases) throw droppedInput();
    };
    const redact = (texts: readonly string[]) => this.#redact(texts, caller, left);
    const work = async () => {
      checkInput();
      const ran = await run(browser, input as never, { checkStop: checkInput, redact });
      return ran as object | undefined ?? null;
    };
    try {
      return INPUT_JOBS.has(name) ? await this.#lock.run(["input"], work, left) : await work();
    } catch (error) {
      if (!(error instanceof CdpError)) throw error;
      const message = `The page changed in the meantime, or the browser refused: ${error.message}`;
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
    const browser = await RunningBrowser.open(source, async () => {
      return this.#profile ??= await makeProfile();
    });
    await browser.release(this.#left);
    if (source.kind === "address") browser.closed.then(() => this.#lose(browser, source));
    return this.#browser = browser;
  }

  /** Its pages live on: what is down in them is released at once, without waiting for the next job. */
  #lose(browser: RunningBrowser, source: BrowserSource): void {
    for (const [target, releases] of browser.pressed) this.#left.set(target, releases);
    if (this.#browser !== browser || this.#left.size === 0) return;
    this.#openAgain(source).catch(() => {}); // the next job tries again
  }

  /** An address can be gone for a while. */
  async #openAgain(source: BrowserSource): Promise<void> {
    for (const ms of RELEASE_AGAIN_MS) {
      if (await this.#open(source).then(() => true, () => false)) return;
      await pause(ms, this.#ended.signal);
    }
    await this.#open(source);
  }

  async #redact(
    texts: readonly string[],
    caller: RequestCaller,
    left: AbortSignal,
  ): Promise<readonly string[]> {
    const answers: string[] = [];
    for (const batch of batchesOf(texts)) {
      const request = () => caller.request(batch) as Promise<readonly string[]>;
      for (const text of await this.#lock.run(["redaction"], request, left)) answers.push(text);
    }
    return answers;
  }

  async #end(): Promise<null> {
    this.#ended.abort();
    await this.#starting?.catch(() => {}); // whoever waits for it gets its error
    const browser = this.#browser;
    this.#browser = undefined;
    await browser?.end();
    if (this.#profile !== undefined) {
      await Deno.remove(this.#profile, { recursive: true }).catch(() => {}); // it may be in use
    }
    return null;
  }
}

/** Characters that are sent to the main thread at once, which copies them without a pause. */
const MAX_BATCH = 1_000_000;

function* batchesOf(texts: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (characters > 0 && characters + text.length > MAX_BATCH) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}

// The text of a page and of its frames, as a reader sees it.

const readText: BrowserJob<"text"> = async (browser, { tab: id, maxCharacters }) => {
  const tab = await browser.choose(id);
  let all = "";
  for (const frame of await listAllFrames(tab)) {
    const left = maxCharacters - all.length;
    if (left < 0) break;
    const text = await readFrameText(tab, frame, left + 1); // one more shows that there is more
    if (text !== "") all = all === "" ? text : `${all}\n${text}`;
  }
  const truncated = all.length > maxCharacters;
  const text = all.slice(0, maxCharacters).toWellFormed();
  return { tab: await browser.describe(tab), text, truncated };
};

// Pictures of pages.

const PICTURE_MS = 30_000;

const screenshot: BrowserJob<"screenshot"> = async (
  browser,
  { tab: id, format, quality, region, fullPage },
) => {
  const tab = await browser.show(await browser.choose(id));
  const { cssVisualViewport: view, cssContentSize: content } = await tab.call(
    "Page.getLayoutMetrics",
  );
  const viewport = { width: Math.round(view.clientWidth), height: Math.round(view.clientHeight) };
  const all = fullPage ? content : { x: view.pageX, y: view.pageY, ...viewport };
  const part = region ? { ...region, x: region.x + view.pageX, y: region.y + view.pageY } : all;
  const { data } = await tab.call("Page.captureScreenshot", {
    format,
    ...(format === "png" ? {} : { quality }),
    ...(fullPage || region ? { clip: { ...part, scale: 1 } } : {}),
    captureBeyondViewport: fullPage,
  }, { timeoutMs: PICTURE_MS });
  return { bytes: Uint8Array.fromBase64(data), viewport };
};

// Dialogs of pages: an open one blocks its page until it is answered.

const CLOSE_TIMEOUT_MS = 2_000;

function listDialogs(browser: RunningBrowser): readonly PageDialog[] {
  return [...browser.tabs.values()].flatMap(({ dialog }) => dialog ?? []);
}

/** @throws ServiceError `not_found` when there is none */
const answerDialog: BrowserJob<"answerDialog"> = async (browser, { tab: id, accept, text }) => {
  const dialog = listDialogs(browser).find(({ tab }) => id === undefined || tab === id);
  if (dialog === undefined) throw new ServiceError("not_found", "No page has an open dialog");
  const tab = browser.tab(dialog.tab);
  const closed = Promise.withResolvers<void>();
  using _ = tab.listen({ "Page.javascriptDialogClosed": () => closed.resolve() });
  await tab.connection.call("Page.handleJavaScriptDialog", {
    accept,
    ...(text === undefined ? {} : { promptText: text }),
  }, { session: tab.session });
  await within(closed.promise, CLOSE_TIMEOUT_MS);
  return dialog;
};

// Runs scripts in pages, with the rights of the page.

const MAX_CHARACTERS = 200_000;
/** The browser stops the script by itself, a little earlier than the call. */
const SCRIPT_GRACE_MS = 1_000;

const evaluate: BrowserJob<"evaluate"> = async (browser, { tab: id, expression, timeMs }) => {
  const tab = await browser.choose(id);
  const ran = await tab.call("Runtime.evaluate", {
    expression,
    timeout: timeMs,
    awaitPromise: true,
    returnByValue: true,
    userGesture: true,
  }, { timeoutMs: timeMs + SCRIPT_GRACE_MS }).catch((error) => {
    // all that the browser says of a script that it has stopped
    if (error instanceof CdpError && error.message === "Internal error") return undefined;
    throw error;
  });
  if (ran === undefined) return cut("The script was stopped: it timed out", { threw: true });
  const { result, exceptionDetails } = ran;
  if (exceptionDetails !== undefined) {
    const { exception, text } = exceptionDetails;
    return cut(String(exception?.description ?? exception?.value ?? text), { threw: true });
  }
  const text = result.unserializableValue ?? JSON.stringify(result.value) ?? "undefined";
  return cut(text, { threw: false });
};

function cut(text: string, outcome: { readonly threw: boolean }) {
  const truncated = text.length > MAX_CHARACTERS;
  return { text: text.slice(0, MAX_CHARACTERS).toWellFormed(), truncated, ...outcome };
}

// The jobs that the browser's thread carries out, by name.

const JOBS: { readonly [N in BrowserJobName]: BrowserJob<N> } = {
  tabs: (browser) => browser.list(),
  open: openTab,
  async activate(browser, { tab: id }) {
    const tab = browser.tab(id);
    await browser.activate(tab);
    return await browser.describe(tab);
  },
  async close(browser, { tab: id }) {
    await browser.close(browser.tab(id));
  },
  navigate,
  snapshot,
  find,
  text: readText,
  place: locateOnDisplay,
  focus: focusForDisplay,
  hasFocus,
  watchMouse,
  sawMouse,
  sawPress,
  click,
  pointer,
  drag,
  release: releaseButtons,
  scroll,
  type: typeText,
  keys: pressKeys,
  fill,
  enterSecret,
  upload,
  screenshot,
  wait,
  evaluate,
  async console(browser, { tab, since, max }) {
    return (await browser.choose(tab)).console.after(since, max);
  },
  async network(browser, { tab, since, max }) {
    return (await browser.choose(tab)).network.after(since, max);
  },
  dialogs: (browser) => Promise.resolve(listDialogs(browser)),
  answerDialog,
  downloads: (browser) => Promise.resolve([...browser.downloads.values()]),
  saveState,
  loadState,
};
