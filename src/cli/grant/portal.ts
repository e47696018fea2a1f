/**
 * `grant portal`: asks the person at the desktop once, by the dialogue of the desktop portal, and
 * stores what restores the permission when the service starts.
 */

import { findUserFolders } from "../../config/environment.ts";
import { ServiceError } from "../../core/errors.ts";
import { type MessageBus, sessionBusAddress } from "../../platform/linux/bus/types.ts";
import { openBus } from "../../platform/linux/bus/message_bus.ts";
import {
  forgetTokens,
  type GrantRecord,
  grantRecordPath,
  type PortalSession,
  readGrantRecord,
  removeGrantRecord,
  writeGrantRecord,
} from "../../platform/linux/wayland/portal/open_session.ts";
import { openKept } from "../../platform/linux/wayland/portal/desktop.ts";
import type { Host } from "../../platform/host.ts";
import {
  keepsControl,
  type PortalVersions,
  readVersions,
} from "../../platform/linux/wayland/portal/requests.ts";
import { orCommandError } from "../command.ts";
import type { GrantRequest } from "../command_line.ts";

/** How long the dialogue waits for the person. */
const DIALOGUE_MS = 300_000;

/**
 * Returns the lines to print.
 * @throws CommandError when the person refuses, or the desktop has no such portal
 */
export async function grantPortal(
  request: GrantRequest,
  { host }: { readonly host: Host },
): Promise<readonly string[]> {
  const { stateDir } = findUserFolders(host.os, host.env, request.stateDir);
  if (request.print) return [`The permission is stored in "${grantRecordPath(stateDir)}"`];
  const work = request.remove ? remove(stateDir, host) : requestPermission(stateDir, host);
  return await orCommandError(work);
}

async function requestPermission(stateDir: string, host: Host): Promise<readonly string[]> {
  using bus = await openBus(sessionBusAddress(host));
  const versions = await readVersions(bus);
  const hasControl = keepsControl(versions);
  host.say("The desktop now opens a dialogue: choose the monitors that the service may see,");
  if (hasControl) {
    host.say('switch on "Allow remote interaction" if there is that switch, and confirm it.');
  } else host.say("and confirm it.");
  using session = await openKept(versions, {}, {
    bus,
    dialogueMs: DIALOGUE_MS,
    store: (record) => store(stateDir, record),
  });
  return [...describeSession(session, versions), ...describeStored(stateDir)];
}

/** @throws ServiceError `permission_denied`: the permission ends with this session. */
async function store(stateDir: string, record: GrantRecord | undefined): Promise<void> {
  if (record !== undefined) return await writeGrantRecord(stateDir, record);
  throw new ServiceError(
    "permission_denied",
    "The desktop granted the permission for this session only: run the command again, and let the " +
      "dialogue remember the choice",
  );
}

function describeSession(session: PortalSession, versions: PortalVersions): string[] {
  const count = session.monitors.length;
  const seen = count === 1 ? "one monitor" : `${count} monitors`;
  if (!keepsControl(versions)) {
    return [
      `Allowed: the service may see ${seen}.`,
      "For mouse and keyboard this desktop stores no permission (its RemoteDesktop portal is version",
      `${versions.remoteDesktop}): it asks each time the service starts. On GNOME,`,
      "--wayland-backend mutter requests no permission, for unattended machines.",
    ];
  }
  const { mouse, keyboard } = session.allowed;
  if (mouse && keyboard) return [`Allowed: the service may see ${seen}, use mouse and keyboard.`];
  return [
    `Allowed: the service may see ${seen}, but not use ${mouse ? "the keyboard" : "the mouse"}` +
    `${mouse || keyboard ? "" : " and the keyboard"}: run the command again to allow that, too.`,
  ];
}

function describeStored(stateDir: string): string[] {
  return [
    `Stored in "${grantRecordPath(stateDir)}", for this user alone.`,
    "A running service that does not use the portal yet has to be restarted.",
    "computer-control grant portal --remove revokes it.",
  ];
}

async function remove(stateDir: string, host: Host): Promise<readonly string[]> {
  const path = grantRecordPath(stateDir);
  const record = await readGrantRecord(stateDir).catch(() => undefined); // damaged: remove it
  if (!await removeGrantRecord(stateDir)) return [`Nothing is granted: there is no "${path}"`];
  const isForgotten = record !== undefined && await forgetAt(host, record);
  return [
    `Removed "${path}"${isForgotten ? ", and the desktop has revoked the permission" : ""}.`,
    "A running service keeps its permission until it ends.",
  ];
}

/** Without its token a permission is useless; the desktop may still list it. */
async function forgetAt(host: Host, record: GrantRecord): Promise<boolean> {
  let bus: MessageBus;
  try {
    bus = await openBus(sessionBusAddress(host));
  } catch {
    return false;
  }
  using _closed = bus;
  return await forgetTokens(bus, record);
}
