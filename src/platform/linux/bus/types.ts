/** D-Bus: the values, addresses and errors of its messages. */

import { ServiceError } from "../../../core/errors.ts";
import type { Host } from "../../host.ts";

/**
 * One method call. `body` is in the format of the library: arrays for arrays and structures, arrays
 * of pairs for dictionaries, `[signature, value]` for variants. A value of type `h` is an index into
 * `files`.
 */
export interface BusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** Types of the body; nothing by default. */
  readonly signature?: string;
  readonly body?: readonly unknown[];
  /** Descriptors to pass; they remain the caller's. */
  readonly files?: readonly number[];
}

export interface CallOptions {
  /** The time limit, instead of that of the bus. */
  readonly timeoutMs?: number;
  /** The longest answer, in bytes; default: that of the connection. */
  readonly maxBytes?: number;
  /** The types that the answer must have, and after a colon that of its value: `v:s`. */
  readonly types?: string;
  /** Ends the wait; the call itself cannot be taken back. */
  readonly signal?: AbortSignal | undefined;
}

/** Dictionaries are objects, variants plain values. */
export interface BusReply {
  readonly body: readonly unknown[];
  /** Descriptors that came with it: the caller closes them. */
  readonly files: readonly number[];
}

/** The descriptor that a reply must carry. @throws ServiceError `unavailable`: it carries none */
export function onlyFile({ files: [file] }: BusReply, sender: string): number {
  if (file !== undefined) return file;
  throw new ServiceError("unavailable", `${sender} has sent no descriptor`);
}

/** What a subscription selects; `arg0` is the first value of the body, a string. */
export interface SignalMatch extends Partial<CallMatch> {
  readonly sender?: string;
  readonly arg0?: string;
}

/** Descriptors of signals are closed, not passed on. */
export interface BusSignal extends CallMatch {
  readonly sender: string;
  readonly body: readonly unknown[];
}

/** Which calls to this connection are received. */
export type CallMatch = Pick<BusCall, "path" | "interface" | "member">;

export interface MessageBus extends Disposable {
  /** The unique name of this connection, such as `:1.42`. */
  readonly name: string;
  readonly connected: boolean;
  /** Resolves with the reason when the connection ends. */
  readonly closed: Promise<Error>;
  /** Resolves when its descriptor is closed, soon after the connection has ended. */
  readonly released: Promise<void>;
  /**
   * Calls a method.
   * @throws BusError: the answer is an error, is too long or has other types; ServiceError `unavailable`: the bus has gone,
   *   `timed_out`: no answer in time.
   */
  call(call: BusCall, options?: CallOptions): Promise<BusReply>;
  /** Calls a method without waiting; calls and sends to one destination keep their order. */
  send(call: BusCall): void;
  /**
   * Receives calls to this connection until it is disposed; they are answered with nothing. Their
   * descriptors are closed.
   */
  receive(match: CallMatch, listener: (body: readonly unknown[]) => void): Disposable;
  /** Receives signals until the subscription is disposed. */
  on(match: SignalMatch, listener: (signal: BusSignal) => void): Promise<Disposable>;
}

/** The bus itself, as calls address it. */
export const DAEMON = {
  destination: "org.freedesktop.DBus",
  path: "/org/freedesktop/DBus",
  interface: "org.freedesktop.DBus",
} as const;

/** The part of an address that all calls of one object share. */
type ObjectAddress = Pick<BusCall, "destination" | "path" | "interface">;

/** Reads a property of an object. @throws as {@link MessageBus.call} does */
export async function readProperty(
  bus: MessageBus,
  { destination, path, interface: name }: ObjectAddress,
  property: string,
  options?: CallOptions,
): Promise<unknown> {
  const { body: [value] } = await bus.call({
    destination,
    path,
    interface: "org.freedesktop.DBus.Properties",
    member: "Get",
    signature: "ss",
    body: [name, property],
  }, options);
  return value;
}

/** Calls `listener` when the program with this name ends; it also does when it is replaced. */
export function onProgramGone(
  bus: MessageBus,
  name: string,
  listener: () => void,
): Promise<Disposable> {
  const match = { interface: DAEMON.interface, member: "NameOwnerChanged", arg0: name };
  return bus.on(match, ({ body: [_name, before] }) => {
    if (before !== "") listener();
  });
}

// Addresses of D-Bus: `unix:path=/run/user/1000/bus;unix:abstract=/tmp/dbus-1`.

/**
 * The address of the session bus: as the session says, else where it usually is.
 * @throws ServiceError `unavailable`: there is none.
 */
export function sessionBusAddress({ env, uid, exists }: Host): string {
  const named = env["DBUS_SESSION_BUS_ADDRESS"];
  if (named) return named;
  const runtime = env["XDG_RUNTIME_DIR"] || (uid === null ? "" : `/run/user/${uid}`);
  const path = `${runtime}/bus`;
  if (runtime !== "" && exists(path)) return `unix:path=${path}`;
  throw new ServiceError(
    "unavailable",
    "Cannot find the session bus: DBUS_SESSION_BUS_ADDRESS is not set; start the service inside the session",
  );
}

/**
 * The local sockets of an address, in its order; a name that starts with `@` is an abstract one.
 * Other transports are left out.
 */
export function parseBusAddress(address: string): string[] {
  return address.split(";").flatMap((each) => {
    const [, parameters] = /^unix:(.*)$/.exec(each) ?? [];
    if (parameters === undefined) return [];
    const values = new Map(
      parameters.split(",").map((pair) => pair.split("=", 2) as [string, string]),
    );
    const path = values.get("path");
    const abstract = values.get("abstract");
    if (path) return [unescape(path)];
    return abstract ? [`@${unescape(abstract)}`] : [];
  });
}

/** `%2f` -> `/`; what is no escape stays. */
function unescape(value: string): string {
  const bytes = value.replace(
    /%([0-9a-f]{2})/gi,
    (_, hex) => String.fromCharCode(parseInt(hex, 16)),
  );
  return new TextDecoder().decode(Uint8Array.from(bytes, (each) => each.charCodeAt(0)));
}

// An error that a program on the bus has answered with.

export class BusError extends ServiceError {
  override readonly name = "BusError";
  /** Who has answered. */
  readonly destination: string;

  /** @param errorName such as `org.freedesktop.DBus.Error.ServiceUnknown` */
  constructor(readonly errorName: string, readonly text: string, { destination }: {
    readonly destination: string;
  }) {
    const why = text === "" ? errorName : `${text} (${errorName})`;
    super("unavailable", `"${destination}" replied on the bus: ${why}`);
    this.destination = destination;
  }

  /** Whether the answer was one that nobody can use. */
  get isDamaged(): boolean {
    return this.errorName === TOO_LONG || this.errorName === WRONG_TYPES;
  }

  /** Whether no such program runs, and none can be started. */
  get isServiceMissing(): boolean {
    return SERVICE_MISSING.includes(this.errorName);
  }
}

/** Names of answers that are not passed on. */
export const TOO_LONG = "org.freedesktop.DBus.Error.LimitsExceeded";
export const WRONG_NAME = "org.freedesktop.DBus.Error.InvalidArgs";
export const WRONG_TYPES = "org.freedesktop.DBus.Error.InvalidSignature";

const SERVICE_MISSING = [
  "org.freedesktop.DBus.Error.ServiceUnknown",
  "org.freedesktop.DBus.Error.NameHasNoOwner",
];
