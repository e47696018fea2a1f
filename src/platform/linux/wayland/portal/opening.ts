/** Opens the sessions that a desktop's versions of the portals allow, and stores their tokens. */

import { abortAfter } from "../../../../core/deadline.ts";
import type { MessageBus } from "../../bus/types.ts";
import { AskedControl } from "./control.ts";
import { PortalDesktop } from "./desktop.ts";
import {
  type GrantRecord,
  openPortalSession,
  type PortalSession,
  type SessionOptions,
} from "./open_session.ts";
import { denied } from "./requests.ts";
import { keepsControl, keepsPictures, type PortalVersions, readVersions } from "./versions.ts";

export interface OpeningOptions {
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
