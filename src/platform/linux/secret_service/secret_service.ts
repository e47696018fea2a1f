/**
 * Calls to the Secret Service over the session's D-Bus: one connection per task, with one time
 * limit for all of it.
 */

import { inTime, pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { openBus } from "../bus/open_bus.ts";
import { type BusCall, BusError, type MessageBus, parseBusAddress } from "../bus/types.ts";
import type { MessageSocket } from "../sockets/message_socket.ts";

interface BusOptions {
  /** `unix:path=/run/user/1000/bus` */
  readonly address: string;
  /** The time limit for the whole task: a prompt that is not answered must not hang a request. */
  readonly timeoutMs: number;
}

/** One method call, of the Secret Service by default; resolves with the values of the answer. */
type CallBus = (
  call: Omit<BusCall, "destination"> & Partial<BusCall>,
) => Promise<readonly unknown[]>;

const DESTINATION = "org.freedesktop.secrets";

/**
 * Connects, runs the task and disconnects.
 * @throws ServiceError `unavailable`
 */
export async function withBus<T>(
  { address, timeoutMs }: BusOptions,
  errand: (call: CallBus) => Promise<T>,
): Promise<T> {
  if (parseBusAddress(address).length === 0) {
    throw unavailable("the address of the session bus has an unknown format");
  }
  let socket: MessageSocket | undefined;
  const connect = async (path: string) =>
    socket = (await import("../sockets/message_socket.ts")).MessageSocket.connect(path);
  const run = async () => {
    using bus = await openBus(address, { timeoutMs, connect }).catch((error) => {
      throw unavailable("the session bus cannot be reached", error);
    });
    return await errand((call) => invoke(bus, { destination: DESTINATION, ...call }));
  };
  const late = () => unavailable(`it did not respond within ${timeoutMs} ms`);
  try {
    return await inTime(run(), timeoutMs, late);
  } finally {
    socket?.[Symbol.dispose](); // of a bus that possibly never answers
  }
}

async function invoke(bus: MessageBus, call: BusCall): Promise<readonly unknown[]> {
  try {
    return (await bus.call(call)).body;
  } catch (error) {
    if (error instanceof BusError) throw unavailable(`it answers ${error.errorName}`, error);
    throw unavailable("the session bus has closed the connection", error);
  }
}

function unavailable(reason: string, cause?: unknown): ServiceError {
  const message = `Cannot use the Secret Service: ${reason}`;
  return new ServiceError("unavailable", message, { cause });
}

// What the Secret Service reports over D-Bus without revealing secrets: whether it is unlocked, and
// the names of our items.

/** The attribute value that marks our items. */
export const APPLICATION = "computer-control";

const SERVICE_PATH = "/org/freedesktop/secrets";
const SERVICE = "org.freedesktop.Secret.Service";
const COLLECTION = "org.freedesktop.Secret.Collection";
const ITEM = "org.freedesktop.Secret.Item";
const NONE = "/";
const ATTEMPTS = 6;
const RETRY_INTERVAL_MS = 50;

/**
 * @throws ServiceError `unavailable` when there is no keyring, it is locked or the service does not
 *   answer.
 */
export function checkUnlocked(options: BusOptions): Promise<void> {
  return withBus(options, requireUnlocked);
}

/** The service names of our items. @throws ServiceError `unavailable` */
export function storedNames(options: BusOptions): Promise<string[]> {
  return withBus(options, async (call) => {
    await requireUnlocked(call);
    const [unlocked] = await call({
      path: SERVICE_PATH,
      interface: SERVICE,
      member: "SearchItems",
      signature: "a{ss}",
      body: [[["application", APPLICATION]]],
    });
    const names = await Promise.all(
      (unlocked as string[]).map((path) => readServiceName(call, path)),
    );
    return [...new Set(names.filter((name) => name !== undefined))];
  });
}

async function requireUnlocked(call: CallBus): Promise<void> {
  const path = await defaultCollection(call);
  if (await property(call, path, [COLLECTION, "Locked"]) === true) {
    throw unavailable("its keyring is locked: unlock it, or use --keychain file");
  }
}

/**
 * Repeats the query, because gnome-keyring has no default collection for a moment while it reloads
 * its folder.
 */
async function defaultCollection(call: CallBus): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await pause(RETRY_INTERVAL_MS);
    const [path] = await call({
      path: SERVICE_PATH,
      interface: SERVICE,
      member: "ReadAlias",
      signature: "s",
      body: ["default"],
    });
    if (path !== NONE) return path as string;
  }
  throw unavailable("it has no default keyring: create one in the desktop's password manager");
}

async function readServiceName(call: CallBus, path: string): Promise<string | undefined> {
  const attributes = await property(call, path, [ITEM, "Attributes"]);
  return (attributes as Readonly<Record<string, string>>)["service"];
}

async function property(
  call: CallBus,
  path: string,
  body: readonly [string, string],
): Promise<unknown> {
  const [value] = await call({
    path,
    interface: "org.freedesktop.DBus.Properties",
    member: "Get",
    signature: "ss",
    body,
  });
  return value;
}
