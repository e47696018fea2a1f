/** Sessions of the portals RemoteDesktop and ScreenCast: what a person allows, until it ends. */

import { join } from "node:path";
import { z } from "zod";
import { ServiceError } from "../../../../core/errors.ts";
import { tryParseJson } from "../../../../core/texts.ts";
import { readPrivate, replacePrivate } from "../../../keychain/private_file.ts";
import { openStateFolder } from "../../../private_folder.ts";
import type { Point, Size } from "../../../types/mod.ts";
import { BusError, type MessageBus } from "../../bus/types.ts";
import {
  CLIPBOARD,
  type Options,
  PORTAL,
  portalMissing,
  type PortalRequest,
  readNumber,
  REMOTE_DESKTOP,
  requestPortal,
  SCREEN_CAST,
  type Variant,
} from "./requests.ts";

const SESSION = "org.freedesktop.portal.Session";
const KEYBOARD = 1;
const POINTER = 2;
/** The source type of monitors. */
const MONITOR = 1;
/** The cursor is reported as metadata of the picture, or not at all. */
const CURSOR_MODE = { hidden: 1, metadata: 4 } as const;
/** The permission lasts until the person takes it back. */
const UNTIL_REVOKED = 2;

/** `control`: mouse, keyboard and pictures; `pictures`: pictures alone. */
type SessionKind = "control" | "pictures";

export interface SessionOptions {
  readonly kind: SessionKind;
  /** Whether the permission shall outlive the session; the desktop must know how to keep it. */
  readonly isKept: boolean;
  /** What an earlier session left to restore its permission. */
  readonly token?: string | undefined;
  /** Whether the Clipboard portal is to be used, too. */
  readonly withClipboard?: boolean;
  /** Ends the wait for the person. */
  readonly signal: AbortSignal;
}

export interface SharedMonitor {
  /** The node of PipeWire that has its pictures. */
  readonly node: number;
  /** Its position on the desktop, in the desktop's own units. */
  readonly position: Point;
  /** In the desktop's own units; absent where the portal does not report it. */
  readonly size: Size | undefined;
}

export interface PortalSession extends Disposable {
  /** The object path by which the portal knows it. */
  readonly handle: string;
  readonly monitors: readonly SharedMonitor[];
  /** What the person lets the service do. */
  readonly allowed: { readonly keyboard: boolean; readonly mouse: boolean };
  readonly hasClipboard: boolean;
  /** Restores the permission once; absent where it is not kept. */
  readonly token: string | undefined;
  /** Resolves when the desktop ends the session. */
  readonly closed: Promise<void>;
}

let count = 0;

/**
 * Opens a session; the desktop asks the person, unless the token restores a permission.
 * @throws ServiceError `permission_denied`: the person has refused; `unsupported`: the desktop has
 *   no such portal; `unavailable`; the signal's reason.
 */
export async function openPortalSession(
  bus: MessageBus,
  options: SessionOptions,
): Promise<PortalSession> {
  const { kind, signal } = options;
  const owner = kind === "control" ? REMOTE_DESKTOP : SCREEN_CAST;
  const request = (
    name: string,
    member: string,
    more: Omit<PortalRequest, "interface" | "member">,
  ) => requestPortal(bus, { interface: name, member, ...more }, signal);
  try {
    const token = `computer_control_${++count}`;
    const created = await request(owner, "CreateSession", {
      options: { session_handle_token: ["s", token] },
    });
    const handle = String(created["session_handle"]);
    using opening = new DisposableStack();
    opening.defer(() => closeSession(bus, handle));
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const match = { interface: SESSION, member: "Closed", path: handle };
    opening.use(await bus.on(match, () => resolve()));
    const kept = keepOptions(options);
    const of = { signature: "o", body: [handle] };
    if (kind === "control") {
      const types: Variant = ["u", KEYBOARD | POINTER];
      await request(REMOTE_DESKTOP, "SelectDevices", { ...of, options: { types, ...kept } });
      if (options.withClipboard) await requestClipboard(bus, handle);
    }
    await request(SCREEN_CAST, "SelectSources", {
      ...of,
      options: {
        types: ["u", MONITOR],
        multiple: ["b", true],
        cursor_mode: ["u", await chooseCursorMode(bus)],
        ...kind === "pictures" ? kept : {},
      },
    });
    const results = await request(owner, "Start", { signature: "os", body: [handle, ""] });
    const devices = Number(results["devices"] ?? 0);
    const restoring = results["restore_token"];
    const opened = opening.move();
    return {
      handle,
      monitors: readMonitors(results["streams"]),
      allowed: { keyboard: (devices & KEYBOARD) !== 0, mouse: (devices & POINTER) !== 0 },
      hasClipboard: results["clipboard_enabled"] === true,
      token: typeof restoring === "string" && restoring !== "" ? restoring : undefined,
      closed,
      [Symbol.dispose]: () => opened.dispose(),
    };
  } catch (error) {
    throw explain(error);
  }
}

/** The desktop releases what the session holds down. */
function closeSession(bus: MessageBus, handle: string): void {
  if (!bus.connected) return;
  const { destination } = PORTAL;
  bus.send({ destination, path: handle, interface: SESSION, member: "Close" });
}

/** The cursor as metadata where the desktop can, so that it is drawn on request only. */
async function chooseCursorMode(bus: MessageBus): Promise<number> {
  const modes = await readNumber(bus, SCREEN_CAST, { property: "AvailableCursorModes" });
  return (modes & CURSOR_MODE.metadata) === 0 ? CURSOR_MODE.hidden : CURSOR_MODE.metadata;
}

/** A desktop that has the portal without serving it says so when the session starts. */
async function requestClipboard(bus: MessageBus, handle: string): Promise<void> {
  await bus.call({
    ...PORTAL,
    interface: CLIPBOARD,
    member: "RequestClipboard",
    signature: "oa{sv}",
    body: [handle, []],
  });
}

function keepOptions({ isKept, token }: SessionOptions): Options {
  if (!isKept) return {};
  const restore: Options = token === undefined ? {} : { restore_token: ["s", token] };
  return { persist_mode: ["u", UNTIL_REVOKED], ...restore };
}

function readMonitors(streams: unknown): SharedMonitor[] {
  if (!Array.isArray(streams)) return [];
  return (streams as [number, Readonly<Record<string, unknown>>][]).map(([node, properties]) => {
    const [x, y] = readPair(properties["position"]) ?? [0, 0];
    const [width, height] = readPair(properties["size"]) ?? [];
    return {
      node,
      position: { x, y },
      size: width === undefined || height === undefined ? undefined : { width, height },
    };
  });
}

function readPair(value: unknown): readonly [number, number] | undefined {
  return Array.isArray(value) ? [Number(value[0]), Number(value[1])] : undefined;
}

/** A portal without the interface answers that it does not know it. */
function explain(error: unknown): unknown {
  if (!(error instanceof BusError)) return error;
  const { errorName } = error;
  if (error.isServiceMissing) return portalMissing(error);
  if (!UNKNOWN.some((name) => errorName.endsWith(name))) return error;
  const message = "The desktop portal of this session has no RemoteDesktop and ScreenCast: " +
    "install the backend of the desktop (xdg-desktop-portal-gnome, xdg-desktop-portal-kde)";
  return new ServiceError("unsupported", message, { cause: error });
}

const UNKNOWN = [".UnknownMethod", ".UnknownInterface", ".UnknownObject"];

// What `computer-control grant portal` leaves in the state folder: that the person has agreed, and
// the tokens by which the desktop knows it again.

/** Each token serves one start of a session, which gives the next one. */
export interface GrantRecord {
  /** Restores mouse, keyboard and pictures. Absent where the desktop keeps no such permission. */
  readonly remoteDesktop?: string | undefined;
  /** Restores pictures alone. */
  readonly screenCast?: string | undefined;
}

const WHAT = "grant of the desktop portal";
const FILE = "desktop-portal.json";
const Token = z.string().min(1).max(1_024);
const Stored = z.object({
  remote_desktop_token: Token.optional(),
  screen_cast_token: Token.optional(),
});

export function grantRecordPath(stateDir: string): string {
  return join(stateDir, FILE);
}

/**
 * Returns `undefined` when nothing is granted.
 * @throws ServiceError `unavailable` when other users can reach the file, or it is damaged.
 */
export async function readGrantRecord(stateDir: string): Promise<GrantRecord | undefined> {
  const path = grantRecordPath(stateDir);
  const file = await readPrivate(path, WHAT);
  if (file === undefined) return undefined;
  const stored = Stored.safeParse(tryParseJson(new TextDecoder().decode(file.bytes)));
  if (!stored.success) {
    throw new ServiceError(
      "unavailable",
      `Cannot read the ${WHAT} "${path}": it is damaged; run computer-control grant portal again`,
    );
  }
  const { remote_desktop_token: remoteDesktop, screen_cast_token: screenCast } = stored.data;
  return { remoteDesktop, screenCast };
}

/** @throws ServiceError `unavailable` */
export async function writeGrantRecord(stateDir: string, record: GrantRecord): Promise<void> {
  const path = grantRecordPath(await openStateFolder(stateDir));
  const text = JSON.stringify({
    remote_desktop_token: record.remoteDesktop,
    screen_cast_token: record.screenCast,
  });
  try {
    await replacePrivate(path, new TextEncoder().encode(`${text}\n`));
  } catch (error) {
    const message = `Cannot write the ${WHAT} "${path}": ${(error as Error).message}`;
    throw new ServiceError("unavailable", message, { cause: error });
  }
}

/** Whether there was something to remove. @throws ServiceError `unavailable` */
export async function removeGrantRecord(stateDir: string): Promise<boolean> {
  const path = grantRecordPath(stateDir);
  try {
    await Deno.remove(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    const message = `Cannot remove the ${WHAT} "${path}": ${(error as Error).message}`;
    throw new ServiceError("unavailable", message, { cause: error });
  }
}

// Takes back what the desktop has stored for our tokens.

const STORE = {
  destination: "org.freedesktop.impl.portal.PermissionStore",
  path: "/org/freedesktop/impl/portal/PermissionStore",
  interface: "org.freedesktop.impl.portal.PermissionStore",
} as const;

/** Whether everything that the tokens restore is forgotten. */
export async function forgetTokens(bus: MessageBus, record: GrantRecord): Promise<boolean> {
  const entries = [["remote-desktop", record.remoteDesktop], ["screencast", record.screenCast]];
  const results = await Promise.allSettled(
    entries.filter(([, token]) => token !== undefined).map((body) =>
      bus.call({ ...STORE, member: "Delete", signature: "ss", body })
    ),
  );
  return results.length > 0 && results.every(({ status }) => status === "fulfilled");
}
