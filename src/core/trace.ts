/**
 * `--trace`: one line on standard error for each message of a protocol, with its name, number and size, and never with
 * what it carries: texts, keys and secrets do not appear. A thread learns from its name what it traces.
 */

import { log } from "./log.ts";

export const TRACE_TOPICS = ["cdp", "dbus", "http", "input", "wayland", "x11"] as const;
export type TraceTopic = typeof TRACE_TOPICS[number];

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
