/**
 * The permission to use mouse and keyboard: kept by the desktop, or asked for at each start where
 * the desktop cannot keep it (RemoteDesktop version 1).
 */

import { ServiceError } from "../../../../core/errors.ts";
import type { PortalSession } from "./open_session.ts";
import { denied, isDenied } from "./requests.ts";

export type Device = "mouse" | "keyboard";

export interface Control extends Disposable {
  /**
   * The session that may use mouse or keyboard now.
   * @throws ServiceError `permission_denied`: it may not, and what to do; `unavailable`: the session
   *   has ended.
   */
  require(device: Device): PortalSession;
  /** Calls `listener` when there is a session: now, or when the person allows it. */
  onSession(listener: () => void): void;
}

/** The session that has the pictures controls, too. */
export class KeptControl implements Control {
  #isOpen = true;

  constructor(private readonly session: PortalSession) {
    session.closed.then(() => this.#isOpen = false);
  }

  require(device: Device): PortalSession {
    if (!this.#isOpen) throw denied("stopped");
    if (!this.session.allowed[device]) throw denied("viewOnly");
    return this.session;
  }

  onSession(listener: () => void): void {
    listener();
  }

  [Symbol.dispose](): void {
    this.#isOpen = false;
  }
}

/** Opens a session when the service starts, and again when nobody has answered and input comes. */
export class AskedControl implements Control {
  #session: PortalSession | undefined;
  #error: unknown = denied("controlAsking");
  #isAsking = false;
  #isDisposed = false;
  #listener: (() => void) | undefined;

  /** @param ask opens the session; rejects with `unanswered` when nobody answers in time. */
  constructor(private readonly ask: () => Promise<PortalSession>) {
    this.#start();
  }

  require(device: Device): PortalSession {
    if (this.#session === undefined) {
      const error = this.#error;
      if (!isDenied(error)) this.#start(); // nobody was there, or the portal failed
      throw this.#isAsking ? denied("controlAsking") : error;
    }
    if (!this.#session.allowed[device]) throw denied("controlRefused");
    return this.#session;
  }

  onSession(listener: () => void): void {
    this.#listener = listener;
    if (this.#session !== undefined) listener();
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#session?.[Symbol.dispose]();
    this.#session = undefined;
    this.#error = denied("stopped");
  }

  async #start(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const session = await this.ask();
      if (this.#isDisposed) return session[Symbol.dispose]();
      this.#session = session;
      this.#listener?.();
      session.closed.then(() => this.#lose(session));
    } catch (error) {
      this.#error = explain(error);
    } finally {
      this.#isAsking = false;
    }
  }

  #lose(session: PortalSession): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#error = denied("controlStopped");
  }
}

/** Why there is no control; what is `permission_denied` here is not asked again. */
function explain(error: unknown): unknown {
  if (isDenied(error)) return denied("controlRefused", error);
  if (error instanceof ServiceError) return error;
  const message = `Mouse and keyboard cannot be used now: ${(error as Error).message}`;
  return new ServiceError("unavailable", message, { cause: error });
}
