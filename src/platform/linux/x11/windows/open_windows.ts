/** The windows of an X server, on a connection that follows them. */

import { EventLoopYielder } from "../../../../core/event_loop_yielder.ts";
import { closedWindow } from "../../../listed_windows.ts";
import type { Point, Window, WindowChange, WindowId } from "../../../types/mod.ts";
import { requireExtension, type Resources, type X11Connection } from "../connection.ts";
import { VIEWABLE } from "../client.ts";
import { internAtoms, MAX_DEPTH, WindowManager, withAncestors } from "../window_queries.ts";
import {
  AT_ONCE,
  findManager,
  inBatches,
  type Manager,
  MAX_LISTED,
  WINDOW_ATOMS,
  type WindowAtoms,
  WindowRequests,
} from "./requests.ts";
import {
  describeWindow,
  formatId,
  keepCredible,
  parseId,
  requestChange,
} from "./request_change.ts";
import { FollowedWindows, type KnownWindow, OwnerPids } from "./window_facts.ts";

/** What the display says at one moment. */
interface Desk {
  readonly manager: Manager | undefined;
  readonly active: number;
  /** Topmost first. */
  readonly listed: readonly number[];
}

export class OpenWindows {
  readonly #requests: WindowRequests;
  readonly #tree: WindowTree;
  readonly #followed: FollowedWindows;

  private constructor(
    private readonly connection: X11Connection,
    private readonly atoms: WindowAtoms,
    private readonly manager: WindowManager,
    resources: Resources | undefined,
  ) {
    const requests = this.#requests = new WindowRequests(connection);
    const owners = new OwnerPids(requests, resources);
    this.#tree = new WindowTree(requests, atoms);
    this.#followed = new FollowedWindows({ requests, atoms, owners });
  }

  static async open(connection: X11Connection): Promise<OpenWindows> {
    const [atoms, manager, resources] = await Promise.all([
      internAtoms(connection, WINDOW_ATOMS),
      WindowManager.open(connection),
      openResources(connection),
    ]);
    return new OpenWindows(connection, atoms, manager, resources);
  }

  get connected(): boolean {
    return this.connection.connected;
  }

  async list(): Promise<Window[]> {
    const desk = await this.#readDesk();
    const listed = desk.listed.slice(0, MAX_LISTED);
    const known = await this.#inspect(listed, desk);
    return listed.flatMap((window, index) => {
      const one = known[index];
      return one === undefined ? [] : [describeWindow(window, one, desk)];
    });
  }

  async active(): Promise<Window | null> {
    const desk = await this.#readDesk();
    const [known] = await this.#inspect(desk.active === 0 ? [] : [desk.active], desk);
    return known === undefined ? null : describeWindow(desk.active, known, desk);
  }

  /** What the window manager says of the active window comes later than the focus, and goes later. */
  async hasKeyboard(id: WindowId): Promise<boolean | "never"> {
    const { focus } = await this.connection.request("GetInputFocus");
    const inside = withAncestors(this.connection, focus);
    for (;;) {
      const next = await this.#requests.unlessClosed(inside.next());
      if (next === undefined || next.done) break;
      if (formatId(next.value) === id) return true;
    }
    return await findManager(this.#requests, this.atoms) === undefined ? "never" : false;
  }

  async find(id: WindowId): Promise<Window> {
    const { window, known, desk } = await this.#find(id);
    return describeWindow(window, known, desk);
  }

  async change(id: WindowId, change: WindowChange): Promise<void> {
    const { window, known, desk } = await this.#find(id);
    const { connection, atoms } = this;
    const desktop = { connection, atoms, requests: this.#requests, ...desk };
    await requestChange(desktop, change, { window, known });
    await connection.confirm();
    if (desk.manager !== undefined) await this.manager.caughtUp();
  }

  async at(point: Point): Promise<WindowId | undefined> {
    const topLevel = await this.#tree.topLevelAt(point);
    if (topLevel === 0) return undefined;
    return formatId(await this.#tree.programIn(topLevel) ?? topLevel);
  }

  async popups(): Promise<Window[]> {
    const popups = await this.#tree.popups();
    if (popups.length === 0) return [];
    const desk = await this.#readDesk();
    const known = await this.#followed.read(popups);
    return popups.flatMap((window, index) => {
      const one = known[index];
      return one?.geometry.isViewable ? [describeWindow(window, one, desk)] : [];
    });
  }

  /** The child of the root that shows a window, if its picture can be read; else `undefined`. */
  async drawnWindow(id: WindowId): Promise<WindowId | undefined> {
    const { window } = await this.#find(id);
    const composite = await requireExtension(this.connection, "composite");
    if (composite === undefined) return undefined;
    const topLevel = await this.#tree.topLevelOf(window);
    return topLevel === undefined ? undefined : formatId(topLevel);
  }

  changed(signal: AbortSignal): Promise<void> {
    if (!this.connected) return Promise.resolve(); // the next call says so
    return this.#followed.next(signal);
  }

  close(): void {
    this.connection[Symbol.dispose]();
  }

  async #readDesk(): Promise<Desk> {
    const requests = this.#requests;
    const { root } = this.connection;
    const asked = Promise.all([
      requests.words(root, this.atoms._NET_CLIENT_LIST_STACKING),
      requests.words(root, this.atoms._NET_CLIENT_LIST),
      requests.words(root, this.atoms._NET_ACTIVE_WINDOW),
      findManager(requests, this.atoms),
    ]);
    requests.flush();
    const [stacked, clients, [active = 0], manager] = await asked;
    if (manager?.supports("_NET_CLIENT_LIST")) {
      const listed = (stacked.length > 0 ? stacked : clients).toReversed();
      return { manager, listed, active };
    }
    return {
      manager,
      listed: await this.#tree.programs(),
      active: await this.#focused(),
    };
  }

  /** `undefined` for each that has closed. */
  async #inspect(windows: readonly number[], desk: Desk): Promise<(KnownWindow | undefined)[]> {
    const known = await this.#followed.read(windows);
    return known.map((one) => one && keepCredible(one, desk.manager !== undefined));
  }

  /** The window that has the focus, where no window manager says which one is active. */
  async #focused(): Promise<number> {
    const { focus } = await this.connection.request("GetInputFocus");
    const topLevel = await this.#tree.topLevelOf(focus);
    if (topLevel === undefined) return 0;
    return await this.#tree.programIn(topLevel) ?? topLevel;
  }

  async #find(id: WindowId): Promise<{ window: number; known: KnownWindow; desk: Desk }> {
    const window = parseId(id);
    const desk = await this.#readDesk();
    if (window !== undefined && window !== this.connection.root) {
      const [known] = await this.#inspect([window], desk);
      const isOpen = known?.geometry.isViewable || known?.facts.isIconic ||
        desk.listed.includes(window);
      if (known !== undefined && isOpen) return { window, known, desk };
    }
    throw closedWindow(id);
  }
}

/** Version 1.2 is the first that reports processes. */
async function openResources(connection: X11Connection): Promise<Resources | undefined> {
  const resources = await requireExtension<Resources>(connection, "res");
  if (resources === undefined) return undefined;
  const [major = 0, minor = 0] = await connection.call<readonly number[]>((done) =>
    resources.QueryVersion(1, 2, done)
  );
  return major > 1 || (major === 1 && minor >= 2) ? resources : undefined;
}

// Finds the windows of programs in the server's tree: a window manager puts them into frames of its
// own, and marks them with WM_STATE (ICCCM 4.1.3.1).

/** Frames have their program's window within so many levels. */
const MAX_FRAME_DEPTH = 3;
/** Windows of a frame that are read. */
const MAX_FRAME_WINDOWS = 64;
const INPUT_OUTPUT = 1;
const UNMAPPED = 0;

export class WindowTree {
  constructor(
    private readonly requests: WindowRequests,
    private readonly atoms: WindowAtoms,
  ) {}

  /** The children of the root, topmost first. */
  async topLevels(): Promise<number[]> {
    const asked = this.requests.ask("QueryTree", this.requests.connection.root);
    this.requests.flush();
    return (await asked).children.toReversed();
  }

  /**
   * The window of a program in a child of the root, which can be that child itself.
   * @returns `undefined`: there is none in it, as in a menu
   */
  async programIn(topLevel: number): Promise<number | undefined> {
    let level = [topLevel];
    for (let depth = 0; depth <= MAX_FRAME_DEPTH && level.length > 0; depth++) {
      const marks = await this.#each(level, (one) => this.requests.words(one, this.atoms.WM_STATE));
      const marked = marks.findIndex((words) => (words?.length ?? 0) > 0);
      if (marked >= 0) return level[marked];
      const trees = await this.#each(level, (one) => this.requests.ask("QueryTree", one));
      level = trees.flatMap((tree) => tree?.children ?? []).slice(0, MAX_FRAME_WINDOWS);
    }
    return undefined;
  }

  /** The children of the root that show without asking the window manager, topmost first. */
  async popups(): Promise<number[]> {
    const topLevels = await this.topLevels();
    const ask = (one: number) => this.requests.ask("GetWindowAttributes", one);
    const attributes = await this.#each(topLevels, ask);
    return topLevels.filter((_, index) => {
      const { klass, mapState, overrideRedirect } = attributes[index] ?? {};
      return klass === INPUT_OUTPUT && mapState === VIEWABLE && overrideRedirect === 1;
    }).slice(0, MAX_LISTED);
  }

  /** The child of the root that contains a window. */
  async topLevelOf(window: number): Promise<number | undefined> {
    let last: number | undefined;
    let depth = 0;
    const walk = async () => {
      for await (const each of withAncestors(this.requests.connection, window)) {
        last = each;
        depth++;
      }
    };
    await this.requests.unlessClosed(walk());
    return depth < MAX_DEPTH ? last : undefined;
  }

  /** The windows of programs where no window manager lists them, topmost first; no more than a list has. */
  async programs(): Promise<number[]> {
    const topLevels = await this.topLevels();
    const found: number[] = [];
    const yielder = new EventLoopYielder();
    for (let at = 0; at < topLevels.length && found.length < MAX_LISTED; at += AT_ONCE) {
      const asked = topLevels.slice(at, at + AT_ONCE).map((one) => this.#programOrSelf(one));
      found.push(...(await Promise.all(asked)).filter((window) => window !== undefined));
      await yielder.yieldIfDue();
    }
    return found;
  }

  /** The topmost child of the root at a point, and 0 if there is none; as pointers see it. */
  async topLevelAt({ x, y }: { readonly x: number; readonly y: number }): Promise<number> {
    const { connection } = this.requests;
    const { root } = connection;
    return (await connection.request("TranslateCoordinates", root, root, x, y)).child;
  }

  /** A child of the root can be a window by itself, where no window manager marks them. */
  async #programOrSelf(topLevel: number): Promise<number | undefined> {
    const program = await this.programIn(topLevel);
    if (program !== undefined) return program;
    const asked = this.requests.ask("GetWindowAttributes", topLevel);
    const { klass, mapState, overrideRedirect } = await this.requests.unlessClosed(asked) ?? {};
    const isMapped = klass === INPUT_OUTPUT && mapState !== UNMAPPED && overrideRedirect === 0;
    return isMapped ? topLevel : undefined;
  }

  #each<T>(
    windows: readonly number[],
    ask: (window: number) => Promise<T>,
  ): Promise<(T | undefined)[]> {
    const askOne = (window: number) => this.requests.unlessClosed(ask(window));
    return inBatches(windows, (some) => Promise.all(some.map(askOne)));
  }
}
