/** Connections to a bus that are made by a process into which other programs may look. */

import {
  openLibc,
  PIDFD_SYMBOLS,
  type PidfdLibrary,
  SYS_PIDFD_GETFD,
  SYS_PIDFD_OPEN,
} from "../../../../ffi/linux/libc.ts";
import { inTime } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { killChild } from "../../helper_program.ts";
import { thisStart } from "../../host.ts";
import { isMemoryPrivate } from "../process/process_identity.ts";
import { connectFile, MessageSocket } from "../sockets/message_socket.ts";
import { BROKER_COMMAND } from "./open_bus.ts";
import { openBus } from "./message_bus.ts";
import type { MessageBus } from "./types.ts";

/** How long the process may take to start. */
const START_TIMEOUT_MS = 20_000;

/** The program and the arguments that start it again, for the process that connects. */
type OwnCommand = readonly [program: string, ...args: string[]];

/**
 * What starts the process that connects; `undefined` where other programs may look into this one. To
 * be called in the main thread: others do not know what was started.
 */
export function findBrokerCommand(): OwnCommand | undefined {
  if (!isMemoryPrivate()) return undefined;
  const { standalone, program, script } = thisStart();
  return standalone ? [program] : [program, "run", "--allow-all", script];
}

/** How any thread connects to the session bus. */
export interface BusEndpoint {
  /** The address of the session bus. */
  readonly bus: string;
  /** See {@link findBrokerCommand}. */
  readonly command?: OwnCommand | undefined;
}

/** A desktop that does not answer is one that is not there now. */
const DESKTOP = { lateCode: "unavailable" } as const;

/**
 * Connects to a bus so that programs on it see who calls: KWin reads `/proc/PID/exe`, and the portal
 * opens `/proc/PID/root`, which a service with private memory denies. The process that connects in
 * its place ends with the connection.
 * @throws ServiceError `unavailable`
 */
export async function openVisibleBus({ bus: address, command }: BusEndpoint): Promise<MessageBus> {
  if (command === undefined) return await openBus(address, DESKTOP);
  using brokers = new DisposableStack();
  const connect = async (path: string) =>
    brokers.use(await openBrokeredSocket(path, command)).socket;
  const bus = await openBus(address, { ...DESKTOP, connect });
  const used = brokers.move();
  bus.closed.then(() => used.dispose());
  return bus;
}

interface BrokeredSocket extends Disposable {
  readonly socket: MessageSocket;
}

/**
 * Connects to a local socket; disposing ends the process that its other end knows, not the socket.
 * @throws ServiceError `unavailable`
 */
export async function openBrokeredSocket(
  path: string,
  [program, ...args]: OwnCommand,
): Promise<BrokeredSocket> {
  const child = new Deno.Command(program, {
    args: [...args, BROKER_COMMAND, path],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const late = () => failed("the process that opens the connection did not start");
  try {
    const file = await inTime(takeConnection(child), START_TIMEOUT_MS, late);
    return { socket: MessageSocket.adopt(file), [Symbol.dispose]: () => killChild(child) };
  } catch (error) {
    killChild(child);
    throw error;
  }
}

/** The descriptor of the connection, in this process. */
async function takeConnection(child: Deno.ChildProcess): Promise<number> {
  const line = await readLine(child.stdout);
  if (/^\d+$/.test(line)) return takeFile(child.pid, Number(line));
  throw failed((await readLine(child.stderr)) || "the process that opens the connection has ended");
}

/** The first line, or what there is of it. */
async function readLine(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes("\n")) break;
  }
  return text.split("\n", 1)[0]!;
}

/** Duplicates a descriptor of a process that this one has started. */
function takeFile(pid: number, file: number): number {
  const library = openLibc(PIDFD_SYMBOLS);
  try {
    const process = call(library, SYS_PIDFD_OPEN, pid, 0);
    try {
      return call(library, SYS_PIDFD_GETFD, process, file);
    } finally {
      library.symbols.close(process);
    }
  } finally {
    library.close();
  }
}

function call({ symbols }: PidfdLibrary, number: bigint, first: number, second: number): number {
  const result = Number(symbols.syscall(number, BigInt(first), BigInt(second), 0n));
  if (result >= 0) return result;
  throw failed(
    "the system does not allow this process to take over the connection of a child process",
  );
}

function failed(reason: string): ServiceError {
  return new ServiceError("unavailable", `Cannot connect to the session bus: ${reason}`);
}

// The process that makes a connection to a bus in place of the service: programs on the bus look into
// the process that has connected (a desktop portal opens `/proc/PID/root`), and nobody can look into
// the service, because commands must not read its secrets. This process has none.

/** Connects, says by which descriptor, and keeps it until the service ends. Returns the exit code. */
export async function runBroker([path = ""]: readonly string[]): Promise<number> {
  try {
    console.log(connectFile(path));
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
  Deno.addSignalListener("SIGINT", () => {}); // the service ends first, which may need the bus
  for await (const _ of Deno.stdin.readable) { /* nothing comes */ }
  return 0;
}
