/** Walks that end early: the client goes away, the reader is slow, the time is over, too many at once. */

import { expect } from "expect";
import type { SearchTask } from "../../../src/features/filesystem/walk/protocol.ts";
import { Walkers } from "../../../src/features/filesystem/walk/walkers.ts";
import { serveApp } from "../../support/client.ts";
import { pick } from "../../support/extent.ts";
import { holdingUpNobody } from "../../support/turns.ts";
import { waitFor } from "../../support/wait.ts";
import { type FilesApp, type FilesAppOptions, openFilesApp } from "./files_app.ts";
import { Files } from "../../../src/features/filesystem/files.ts";

/** Searches through all of this computer. */
const LONG = pick({ short: 4, full: 8 });
const JSON_TYPE = { "content-type": "application/json" };

let largeTree: string | undefined;
Deno.test.afterAll(async () => {
  if (largeTree !== undefined) await Deno.remove(largeTree, { recursive: true });
});

/** A tree that takes a while: 40,000 files, made once, because all only read it. */
function openLarge(options: FilesAppOptions = {}): Promise<FilesApp> {
  largeTree ??= makeTree();
  return openFilesApp({ folder: "/dev/shm", home: largeTree, ...options });
}

function makeTree(): string {
  const root = Deno.makeTempDirSync({ dir: "/dev/shm" });
  for (let folder = 0; folder < 200; folder++) makeFolder(`${root}/folder-${folder}`);
  return root;
}

function makeFolder(path: string): void {
  Deno.mkdirSync(path);
  for (let file = 0; file < 200; file++) Deno.writeTextFileSync(`${path}/file-${file}`, "");
}

function tree(url: string, signal: AbortSignal | null = null): Promise<Response> {
  const body = JSON.stringify({ path: "~", max_entries: 1_000_000 });
  return fetch(`${url}/api/filesystem/tree`, { method: "POST", headers: JSON_TYPE, body, signal });
}

/** Waits until all places are free again: as many walks as may run at once are answered. */
async function walksEnd(app: FilesApp): Promise<void> {
  const { maxWalks } = app.app.config.limits;
  await waitFor(async () => {
    const trees = Array.from(
      { length: maxWalks },
      () => app.call("filesystem/tree", { path: "~", pattern: "none", max_entries: 1 }),
    );
    return await Promise.all(trees);
  }, { what: "the walks to end", timeoutMs: 10_000 });
}

Deno.test("a large tree is streamed, and is one JSON document", async () => {
  await using app = await openLarge();
  await using served = serveApp(app.app);
  const response = await tree(served.url);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("content-length")).toBeNull();
  expect(response.headers.get("x-request-id")).toBeTruthy();
  const { children } = await response.json();
  expect(children).toHaveLength(200);
  expect(children.every((child: { children: unknown[] }) => child.children.length === 200)).toBe(
    true,
  );
});

Deno.test("a client that goes away in the middle of a tree stops its walk", async () => {
  await using app = await openLarge({ limits: { maxWalks: 1 } });
  await using served = serveApp(app.app);
  for (let round = 0; round < 5; round++) {
    const client = new AbortController();
    const response = await tree(served.url, client.signal);
    await response.body!.getReader().read();
    client.abort();
    await walksEnd(app);
  }
});

Deno.test("a search whose client goes away stops, though it has nothing to send", async () => {
  await using app = await openFilesApp({ limits: { maxWalks: 1 } });
  const { walkers } = app.app.session.use(Files);
  const search = (signal: AbortSignal) => walkers.walk(EVERYWHERE, signal);
  const whole = await time(async () => {
    const { json } = await search(new AbortController().signal);
    expect(await new Response(json).json()).toEqual([]);
  });
  const cut: number[] = [];
  for (let round = 0; round < 3; round++) cut.push(await time(() => leave(app)));
  expect(Math.min(...cut)).toBeLessThan(whole / 2); // the best of three, for others use the machine too
});

/** Goes away while a search runs, and waits until its place is free. */
async function leave(app: FilesApp): Promise<void> {
  const client = new AbortController();
  const searching = app.app.session.use(Files).walkers.walk(EVERYWHERE, client.signal)
    .catch((error) => error.name);
  // waits for the only place
  const next = app.call("filesystem/search", { root_path: "~", pattern: "none" });
  await new Promise((resolve) => setTimeout(resolve)); // now the worker has its task
  client.abort();
  expect(await searching).toBe("AbortError");
  expect(await next).toEqual([]);
}

/** A walk that takes its time on every machine. */
const EVERYWHERE = {
  kind: "search",
  root: "/",
  include_hidden: true,
  pattern: "no-such-name",
  max_results: 1,
} as const;

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

Deno.test("a reader that takes nothing holds up nobody else, and costs no memory", async () => {
  await using app = await openLarge({ limits: { maxWalks: 2 } });
  await using served = serveApp(app.app);
  const slow = await tree(served.url);
  for (let round = 0; round < 20; round++) {
    expect(await app.call("filesystem/list", { path: "~", pattern: "none" })).toEqual([]);
  }
  const { children } = await slow.json();
  expect(children).toHaveLength(200);
});

Deno.test("a walk that takes longer than the limit is 504, and its place is free again", async () => {
  await using app = await openLarge({ limits: { maxWalks: 1, maxWalkMs: 1 } });
  const search = { root_path: "/dev/shm", pattern: "no-such-name" };
  expect(await app.refused(504, "filesystem/search", search)).toContain(
    "start at a smaller folder",
  );
  await walksEnd(app).catch(() => {});
  expect(await app.refused(404, "filesystem/list", { path: "gone" })).toContain("gone");
});

Deno.test("more walks than may run at once wait their turn, in the order of arrival", async () => {
  await using app = await openLarge();
  const limits = { maxWalks: 1, maxWalkMs: 60_000, longAfterMs: 60_000 };
  using walkers = new Walkers("linux", limits);
  const order: string[] = [];
  const search = async (root: string) => {
    const task = { kind: "search", root, include_hidden: false, pattern: "none", max_results: 1 };
    const walk = await walkers.walk(task as SearchTask, new AbortController().signal);
    expect(await new Response(walk.json).json()).toEqual([]);
    order.push(root);
  };
  // the first takes longest, so that it would be the last if they ran at once
  const roots = [app.home, app.at("folder-1"), app.at("folder-2"), app.at("folder-3")];
  await Promise.all(roots.map(search));
  expect(order).toEqual(roots);
});

Deno.test("a list and a small search wait for no long search", async () => {
  await using app = await openLarge();
  using walkers = new Walkers("linux", { maxWalks: 2, maxWalkMs: 60_000, longAfterMs: 20 });
  const client = new AbortController();
  const long = [1, 2].map(() => walkers.walk(EVERYWHERE, client.signal));
  let ended = 0;
  for (const walk of long) {
    walk.then(({ ended: end }) => end).finally(() => ended++).catch(() => {});
  }
  const { signal } = new AbortController();
  const root = app.at("folder-1");
  for (const kind of ["list", "search"] as const) {
    const task = { kind, root, include_hidden: false, pattern: "file-7", max_results: 1 };
    const { json } = await walkers.walk(task as SearchTask, signal);
    expect(await new Response(json).json()).toHaveLength(1);
  }
  expect(ended).toBe(0);
  client.abort();
  await Promise.allSettled(long);
});

Deno.test("a short search waits for no long ones, however many there are; all of them come to their end", async () => {
  await using app = await openLarge();
  using walkers = new Walkers("linux", { maxWalks: 2, maxWalkMs: 600_000, longAfterMs: 20 });
  const { signal } = new AbortController();
  const ended: string[] = [];
  const search = async (name: string, task: SearchTask) => {
    const { json } = await walkers.walk(task, signal);
    const found = await new Response(json).json();
    ended.push(name);
    return found.length;
  };
  const long = Array.from({ length: LONG }, () => search("long", { ...EVERYWHERE, root: "/" }));
  const root = app.at("folder-1");
  const short = { ...EVERYWHERE, root, pattern: "file-7" };
  for (let round = 0; round < 3; round++) expect(await search("short", short)).toBe(1);
  expect(ended).toEqual(Array(3).fill("short"));
  expect(await Promise.all(long)).toEqual(Array(LONG).fill(0));
});

Deno.test("long walks end with their client, and leave their places", async () => {
  await using app = await openLarge();
  using walkers = new Walkers("linux", { maxWalks: 1, maxWalkMs: 600_000, longAfterMs: 1 });
  const client = new AbortController();
  const whole = { kind: "tree", root: app.home, include_hidden: true } as const;
  const task = { ...whole, pattern: null, max_depth: 10, max_entries: 1_000_000 };
  // trees that nobody reads do not come to their end
  const long = await Promise.all(
    Array.from({ length: 5 }, () => walkers.walk(task, client.signal)),
  );
  let ended = 0;
  const ends = long.map((walk) => walk.ended.then(() => ended++));
  const short = { ...EVERYWHERE, root: app.at("folder-1"), pattern: "file-7" };
  const next = () => walkers.walk(short, AbortSignal.timeout(20_000));
  for (const _ of [1, 2]) expect(await new Response((await next()).json).json()).toHaveLength(1);
  expect(ended).toBe(0);
  client.abort();
  await Promise.all(ends);
  for (const _ of [1, 2]) expect(await new Response((await next()).json).json()).toHaveLength(1);
});

Deno.test("clients that leave in the moment in which a walk ends take no place with them", async () => {
  await using app = await openFilesApp();
  using walkers = new Walkers("linux", { maxWalks: 1, maxWalkMs: 60_000 });
  const list = { kind: "list", root: app.home, include_hidden: false, pattern: null } as const;
  for (const late of [false, true]) {
    const client = new AbortController();
    const first = await walkers.walk(list, new AbortController().signal);
    const waiting = walkers.walk(list, client.signal).then(({ json }) => json.cancel());
    const reader = first.json.getReader();
    // the end of the stream is told just before the place is handed over
    while (!(await reader.read().then((part) => leaveAtEnd(part, late ? undefined : client))).done);
    if (late) client.abort();
    await waiting.catch(() => {});
  }
  const last = await walkers.walk(list, AbortSignal.timeout(10_000));
  expect(await new Response(last.json).json()).toEqual([]);
});

function leaveAtEnd<T extends { done: boolean }>(part: T, client: AbortController | undefined): T {
  if (part.done) client?.abort();
  return part;
}

Deno.test("a walk holds up no other request", async () => {
  await using app = await openLarge();
  const search = { root_path: "~", pattern: "no-such-name" };
  expect(await holdingUpNobody(() => app.call("filesystem/search", search))).toEqual([]);
});
