/**
 * Makes Chromium, and programs built on it, report their pages. They build the trees of pages only once
 * somebody asks a window for its relations or attributes, which they take for a sign of a screen reader
 * (`AtkRefRelationSet()` in Chromium's ui/accessibility/platform/ax_platform_node_auralinux.cc). Who listens
 * to events on the bus, or announces a screen reader in the session, does not have that effect.
 */

import { poll } from "../../../core/deadline.ts";
import type { Budget } from "./budget.ts";
import type { AtspiClient, Reference } from "./client.ts";
import { fetchChildren, fetchNode, keyOf, type Node } from "./node.ts";
import { roleName } from "./states.ts";

/** `ATSPI_RELATION_EMBEDS`, from a window to the page in it. */
const EMBEDS = 13;
/** How long a browser may take to build the tree of a page, in milliseconds: it is there after one or two seconds. */
const WAKE_MS = 2_000;
const POLL_INTERVAL_MS = 50;
/** Windows that are remembered. */
const MAX_KNOWN = 1_000;

interface WakeOptions {
  readonly client: AtspiClient;
  readonly budget: Budget;
  /** The most that is waited for a page, in milliseconds. */
  readonly waitMs?: number;
}

/** Windows whose page did not come in time, by the bus: no later reading waits for those. */
const pageless = new WeakMap<AtspiClient, Set<string>>();

/**
 * The window as it is with its page; as it was where it reports something already, or has no page. It
 * is asked each time: a browser forgets, after a while, that somebody reads it.
 * @param frame a top element of a program of Chromium
 */
export async function wakePage(frame: Node, options: WakeOptions): Promise<Node> {
  if (roleName(frame.role) !== "frame") return frame; // a menu or a hint
  if (await embedsPage(frame, options) || await hasContent(frame, options)) return frame;
  const { client, budget, waitMs = WAKE_MS } = options;
  const known = pageless.get(client) ?? new Set();
  pageless.set(client, known);
  if (known.has(keyOf(frame))) return frame;
  const timeoutMs = Math.min(waitMs, budget.remaining());
  const isThere = async () => budget.isOver() || await embedsPage(frame, options);
  if (await poll(isThere, { everyMs: POLL_INTERVAL_MS, timeoutMs }) === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.add(keyOf(frame));
  }
  return await budget.attempt(fetchNode(client, frame, budget.remaining())) ?? frame;
}

/** Asking is what wakes it. */
async function embedsPage(frame: Node, { client, budget }: WakeOptions): Promise<boolean> {
  const asked = client.call(frame, "Accessible.GetRelationSet", budget.remaining());
  const [relations] = await budget.attempt(asked) ?? [[]];
  return (relations as [number, Reference[]][]).some(([kind]) => kind === EMBEDS);
}

/** One that is not woken claims to have children, and names none. */
async function hasContent(frame: Node, { client, budget }: WakeOptions): Promise<boolean> {
  const asked = fetchChildren(client, frame, { max: 1, budget });
  return (await budget.attempt(asked) ?? []).length > 0;
}
