/** The log, and `--trace`: one line per event to stderr, never secrets, typed text or file contents. */

import { writeAll } from "./bytes.ts";
import { within } from "./deadline.ts";

// Writes lines without ever waiting for the program that reads them: a pipe that nobody empties, or
// a terminal that is held by Ctrl+S, must not hold up the thread that logs.

/** Most characters that wait; what comes then is dropped and counted. */
const MAX_WAITING = 1_000_000;

export class LineWriter {
  /** The lines, each with its end. */
  #waiting = "";
  #dropped = 0;
  #writing: Promise<void> | undefined;

  /** @param write writes a part of the bytes, and resolves with how many */
  constructor(private readonly write: (bytes: Uint8Array) => Promise<number>) {}

  /** Takes a line to be written as soon as possible, in the order of the calls; never throws. */
  add(line: string): void {
    if (this.#waiting.length + line.length > MAX_WAITING) {
      this.#dropped++;
      return;
    }
    this.#waiting += `${line}\n`;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when all lines are written, at the latest after `ms` milliseconds. */
  async flush(ms: number): Promise<void> {
    if (this.#writing !== undefined) await within(this.#writing, ms);
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting !== "") {
      const count = this.#dropped;
      const dropped = count > 0 ? `${count} lines of the log were dropped here\n` : "";
      const bytes = new TextEncoder().encode(this.#waiting + dropped);
      [this.#waiting, this.#dropped] = ["", 0];
      // the terminal or the reader may be gone, and then nothing can be reported
      await writeAll({ write: this.write }, bytes).catch(() => {});
    }
    this.#writing = undefined; // at once: a line that comes now begins the next writing
  }
}

/** Time for the reader of the log to take the last lines, in milliseconds. */
const FLUSH_MS = 500;

type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** From the most talkative; a log leaves out what stands before its level. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
type LogLevel = typeof LOG_LEVELS[number];

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** The log of the process, which also has the lines of `--trace`, whatever its level. */
interface ProcessLog extends Log {
  trace(event: string, fields: LogFields): void;
}

interface LogOptions {
  readonly level?: LogLevel;
  /** `json` makes each line one JSON object: `time`, `level`, `event` and the fields. */
  readonly format?: "text" | "json";
}

const stderr = new LineWriter((bytes) => Deno.stderr.write(bytes));
const options: { level: LogLevel; format: "text" | "json" } = { level: "info", format: "text" };

export const log: ProcessLog = createLog((line) => stderr.add(line), options);

/** Sets what the log of this process writes, and how. */
export function configureLog({ level, format }: Required<LogOptions>): void {
  options.level = level;
  options.format = format;
}

/** Whether the log of this process has lines of that level: what goes into them is not made in vain. */
export function isLogged(level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(options.level);
}

/** Resolves when everything is written that was logged; an end of the program would lose it. */
export async function flushLog(): Promise<void> {
  await stderr.flush(FLUSH_MS);
}

/** Creates a log that passes each finished line to `write`; its options may change meanwhile. */
export function createLog(write: (line: string) => void, options: LogOptions = {}): ProcessLog {
  const at = (level: LogLevel) => (event: string, fields: LogFields = {}) => {
    const { level: least = "info", format } = options;
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
    write(formatLine(level, event, fields, format));
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    trace: (event, fields) => write(formatLine("trace", event, fields, options.format)),
  };
}

/** `2025-01-31T12:00:00.000Z info display assigned display=1 to=":1"` */
function formatLine(
  level: string,
  event: string,
  fields: LogFields,
  format: "text" | "json" = "text",
): string {
  const time = new Date().toISOString();
  if (format === "json") return JSON.stringify({ time, level, event, ...fields });
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  return `${time} ${level} ${event}${pairs.join("")}`;
}

// `--trace`: one line for each message of a protocol, with its name, number and size, and never with
// what it carries. A thread learns from its name what it traces.

export const TRACE_TOPICS = ["cdp", "dbus", "http", "input", "wayland", "x11"] as const;
type TraceTopic = typeof TRACE_TOPICS[number];

/** Longest name of a message: other programs choose some of them. */
const MAX_NAME = 100;
/** How the name of a thread begins that traces: `trace:cdp,dbus`. */
const PREFIX = "trace:";

const traced = new Set<string>(topicsOfThread());

export function startTracing(topics: readonly TraceTopic[]): void {
  for (const topic of topics) traced.add(topic);
}

/** Costs one comparison where nothing is traced. */
export function isTraced(topic: TraceTopic): boolean {
  return traced.size > 0 && traced.has(topic);
}

/** The name for a new thread, which then traces what this one does. */
export function nameOfThread(): string {
  return traced.size > 0 ? PREFIX + [...traced].join(",") : "";
}

/**
 * Writes a line: `… trace cdp to="browser" message="Page.navigate" id=4 bytes=123`.
 * @param message the name of the message, never its content
 */
export function trace(
  topic: TraceTopic,
  direction: "from" | "to",
  message: string,
  fields: Readonly<Record<string, string | number | undefined>> = {},
): void {
  log.trace(topic, { [direction]: PEERS[topic], message: message.slice(0, MAX_NAME), ...fields });
}

/** Who is at the other end. */
const PEERS: Readonly<Record<TraceTopic, string>> = {
  cdp: "browser",
  dbus: "bus",
  http: "client",
  input: "display",
  wayland: "compositor",
  x11: "server",
};

function topicsOfThread(): string[] {
  const { name = "" } = globalThis as { readonly name?: unknown };
  return typeof name === "string" && name.startsWith(PREFIX)
    ? name.slice(PREFIX.length).split(",")
    : [];
}
