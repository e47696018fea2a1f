/** One tab: its sessions, what it has logged, its open dialog, and calls that a dialog interrupts. */

import { ServiceError } from "../../core/errors.ts";
import type { ConsoleEntry, NetworkEntry, PageDialog, TabId } from "../types/browser.ts";
import type { CallOptions, CdpConnection, CdpParams, CdpResult } from "./cdp/connection.ts";
import { LogRing } from "./log_ring.ts";

/** Entries of each log that are kept. */
const MAX_ENTRIES = 500;

export type TabEvent = (method: string, params: CdpResult, session: string) => void;

export class Tab {
  title = "";
  url = "";
  /** The session of each frame that has a process of its own: frame -> session. */
  readonly frameSessions = new Map<string, string>();
  readonly console = new LogRing<ConsoleEntry>(MAX_ENTRIES);
  readonly network = new LogRing<NetworkEntry>(MAX_ENTRIES);
  /** Requests that have no answer yet, by the browser's id. */
  readonly requests = new Map<string, NetworkEntry>();
  /** Status of the responses of documents, by loader; the last few. */
  readonly documentStatus = new Map<string, number>();
  readonly #listeners = new Set<TabEvent>();
  #dialog: PageDialog | undefined;
  #dialogOpened = Promise.withResolvers<void>();
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
    if (dialog) this.#dialogOpened.resolve();
    else this.#dialogOpened = Promise.withResolvers<void>();
  }

  /** The session in which a frame lives. */
  sessionOf(frame: string): string {
    return this.frameSessions.get(frame) ?? this.session;
  }

  /**
   * Calls a method in the tab; an open dialog blocks the page, so that no answer would come.
   * @throws ServiceError `conflict` when a dialog is open or opens meanwhile, or the tab closes
   */
  async call(
    method: string,
    params: CdpParams = {},
    options: CallOptions = {},
  ): Promise<CdpResult> {
    this.check();
    const answer = this.connection.call(method, params, { session: this.session, ...options });
    answer.catch(() => {}); // when the dialog comes first
    return await Promise.race([answer, this.#dialogOpened.promise.then(() => this.check())]);
  }

  /** As {@link call}; that a dialog opens is success: what was sent has opened it. */
  async act(method: string, params: CdpParams): Promise<void> {
    this.check();
    const answer = this.connection.call(method, params, { session: this.session });
    answer.catch(() => {});
    await Promise.race([answer, this.#dialogOpened.promise]);
  }

  /** @throws ServiceError `conflict` when the tab is closed or shows a dialog */
  check(): void {
    if (this.#closed) throw this.#closed;
    if (!this.#dialog) return;
    throw new ServiceError(
      "conflict",
      `Tab "${this.id}" shows a dialog (${this.#dialog.kind}) that blocks its page: answer it first`,
    );
  }

  close(): void {
    this.#closed = new ServiceError("conflict", `Tab "${this.id}" was closed`);
    this.connection.failSession(this.session, this.#closed);
    for (const session of this.frameSessions.values()) {
      this.connection.failSession(session, this.#closed);
    }
    this.notify("closed", {}, this.session);
  }

  /** Hears the events of the tab until it is disposed. */
  listen(listener: TabEvent): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  notify(method: string, params: CdpResult, session: string): void {
    for (const listener of this.#listeners) listener(method, params, session);
  }
}
