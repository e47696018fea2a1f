/** Reads what a window says about itself, and what its window manager says about it. */

import type { Region, WindowState } from "../../../types/mod.ts";
import type { ClientIds, Resources } from "../extensions.ts";
import { PREDEFINED, type WindowAtoms } from "./atoms.ts";
import { type Property, readText, type WindowRequests } from "./requests.ts";

/** Words of four bytes that are read of a title or a class. */
const TEXT_WORDS = 1_024;
const ON_ALL_DESKTOPS = 0xffff_ffff;
/** WM_STATE (ICCCM 4.1.3.1). */
const ICONIC = 3;
const VIEWABLE = 2;
const MAX_WINDOW_EDGE = 0x7fff;

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
  readonly isPutAway: boolean;
  /** What the window manager draws around it. */
  readonly frame: Edges;
  /** What the program has around what it shows: the room for a shadow. */
  readonly shadow: Edges;
}

/** What changes with the layout of the screen. */
export interface WindowPlace {
  readonly bounds: Region;
  readonly border: number;
  readonly isShown: boolean;
}

export interface FactReader {
  readonly requests: WindowRequests;
  readonly atoms: WindowAtoms;
  /** Absent where the server lacks the extension. */
  readonly resources: Resources | undefined;
}

/** @throws XError when it has closed */
export async function readFacts(
  { requests, atoms, resources }: FactReader,
  window: number,
): Promise<WindowFacts> {
  const words = (name: number) => requests.words(window, name);
  const text = (name: number) => requests.property(window, name, TEXT_WORDS);
  const [
    [netName, name, wmClass, machine],
    [claimedPid, desktop, netState, wmState, frame, shadow],
    ownerPid,
  ] = await Promise.all([
    Promise.all([
      text(atoms._NET_WM_NAME),
      text(PREDEFINED.WM_NAME),
      text(PREDEFINED.WM_CLASS),
      text(PREDEFINED.WM_CLIENT_MACHINE),
    ]),
    Promise.all([
      words(atoms._NET_WM_PID),
      words(atoms._NET_WM_DESKTOP),
      words(atoms._NET_WM_STATE),
      words(atoms.WM_STATE),
      words(atoms._NET_FRAME_EXTENTS),
      words(atoms._GTK_FRAME_EXTENTS),
    ]),
    resources === undefined ? undefined : readOwnerPid(requests, resources, window),
  ]);
  const isFromElsewhere = machine.data.length > 0 &&
    readText(machine, atoms.UTF8_STRING).replace(/\0.*$/s, "") !== Deno.hostname();
  const title = netName.data.length > 0 ? netName : name;
  return {
    title: readText(title, atoms.UTF8_STRING).replace(/\0.*$/s, ""),
    app: readClass(wmClass, atoms.UTF8_STRING),
    // what a program says of itself can be its number inside a container
    pid: isFromElsewhere ? null : ownerPid ?? claimedPid[0] ?? null,
    desktop: desktop[0] === undefined || desktop[0] === ON_ALL_DESKTOPS ? null : desktop[0],
    states: readStates(atoms, netState),
    isIconic: wmState[0] === ICONIC,
    isPutAway: netState.includes(atoms._NET_WM_STATE_HIDDEN) &&
      !netState.includes(atoms._NET_WM_STATE_SHADED),
    frame: readEdges(frame),
    shadow: readEdges(shadow),
  };
}

/** @throws XError when it has closed */
export async function readPlace(requests: WindowRequests, window: number): Promise<WindowPlace> {
  const [geometry, { destX: x, destY: y }, { mapState }] = await Promise.all([
    requests.geometry(window),
    requests.place(window),
    requests.attributes(window),
  ]);
  const { width, height, borderWidth: border } = geometry;
  return { bounds: { x, y, width, height }, border, isShown: mapState === VIEWABLE };
}

/** The process that has opened the window, if it is on the server's computer. */
async function readOwnerPid(
  requests: WindowRequests,
  resources: Resources,
  window: number,
): Promise<number | undefined> {
  const specs = [{ client: window, mask: resources.ClientIdMask.LocalClientPID }];
  const ids = await requests.ask<ClientIds>((done) => resources.QueryClientIds(specs, done));
  return ids[0]?.value[0];
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
