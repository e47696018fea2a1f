/**
 * The scripts by which KWin tells and changes its windows, for Plasma 5 and 6: the names of many
 * properties are others there.
 * https://develop.kde.org/docs/plasma/kwin/api/
 */

import type { WindowChange } from "../../../types/mod.ts";

/** What both of the others need. */
const COMMON = `
var windows = workspace.windowList ? workspace.windowList() : workspace.clientList();
function area(rect) {
  return rect && { x: rect.x, y: rect.y, width: rect.width, height: rect.height };
}
`;

/** Answers all windows as JSON. */
export const LIST = `${COMMON}
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
 * Answers at every change. There is never more than one on its way: KWin's script hears when it was
 * taken, so that a window that is dragged does not flood the bus.
 */
export const FOLLOW = `${COMMON}
var isSending = false, isDue = false;
function tell() {
  if (isSending) {
    isDue = true;
    return;
  }
  isSending = true;
  answer(function () {
    isSending = false;
    if (!isDue) return;
    isDue = false;
    tell();
  });
}
function connect(object, names) {
  names.forEach(function (name) {
    if (object[name] && object[name].connect) object[name].connect(tell);
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
  tell();
});
connect(workspace, [
  "windowRemoved", "clientRemoved", "windowActivated", "clientActivated", "currentDesktopChanged",
  "stackingOrderChanged"
]);
answer();
`;

/** In KWin's coordinates. */
export function changeScript(id: string, change: WindowChange): string {
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
