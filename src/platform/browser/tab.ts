/** One tab: its sessions, what it has logged, its open dialog, and calls that a dialog interrupts. */

import type { Protocol } from "devtools-protocol/types/protocol.d.ts";
import { ServiceError } from "../../core/errors.ts";
import { addMember } from "../../core/shared_run.ts";
import { cutRawText } from "../../core/texts.ts";
import { MAX_NAME } from "../element_texts.ts";
import type { ConsoleEntry, NetworkEntry, PageDialog, TabId } from "../types/browser.ts";
import {
  type CallOptions,
  type CdpConnection,
  CdpError,
  type CdpEventName,
  type CdpEventParams,
  type CdpHandlers,
  type CdpMethod,
  type CdpParams,
  type CdpResult,
  LARGE_EVENT,
} from "./cdp/connection.ts";
import { cut } from "./page_scripts.ts";

/** Entries of each log that are kept. */
const MAX_ENTRIES = 500;

type InputMethod = `Input.${"dispatchKeyEvent" | "dispatchMouseEvent" | "insertText"}`;

const RELEASES: ReadonlySet<unknown> = new Set(["mouseReleased", "keyUp"]);

/** A button or key that is released. */
export type Release =
  | readonly ["Input.dispatchMouseEvent", CdpParams<"Input.dispatchMouseEvent">]
  | readonly ["Input.dispatchKeyEvent", CdpParams<"Input.dispatchKeyEvent">];

/** A dialog blocks the page: nothing is known of its elements. */
export class DialogOpenError extends ServiceError {
  constructor(id: TabId, { kind }: PageDialog) {
    const message =
      `Tab "${id}" has an open dialog (${kind}) that blocks its page: answer it first`;
    super("conflict", message);
  }
}

export class Tab {
  title = "";
  url = "";
  /** The session of each frame that has a process of its own: frame -> session. */
  readonly frameSessions = new Map<string, string>();
  readonly console = new LogRing<Omit<ConsoleEntry, "number">>();
  readonly network = new LogRing<Omit<NetworkEntry, "number">>();
  /** The entries of requests that have no answer yet, by the browser's id. */
  readonly requests = new Map<string, object>();
  /** Status of the responses of the tab's own documents, by loader; the last few. */
  readonly documentStatus = new Map<string, number>();
  /** The loader of the last document that a service has refused to its own browser. */
  refused: string | undefined;
  /**
   * Whether its page may report the keyboard focus without having it: with each input that is sent to a
   * page Chromium gives it the focus, while the address bar or another program keeps the keyboard.
   */
  mayFeignFocus = false;
  /** How to release what may be down in the page, by its name: with a connection the browser releases nothing. */
  readonly releases = new Map<string, Release>();
  readonly #listeners = new Set([noteEvents(this)]);
  #dialog: PageDialog | undefined;
  /** What waits for an answer that does not come once a dialog is open. */
  readonly #waiting = new Set<(error: DialogOpenError) => void>();
  readonly #afterDialog: (() => void)[] = [];
  #closed: ServiceError | undefined;

  constructor(
    readonly id: TabId,
    /** As the browser names it; the name of the main frame, too. */
    readonly target: string,
    readonly session: string,
    readonly connection: CdpConnection,
  ) {}

  get dialog(): PageDialog | undefined {
    return this.#dialog;
  }

  set dialog(dialog: PageDialog | undefined) {
    this.#dialog = dialog;
    if (dialog) { for (const fail of this.#waiting) fail(new DialogOpenError(this.id, dialog)); }
    else for (const send of this.#afterDialog.splice(0)) send();
  }

  /** Notes title and address of its page; both can have megabytes. */
  name(title: string, url: string): void {
    this.title = cutRawText(title, MAX_NAME);
    this.url = cutRawText(url === "" ? "about:blank" : url, MAX_NAME); // it has loaded nothing yet
  }

  /** That of the page first, then those of frames in processes of their own. */
  get sessions(): readonly string[] {
    return [this.session, ...new Set(this.frameSessions.values())];
  }

  sessionOf(frame: string): string {
    return this.frameSessions.get(frame) ?? this.session;
  }

  /**
   * Calls a method in the tab; an open dialog blocks the page, so that no answer would come.
   * @throws ServiceError `conflict` when a dialog is open or opens meanwhile, or the tab closes
   */
  async call<M extends CdpMethod>(
    method: M,
    params?: CdpParams<M>,
    options: CallOptions = {},
  ): Promise<CdpResult<M>> {
    this.check();
    const answer = this.connection.call(method, params, { session: this.session, ...options });
    return await this.#unlessDialog(answer);
  }

  /**
   * As {@link call}; that a dialog opens is success: what was sent has opened it. While one is open
   * the browser drops the release of a button or key, and answers at once as if the page had it: it is
   * sent when the dialog has closed. A release that came before the dialog is answered after it.
   */
  async act<M extends InputMethod>(method: M, params: CdpParams<M>): Promise<void> {
    const name = "type" in params && RELEASES.has(params.type) ? nameOf(params) : undefined;
    const send = async () => {
      this.mayFeignFocus = true;
      this.#notePress(params);
      const release = name === undefined ? undefined : this.releases.get(name);
      await this.connection.call(method, params, { session: this.session });
      if (name === undefined) return;
      if (this.#dialog) return sendLater();
      if (this.releases.get(name) === release) this.releases.delete(name); // not pressed again
    };
    const sendLater = () => {
      this.#afterDialog.push(() => send().catch(() => {})); // the page may have gone with it
    };
    if (this.#dialog && name !== undefined) return sendLater();
    this.check();
    await this.#unlessDialog(send()).catch((error) => {
      if (!(error instanceof DialogOpenError)) throw error;
    });
  }

  /** Releases what another connection has left down, once the page answers: it may have a dialog since then. */
  async releaseLeft(left: readonly Release[]): Promise<void> {
    for (const release of left) this.releases.set(nameOf(release[1]), release);
    await this.awaitAnswer({ timeoutMs: Infinity }).catch((error) => {
      if (!(error instanceof DialogOpenError)) throw error; // it opened now, and its end is reported
    });
    const stillDown = left.filter((each) => this.releases.get(nameOf(each[1])) === each);
    await Promise.all(stillDown.map(([method, params]) => this.act(method, params)));
  }

  /**
   * Waits until the page answers. No event reports a dialog that was open before the connection: the page
   * does not answer then, while the browser drops input and answers as if the page had it.
   * @throws ServiceError `timed_out`; those of {@link call}
   */
  async awaitAnswer(options: CallOptions = {}): Promise<void> {
    try {
      await this.call("Runtime.evaluate", { expression: "0" }, options);
    } catch (error) {
      if (error instanceof CdpError) return; // a page that another one replaces has answered, too
      if (!(error instanceof ServiceError && error.code === "timed_out")) throw error;
      const why =
        "its page is busy, or has a dialog that is older than the connection to the browser";
      throw new ServiceError("timed_out", `Tab "${this.id}" did not respond in time: ${why}`);
    }
  }

  #notePress(event: CdpParams<InputMethod>): void {
    if (!("type" in event)) return;
    if (event.type === "mousePressed") {
      const release = { ...event, type: "mouseReleased", buttons: 0 } as const;
      this.releases.set(nameOf(event), ["Input.dispatchMouseEvent", release]);
    } else if (event.type === "keyDown" || event.type === "rawKeyDown") {
      const { text: _, unmodifiedText: __, ...key } = event;
      const release = { ...key, type: "keyUp", modifiers: 0 } as const;
      this.releases.set(nameOf(event), ["Input.dispatchKeyEvent", release]);
    }
  }

  /**
   * Keeps nothing of an answer that has come: a tab can live for days.
   * @throws DialogOpenError
   */
  async #unlessDialog<T>(answer: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    using _waiting = addMember(this.#waiting, reject);
    answer.then(resolve, reject);
    return await promise;
  }

  /** @throws ServiceError `conflict` when the tab is closed or has an open dialog */
  check(): void {
    if (this.#closed) throw this.#closed;
    if (this.#dialog) throw new DialogOpenError(this.id, this.#dialog);
  }

  close(): void {
    this.#closed = new ServiceError("conflict", `Tab "${this.id}" was closed`);
    for (const session of this.sessions) this.connection.failSession(session, this.#closed);
    this.notify("Target.detachedFromTarget", { sessionId: this.session });
  }

  /** Handles events of the tab until it is disposed; the last one is that its target was detached. */
  listen(handlers: CdpHandlers): Disposable {
    return addMember(this.#listeners, handlers);
  }

  notify<N extends CdpEventName>(name: N, params: CdpEventParams<N>): void {
    for (const handlers of this.#listeners) {
      if (Object.hasOwn(handlers, name)) handlers[name]!(params);
    }
  }
}

/** Of the button or key of an event. */
function nameOf(event: Release[1]): string {
  return "x" in event ? `button ${event.button}` : `key ${event.code}`;
}

// Keeps the newest entries of a log.

class LogRing<Fields> {
  readonly #entries: (Fields & { readonly number: number })[] = [];
  #last = 0;

  add(fields: Fields): Fields {
    const entry = { number: ++this.#last, ...fields };
    this.#entries.push(entry);
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift();
    return entry;
  }

  /** The first entries after `since`, and how many after it are forgotten. */
  after(since: number, max: number) {
    const first = this.#entries[0]?.number ?? this.#last + 1;
    return {
      entries: this.#entries.filter(({ number }) => number > since).slice(0, max),
      dropped: Math.max(0, first - since - 1),
    };
  }
}

// Notes what a tab's events say: its logs, its dialog, its frames.

const MAX_REQUESTS = 1_000;
const MAX_DOCUMENTS = 20;

/** Stands for a text that nobody needs in full. */
const TOO_LONG = "A text of the page was omitted: it is larger than 4 MiB";

function noteEvents(tab: Tab): CdpHandlers {
  const openDialog = (kind: PageDialog["kind"], message: string) => {
    tab.dialog = { tab: tab.id, kind, message: cut(message) };
  };
  return {
    "Page.javascriptDialogOpening": ({ type, message }) => openDialog(type, message),
    [LARGE_EVENT]: ({ method }) => {
      if (method === "Page.javascriptDialogOpening") openDialog("alert", TOO_LONG);
      else if (/^(Runtime|Log)\./.test(method)) {
        addConsole(tab, { level: "warning", text: TOO_LONG });
      }
    },
    "Page.javascriptDialogClosed": () => tab.dialog = undefined,
    "Runtime.consoleAPICalled": ({ type: level, args, stackTrace, timestamp }) => {
      const text = args.map(describe).join(" ");
      addConsole(tab, { level, text, url: stackTrace?.callFrames[0]?.url, timestamp });
    },
    "Runtime.exceptionThrown": ({ exceptionDetails: { exception, text, url }, timestamp }) => {
      addConsole(tab, { level: "error", text: exception?.description ?? text, url, timestamp });
    },
    "Log.entryAdded": ({ entry }) => addConsole(tab, entry),
    "Network.requestWillBeSent": ({ requestId, request, type, wallTime, redirectResponse }) => {
      if (redirectResponse) finish(tab, requestId, { status: redirectResponse.status });
      const entry = tab.network.add({
        method: cut(request.method),
        url: cut(request.url),
        type: type ?? "Other",
        status: null,
        error: null,
        time: toTime(wallTime * 1000),
      });
      tab.requests.set(requestId, entry);
      if (tab.requests.size > MAX_REQUESTS) tab.requests.delete(tab.requests.keys().next().value!);
    },
    "Network.responseReceived": ({ requestId, response, type, loaderId, frameId }) => {
      finish(tab, requestId, { status: response.status });
      if (type !== "Document" || frameId !== tab.target) return;
      tab.documentStatus.set(loaderId, response.status);
      if (isRefusal(response)) tab.refused = loaderId;
      if (tab.documentStatus.size <= MAX_DOCUMENTS) return;
      tab.documentStatus.delete(tab.documentStatus.keys().next().value!);
    },
    "Network.loadingFailed": ({ requestId, errorText }) => {
      finish(tab, requestId, { error: cut(errorText) });
    },
  };
}

/** A service refuses requests of its own browser with this header. */
function isRefusal({ status, headers }: Protocol.Network.Response): boolean {
  return status === 403 && headers["x-refused"] === "browser";
}

interface ConsoleMessage {
  readonly level: string;
  readonly text: string;
  readonly url?: string | undefined;
  readonly timestamp?: number;
}

function addConsole(
  tab: Tab,
  { level, text, url = "", timestamp = Date.now() }: ConsoleMessage,
): void {
  tab.console.add({
    level,
    text: cut(text),
    source: cut(url),
    time: toTime(timestamp),
  });
}

function finish(tab: Tab, request: string, result: Partial<NetworkEntry>): void {
  Object.assign(tab.requests.get(request) ?? {}, result);
  tab.requests.delete(request);
}

function describe(
  { type, value, description, unserializableValue }: Protocol.Runtime.RemoteObject,
): string {
  if (type === "string") return value;
  return String(unserializableValue ?? description ?? value ?? type);
}

function toTime(ms: number): string {
  return new Date(Number.isFinite(ms) ? ms : Date.now()).toISOString();
}
