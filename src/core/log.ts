/** The log: one line per event to stderr, never secrets, typed text or file contents. */

import { LineWriter } from "./line_writer.ts";

/** Time for the reader of the log to take the last lines, in milliseconds. */
const FLUSH_MS = 500;

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

const stderr = new LineWriter((bytes) => Deno.stderr.write(bytes));

export const log: Log = createLog((line) => stderr.add(line));

/** Resolves when everything is written that was logged; an end of the program would lose it. */
export async function flushLog(): Promise<void> {
  await stderr.flush(FLUSH_MS);
}

/** Creates a log that passes each finished line to `write`. */
export function createLog(write: (line: string) => void): Log {
  const at = (level: string) => (event: string, fields: LogFields = {}) =>
    write(formatLine(level, event, fields));
  return { info: at("info"), warn: at("warn"), error: at("error") };
}

/** `2025-01-31T12:00:00.000Z info display assigned display=1 to=":1"` */
function formatLine(level: string, event: string, fields: LogFields): string {
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  return `${new Date().toISOString()} ${level} ${event}${shown.join("")}`;
}
