/** Connections to a bus that are made by a process into which other programs may look. */

import { openLibc } from "../../../../ffi/linux/libc.ts";
import {
  PIDFD_SYMBOLS,
  type PidfdLibrary,
  SYS_PIDFD_GETFD,
  SYS_PIDFD_OPEN,
} from "../../../../ffi/linux/process.ts";
import { inTime } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { thisStart } from "../../host.ts";
import { connectFile, MessageSocket } from "../sockets/message_socket.ts";
import { BROKER_COMMAND } from "./broker_command.ts";
import { openBus } from "./message_bus.ts";
import type { MessageBus } from "./types.ts";

/** How long the process may take to start. */
const START_TIMEOUT_MS = 20_000;

/** The program and the arguments that start it again, for the process that connects. */
export type OwnCommand = readonly [program: string, ...args: string[]];

/** To be called in the main thread: others do not know what was started. */
export function findOwnCommand(): OwnCommand {
  const { standalone, program, script } = thisStart();
  return standalone ? [program] : [program, "run", "--allow-all", script];
}

/**
 * Connects to a bus; the process that the bus knows ends with the connection.
 * @throws ServiceError `unavailable`
 */
export async function openBrokeredBus(
  address: string,
  command = findOwnCommand(),
): Promise<MessageBus> {
  const holders: BrokeredSocket[] = [];
  const connect = async (path: string) => {
    const holder = await openBrokeredSocket(path, command);
    holders.push(holder);
    return holder.socket;
  };
  const end = () => holders.forEach((each) => each[Symbol.dispose]());
  try {
    const bus = await openBus(address, { connect });
    bus.closed.then(end);
    return bus;
  } catch (error) {
    end();
    throw error;
  }
}

export interface BrokeredSocket extends Disposable {
  readonly socket: MessageSocket;
}

/**
 * Connects to a local socket; disposing ends the process that its other end knows, not the socket.
 * @throws ServiceError `unavailable`
 */
export async function openBrokeredSocket(
  path: string,
  command = findOwnCommand(),
): Promise<BrokeredSocket> {
  const holder = startBroker(path, command);
  const late = () => failed("the process that opens the connection did not start");
  try {
    const file = await inTime(holder.takeConnection(), START_TIMEOUT_MS, late);
    return {
      socket: MessageSocket.adopt(file),
      [Symbol.dispose]: () => holder[Symbol.dispose](),
    };
  } catch (error) {
    holder[Symbol.dispose]();
    throw error;
  }
}

interface ConnectionBroker extends Disposable {
  /** The descriptor of the connection, in this process. */
  takeConnection(): Promise<number>;
}

function startBroker(path: string, [program, ...args]: OwnCommand): ConnectionBroker {
  const child = new Deno.Command(program, {
    args: [...args, BROKER_COMMAND, path],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return {
    async takeConnection() {
      const line = await readLine(child.stdout);
      if (/^\d+$/.test(line)) return takeFile(child.pid, Number(line));
      throw failed(
        (await readLine(child.stderr)) || "the process that opens the connection has ended",
      );
    },
    [Symbol.dispose]() {
      try {
        child.kill("SIGKILL");
      } catch {
        // it has ended already
      }
    },
  };
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
