/**
 * Asks for a change of a window: its window manager, as a pager does (EWMH 1.5, source indication
 * 2), and where there is none the server.
 */

import { ServiceError } from "../../../../core/errors.ts";
import type { Point, Region, Size, Window, WindowChange, WindowState } from "../../../types/mod.ts";
import { CURRENT_TIME, EVENT_MASK } from "../client.ts";
import type { X11Connection } from "../connection.ts";
import type { Manager, WindowAtoms, WindowRequests } from "./requests.ts";
import {
  type Edges,
  type KnownWindow,
  NO_EDGES,
  type WindowFacts,
  type WindowGeometry,
} from "./window_facts.ts";

const FROM_PAGER = 2;
/** WM_CHANGE_STATE (ICCCM 4.1.4). */
const ICONIC = 3;
/** Actions of _NET_WM_STATE. */
const REMOVE = 0;
const ADD = 1;
/** The position is that of the frame's corner. */
const NORTH_WEST_GRAVITY = 1;
const FLAGS = { x: 1 << 8, y: 1 << 9, width: 1 << 10, height: 1 << 11 };
const ABOVE = 0;
const REVERT_TO_POINTER_ROOT = 1;
const MAX_COORDINATE = 0x7fff;

interface Desktop {
  readonly connection: X11Connection;
  readonly requests: WindowRequests;
  readonly atoms: WindowAtoms;
  readonly manager: Manager | undefined;
  readonly active: number;
}

interface Target {
  readonly window: number;
  readonly known: KnownWindow;
}

export async function requestChange(
  desktop: Desktop,
  change: WindowChange,
  target: Target,
): Promise<void> {
  switch (change.kind) {
    case "focus":
      return focus(desktop, target);
    case "minimize":
      return minimize(desktop, target);
    case "maximize":
      return setStates(desktop, target, ADD, ["MAXIMIZED_VERT", "MAXIMIZED_HORZ"]);
    case "restore":
      return restore(desktop, target);
    case "close":
      return await close(desktop, target);
    case "move":
      return move(desktop, target, change.to);
    case "resize":
      return resize(desktop, target, change);
  }
}

function focus(desktop: Desktop, { window, known }: Target): void {
  const { manager, active, atoms, connection: { client } } = desktop;
  if (manager?.supports("_NET_ACTIVE_WINDOW")) {
    const data = [FROM_PAGER, CURRENT_TIME, active];
    return sendToManager(desktop, window, atoms._NET_ACTIVE_WINDOW, data);
  }
  if (!known.geometry.isViewable) throw unsupported("restore a window that is not visible");
  client.ConfigureWindow(window, { stackMode: ABOVE });
  client.SetInputFocus(window, REVERT_TO_POINTER_ROOT);
}

function minimize(desktop: Desktop, { window }: Target): void {
  if (desktop.manager === undefined) throw unsupported("minimize a window");
  sendToManager(desktop, window, desktop.atoms.WM_CHANGE_STATE, [ICONIC]);
}

/** As a person expects it: one that is minimized comes back as it was, any other gets its own size. */
function restore(desktop: Desktop, target: Target): void {
  const { isIconic, isHiddenByManager } = target.known.facts;
  if (isIconic || isHiddenByManager) return focus(desktop, target);
  setStates(desktop, target, REMOVE, ["MAXIMIZED_VERT", "MAXIMIZED_HORZ"]);
  setStates(desktop, target, REMOVE, ["FULLSCREEN"]);
}

type StateName<A = keyof WindowAtoms> = A extends `_NET_WM_STATE_${infer Name}` ? Name : never;

function setStates(
  desktop: Desktop,
  { window }: Target,
  action: typeof ADD | typeof REMOVE,
  [first, second]: readonly [StateName, StateName?],
): void {
  const { manager, atoms } = desktop;
  if (!manager?.supports("_NET_WM_STATE")) throw unsupported("maximize a window, or undo that");
  const states = [first, second].map((name) => name ? atoms[`_NET_WM_STATE_${name}`] : 0);
  sendToManager(desktop, window, atoms._NET_WM_STATE, [action, ...states, FROM_PAGER]);
}

async function close(desktop: Desktop, { window }: Target): Promise<void> {
  const { manager, atoms, connection, requests } = desktop;
  if (manager?.supports("_NET_CLOSE_WINDOW")) {
    return sendToManager(desktop, window, atoms._NET_CLOSE_WINDOW, [CURRENT_TIME, FROM_PAGER]);
  }
  const protocols = await requests.unlessClosed(requests.words(window, atoms.WM_PROTOCOLS)) ?? [];
  if (!protocols.includes(atoms.WM_DELETE_WINDOW)) {
    throw new ServiceError(
      "unsupported",
      `The program of window "${formatId(window)}" does not support closing it by request, ` +
        "and no window manager that could end it is running",
    );
  }
  const data = [atoms.WM_DELETE_WINDOW, CURRENT_TIME, 0, 0, 0];
  connection.client.SendClientMessage(window, window, atoms.WM_PROTOCOLS, 32, data, 0);
}

/** Puts the top left corner of what shows of the window at a point. */
function move(desktop: Desktop, { window, known }: Target, to: Point): void {
  const { left, top } = known.facts.shadow;
  setGeometry(desktop, window, { x: clampCoordinate(to.x - left), y: clampCoordinate(to.y - top) });
}

function resize(desktop: Desktop, { window, known }: Target, size: Size): void {
  const frame = frameOf(known.facts, known.geometry);
  const { bounds } = known.geometry;
  const width = clampSize(size.width - (frame.width - bounds.width));
  const height = clampSize(size.height - (frame.height - bounds.height));
  setGeometry(desktop, window, { width, height });
}

function setGeometry(
  desktop: Desktop,
  window: number,
  values: { x?: number; y?: number; width?: number; height?: number },
): void {
  const { manager, atoms, connection } = desktop;
  if (!manager?.supports("_NET_MOVERESIZE_WINDOW")) {
    return connection.client.ConfigureWindow(window, values); // which a window manager gets
  }
  const named = Object.keys(values) as (keyof typeof FLAGS)[];
  const flags = named.reduce((sum, name) => sum | FLAGS[name], NORTH_WEST_GRAVITY);
  const { x = 0, y = 0, width = 0, height = 0 } = values;
  const data = [flags | FROM_PAGER << 12, x, y, width, height];
  sendToManager(desktop, window, atoms._NET_MOVERESIZE_WINDOW, data);
}

function sendToManager(
  { connection }: Desktop,
  window: number,
  type: number,
  data: readonly number[],
): void {
  const mask = EVENT_MASK.substructureNotify | EVENT_MASK.substructureRedirect;
  const five = Array.from({ length: 5 }, (_, index) => (data[index] ?? 0) >>> 0);
  connection.client.SendClientMessage(connection.root, window, type, 32, five, mask);
}

function unsupported(what: string): ServiceError {
  return new ServiceError(
    "unsupported",
    `Cannot ${what}: no window manager that could do it is running on this display`,
  );
}

function clampCoordinate(value: number): number {
  return Math.max(-MAX_COORDINATE, Math.min(value, MAX_COORDINATE));
}

function clampSize(value: number): number {
  return Math.max(1, Math.min(value, MAX_COORDINATE));
}

// Makes the description of a window of what was read about it.

export function describeWindow(
  window: number,
  { facts, geometry }: KnownWindow,
  { manager, active }: Pick<Desktop, "manager" | "active">,
): Window {
  // apart from those of other desktops
  const reportsMinimized = manager?.supports("_NET_WM_STATE_HIDDEN") ?? false;
  const isMinimized = reportsMinimized ? facts.isHiddenByManager : facts.isIconic;
  const states: WindowState[] = [
    ...(window === active ? ["active" as const] : []),
    ...(isMinimized ? ["minimized" as const] : []),
    ...facts.states,
    ...(geometry.isViewable || isMinimized ? [] : ["hidden" as const]),
  ];
  return {
    id: formatId(window),
    title: facts.title,
    app: facts.app,
    pid: facts.pid,
    bounds: geometry.bounds,
    frame: frameOf(facts, geometry),
    desktop: facts.desktop,
    states,
    isSplash: facts.isSplash,
  };
}

/**
 * Keeps what can be true of what was read: a window manager that has ended leaves what it wrote,
 * and a program can claim a shadow that leaves nothing of its window.
 */
export function keepCredible({ facts, geometry }: KnownWindow, isManaged: boolean): KnownWindow {
  const kept = isManaged ? facts : {
    ...facts,
    states: facts.states.filter((state) => state === "modal"), // which programs say themselves
    desktop: null,
    isIconic: facts.isIconic && !geometry.isViewable,
    isHiddenByManager: false,
    frame: NO_EDGES,
  };
  const { width, height } = shrink(geometry.bounds, facts.shadow);
  return { facts: width > 0 && height > 0 ? kept : { ...kept, shadow: NO_EDGES }, geometry };
}

/** What shows of a window: with what the window manager draws, without the room for a shadow. */
function frameOf({ frame, shadow }: WindowFacts, geometry: WindowGeometry): Region {
  return shrink(grow(withBorder(geometry), frame), shadow);
}

export function withBorder({ bounds, border }: WindowGeometry): Region {
  return grow(bounds, { left: border, right: border, top: border, bottom: border });
}

export function formatId(window: number): string {
  return `0x${window.toString(16)}`;
}

/** `undefined`: it cannot be the id of a window. */
export function parseId(id: string): number | undefined {
  const window = /^0x[0-9a-f]{1,8}$/i.test(id) ? Number.parseInt(id, 16) : 0;
  return window > 1 ? window : undefined; // 0 and 1 are no windows
}

function grow({ x, y, width, height }: Region, { left, right, top, bottom }: Edges): Region {
  return {
    x: x - left,
    y: y - top,
    width: width + left + right,
    height: height + top + bottom,
  };
}

function shrink(region: Region, { left, right, top, bottom }: Edges): Region {
  return grow(region, { left: -left, right: -right, top: -top, bottom: -bottom });
}
