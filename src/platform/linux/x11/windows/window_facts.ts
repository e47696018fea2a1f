/** Reads what a window says about itself, and what its window manager says about it. */

import { Waiters } from "../../../../core/shared_run.ts";
import type { Region, WindowState } from "../../../types/mod.ts";
import { EVENT_MASK, PREDEFINED, VIEWABLE, type XEvent } from "../client.ts";
import type { ClientIds, Resources } from "../connection.ts";
import { readWords } from "../window_queries.ts";
import {
  inBatches,
  MAX_LISTED,
  type Property,
  readText,
  TEXT_WORDS,
  type WindowAtoms,
  type WindowRequests,
} from "./requests.ts";

const ON_ALL_DESKTOPS = 0xffff_ffff;
/** WM_STATE (ICCCM 4.1.3.1). */
const ICONIC = 3;
const MAX_WINDOW_EDGE = 0x7fff;

/** The title, the class, the computer, and lists of numbers. */
type Properties = readonly [Property, Property, Property, ...Property[]];

/** Widths of the edges, in pixels. */
export interface Edges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const NO_EDGES: Edges = { left: 0, right: 0, top: 0, bottom: 0 };

/** What changes only by events of the window itself. */
export interface WindowFacts {
  readonly title: string;
  readonly app: string | null;
  readonly pid: number | null;
  readonly desktop: number | null;
  /** Without those that depend on others. */
  readonly states: readonly WindowState[];
  /** As ICCCM says it: minimized, or on another desktop. */
  readonly isIconic: boolean;
  /** As EWMH says it: minimized. */
  readonly isHiddenByManager: boolean;
  readonly isSplash: boolean;
  /** What the window manager draws around it. */
  readonly frame: Edges;
  /** What the program has around what it shows: the room for a shadow. */
  readonly shadow: Edges;
}

/** What changes with the layout of the screen. */
export interface WindowGeometry {
  readonly bounds: Region;
  readonly border: number;
  readonly isViewable: boolean;
}

interface FactReader {
  readonly requests: WindowRequests;
  readonly atoms: WindowAtoms;
  readonly owners: OwnerPids;
}

/** @throws XError when it has closed */
async function readFacts(
  { requests, atoms, owners }: FactReader,
  window: number,
): Promise<WindowFacts> {
  const [[netName, wmClass, machine, ...lists], pid] = await Promise.all([
    requests.properties<Properties>(window, [
      atoms._NET_WM_NAME,
      PREDEFINED.WM_CLASS,
      PREDEFINED.WM_CLIENT_MACHINE,
      atoms._NET_WM_DESKTOP,
      atoms._NET_WM_STATE,
      atoms.WM_STATE,
      atoms._NET_FRAME_EXTENTS,
      atoms._GTK_FRAME_EXTENTS,
      atoms._NET_WM_WINDOW_TYPE,
    ]),
    readPid({ requests, atoms, owners }, window),
  ]);
  const [desktop = [], netState = [], wmState = [], frame = [], shadow = [], types = []] = lists
    .map(({ data }) => readWords(data));
  // programs of today set the first of the two names
  const name = netName.data.length > 0
    ? netName
    : await requests.property(window, PREDEFINED.WM_NAME, TEXT_WORDS);
  const isFromElsewhere = machine.data.length > 0 &&
    readText(machine, atoms.UTF8_STRING).replace(/\0.*$/s, "") !== Deno.hostname();
  return {
    title: readText(name, atoms.UTF8_STRING).replace(/\0.*$/s, ""),
    app: readClass(wmClass, atoms.UTF8_STRING),
    pid: isFromElsewhere ? null : pid,
    desktop: desktop[0] === undefined || desktop[0] === ON_ALL_DESKTOPS ? null : desktop[0],
    states: readStates(atoms, netState),
    isIconic: wmState[0] === ICONIC,
    isHiddenByManager: netState.includes(atoms._NET_WM_STATE_HIDDEN) &&
      !netState.includes(atoms._NET_WM_STATE_SHADED),
    isSplash: types.includes(atoms._NET_WM_WINDOW_TYPE_SPLASH),
    frame: readEdges(frame),
    shadow: readEdges(shadow),
  };
}

/** What a program says of itself can be its number inside a container. */
async function readPid(
  { requests, atoms, owners }: FactReader,
  window: number,
): Promise<number | null> {
  return await owners.of(window) ?? (await requests.words(window, atoms._NET_WM_PID))[0] ?? null;
}

type GeometryReplies = readonly [
  { width: number; height: number; borderWidth: number },
  { destX: number; destY: number },
  { mapState: number },
];

/** @throws XError when it has closed */
export async function readGeometry(
  requests: WindowRequests,
  window: number,
): Promise<WindowGeometry> {
  const { client, root } = requests.connection;
  const [geometry, { destX: x, destY: y }, { mapState }] = await requests.askAll<GeometryReplies>([
    (done) => client.GetGeometry(window, done),
    (done) => client.TranslateCoordinates(window, root, 0, 0, done),
    (done) => client.GetWindowAttributes(window, done),
  ]);
  const { width, height, borderWidth: border } = geometry;
  return { bounds: { x, y, width, height }, border, isViewable: mapState === VIEWABLE };
}

/** WM_CLASS: the name of the instance, then the class, each ended by NUL. */
function readClass(property: Property, utf8: number): string | null {
  const [instance, program] = readText(property, utf8).split("\0");
  return program || instance || null;
}

function readStates(atoms: WindowAtoms, listed: readonly number[]): WindowState[] {
  const has = (name: keyof WindowAtoms) => listed.includes(atoms[name]);
  const found: Partial<Record<WindowState, boolean>> = {
    maximized: has("_NET_WM_STATE_MAXIMIZED_VERT") && has("_NET_WM_STATE_MAXIMIZED_HORZ"),
    fullscreen: has("_NET_WM_STATE_FULLSCREEN"),
    above: has("_NET_WM_STATE_ABOVE"),
    modal: has("_NET_WM_STATE_MODAL"),
    attention: has("_NET_WM_STATE_DEMANDS_ATTENTION"),
  };
  return (Object.keys(found) as WindowState[]).filter((state) => found[state]);
}

/** Programs write these numbers, too: none is wider than a window can be. */
function readEdges(widths: readonly number[]): Edges {
  if (widths.some((width) => width > MAX_WINDOW_EDGE)) return NO_EDGES;
  const [left = 0, right = 0, top = 0, bottom = 0] = widths;
  return { left, right, top, bottom };
}

// The processes that have opened windows, as the server knows them (X-Resource extension, version
// 1.2).

export class OwnerPids {
  /** By the client; those that are asked for now. */
  readonly #asked = new Map<number, Promise<number | undefined>>();

  constructor(
    private readonly requests: WindowRequests,
    /** Absent where the server lacks the extension. */
    private readonly resources: Resources | undefined,
  ) {}

  /**
   * The process that has opened the window, if it is on the server's computer. Windows of one client
   * that are looked at together share a request: all ids of a client begin with the same bits.
   */
  of(window: number): Promise<number | undefined> {
    const { resources } = this;
    if (resources === undefined) return Promise.resolve(undefined);
    const client = window & ~this.requests.connection.setup.resource_mask;
    return this.#asked.getOrInsertComputed(
      client,
      () => this.#ask(resources, window).finally(() => this.#asked.delete(client)),
    );
  }

  async #ask(resources: Resources, window: number): Promise<number | undefined> {
    const specs = [{ client: window, mask: resources.ClientIdMask.LocalClientPID }];
    const ids = await this.requests.connection.call<ClientIds>(
      (done) => resources.QueryClientIds(specs, done),
      { isPatient: true },
    );
    return ids[0]?.value[0];
  }
}

// What is known about windows, kept for as long as no event says that it has changed: a list of
// many windows then needs few requests.

/** More windows than a list has, and the menus beside it: beyond, those read first are forgotten. */
const MAX_KNOWN = 2 * MAX_LISTED;
/** Events after which windows can be elsewhere. */
const LAYOUT_EVENTS: ReadonlySet<string | undefined> = new Set([
  "ConfigureNotify",
  "MapNotify",
  "UnmapNotify",
  "ReparentNotify",
  "GravityNotify",
  "CirculateNotify",
]);

export interface KnownWindow {
  readonly facts: WindowFacts;
  readonly geometry: WindowGeometry;
}

export class FollowedWindows {
  readonly #facts = new Map<number, Promise<WindowFacts | undefined>>();
  readonly #geometries = new Map<number, Promise<WindowGeometry | undefined>>();
  readonly #news = new Waiters();

  constructor(private readonly reader: FactReader) {
    const { connection } = reader.requests;
    connection.onEvent((event) => this.#onEvent(event));
    connection.onLoss(() => this.#news.notify());
    connection.client.ChangeWindowAttributes(connection.root, {
      eventMask: EVENT_MASK.structureNotify | EVENT_MASK.substructureNotify |
        EVENT_MASK.propertyChange,
    });
  }

  /** What is true of windows now; `undefined` for each that has closed. */
  read(windows: readonly number[]): Promise<(KnownWindow | undefined)[]> {
    return inBatches(windows, (some) => this.#readBatch(some));
  }

  async #readBatch(windows: readonly number[]): Promise<(KnownWindow | undefined)[]> {
    const readings = windows.map(async (window) => {
      const [facts, geometry] = await Promise.all([
        this.#factsOf(window),
        this.#geometryOf(window),
      ]);
      return facts && geometry && { facts, geometry };
    });
    this.reader.requests.flush();
    return await Promise.all(readings);
  }

  /** Resolves at the next event; rejects with the signal's reason. */
  next(signal: AbortSignal): Promise<void> {
    return this.#news.wait(signal);
  }

  #factsOf(window: number): Promise<WindowFacts | undefined> {
    const known = this.#facts.get(window);
    if (known) return known;
    this.#follow(window);
    return this.#keep(this.#facts, window, readFacts(this.reader, window));
  }

  #geometryOf(window: number): Promise<WindowGeometry | undefined> {
    return this.#geometries.get(window) ??
      this.#keep(this.#geometries, window, readGeometry(this.reader.requests, window));
  }

  #keep<T>(
    known: Map<number, Promise<T | undefined>>,
    window: number,
    read: Promise<T>,
  ): Promise<T | undefined> {
    const kept = read.catch((error) => {
      if (known.get(window) === kept) known.delete(window);
      if (this.reader.requests.isClosed(error)) return undefined;
      throw error;
    });
    known.set(window, kept);
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
    return kept;
  }

  #follow(window: number): void {
    this.reader.requests.connection.client.ChangeWindowAttributes(window, {
      eventMask: EVENT_MASK.structureNotify | EVENT_MASK.propertyChange,
    });
  }

  #onEvent({ name, wid, wid1 }: XEvent): void {
    if (LAYOUT_EVENTS.has(name)) this.#geometries.clear(); // a frame takes others along
    if (name === "PropertyNotify") this.#facts.delete(wid);
    if (name === "DestroyNotify") {
      this.#facts.delete(wid);
      this.#geometries.delete(wid);
    }
    if (name === "ReparentNotify") this.#facts.delete(wid);
    if (wid1 !== undefined) this.#geometries.delete(wid1);
    this.#news.notify();
  }
}
