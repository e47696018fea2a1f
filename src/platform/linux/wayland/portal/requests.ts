/**
 * The portals that are used: which of them a desktop has, what they can, and requests to them.
 * https://flatpak.github.io/xdg-desktop-portal/docs/api-reference.html
 */

import { unlessAborted } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import {
  type BusCall,
  BusError,
  type MessageBus,
  onProgramGone,
  readProperty,
} from "../../bus/types.ts";

export const PORTAL = {
  destination: "org.freedesktop.portal.Desktop",
  path: "/org/freedesktop/portal/desktop",
} as const;

export const REMOTE_DESKTOP = "org.freedesktop.portal.RemoteDesktop";
export const SCREEN_CAST = "org.freedesktop.portal.ScreenCast";
export const CLIPBOARD = "org.freedesktop.portal.Clipboard";

/** The first version of RemoteDesktop whose permission can be kept. */
const REMOTE_DESKTOP_WITH_TOKEN = 2;
/** The first version of ScreenCast whose permission can be kept. */
const SCREEN_CAST_WITH_TOKEN = 4;

/** The version of each portal; 0 where it is missing. */
export interface PortalVersions {
  readonly remoteDesktop: number;
  readonly screenCast: number;
  readonly clipboard: number;
}

/** Asking starts the portal, which starts the backend of the desktop. */
const START_TIMEOUT_MS = 15_000;

/** @throws ServiceError `unavailable`: there is no portal; `timed_out`: it does not start. */
export async function readVersions(bus: MessageBus): Promise<PortalVersions> {
  const remoteDesktop = await readVersion(bus, REMOTE_DESKTOP);
  const [screenCast, clipboard] = await Promise.all([
    readVersion(bus, SCREEN_CAST),
    readVersion(bus, CLIPBOARD),
  ]);
  return { remoteDesktop, screenCast, clipboard };
}

/** Whether the permission for mouse, keyboard and pictures can be kept. */
export function keepsControl({ remoteDesktop }: PortalVersions): boolean {
  return remoteDesktop >= REMOTE_DESKTOP_WITH_TOKEN;
}

/** Whether the permission for pictures can be kept. */
export function keepsPictures({ screenCast }: PortalVersions): boolean {
  return screenCast >= SCREEN_CAST_WITH_TOKEN;
}

async function readVersion(bus: MessageBus, portal: string): Promise<number> {
  try {
    return await readNumber(bus, portal, { property: "version", timeoutMs: START_TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    if (error.isServiceMissing) throw portalMissing(error);
    return 0;
  }
}

export async function readNumber(
  bus: MessageBus,
  portal: string,
  { property, ...limits }: { readonly property: string; readonly timeoutMs?: number },
): Promise<number> {
  return Number(await readProperty(bus, { ...PORTAL, interface: portal }, property, limits));
}

export function portalMissing(cause: unknown): ServiceError {
  const message =
    "This session has no desktop portal: install xdg-desktop-portal and the backend " +
    "of the desktop (xdg-desktop-portal-gnome, xdg-desktop-portal-kde), and log in again";
  return new ServiceError("unavailable", message, { cause });
}

// Requests: methods whose answer comes later as a signal, because a person may be asked.

const REQUEST = "org.freedesktop.portal.Request";

/** A call to a portal; the options follow its body. */
export interface PortalRequest extends Omit<BusCall, "destination" | "path" | "files"> {
  readonly options?: Options;
}

/** Name -> type and value. */
export type Options = Readonly<Record<string, Variant>>;
export type Variant = readonly [type: string, value: unknown];

type Results = Readonly<Record<string, unknown>>;

/** The codes of an answer; with any other one the portal has ended the request itself. */
const CODE = { granted: 0, refused: 1 } as const;

let count = 0;

/**
 * Sends a request and waits for its answer: for as long as a person takes to give it, so `signal`
 * decides how long that may be. When it aborts, the portal closes its dialogue.
 * @throws BusError: this portal has no such method; ServiceError `permission_denied`: the person has
 *   refused; `unavailable`: the portal has ended the request, or has gone; the signal's reason.
 */
export async function requestPortal(
  bus: MessageBus,
  request: PortalRequest,
  signal: AbortSignal,
): Promise<Results> {
  const { signature = "", body = [], options = {} } = request;
  const token = `computer_control_${++count}`;
  const path = requestPath(bus.name, token);
  const { promise: answered, resolve, reject } = Promise.withResolvers<Results>();
  answered.catch(() => {}); // it can be rejected before somebody waits for it
  using _response = await bus.on(
    { interface: REQUEST, member: "Response", path },
    ({ body: [code, results] }) => {
      if (code === CODE.granted) resolve(results as Results);
      else reject(code === CODE.refused ? denied("refused") : ended(" the request: try again"));
    },
  );
  const gone = () => reject(ended(": try again in a moment"));
  using _owner = await onProgramGone(bus, PORTAL.destination, gone);
  bus.closed.then(reject);
  await bus.call({
    ...PORTAL,
    interface: request.interface,
    member: request.member,
    signature: `${signature}a{sv}`,
    body: [...body, Object.entries({ handle_token: ["s", token], ...options })],
  });
  try {
    return await unlessAborted(answered, signal);
  } catch (error) {
    if (signal.aborted && bus.connected) bus.send({ ...PORTAL, path, ...CLOSE });
    throw error;
  }
}

function ended(what: string): ServiceError {
  return new ServiceError("unavailable", `The desktop portal has ended${what}`);
}

const CLOSE = { interface: REQUEST, member: "Close" } as const;

/** Known before the call, so that no answer can come before somebody listens. */
function requestPath(busName: string, token: string): string {
  return `${PORTAL.path}/request/${busName.slice(1).replaceAll(".", "_")}/${token}`;
}

// What the answers say when a person has to allow something first.

const GRANT = "computer-control grant portal";
const ALLOW = 'switch on "Allow remote interaction" in it if the desktop has that switch';

const REFUSALS = {
  notGranted: "This service does not have the permission to see and control the desktop: run " +
    `${GRANT} in the session, and allow it there`,
  refused: `The desktop's dialogue was refused: run ${GRANT}, and allow it there`,
  asking: "The desktop asks for consent again, because the stored permission is no longer " +
    `valid: allow it in the dialogue on the screen, or run ${GRANT} again`,
  unanswered: `The desktop's dialogue was not answered: run ${GRANT}, and allow it there`,
  stopped: `The user of the desktop has ended the session of this service: run ${GRANT} to ` +
    "allow it again",
  viewOnly:
    "The desktop allows this service to see the screen, but not to use mouse and keyboard: run " +
    `${GRANT} again, and ${ALLOW}`,
  controlAsking:
    "Mouse and keyboard are waiting for consent, which this desktop requests at each start " +
    `of the service: allow it in the dialogue on the screen, and ${ALLOW}`,
  otherMonitor: "Mouse and keyboard were allowed for another monitor than the screen: restart " +
    "the service, and choose the same monitors in the dialogue",
  controlRefused:
    "Mouse and keyboard were refused in the desktop's dialogue: restart the service, " +
    `allow it there, and ${ALLOW}`,
  controlStopped: "The user of the desktop has ended the control by this service: restart the " +
    "service to request it again",
} as const;

export function denied(refusal: keyof typeof REFUSALS, cause?: unknown): ServiceError {
  return new ServiceError("permission_denied", REFUSALS[refusal], { cause });
}

export function isDenied(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === "permission_denied";
}
