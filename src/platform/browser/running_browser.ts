/** A browser that runs: its tabs and downloads, and its end. */

import type { Protocol } from "devtools-protocol/types/protocol.d.ts";
import { poll, within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type {
  BrowserDownload,
  BrowserJobName,
  BrowserJobs,
  BrowserTab,
  RedactTexts,
  TabId,
} from "../types/browser.ts";
import { recordReached } from "./browser_records.ts";
import {
  CdpConnection,
  type CdpEvent,
  type CdpEventParams,
  type CdpMethod,
  type CdpParams,
  connectTo,
  quote,
} from "./cdp/connection.ts";
import { type BrowserSource, cut } from "./page_scripts.ts";
import { type BrowserProgram, startOwnProgram } from "./own_program.ts";
import { evaluateInIsolatedWorld } from "./isolated_world.ts";
import { type Release, Tab } from "./tab.ts";

const START_TIMEOUT_MS = 30_000;
/** How long a program may take to end; with all else it must fit into the end of the service, a second. */
const EXIT_TIMEOUT_MS = 300;
/** How long a browser may take to say that it closes. */
const CLOSE_TIMEOUT_MS = 300;
/** How long a browser without a tab may take to end, or to show one. */
const SETTLE_MS = 3_000;
/** How long a browser may take to show that it still responds, once a page has not for a while. */
const ALIVE_TIMEOUT_MS = 5_000;
/** How long pages may take to release what another connection has left down. */
const RELEASE_TIMEOUT_MS = 1_000;
/** The newest downloads are kept. */
const MAX_DOWNLOADS = 100;
const STATES = { inProgress: "running", completed: "completed", canceled: "failed" } as const;
/** Bodies of responses are never asked for. */
const NO_BODIES = { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 0 };

/** One of the things that a browser does for its callers. */
export type BrowserJob<N extends BrowserJobName> = (
  browser: RunningBrowser,
  input: BrowserJobs[N][0],
  caller: BrowserCaller,
) => Promise<BrowserJobs[N][1]>;

export interface BrowserCaller {
  /** @throws Stopped when the caller has left; ServiceError `conflict` when all input was released */
  readonly checkStop: () => void;
  readonly redact: RedactTexts;
}

/** Numbers are never used again, even by the next browser. */
let lastTab = 0;

export class RunningBrowser {
  readonly tabs = new Map<TabId, Tab>();
  readonly downloads = new Map<string, BrowserDownload>();
  /** The process that the windows of the browser name as theirs. */
  windowPid: number | undefined;
  readonly #sessions = new Map<string, Tab>();
  readonly connection: CdpConnection;
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  readonly #isOwn: boolean;
  #checking: Promise<void> | undefined;
  #lastActive: TabId | undefined;
  #record: Disposable | undefined;

  private constructor(private readonly program: BrowserProgram) {
    this.connection = new CdpConnection(program.transport, (...event) => this.#take(...event));
    this.closed = program.transport.closed;
    this.windowPid = program.pid;
    this.#isOwn = program.pid !== undefined;
    // one of our own would be ended, and its pages with it
    if (!this.#isOwn) this.connection.onlate = () => this.#checking ??= this.#checkAlive();
  }

  /**
   * @param profile makes a folder for the browser's own data
   * @throws ServiceError `unavailable` when it cannot be started or reached
   */
  static async open(
    source: BrowserSource,
    profile: () => Promise<string>,
  ): Promise<RunningBrowser> {
    const program = source.kind === "own"
      ? startOwnProgram(source, await profile())
      : await reachProgram(source.address);
    const browser = new RunningBrowser(program);
    try {
      await browser.#follow();
    } catch (cause) {
      const error = new ServiceError("unavailable", program.failure(), { cause });
      await browser.end();
      throw error;
    }
    if (source.kind === "address") {
      browser.#record = recordReached(source.stateDirs, browser.windowPid);
    }
    return browser;
  }

  get isOpen(): boolean {
    return this.connection.isOpen;
  }

  /** What may be down in its pages, by their targets. */
  get pressed(): ReadonlyMap<string, readonly Release[]> {
    const pressed = [...this.tabs.values()].filter(({ releases }) => releases.size > 0);
    return new Map(pressed.map((tab) => [tab.target, [...tab.releases.values()]]));
  }

  /** Releases what another connection has left down, now or when its pages answer, and takes that from `left`. */
  async release(left: Map<string, readonly Release[]>): Promise<void> {
    const released = [...left].map(async ([target, releases]) => {
      await this.findTarget(target)?.releaseLeft(releases);
    });
    await within(Promise.allSettled(released), RELEASE_TIMEOUT_MS);
    left.clear(); // what is still down is among what is pressed in the tabs
  }

  /** @throws ServiceError `not_found` */
  tab(id: TabId): Tab {
    const tab = this.tabs.get(id);
    if (tab) return tab;
    throw new ServiceError("not_found", `There is no tab "${id}": it may have been closed`);
  }

  /** The tab that the browser names so. */
  findTarget(target: string): Tab | undefined {
    return this.tabs.values().find((tab) => tab.target === target);
  }

  /** @throws ServiceError `conflict` when the tab of an element is closed */
  tabOfTarget(target: string): Tab {
    const tab = this.findTarget(target);
    if (tab) return tab;
    throw new ServiceError("conflict", "The tab of this element was closed");
  }

  /**
   * The tab with this id, else the active one.
   * @throws ServiceError `not_found`
   */
  async choose(id: TabId | undefined): Promise<Tab> {
    if (id !== undefined) return this.tab(id);
    const active = await this.#findActive();
    if (active) return active;
    throw new ServiceError("not_found", "The browser has no open tab: open one");
  }

  async list(): Promise<readonly BrowserTab[]> {
    // a new title of a page comes with no event
    const { targetInfos } = await this.connection.call("Target.getTargets");
    for (const info of targetInfos) this.#changed(info);
    const active = await this.#findActive();
    return [...this.tabs.values()].map((tab) => describeTab(tab, active));
  }

  async describe(tab: Tab): Promise<BrowserTab> {
    return describeTab(tab, await this.#findActive());
  }

  /** Brings the tab to the front; a page that is not visible neither paints nor takes input. */
  async activate(tab: Tab): Promise<void> {
    await this.connection.call("Target.activateTarget", { targetId: tab.target });
    this.#lastActive = tab.id;
    if (!tab.dialog) await this.giveKeyboard(tab);
  }

  /**
   * Takes the keyboard from what the browser has around the page, such as the address bar, and gives it
   * to the page: `Page.bringToFront` activates the window, and then focuses the view of the page as a
   * click into it does. A dialog of the browser that is modal to the tab keeps it.
   * @throws ServiceError `conflict` when the tab is closed or has an open dialog
   */
  async giveKeyboard(tab: Tab): Promise<void> {
    await tab.call("Page.bringToFront");
    tab.mayFeignFocus = false;
  }

  /** With its last tab a browser ends, some time later: what begins meanwhile would be lost. */
  async settle(): Promise<void> {
    const isSettled = () => !this.#isOwn || !this.isOpen || this.tabs.size > 0;
    await poll(isSettled, { everyMs: 10, timeoutMs: SETTLE_MS });
  }

  /** Closes the tab, and answers when it is gone. */
  async close(tab: Tab): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    using _ = tab.listen({ "Target.detachedFromTarget": () => resolve() });
    await this.connection.call("Target.closeTarget", { targetId: tab.target });
    if (await within(promise, START_TIMEOUT_MS)) return;
    throw new ServiceError("timed_out", `Tab "${tab.id}" did not close`);
  }

  /**
   * Makes sure that the tab is visible and its page answers, and gives it.
   * @throws ServiceError `timed_out`; `conflict` when the tab is closed or has an open dialog
   */
  async show(tab: Tab): Promise<Tab> {
    tab.check();
    const visible = await isVisible(tab);
    if (visible !== true) await this.activate(tab);
    if (visible === undefined) await tab.awaitAnswer();
    this.#lastActive = tab.id;
    return tab;
  }

  /** Waits until the tab of a new target is there. */
  async awaitTab(target: string): Promise<Tab> {
    const find = () => this.findTarget(target) ?? (this.isOpen ? undefined : null);
    const tab = await poll(find, { everyMs: 10, timeoutMs: START_TIMEOUT_MS });
    if (tab) return tab;
    throw new ServiceError("unavailable", "The browser did not open the tab");
  }

  async end(): Promise<void> {
    const closes = !this.#isOwn || !this.isOpen ||
      await within(this.connection.call("Browser.close").catch(() => {}), CLOSE_TIMEOUT_MS);
    this.connection.close();
    this.#record?.[Symbol.dispose]();
    await this.program.end({ graceMs: closes ? EXIT_TIMEOUT_MS : 0 });
  }

  /** A connection can be dead without its end being seen: what lies between may have forgotten it. */
  async #checkAlive(): Promise<void> {
    try {
      const options = { timeoutMs: ALIVE_TIMEOUT_MS };
      await this.connection.call("Browser.getVersion", undefined, options);
    } catch {
      const message = "The browser does not respond: try again";
      this.connection.close(new ServiceError("unavailable", message));
    } finally {
      this.#checking = undefined;
    }
  }

  /** @throws Error where what answers is no browser */
  async #follow(): Promise<void> {
    const options = { timeoutMs: START_TIMEOUT_MS };
    const version = await this.connection.call("Browser.getVersion", undefined, options);
    if (typeof version?.product !== "string") throw new Error("It is no browser");
    // a program that was started can be a script that starts another one
    const info = await this.connection.call("SystemInfo.getProcessInfo").catch(() => undefined);
    const process = info?.processInfo?.find(({ type }) => type === "browser");
    this.windowPid = process?.id ?? this.windowPid;
    await this.connection.call("Target.setDiscoverTargets", { discover: true });
    await this.connection.call("Target.setAutoAttach", attach("page"));
    await this.connection.call("Browser.setDownloadBehavior", {
      behavior: "default",
      eventsEnabled: true,
    })
      .catch(() => {}); // a browser that does not report downloads is of use, too
  }

  async #findActive(): Promise<Tab | undefined> {
    const last = this.tabs.get(this.#lastActive ?? "");
    if (last && (last.dialog || await isVisible(last))) return last;
    const all = [...this.tabs.values()];
    const visible = await Promise.all(all.map(isVisible));
    const found = all.findLast((_, index) => visible[index]) ?? last ?? all.at(-1);
    this.#lastActive = found?.id;
    return found;
  }

  #take(...[name, params, session]: CdpEvent): void {
    const own = session === undefined ? undefined : this.#sessions.get(session);
    if (name === "Target.attachedToTarget") return this.#attached(params, own);
    if (name === "Target.detachedFromTarget") return this.#detached(params.sessionId);
    if (name === "Target.targetInfoChanged") return this.#changed(params.targetInfo);
    if (name === "Browser.downloadWillBegin") return this.#downloadBegan(params);
    if (name === "Browser.downloadProgress") return this.#downloadChanged(params);
    own?.notify(name, params);
  }

  #attached(
    { sessionId, targetInfo }: CdpEventParams<"Target.attachedToTarget">,
    parent: Tab | undefined,
  ): void {
    if (parent && targetInfo.type === "iframe") {
      parent.frameSessions.set(targetInfo.targetId, sessionId);
      this.#sessions.set(sessionId, parent);
      this.#enable(sessionId, ["Page.enable", "Runtime.enable"]);
    } else if (isTab(targetInfo)) {
      const id = `t${++lastTab}`;
      const tab = new Tab(id, targetInfo.targetId, sessionId, this.connection);
      this.tabs.set(id, tab);
      this.#sessions.set(sessionId, tab);
      this.#changed(targetInfo);
      this.#lastActive = undefined; // whether the new tab is visible is queried
      this.#enable(sessionId, ["Page.enable", "Runtime.enable", "Log.enable"]);
      this.#send(sessionId, "Network.enable", NO_BODIES);
      this.#send(sessionId, "Page.setLifecycleEventsEnabled", { enabled: true });
    }
  }

  #enable(session: string, methods: readonly CdpMethod[]): void {
    for (const method of methods) this.#send(session, method);
    this.#send(session, "Target.setAutoAttach", attach("iframe"));
    // a window that a page opens waits for this, and its opener with it, though nobody asked for it
    this.#send(session, "Runtime.runIfWaitingForDebugger");
  }

  /** Failures mean that the target is gone already. */
  #send<M extends CdpMethod>(session: string, method: M, params?: CdpParams<M>): void {
    this.connection.call(method, params, { session }).catch(() => {});
  }

  #detached(session: string): void {
    const tab = this.#sessions.get(session);
    this.#sessions.delete(session);
    if (tab?.session !== session) {
      for (const [frame, each] of tab?.frameSessions ?? []) {
        if (each === session) tab!.frameSessions.delete(frame);
      }
      return;
    }
    this.tabs.delete(tab.id);
    tab.close();
  }

  #changed({ targetId, title, url }: Protocol.Target.TargetInfo): void {
    this.findTarget(targetId)?.name(title, url);
  }

  #downloadBegan(
    { guid: id, url: address, suggestedFilename }: CdpEventParams<"Browser.downloadWillBegin">,
  ): void {
    const [url, name] = [cut(address), cut(suggestedFilename)];
    const { downloads } = this;
    downloads.set(id, { id, url, name, state: "running", path: null, bytes: 0 });
    if (downloads.size > MAX_DOWNLOADS) downloads.delete(downloads.keys().next().value!);
  }

  #downloadChanged(
    { guid, state, receivedBytes: bytes, filePath }: CdpEventParams<"Browser.downloadProgress">,
  ): void {
    const known = this.downloads.get(guid);
    if (!known) return;
    const path = state === "completed" ? filePath ?? null : null;
    this.downloads.set(guid, { ...known, bytes, state: STATES[state], path });
  }
}

function attach(type: "page" | "iframe"): CdpParams<"Target.setAutoAttach"> {
  return { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter: [{ type }] };
}

async function reachProgram(address: string): Promise<BrowserProgram> {
  const transport = await connectTo(address);
  return {
    pid: undefined,
    transport,
    failure: () =>
      `Cannot use the browser at ${quote(address)}: what answers there is not a browser`,
    end: () => Promise.resolve(transport.close()),
  };
}

// What is a tab, and whether it is visible.

const TAB_QUERY_TIMEOUT_MS = 500;

function isTab({ type, subtype, url }: Protocol.Target.TargetInfo): boolean {
  return type === "page" && subtype !== "prerender" && !/^(devtools|chrome-extension):/.test(url);
}

function describeTab(tab: Tab, active: Tab | undefined): BrowserTab {
  return { id: tab.id, title: cut(tab.title), url: cut(tab.url), active: tab === active };
}

/** Whether its page is visible; `undefined` where the page does not answer at once. */
async function isVisible(tab: Tab): Promise<boolean | undefined> {
  if (tab.dialog) return undefined;
  const expression = "document.visibilityState === 'visible'";
  const options = { timeoutMs: TAB_QUERY_TIMEOUT_MS };
  return await evaluateInIsolatedWorld<boolean>(tab, expression, options).catch(() => undefined);
}
