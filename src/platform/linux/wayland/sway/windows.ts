/** The windows of sway, as its own interface reports and changes them. */

import { dirname } from "node:path";
import { z } from "zod";
import { writeAll } from "../../../../core/bytes.ts";
import { inTime, pause } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { SharedRun, Waiters } from "../../../../core/shared_run.ts";
import { tryParseJson } from "../../../../core/texts.ts";
import type {
  Point,
  Window,
  WindowChange,
  WindowId,
  Windows,
  WindowState,
} from "../../../types/mod.ts";
import {
  closedWindow,
  ListedWindows,
  type OutputPosition,
  toPixels,
} from "../../../listed_windows.ts";
import { findAt, toUnits } from "../pointer_position.ts";

const EVENTS = ["window", "workspace", "output"];
/** By then sway shows a new window, whatever its program does; two can come one after the other. */
const ARRANGED_MS = 500;
const POLL_INTERVAL_MS = 10;
/**
 * How long sway may show a window as it was, and give it the mouse as it was, after a change of its size:
 * it waits for the program to draw, and does not report when it has.
 */
const REDRAW_MS = 200;
/** Changes of the size. */
const REDRAWN: ReadonlySet<WindowChange["kind"]> = new Set(["resize", "restore"]);

export class SwayWindows extends ListedWindows implements Windows, Disposable {
  readonly changes: ReadonlySet<WindowChange["kind"]> = new Set(
    ["focus", "restore", "close", "move", "resize"] as const,
  );
  readonly #ipc: SwayIpc;
  /** One tree for all callers at the same time. */
  readonly #trees = new SharedRun(() => this.#readTree());
  readonly #news = new Waiters();
  #following: Promise<Disposable> | undefined;

  /** @param position of the output whose pixels count */
  constructor(path: string, private readonly position: () => OutputPosition) {
    super();
    this.#ipc = new SwayIpc(path);
  }

  async list(): Promise<readonly Window[]> {
    return (await this.#read()).map(({ window }) => window);
  }

  async change(id: WindowId, change: WindowChange, signal: AbortSignal): Promise<void> {
    const found = (await this.#read()).find(({ window }) => window.id === id);
    if (found === undefined) throw closedWindow(id);
    await this.#ipc.run(`[con_id=${found.containerId}] ${this.#command(found, change)}`);
    if (REDRAWN.has(change.kind)) await pause(REDRAW_MS, signal);
  }

  /** Without what sway does not report: bars, menus and notifications. */
  async at(point: Point): Promise<WindowId | undefined> {
    return findAt(await this.list(), point);
  }

  async changed(signal: AbortSignal): Promise<void> {
    const next = this.#news.wait(signal);
    next.catch(() => {});
    if (this.#following === undefined) {
      await this.#follow();
      return; // no event reported what has changed until now
    }
    await next;
  }

  [Symbol.dispose](): void {
    this.#following?.then((following) => following[Symbol.dispose](), () => {});
    this.#following = undefined;
  }

  /** Until the connection ends: who waits then looks once more, and follows anew. */
  async #follow(): Promise<void> {
    const forget = () => {
      if (this.#following === following) this.#following = undefined;
      this.#news.notify();
    };
    const following = this.#ipc.follow(EVENTS, () => this.#news.notify(), forget);
    this.#following = following;
    try {
      await following;
    } catch (error) {
      forget();
      throw error;
    }
  }

  async #read(): Promise<SwayWindow[]> {
    return readWindows(await this.#trees.run(), this.position());
  }

  /** Waits for new windows to be at their positions, of which sway sends no event. */
  async #readTree(): Promise<Node> {
    const deadline = performance.now() + ARRANGED_MS;
    while (true) {
      const tree = await this.#ipc.request(MESSAGE.getTree, Node);
      if (isArranged(tree) || performance.now() >= deadline) return tree;
      await pause(POLL_INTERVAL_MS);
    }
  }

  #command({ isFloating, window }: SwayWindow, change: WindowChange): string {
    const position = this.position();
    const units = (pixels: number) => toUnits(pixels, position);
    const move = (to: Point) =>
      `move absolute position ${units(to.x) + position.x} ${units(to.y) + position.y}`;
    switch (change.kind) {
      case "focus":
        return "focus";
      case "close":
        return "kill";
      case "restore":
        return "fullscreen disable";
      case "minimize":
      case "maximize":
        throw new ServiceError("unsupported", `sway cannot ${change.kind} windows`);
      case "move":
        if (!isFloating) throw refuseTiled("moves");
        return move(change.to);
      case "resize":
        if (!isFloating) throw refuseTiled("resizes");
        // sway keeps the middle at its position
        return `resize set ${units(change.width)} px ${units(change.height)} px, ` +
          move(window.frame!);
    }
  }
}

function refuseTiled(what: string): ServiceError {
  return new ServiceError(
    "conflict",
    `sway ${what} only floating windows, and this one is tiled: its shortcut for that is usually Super+Shift+Space`,
  );
}

// The windows in the tree that sway answers.

const Rect = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const NO_RECT = { x: 0, y: 0, width: 0, height: 0 };

const Node = z.object({
  id: z.number(),
  type: z.string(),
  name: z.string().nullable().default(null),
  num: z.number().nullish(),
  pid: z.number().nullish(),
  app_id: z.string().nullish(),
  window_properties: z.object({ class: z.string().nullish() }).nullish(),
  rect: Rect.default(NO_RECT),
  window_rect: Rect.default(NO_RECT),
  border: z.string().default(""),
  deco_rect: Rect.default(NO_RECT),
  focused: z.boolean().default(false),
  urgent: z.boolean().default(false),
  visible: z.boolean().nullish(),
  fullscreen_mode: z.number().default(0),
  get nodes(): z.ZodDefault<z.ZodArray<typeof Node>> {
    return z.array(Node).default([]);
  },
  get floating_nodes(): z.ZodDefault<z.ZodArray<typeof Node>> {
    return z.array(Node).default([]);
  },
});
type Node = z.output<typeof Node>;

interface SwayWindow {
  readonly window: Window;
  readonly containerId: number;
  readonly isFloating: boolean;
}

/**
 * `false` while a new window is not visible yet: sway gives its program up to 200 ms to draw it at
 * its position, and until then reports where it will be, but with a border of "none" and no title.
 */
function isArranged(tree: Node): boolean {
  const { border, rect, window_rect: inner } = tree;
  const lacksBorder = border === "none" && isWindow(tree) &&
    (inner.width !== rect.width || inner.height !== rect.height);
  return !lacksBorder && [...tree.nodes, ...tree.floating_nodes].every(isArranged);
}

/** Topmost first: what fills the screen, then what floats, then what is tiled. */
function readWindows(tree: Node, position: OutputPosition): SwayWindow[] {
  const found: (SwayWindow & { readonly height: number })[] = [];
  const visit = (node: Node, desktop: number | null, isFloating: boolean) => {
    const isWorkspace = node.type === "workspace";
    const number = isWorkspace ? toDesktop(node.num) : desktop;
    if (isWindow(node)) {
      const height = node.fullscreen_mode > 0 ? 2 : isFloating ? 1 : 0;
      const window = describe(node, number, position);
      found.push({ window, containerId: node.id, isFloating, height });
    }
    for (const child of node.nodes) visit(child, number, isFloating);
    for (const child of node.floating_nodes) visit(child, number, true);
  };
  visit(tree, null, false);
  // later ones of the same kind are above
  return found.toReversed().sort((one, other) => other.height - one.height);
}

function isWindow({ nodes, pid }: Node): boolean {
  return nodes.length === 0 && pid !== undefined && pid !== null;
}

function describe(node: Node, desktop: number | null, position: OutputPosition): Window {
  const { rect, window_rect: inner, deco_rect: title } = node;
  const frame = { ...rect, y: rect.y - title.height, height: rect.height + title.height };
  const bounds = {
    x: rect.x + inner.x,
    y: rect.y + inner.y,
    width: inner.width,
    height: inner.height,
  };
  const states: Partial<Record<WindowState, boolean>> = {
    active: node.focused,
    fullscreen: node.fullscreen_mode > 0,
    attention: node.urgent,
    hidden: node.visible === false,
  };
  return {
    id: `con-${node.id}`,
    title: node.name ?? "",
    app: node.app_id ?? node.window_properties?.class ?? null,
    pid: node.pid ?? null,
    bounds: toPixels(bounds, position),
    frame: toPixels(frame, position),
    desktop,
    states: (Object.keys(states) as WindowState[]).filter((state) => states[state]),
  };
}

/** Workspaces without a number have none that could be counted. */
function toDesktop(number: number | null | undefined): number | null {
  return number === null || number === undefined || number < 1 ? null : number - 1;
}

// Requests to sway by its own interface, that of i3 (sway-ipc(7)).

const MAGIC = new TextEncoder().encode("i3-ipc");
const HEADER_BYTES = MAGIC.length + 8;
const MAX_ATTEMPTS = 50;
const RETRY_INTERVAL_MS = 20;
/** A sway that leaves a request unanswered for this long hangs. */
const ANSWER_TIMEOUT_MS = 10_000;
/** More than any tree of windows has. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

const MESSAGE = { runCommand: 0, subscribe: 2, getOutputs: 3, getTree: 4 } as const;

const CommandResults = z.array(z.object({ success: z.boolean(), error: z.string().optional() }));

class SwayIpc {
  constructor(private readonly path: string) {}

  /**
   * Sends one request, and resolves with its reply.
   * @throws ServiceError `unavailable`: sway went away, hangs, or does not answer as it should
   */
  async request<T>(type: number, answer: z.ZodType<T>, payload = ""): Promise<T> {
    using connection = await this.#connect();
    const text = await inTime(exchange(connection, type, payload), ANSWER_TIMEOUT_MS, hangs);
    const { data, error } = answer.safeParse(tryParseJson(text));
    if (error === undefined) return data;
    const message = "sway gave an answer that cannot be read";
    throw new ServiceError("unavailable", message, { cause: error });
  }

  /** @throws ServiceError `conflict`: sway refuses, with its reason */
  async run(command: string): Promise<void> {
    const results = await this.request(MESSAGE.runCommand, CommandResults, command);
    const failed = results.find(({ success }) => !success);
    if (failed === undefined) return;
    throw new ServiceError("conflict", `sway refused: ${failed.error ?? "it gives no reason"}`);
  }

  /**
   * Calls `onEvent` at each event of these kinds, and `onEnd` once there will be no more.
   * @returns what ends them
   * @throws ServiceError `unavailable`
   */
  async follow(
    kinds: readonly string[],
    onEvent: () => void,
    onEnd: () => void,
  ): Promise<Disposable> {
    using opening = new DisposableStack();
    const connection = opening.use(await this.#connect());
    const subscribed = exchange(connection, MESSAGE.subscribe, JSON.stringify(kinds));
    await inTime(subscribed, ANSWER_TIMEOUT_MS, hangs);
    const open = opening.move();
    void (async () => {
      try {
        while (await receive(connection) !== undefined) onEvent();
      } catch {
        // the connection ended
      } finally {
        open.dispose();
        onEnd();
      }
    })();
    return open;
  }

  /** sway lets few connections wait: others are refused until it has taken those. */
  async #connect(): Promise<Deno.UnixConn> {
    for (let attempt = 1;; attempt++) {
      try {
        return await Deno.connect({ transport: "unix", path: this.path });
      } catch (cause) {
        const isGone = cause instanceof Deno.errors.NotFound ||
          cause instanceof Deno.errors.ConnectionRefused;
        if (isGone || attempt === MAX_ATTEMPTS) {
          const message = "sway does not respond on its IPC socket";
          throw new ServiceError("unavailable", message, { cause });
        }
        await pause(RETRY_INTERVAL_MS);
      }
    }
  }
}

/** Sends a message, and gives the body of the next one. @throws ServiceError `unavailable` */
async function exchange(connection: Deno.Conn, type: number, payload: string): Promise<string> {
  try {
    await send(connection, type, payload);
    const answer = await receive(connection);
    if (answer !== undefined) return answer;
  } catch (cause) {
    throw gone(cause); // it was reset
  }
  throw gone();
}

async function send(connection: Deno.Conn, type: number, payload: string): Promise<void> {
  const body = new TextEncoder().encode(payload);
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  bytes.set(MAGIC);
  const view = new DataView(bytes.buffer);
  view.setUint32(MAGIC.length, body.length, true);
  view.setUint32(MAGIC.length + 4, type, true);
  bytes.set(body, HEADER_BYTES);
  await writeAll(connection, bytes);
}

/** The body of the next message; `undefined` at the end. */
async function receive(connection: Deno.Conn): Promise<string | undefined> {
  const header = await readExactly(connection, HEADER_BYTES);
  if (header === undefined) return undefined;
  const length = new DataView(header.buffer).getUint32(MAGIC.length, true);
  if (length > MAX_ANSWER_BYTES) throw new RangeError(`an answer of ${length} bytes`);
  const body = await readExactly(connection, length);
  return body && new TextDecoder().decode(body);
}

async function readExactly(
  connection: Deno.Conn,
  length: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const read = await connection.read(bytes.subarray(at));
    if (read === null) return undefined;
    at += read;
  }
  return bytes;
}

function gone(cause?: unknown): ServiceError {
  return new ServiceError("unavailable", "sway went away; try again", { cause });
}

function hangs(): ServiceError {
  return new ServiceError("unavailable", "sway does not answer on its IPC socket");
}

// Finds the socket of sway's own interface, and makes sure that it is that of the same compositor.

/** Who has not answered for longer is not asked again. */
const SEARCH_MS = 1_000;
const SOCKET = /^sway-ipc\.\d+\.\d+\.sock$/;
const Outputs = z.array(z.object({ name: z.string() }));

interface SocketSearch {
  /** The path of the compositor's socket. */
  readonly waylandSocket: string;
  /** The variable SWAYSOCK, which programs inside of another compositor inherit. */
  readonly named: string | undefined;
  readonly outputs: readonly string[];
}

/** @returns `undefined` where another compositor runs */
export async function findSwaySocket(search: SocketSearch): Promise<string | undefined> {
  const { waylandSocket, named, outputs } = search;
  const wanted = outputs.toSorted().join();
  const candidates = [...(named === undefined ? [] : [named]), ...await listSockets(waylandSocket)];
  for (const path of candidates) {
    if ((await readOutputs(path))?.toSorted().join() === wanted) return path;
  }
  return undefined;
}

async function listSockets(waylandSocket: string): Promise<string[]> {
  const folder = dirname(waylandSocket);
  const found: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (SOCKET.test(name)) found.push(`${folder}/${name}`);
    }
  } catch {
    // a folder that cannot be read has no socket for us
  }
  return found;
}

/** `undefined`: nothing answers there, as where a sway was killed. */
async function readOutputs(path: string): Promise<string[] | undefined> {
  const ipc = new SwayIpc(path);
  const ask = async () => (await ipc.request(MESSAGE.getOutputs, Outputs)).map(({ name }) => name);
  const began = performance.now();
  const askAgain = () => performance.now() - began < SEARCH_MS ? ask() : undefined;
  // the windows of the whole session depend on it: one connection that ends is no answer
  return await ask().catch(askAgain).catch(() => undefined);
}
