/** The open sessions of the portals: what a desktop's versions of them allow, and whether they last. */

import { abortAfter } from "../../../../core/deadline.ts";
import { type MessageBus, onProgramGone } from "../../bus/types.ts";
import { AskedControl, type Control, KeptControl } from "./control.ts";
import {
  type GrantRecord,
  openPortalSession,
  type PortalSession,
  type SessionOptions,
} from "./open_session.ts";
import { denied } from "./requests.ts";
import {
  keepsControl,
  keepsPictures,
  PORTAL,
  type PortalVersions,
  readVersions,
} from "./versions.ts";

interface DesktopParts {
  /** Of this desktop alone. */
  readonly bus: MessageBus;
  /** The session whose monitors are the displays. */
  readonly pictures: PortalSession;
  /** By default, the session of the pictures controls, too. */
  readonly control?: Control;
}

export class PortalDesktop implements Disposable {
  readonly bus: MessageBus;
  readonly pictures: PortalSession;
  readonly control: Control;
  /** Resolves when the desktop ends the session of the pictures while the portal runs on. */
  readonly stopped: Promise<void>;
  #isOpen = true;
  #gone: Disposable | undefined;

  private constructor({ bus, pictures, control = new KeptControl(pictures) }: DesktopParts) {
    this.bus = bus;
    this.pictures = pictures;
    this.control = control;
    this.stopped = pictures.closed.then(() => {
      this.#isOpen = false;
    });
    bus.closed.then(() => this.#isOpen = false);
  }

  static async open(parts: DesktopParts): Promise<PortalDesktop> {
    const desktop = new PortalDesktop(parts);
    const { destination } = PORTAL;
    desktop.#gone = await onProgramGone(parts.bus, destination, () => desktop.#isOpen = false);
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
