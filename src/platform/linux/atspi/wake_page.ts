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
  /** The most that this reading waits for a page, in milliseconds; 0: it only asks. Default: `wakeMs`. */
  readonly waitMs?: number | undefined;
  /** How long a browser may take, in milliseconds. */
  readonly wakeMs?: number;
}

/**
 * Windows whose page has not been seen, by the bus: `waking` ones were asked for it, and `pageless` ones did not
 * report it in the full time. No later reading waits for those, until their page is there.
 */
const unseen = new WeakMap<AtspiClient, Map<string, "waking" | "pageless">>();

/**
 * The window as it is with its page; as it was where it reports something already, has no page, or is not
 * waited for. It is asked each time: a browser forgets, after a while, that somebody reads it.
 * @param frame a top element of a program of Chromium
 */
export async function wakePage(frame: Node, options: WakeOptions): Promise<Node> {
  if (roleName(frame.role) !== "frame") return frame; // a menu or a hint
  const { client, budget, wakeMs = WAKE_MS, waitMs = wakeMs } = options;
  const known = unseen.getOrInsertComputed(client, () => new Map());
  const key = keyOf(frame);
  const hadContent = await hasContent(frame, options); // what it shows once it is woken does not count
  const isAwake = await embedsPage(frame, options);
  const state = known.get(key);
  if (isAwake) {
    known.delete(key);
    return frame;
  }
  if (state === "pageless" || state === undefined && hadContent) return frame;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, "waking");
  const timeoutMs = Math.min(waitMs, wakeMs, budget.remaining());
  if (timeoutMs <= 0) return frame;
  const look = async () => await embedsPage(frame, options) ? "awake" : budget.isOver() && "over";
  const seen = await poll(look, { everyMs: POLL_INTERVAL_MS, timeoutMs });
  if (seen === "awake") known.delete(key);
  else if (!budget.isOver() && timeoutMs === wakeMs) known.set(key, "pageless");
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
