/** Snapshots of a page as lines, and the search in them. */

import type { PageSnapshot, SnapshotLine } from "../../types/browser.ts";
import type { BrowserJobs } from "../../types/browser_jobs.ts";
import { ServiceError } from "../../../core/errors.ts";
import { CdpError } from "../cdp/connection.ts";
import { describeElement, findElement } from "../elements.ts";
import type { RunningBrowser } from "../running_browser.ts";
import type { Tab } from "../tab.ts";
import { type AxFrame, readAxTree } from "./ax_tree.ts";
import { makeLines, walk } from "./lines.ts";
import { PLAIN, readNode } from "./roles.ts";

const ALL = { maxDepth: 10_000, maxElements: 1_000_000, maxCharacters: Infinity } as const;

export async function snapshot(
  browser: RunningBrowser,
  { tab: id, timeMs, root, ...options }: BrowserJobs["snapshot"][0],
): Promise<PageSnapshot> {
  const tab = root ? (await findElement(browser, root)).tab : await browser.choose(id);
  const tree = await read(tab, { timeMs, places: options.filter !== "all" });
  const { lines, truncated } = makeLines(tree, { ...options, root, target: tab.target });
  if (root && lines.length === 0) {
    throw new ServiceError("conflict", `${describeElement(root)} has nothing that shows`);
  }
  return { tab: await browser.describe(tab), lines, truncated };
}

/** The best matches first: the whole name, then its beginning, then words anywhere. */
export async function find(
  browser: RunningBrowser,
  { tab: id, query, role, max, timeMs }: BrowserJobs["find"][0],
): Promise<PageSnapshot> {
  const tab = await browser.choose(id);
  const tree = await read(tab, { timeMs, places: false });
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found: { readonly rank: number; readonly node: Found }[] = [];
  const truncated = new Set<PageSnapshot["truncated"][number]>();
  for (const item of walk(tree, ALL, truncated)) {
    const { role: itsRole, name, value } = readNode(item.node);
    if (itsRole === "text" || itsRole === "document" || PLAIN.has(itsRole)) continue;
    if (role !== undefined && itsRole !== role) continue;
    const rank = rankMatch(words, name.toLowerCase(), `${itsRole} ${value}`.toLowerCase());
    if (rank !== undefined) found.push({ rank, node: item });
  }
  const whole = found.filter(({ rank }) => rank < SOME_WORDS);
  if (whole.length > 0) found.splice(0, found.length, ...whole);
  found.sort((a, b) => a.rank - b.rank);
  const lines = found.slice(0, max).map(({ node }) => lineOf(tab, node));
  if (found.length > max) truncated.add("elements");
  return { tab: await browser.describe(tab), lines, truncated: [...truncated] };
}

type Found = ReturnType<typeof walk> extends Generator<infer Item> ? Item : never;

/** Where only some of the words occur; the more are missing, the later. */
const SOME_WORDS = 10;

function rankMatch(words: readonly string[], name: string, more: string): number | undefined {
  const query = words.join(" ");
  if (name === query) return 0;
  const has = words.filter((word) => name.includes(word) || more.includes(word)).length;
  if (has < words.length) return has === 0 ? undefined : SOME_WORDS + words.length - has;
  if (query !== "" && name.startsWith(query)) return 1;
  return words.every((word) => name.includes(word)) ? 2 : 3;
}

function lineOf(tab: Tab, { axFrame, node }: Found): SnapshotLine {
  const only = { ...axFrame, root: { ...node, childIds: [] } };
  const { lines } = makeLines(only, { ...ALL, filter: "all", target: tab.target });
  return lines[0]!;
}

async function read(
  tab: Tab,
  reading: { readonly timeMs: number; readonly places: boolean },
): Promise<AxFrame> {
  try {
    return await readAxTree(tab, reading);
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    throw new ServiceError("conflict", "The page changed while it was read: try again");
  }
}
