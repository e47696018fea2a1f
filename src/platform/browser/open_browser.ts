/** The browser as the service uses it: a thread that is started at the first call. */

import type { Config } from "../../config/config.ts";
import { unlessAborted, within } from "../../core/deadline.ts";
import { droppedInput, ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import type { Host } from "../host.ts";
import { available, type Capability, missing } from "../capability.ts";
import {
  type Browser,
  type BrowserJobName,
  type BrowserJobs,
  INPUT_JOBS,
  type RedactTexts,
} from "../types/browser.ts";
import type { BrowserRequest } from "./browser_supervisor.ts";
import type { BrowserSource } from "./page_scripts.ts";

/** Calls that run at the same time; nearly all of them wait for the browser. */
const JOBS_AT_ONCE = 512;
/**
 * Each kind waits for its own kind only: those that ask pages again and again or hold large trees, all input
 * together, what else waits for a page that hangs (`page`), and what is left, such as closing a tab (`rest`).
 * Together they take fewer than run at once, so that there is always room for a release.
 */
const SHARES: Readonly<Partial<Record<BrowserJobName | "input" | "page" | "rest", number>>> = {
  ...{ wait: 32, evaluate: 32, navigate: 32, open: 32, snapshot: 4, find: 4 },
  ...{ input: 96, page: 96, rest: 96 },
};
const PAGE: ReadonlySet<BrowserJobName> = new Set([
  ...["text", "place", "hasFocus", "enterSecret", "watchMouse", "sawMouse", "sawPress"] as const,
  ...["upload", "screenshot"] as const,
]);
const MAX_WAITING = 1_000;
const EXIT_TIMEOUT_MS = 6_000;

type BrowserConfig = Pick<Config, "openBrowser" | "browserAddress"> & {
  /** Where it is recorded: those that `findRecordFolders()` gives. */
  readonly stateDirs: readonly string[];
};

/** Opens nothing yet: the browser is started, or connected to, when it is first used. */
export function openBrowser(
  host: Host,
  { openBrowser: url, browserAddress: address, stateDirs }: BrowserConfig,
  variables: DisplayVariables,
): Capability<Browser> {
  if (address !== undefined) {
    return available(new ThreadedBrowser(() => ({ kind: "address", address, stateDirs })));
  }
  if (url === undefined) {
    return missing(
      "The service was started without a browser: start it with --open-browser or --browser-address",
    );
  }
  if (host.os === "windows") {
    return missing(
      "--open-browser does not work on Windows: start the browser with --remote-debugging-port and use --browser-address",
    );
  }
  const program = findProgram(host);
  if (program === undefined) {
    return missing(
      "There is no browser to open: install chromium, Google Chrome or Microsoft Edge",
    );
  }
  return available(
    new ThreadedBrowser(() => describeOwnBrowser(host, { program, url, stateDirs }, variables)),
  );
}

function shareOf(name: BrowserJobName): string {
  if (Object.hasOwn(SHARES, name)) return name;
  return INPUT_JOBS.has(name) ? "input" : PAGE.has(name) ? "page" : "rest";
}

const QUEUE = {
  maxWaiting: MAX_WAITING,
  full: () => new ServiceError("unavailable", "Too many browser calls are waiting"),
};

class ThreadedBrowser implements Browser {
  readonly #thread = new WorkerPool<BrowserRequest, unknown>({
    module: new URL("./browser_worker.ts", import.meta.url),
    name: "browser",
    threads: 1,
    jobsEach: JOBS_AT_ONCE,
    ...QUEUE,
  });
  readonly #shares = new Map(
    Object.entries(SHARES).map(([name, capacity]) => [name, new Semaphore({ capacity, ...QUEUE })]),
  );
  /** How often everything was released. */
  #releases = 0;

  constructor(private readonly findSource: () => BrowserSource) {}

  async run<N extends BrowserJobName>(
    name: N,
    input: BrowserJobs[N][0],
    signal: AbortSignal,
    redact?: RedactTexts,
  ): Promise<BrowserJobs[N][1]> {
    if (name === "release" && this.#thread.threads === 0) return undefined as BrowserJobs[N][1];
    const source = this.findSource();
    if (name === "release" && (input as BrowserJobs["release"][0]).tab === undefined) {
      this.#releases++;
      this.#shares.get("input")!.drop(droppedInput());
    }
    const releases = this.#releases;
    const work = () =>
      this.#thread.run({ source, name, input, releases }, { signal, answer: redact });
    const share = this.#shares.get(shareOf(name))!;
    const result = name === "release" ? work() : share.run(work, signal);
    result.then(async (done) => {
      if (!signal.aborted || name !== "pointer") return;
      // whoever has left does not know that a button is down, and never releases it
      const { tab, press } = done as BrowserJobs["pointer"][1];
      const { button } = input as BrowserJobs["pointer"][0];
      const release = { source, name: "release", input: { tab, button, press }, releases } as const;
      if (press !== undefined) await this.#thread.run(release);
    }).catch(() => {});
    // the thread ends what it waits for by itself; the caller need not wait for that
    return await unlessAborted(result, signal) as BrowserJobs[N][1];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#thread.threads > 0) {
      await within(this.#thread.run({ end: true }).catch(() => {}), EXIT_TIMEOUT_MS);
    }
    this.#thread.end(new ServiceError("unavailable", "The service is stopping"));
  }
}

// Finds an installed browser, and says how it is started on display 1.

/** In order of preference. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  linux: [
    ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    ...["microsoft-edge", "microsoft-edge-stable"],
  ],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
};

const ARGS = [
  ...["--no-first-run", "--no-default-browser-check", "--password-store=basic"],
  // a container has little memory in /dev/shm
  ...["--use-mock-keychain", "--disable-dev-shm-usage", "--disable-session-crashed-bubble"],
  // a window behind others is read and used, too
  ...["--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"],
  "--disable-background-timer-throttling",
  // what it draws over its pages takes clicks and keys that are meant for them
  ...["--hide-crash-restore-bubble", "--deny-permission-prompts", "--disable-features=Translate"],
  "--disable-search-engine-choice-screen",
  // a page that has painted nothing yet would not get the press of a button
  "--allow-pre-commit-input",
];

export function findProgram(host: Host): string | undefined {
  return (NAMES[host.os] ?? []).map((name) => host.which(name)).find((path) => path !== undefined);
}

/** The variables by which a program finds display 1; `undefined` while there is no display. */
type DisplayVariables = () => Readonly<Record<string, string>> | undefined;

/** @throws ServiceError `unavailable` when there is no display yet */
function describeOwnBrowser(
  { env, uid }: Host,
  own: { readonly program: string; readonly url: string; readonly stateDirs: readonly string[] },
  variables: DisplayVariables,
): BrowserSource {
  const display = variables();
  if (display === undefined) {
    throw new ServiceError(
      "unavailable",
      "Cannot start the browser: display 1 is not available now",
    );
  }
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...rest } = env;
  const given = Object.entries(rest)
    .filter((entry): entry is [string, string] => entry[1] !== undefined);
  const asRoot = uid === 0 ? ["--no-sandbox"] : []; // Chromium refuses to start otherwise
  return {
    kind: "own",
    ...own,
    args: [...ARGS, ...asRoot],
    env: { ...Object.fromEntries(given), ...display },
    cwd: display["COMPUTER_CONTROL_DESK"], // it writes over its variables, by which a desk finds it
  };
}
