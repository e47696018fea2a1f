/**
 * Calls to the Secret Service over the session's D-Bus: one connection per task, with one time
 * limit for all of it.
 */

import { inTime } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { UnixStream } from "../unix_stream.ts";

export interface BusOptions {
  /** `unix:path=/run/user/1000/bus` */
  readonly address: string;
  /** The time limit for the whole task: a prompt that is not answered must not hang a request. */
  readonly timeoutMs: number;
}

/**
 * One method call; `body` in the library's format: arrays for arrays, arrays of pairs for
 * dictionaries.
 */
export interface Call {
  /** The Secret Service by default. */
  readonly destination?: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature: string;
  readonly body: readonly unknown[];
}

export type CallBus = (call: Call) => Promise<readonly unknown[]>;

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
    const late = () => unavailable(`it has not answered within ${timeoutMs} ms`);
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
    throw unavailable("the address of the session bus is of no known kind", error);
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
