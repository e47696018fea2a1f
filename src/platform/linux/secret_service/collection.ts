/**
 * What the Secret Service reports over D-Bus without revealing secrets: whether it is unlocked, and
 * the names of our items.
 */

import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { type BusOptions, type CallBus, withBus } from "./bus.ts";

/** The attribute value that marks our items. */
export const APPLICATION = "computer-control";

const SERVICE_PATH = "/org/freedesktop/secrets";
const SERVICE = "org.freedesktop.Secret.Service";
const COLLECTION = "org.freedesktop.Secret.Collection";
const ITEM = "org.freedesktop.Secret.Item";
const NONE = "/";
const ATTEMPTS = 6;
const BETWEEN_ATTEMPTS_MS = 50;

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
    throw unusable("its keyring is locked: unlock it, or use --keychain file");
  }
}

/**
 * Repeats the query, because gnome-keyring has no default collection for a moment while it reloads
 * its folder.
 */
async function defaultCollection(call: CallBus): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await pause(BETWEEN_ATTEMPTS_MS);
    const [path] = await call({
      path: SERVICE_PATH,
      interface: SERVICE,
      member: "ReadAlias",
      signature: "s",
      body: ["default"],
    });
    if (path !== NONE) return path as string;
  }
  throw unusable("it has no default keyring: make one in the desktop's password program");
}

async function readServiceName(call: CallBus, path: string): Promise<string | undefined> {
  const attributes = await property(call, path, [ITEM, "Attributes"]) as [string, string][];
  return attributes.find(([name]) => name === "service")?.[1];
}

async function property(
  call: CallBus,
  path: string,
  body: readonly [string, string],
): Promise<unknown> {
  const [variant] = await call({
    path,
    interface: "org.freedesktop.DBus.Properties",
    member: "Get",
    signature: "ss",
    body,
  });
  return unwrapVariant(variant);
}

/** The library returns a variant as its parsed signature and a list of values. */
function unwrapVariant(variant: unknown): unknown {
  const [, values] = variant as [unknown, unknown[]];
  return values[0];
}

function unusable(reason: string): ServiceError {
  return new ServiceError("unavailable", `Cannot use the Secret Service: ${reason}`);
}
