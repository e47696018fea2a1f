/** The open sessions of the portals: what a desktop's versions of them allow, and whether they last. */

import { abortAfter } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { type MessageBus, onProgramGone } from "../../bus/types.ts";
import {
  type GrantRecord,
  openPortalSession,
  type PortalSession,
  type SessionOptions,
} from "./open_session.ts";
import {
  denied,
  isDenied,
  keepsControl,
  keepsPictures,
  PORTAL,
  type PortalVersions,
  readVersions,
} from "./requests.ts";

export class PortalDesktop implements Disposable {
  /** Resolves when the desktop ends the session of the pictures while the portal runs on. */
  readonly stopped: Promise<void>;
  #isOpen = true;
  #gone: Disposable | undefined;

  private constructor(
    /** Of this desktop alone. */
    readonly bus: MessageBus,
    /** The session whose monitors are the displays. */
    readonly pictures: PortalSession,
    readonly control: Control,
  ) {
    this.stopped = pictures.closed.then(() => {
      this.#isOpen = false;
    });
    bus.closed.then(() => this.#isOpen = false);
  }

  /** By default, the session of the pictures controls, too. */
  static async open(
    { bus, pictures, control = new KeptControl(pictures) }:
      & Pick<PortalDesktop, "bus" | "pictures">
      & Partial<Pick<PortalDesktop, "control">>,
  ): Promise<PortalDesktop> {
    const desktop = new PortalDesktop(bus, pictures, control);
    const { destination } = PORTAL;
    desktop.#gone = await onProgramGone(bus, destination, () => desktop.#isOpen = false);
    return desktop;
  }

  /** `false` once a session, the portal or the bus has ended. */
  get connected(): boolean {
    return this.#isOpen && this.bus.connected;
  }

  /** Ends the sessions; the desktop releases what they hold down. */
  [Symbol.dispose](): void {
    this.#isOpen = false;
    this.#gone?.[Symbol.dispose]();
    this.control[Symbol.dispose]();
    this.pictures[Symbol.dispose]();
    this.bus[Symbol.dispose]();
  }
}

// Opens the sessions, and stores their tokens.

interface OpeningOptions {
  readonly bus: MessageBus;
  /** How long a dialogue stays open for an answer. */
  readonly dialogueMs: number;
  /** Stores what restores the permission the next time; nothing where it is not kept. */
  readonly store: (record: GrantRecord | undefined) => Promise<void>;
}

/**
 * Opens the sessions by what is stored of an earlier permission.
 * @throws ServiceError `permission_denied`, `unsupported`, `unavailable`
 */
export async function openPortalDesktop(
  record: GrantRecord,
  options: OpeningOptions,
): Promise<PortalDesktop> {
  const { bus } = options;
  const versions = await readVersions(bus);
  const pictures = await openKept(versions, record, options);
  if (keepsControl(versions)) return await PortalDesktop.open({ bus, pictures });
  const control = new AskedControl(() =>
    openSession(options, { kind: "control", isKept: false, withClipboard: versions.clipboard > 0 })
  );
  return await PortalDesktop.open({ bus, pictures, control });
}

/** Opens the session whose permission is kept, as far as this desktop keeps one. */
export async function openKept(
  versions: PortalVersions,
  record: GrantRecord,
  options: OpeningOptions,
): Promise<PortalSession> {
  if (keepsControl(versions)) {
    const session = await openSession(options, {
      kind: "control",
      isKept: true,
      token: record.remoteDesktop,
      withClipboard: versions.clipboard > 0,
    });
    await options.store(session.token === undefined ? undefined : { remoteDesktop: session.token });
    return session;
  }
  const isKept = keepsPictures(versions);
  const token = record.screenCast;
  const session = await openSession(options, { kind: "pictures", isKept, token });
  await options.store(isKept && !session.token ? undefined : { screenCast: session.token });
  return session;
}

async function openSession(
  { bus, dialogueMs }: OpeningOptions,
  options: Omit<SessionOptions, "signal">,
): Promise<PortalSession> {
  using waiting = abortAfter(dialogueMs, new AbortController().signal, denied("unanswered"));
  return await openPortalSession(bus, { ...options, signal: waiting.signal });
}

// The permission to use mouse and keyboard: kept by the desktop, or asked for at each start where
// the desktop cannot keep it (RemoteDesktop version 1).

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
class KeptControl implements Control {
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
class AskedControl implements Control {
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
