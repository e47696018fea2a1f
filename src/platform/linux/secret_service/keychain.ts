/**
 * The Secret Service of a desktop session: secrets pass through `secret-tool`, names and lock state
 * over D-Bus.
 */

import { inTime, pause } from "../../../core/deadline.ts";
import { ServiceError, tryTo } from "../../../core/errors.ts";
import { KeyedLock } from "../../../core/locks.ts";
import type { Host } from "../../host.ts";
import type { SystemKeychain } from "../../keychain/open_keychain.ts";
import { type PrivateResult, runPrivately } from "../../keychain/private_file.ts";
import type { Keychain, Readiness } from "../../types/mod.ts";
import { openBus } from "../bus/open_bus.ts";
import {
  type BusCall,
  BusError,
  type MessageBus,
  parseBusAddress,
  sessionBusAddress,
} from "../bus/types.ts";
import type { MessageSocket } from "../sockets/message_socket.ts";

/** How long the service has to show that it runs and is unlocked. */
const PROBE_MS = 2_000;
const PROGRAM = "secret-tool";
/** The exit code of `secret-tool`, without a message, when there is no such item. */
const NOT_FOUND = 1;
/** `secret-tool` reads this many bytes of a secret and silently drops what follows. */
const MAX_BYTES = 8_192;

export function secretService(
  host: Host,
  { timeoutMs }: { readonly timeoutMs: number },
): SystemKeychain {
  return {
    kind: "secret-service",
    title: "the Secret Service",
    open: () => Promise.resolve(new SecretServiceKeychain(host, timeoutMs)),
  };
}

class SecretServiceKeychain implements Keychain {
  readonly #changes = new KeyedLock<string>();

  constructor(private readonly host: Host, private readonly timeoutMs: number) {}

  async read(service: string): Promise<string | undefined> {
    await this.#call(requireUnlocked, this.timeoutMs);
    const { code, stdout, complained } = await this.#run(["lookup"], service);
    if (code === 0) return stdout;
    if (code === NOT_FOUND && !complained) return undefined;
    throw failed(`cannot look up an item (it ended with ${code})`);
  }

  write(service: string, secret: string): Promise<void> {
    return this.#changes.run([service], () => this.#store(service, secret));
  }

  remove(service: string): Promise<void> {
    return this.#changes.run([service], () => this.#clear(service));
  }

  async #store(service: string, secret: string): Promise<void> {
    if (new TextEncoder().encode(secret).byteLength > MAX_BYTES) throw tooLarge(service);
    await this.#call(requireUnlocked, this.timeoutMs);
    const label = `--label=Computer Control: ${service}`;
    const { code } = await this.#run(["store", label], service, secret);
    if (code !== 0) throw failed(`cannot store an item (it ended with ${code})`);
  }

  async #clear(service: string): Promise<void> {
    await this.#call(requireUnlocked, this.timeoutMs);
    const { code, complained } = await this.#run(["clear"], service);
    if (code === 0 || code === NOT_FOUND && !complained) return;
    throw failed(`cannot delete an item (it ended with ${code})`);
  }

  async names(): Promise<string[]> {
    return await this.#call(storedNames, this.timeoutMs);
  }

  async readiness(): Promise<Readiness> {
    try {
      if (this.host.which(PROGRAM) === undefined) {
        throw failed("is not installed: run apt-get install libsecret-tools");
      }
      await this.#call(requireUnlocked, PROBE_MS);
      return { ready: true, reason: "the session's keyring is available and unlocked" };
    } catch (error) {
      return { ready: false, reason: (error as Error).message };
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #call<T>(errand: (call: CallBus) => Promise<T>, timeoutMs: number): Promise<T> {
    return withBus({ address: this.#address(), timeoutMs }, errand);
  }

  #run(command: readonly string[], service: string, stdin?: string): Promise<PrivateResult> {
    return runPrivately({
      program: this.host.which(PROGRAM) ?? PROGRAM,
      // names go after "--", because one that begins with "-" would be parsed as an option
      args: [...command, "--", "application", APPLICATION, "service", service],
      // without a UTF-8 locale it garbles names beyond ASCII
      env: { DBUS_SESSION_BUS_ADDRESS: this.#address(), LC_ALL: "C.UTF-8" },
      ...(stdin === undefined ? {} : { stdin }),
      timeoutMs: this.timeoutMs,
    });
  }

  /** @throws ServiceError `unavailable` when this is no desktop session. */
  #address(): string {
    const address = tryTo(() => sessionBusAddress(this.host));
    if (address !== undefined) return address;
    throw new ServiceError(
      "unavailable",
      "Cannot use the Secret Service: there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set)",
    );
  }
}

function failed(state: string): ServiceError {
  return new ServiceError("unavailable", `Cannot use the Secret Service: "${PROGRAM}" ${state}`);
}

function tooLarge(service: string): ServiceError {
  return new ServiceError(
    "too_large",
    `Cannot store "${service}": "${PROGRAM}" stores at most ${MAX_BYTES} bytes per item: use --keychain file`,
  );
}

// Calls to the Secret Service over the session's D-Bus: one connection per task, with one time limit
// for all of it.

interface BusOptions {
  /** `unix:path=/run/user/1000/bus` */
  readonly address: string;
  /** The time limit for the task: a prompt that is not answered must not hang a request. */
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
const APPLICATION = "computer-control";

const SERVICE = {
  path: "/org/freedesktop/secrets",
  interface: "org.freedesktop.Secret.Service",
} as const;
const COLLECTION = "org.freedesktop.Secret.Collection";
const ITEM = "org.freedesktop.Secret.Item";
const NONE = "/";
const ATTEMPTS = 6;
const RETRY_INTERVAL_MS = 50;

/** The service names of our items. @throws ServiceError `unavailable` */
async function storedNames(call: CallBus): Promise<string[]> {
  await requireUnlocked(call);
  const body = [[["application", APPLICATION]]];
  const [unlocked] = await call({ ...SERVICE, member: "SearchItems", signature: "a{ss}", body });
  const names = await Promise.all(
    (unlocked as string[]).map((path) => readServiceName(call, path)),
  );
  return [...new Set(names.filter((name) => name !== undefined))];
}

/**
 * @throws ServiceError `unavailable` when there is no keyring, it is locked or the service does not
 *   answer.
 */
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
      ...SERVICE,
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
