/** The windows of KWin, by scripts that it runs: its interfaces for taskbars report less, to fewer. */

import { z } from "zod";
import { unlessAborted } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { once, SharedRun, Waiters } from "../../../../core/shared_run.ts";
import { overlap } from "../../../../imaging/boxes.ts";
import type {
  Point,
  Region,
  Window,
  WindowChange,
  WindowId,
  Windows,
  WindowState,
} from "../../../types/mod.ts";
import {
  ALL_CHANGES,
  closedWindow,
  ListedWindows,
  type OutputPosition,
  toPixels,
} from "../../../listed_windows.ts";
import type { WaylandClient } from "../client.ts";
import { findAt, toUnits } from "../pointer_position.ts";
import { KwinScript, type ScriptHost } from "./script.ts";

const FAILURE = "Cannot list windows";

/** What all outputs of a session share. */
export class WindowScripts implements AsyncDisposable {
  readonly #list: KwinScript;
  /** One run for all callers at the same time. */
  readonly #lists = new SharedRun(() => this.#list.run());
  readonly #follow: KwinScript;
  readonly #news = new Waiters();
  readonly #startFollowing = once(() => this.#follow.start(() => this.#news.notify()));

  /** @param client of the same KWin, whose end ends every wait */
  constructor(private readonly host: ScriptHost, private readonly client: WaylandClient) {
    this.#list = new KwinScript(host, { source: LIST, failure: FAILURE });
    this.#follow = new KwinScript(host, { source: FOLLOW, failure: "Cannot follow windows" });
    client.closed.then(() => this.#news.notify());
  }

  async list(position: OutputPosition): Promise<KwinWindows> {
    const [json] = await this.#lists.run();
    if (typeof json === "string") return readWindows(json, position);
    throw new ServiceError("unsupported", `${FAILURE}: KWin returned no text`);
  }

  /** Whether the window was there. */
  async change(id: WindowId, change: WindowChange): Promise<boolean> {
    const source = changeScript(id, change);
    await using script = new KwinScript(this.host, { source, failure: "Cannot change windows" });
    const [found] = await script.run();
    return found === true;
  }

  async changed(signal: AbortSignal): Promise<void> {
    if (!this.client.connected) return; // the next call says so
    const next = this.#news.wait(signal);
    next.catch(() => {});
    await unlessAborted(this.#startFollowing(), signal);
    await next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#list, this.#follow].map((each) => each[Symbol.asyncDispose]()));
  }
}

export class KdeWindows extends ListedWindows implements Windows {
  readonly changes = ALL_CHANGES;

  /** @param position of the output whose pixels count */
  constructor(
    private readonly scripts: WindowScripts,
    private readonly position: () => OutputPosition,
  ) {
    super();
  }

  async list(): Promise<readonly Window[]> {
    return (await this.scripts.list(this.position())).listed;
  }

  async change(id: WindowId, change: WindowChange, signal: AbortSignal): Promise<void> {
    await this.find(id, signal);
    if (!await this.scripts.change(id, this.#inUnits(change))) throw closedWindow(id);
  }

  async at(point: Point): Promise<WindowId | undefined> {
    return findAt((await this.scripts.list(this.position())).all, point);
  }

  changed(signal: AbortSignal): Promise<void> {
    return this.scripts.changed(signal);
  }

  #inUnits(change: WindowChange): WindowChange {
    const position = this.position();
    const units = (pixels: number) => toUnits(pixels, position);
    if (change.kind === "move") {
      const { x, y } = change.to;
      return { kind: "move", to: { x: units(x) + position.x, y: units(y) + position.y } };
    }
    if (change.kind !== "resize") return change;
    return { kind: "resize", width: units(change.width), height: units(change.height) };
  }
}

// The windows as a script in KWin reports them.

const Area = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const Flag = z.boolean().nullish();

const ReportedWindow = z.object({
  id: z.string(),
  title: z.string().nullish(),
  app: z.string().nullish(),
  pid: z.number().nullish(),
  frame: Area,
  client: Area.nullish(),
  buffer: Area.nullish(),
  order: z.number().nullish(),
  /** Counted from 1; none: all of them. */
  desktops: z.array(z.number()).default([]),
  isListed: Flag,
  isDesktop: Flag,
  active: Flag,
  minimized: Flag,
  maximized: Flag,
  fullscreen: Flag,
  above: Flag,
  modal: Flag,
  attention: Flag,
});
type ReportedWindow = z.output<typeof ReportedWindow>;

const List = z.object({ desktop: z.number().nullish(), windows: z.array(ReportedWindow) });

/** All that is on the screens, topmost first. */
interface KwinWindows {
  /** What a person would call a window. */
  readonly listed: readonly Window[];
  /** Those, and panels, menus and hints. */
  readonly all: readonly Window[];
}

/** @param json of the script `LIST` */
function readWindows(json: string, position: OutputPosition): KwinWindows {
  const { desktop, windows } = List.parse(JSON.parse(json));
  const reported = windows.filter(({ isDesktop }) => !isDesktop)
    .sort((one, other) => (other.order ?? 0) - (one.order ?? 0));
  const all = reported.map((each) => describe(each, desktop ?? undefined, position));
  return { all, listed: all.filter((_, at) => reported[at]!.isListed) };
}

function describe(
  reported: ReportedWindow,
  current: number | undefined,
  position: OutputPosition,
): Window {
  const { id, title, app, pid, frame, desktops, minimized } = reported;
  const states: Readonly<Record<WindowState, boolean>> = {
    active: Boolean(reported.active),
    minimized: Boolean(minimized),
    maximized: Boolean(reported.maximized),
    fullscreen: Boolean(reported.fullscreen),
    above: Boolean(reported.above),
    modal: Boolean(reported.modal),
    attention: Boolean(reported.attention),
    hidden: current !== undefined && desktops.length > 0 && !desktops.includes(current),
  };
  return {
    id,
    title: title ?? "",
    app: app || null,
    pid: pid !== null && pid !== undefined && pid > 0 ? pid : null,
    bounds: toPixels(contentOf(reported), position),
    frame: toPixels(frame, position),
    desktop: desktops.length === 1 ? desktops[0]! - 1 : null,
    states: (Object.keys(states) as WindowState[]).filter((state) => states[state]),
  };
}

/**
 * Plasma 5 reports only where the buffer is: within the frame that KWin draws, or around that of the
 * program with its shadow.
 */
function contentOf({ frame, client, buffer }: ReportedWindow): Region {
  if (client) return client;
  return (buffer && overlap(frame, buffer)) ?? frame;
}

// The scripts by which KWin reports and changes its windows, for Plasma 5 and 6: the names of many
// properties are others there.
// https://develop.kde.org/docs/plasma/kwin/api/

/** What both of the others need. */
const COMMON = `
var windows = workspace.windowList ? workspace.windowList() : workspace.clientList();
function area(rect) {
  return rect && { x: rect.x, y: rect.y, width: rect.width, height: rect.height };
}
`;

/** Answers all windows as JSON. */
const LIST = `${COMMON}
function isMaximized(w) {
  if (w.maximizeMode !== undefined) return w.maximizeMode === 3;
  if (!w.maximizable || w.fullScreen) return false;
  var all = workspace.clientArea(KWin.MaximizeArea, w), frame = w.frameGeometry;
  return ["x", "y", "width", "height"].every(function (each) {
    return Math.abs(all[each] - frame[each]) < 1;
  });
}
function desktopNumbers(w) {
  if (w.onAllDesktops) return [];
  if (w.desktops === undefined) return w.x11DesktopIds || [w.desktop];
  return w.desktops.map(function (desktop) { return desktop.x11DesktopNumber; });
}
var current = workspace.currentDesktop;
answer(JSON.stringify({
  desktop: typeof current === "number" ? current : current.x11DesktopNumber,
  windows: windows.filter(function (w) { return !w.deleted; }).map(function (w) {
    return {
      id: String(w.internalId),
      title: w.caption,
      app: String(w.desktopFileName || w.resourceClass || ""),
      pid: w.pid,
      frame: area(w.frameGeometry),
      client: area(w.clientGeometry),
      buffer: area(w.bufferGeometry),
      order: w.stackingOrder,
      desktops: desktopNumbers(w),
      isListed: w.managed && (w.normalWindow || w.dialog || w.utility || w.splash),
      isDesktop: w.desktopWindow,
      active: w.active,
      minimized: w.minimized,
      maximized: isMaximized(w),
      fullscreen: w.fullScreen,
      above: w.keepAbove,
      modal: w.modal,
      attention: w.demandsAttention
    };
  })
}));
`;

/**
 * Answers at every change. There is never more than one on its way: KWin's script is called when it
 * was taken, so that a window that is dragged does not flood the bus.
 */
const FOLLOW = `${COMMON}
var isSending = false, isDue = false;
function notify() {
  if (isSending) {
    isDue = true;
    return;
  }
  isSending = true;
  answer(function () {
    isSending = false;
    if (!isDue) return;
    isDue = false;
    notify();
  });
}
function connect(object, names) {
  names.forEach(function (name) {
    if (object[name] && object[name].connect) object[name].connect(notify);
  });
}
function follow(w) {
  connect(w, [
    "captionChanged", "frameGeometryChanged", "minimizedChanged", "clientMinimized",
    "clientUnminimized", "maximizedChanged", "clientMaximizedStateChanged", "fullScreenChanged",
    "activeChanged", "keepAboveChanged", "demandsAttentionChanged", "desktopsChanged",
    "desktopChanged", "modalChanged", "desktopFileNameChanged"
  ]);
}
windows.forEach(follow);
var added = workspace.windowAdded || workspace.clientAdded;
added.connect(function (w) {
  follow(w);
  notify();
});
connect(workspace, [
  "windowRemoved", "clientRemoved", "windowActivated", "clientActivated", "currentDesktopChanged",
  "stackingOrderChanged"
]);
answer();
`;

/** In KWin's coordinates. */
function changeScript(id: string, change: WindowChange): string {
  return `${COMMON}
var id = ${JSON.stringify(id)}, change = ${JSON.stringify(change)};
function activate(w) {
  w.minimized = false;
  if (workspace.activeWindow !== undefined) workspace.activeWindow = w;
  else workspace.activeClient = w;
  if (workspace.raiseWindow) workspace.raiseWindow(w);
}
function place(w, part) {
  var now = area(w.frameGeometry);
  for (var each in part) now[each] = part[each];
  w.frameGeometry = now;
}
var changes = {
  focus: activate,
  minimize: function (w) { w.minimized = true; },
  maximize: function (w) {
    w.minimized = false;
    w.setMaximize(true, true);
  },
  restore: function (w) {
    if (w.minimized) {
      w.minimized = false;
      return;
    }
    w.fullScreen = false;
    w.setMaximize(false, false);
  },
  close: function (w) { w.closeWindow(); },
  move: function (w) { place(w, change.to); },
  resize: function (w) { place(w, { width: change.width, height: change.height }); }
};
var found = windows.filter(function (w) { return String(w.internalId) === id && !w.deleted; })[0];
if (found) changes[change.kind](found);
answer(Boolean(found));
`;
}
