/**
 * Calls to the Secret Service over the session's D-Bus: one connection per task, with one time
 * limit for all of it.
 */

import { inTime, pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { UnixStream } from "../sockets/unix_stream.ts";

interface BusOptions {
  /** `unix:path=/run/user/1000/bus` */
  readonly address: string;
  /** The time limit for the whole task: a prompt that is not answered must not hang a request. */
  readonly timeoutMs: number;
}

/**
 * One method call; `body` in the library's format: arrays for arrays, arrays of pairs for
 * dictionaries.
 */
interface Call {
  /** The Secret Service by default. */
  readonly destination?: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature: string;
  readonly body: readonly unknown[];
}

type CallBus = (call: Call) => Promise<readonly unknown[]>;

const DESTINATION = "org.freedesktop.secrets";

/**
 * Connects, runs the task and disconnects.
 * @throws ServiceError `unavailable`
 */
export async function withBus<T>(
  { address, timeoutMs }: BusOptions,
  errand: (call: CallBus) => Promise<T>,
): Promise<T> {
  const client = await connect(address);
  const { connection } = client;
  const broken = new Promise<never>((_, reject) => {
    const fail = (reason: string, cause?: unknown) => reject(unavailable(reason, cause));
    connection.on("error", (error) => fail("the session bus cannot be reached", error));
    connection.on("end", () => fail("the session bus has closed the connection"));
  });
  try {
    const done = Promise.race([errand((call) => invoke(client, call)), broken]);
    const late = () => unavailable(`it did not respond within ${timeoutMs} ms`);
    return await inTime(done, timeoutMs, late);
  } finally {
    broken.catch(() => {}); // closing below can reject it, too
    connection.stream.destroy(); // a graceful end would wait for a bus that possibly never answers
  }
}

/** The part of the library that is used. */
interface Client {
  readonly connection: {
    on(event: "error" | "end", listener: (error?: unknown) => void): void;
    readonly stream: { destroy(): void };
  };
  invoke(message: object, done: (error: unknown, ...values: unknown[]) => void): void;
}

async function connect(busAddress: string): Promise<Client> {
  const library = await import("@homebridge/dbus-native");
  const { createClient } = library.default as unknown as {
    createClient(options: { busAddress: string; stream?: UnixStream }): Client;
  };
  // the first of several addresses; the library handles other kinds
  const path = /^unix:path=([^,;%]+)(?:,guid=\w+)?(?:;|$)/.exec(busAddress)?.[1];
  try {
    return createClient({ busAddress, ...(path && { stream: new UnixStream(path) }) });
  } catch (error) {
    throw unavailable("the address of the session bus has an unknown format", error);
  }
}

function invoke(client: Client, call: Call): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    client.invoke({ destination: DESTINATION, ...call }, (error, ...values) => {
      if (!error) return resolve(values);
      const name = (error as { name?: unknown }).name;
      reject(unavailable(`it answers ${typeof name === "string" ? name : "with an error"}`));
    });
  });
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
    throw unusable("its keyring is locked: unlock it, or use --keychain file");
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
  throw unusable("it has no default keyring: create one in the desktop's password manager");
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
