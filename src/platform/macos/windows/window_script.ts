/**
 * The script for `osascript -l JavaScript` that lists windows and changes them. It gets what to do as
 * one argument, which names no more than numbers.
 */

/**
 * What both scripts use: the windows that the window server knows, and those that programs tell
 * System Events. Only their place, size and title say which of them are the same.
 * - Titles need the permission for Screen Recording; System Events needs that for Accessibility.
 * - Windows of layer 0 are those of programs, 3 float above them, 8 are modal.
 */
export const WINDOW_PARTS = `
ObjC.import("AppKit");
ObjC.import("CoreGraphics");
ObjC.import("ApplicationServices");
const ON_SCREEN = 1;
const NO_DESKTOP = 16;
const LAYERS = [0, 3, 8];
const REGULAR = 0;

function attempt(question, otherwise) {
  try {
    const value = question();
    return value === undefined || value === null ? otherwise : value;
  } catch (_) {
    return otherwise;
  }
}

function trusted() {
  return attempt(() => Boolean($.AXIsProcessTrusted()), true);
}

function serverWindows(options) {
  const told = $.CGWindowListCopyWindowInfo(options | NO_DESKTOP, 0);
  const all = ObjC.deepUnwrap(ObjC.castRefToObject(told)) || [];
  return all.filter((one) => LAYERS.includes(Number(one.kCGWindowLayer)) && Number(one.kCGWindowAlpha) > 0)
    .map((one) => ({
      number: Number(one.kCGWindowNumber),
      pid: Number(one.kCGWindowOwnerPID),
      app: one.kCGWindowOwnerName || null,
      title: one.kCGWindowName || "",
      x: Number(one.kCGWindowBounds.X),
      y: Number(one.kCGWindowBounds.Y),
      width: Number(one.kCGWindowBounds.Width),
      height: Number(one.kCGWindowBounds.Height),
      onScreen: Boolean(one.kCGWindowIsOnscreen),
    }));
}

function processOf(pid) {
  return Application("System Events").applicationProcesses.whose({ unixId: pid })[0];
}

function toldWindows(pid) {
  const windows = processOf(pid).windows;
  const names = windows.name();
  const places = windows.position();
  const sizes = windows.size();
  const minimized = attempt(() => windows.attributes.byName("AXMinimized").value(), []);
  return names.map((name, index) => ({
    index,
    title: name || "",
    x: places[index][0],
    y: places[index][1],
    width: sizes[index][0],
    height: sizes[index][1],
    minimized: minimized[index] === true,
  }));
}

function isNear(one, other) {
  return ["x", "y", "width", "height"].every((key) => Math.abs(one[key] - other[key]) <= 1);
}

function sameWindow(one, all) {
  const near = all.filter((other) => isNear(one, other));
  return near.find(({ title }) => title === one.title) || near[0] ||
    all.find(({ title }) => title !== "" && title === one.title);
}

function frontPid() {
  return attempt(() => Number($.NSWorkspace.sharedWorkspace.frontmostApplication.processIdentifier), 0);
}
`;

/**
 * `{"do":"list"}` prints the windows, topmost first, the process in front, and the areas that are free
 * of the menu bar and the Dock. The other jobs concern the window of a `number`, in points.
 */
export const WINDOW_SCRIPT = `${WINDOW_PARTS}
const LONGEST_MS = 3000;

function isRegular(pid) {
  const program = $.NSRunningApplication.runningApplicationWithProcessIdentifier(pid);
  return attempt(() => Number(program.activationPolicy), REGULAR) === REGULAR;
}

function minimizedWindows(shown) {
  const end = Date.now() + LONGEST_MS;
  const hidden = serverWindows(0).filter(({ onScreen }) => !onScreen);
  const found = [];
  for (const pid of [...new Set(hidden.map((one) => one.pid))]) {
    if (Date.now() > end || !attempt(() => isRegular(pid), false)) continue;
    const own = hidden.filter((one) => one.pid === pid);
    for (const told of attempt(() => toldWindows(pid), [])) {
      const one = told.minimized && sameWindow(told, own);
      if (one) found.push({ ...one, title: told.title || one.title, minimized: true });
    }
  }
  return found;
}

function titled(windows) {
  const untitled = [...new Set(windows.filter(({ title }) => title === "").map(({ pid }) => pid))];
  const told = new Map(untitled.map((pid) => [pid, attempt(() => toldWindows(pid), [])]));
  return windows.map((one) => {
    const same = one.title === "" && sameWindow(one, told.get(one.pid));
    return same ? { ...one, title: same.title } : one;
  });
}

function areas() {
  const screens = $.NSScreen.screens;
  const height = Number(screens.objectAtIndex(0).frame.size.height);
  return Array.from({ length: Number(screens.count) }, (_, i) => {
    const { origin, size } = screens.objectAtIndex(i).visibleFrame;
    return {
      x: Number(origin.x),
      y: height - Number(origin.y) - Number(size.height),
      width: Number(size.width),
      height: Number(size.height),
    };
  });
}

function list() {
  const shown = serverWindows(ON_SCREEN).map((one) => ({ ...one, minimized: false }));
  const mayAsk = trusted();
  const windows = mayAsk ? [...titled(shown), ...minimizedWindows(shown)] : shown;
  return { windows, front: frontPid(), areas: attempt(areas, []) };
}

const CHANGES = {
  focus: (window, process) => {
    window.attributes.byName("AXMinimized").value = false;
    window.actions.byName("AXRaise").perform();
    process.frontmost = true;
  },
  minimize: (window) => window.attributes.byName("AXMinimized").value = true,
  restore: (window) => {
    if (attempt(() => window.attributes.byName("AXFullScreen").value(), false)) {
      window.attributes.byName("AXFullScreen").value = false;
    }
    window.attributes.byName("AXMinimized").value = false;
  },
  close: (window) => window.buttons.whose({ subrole: "AXCloseButton" })[0].click(),
  move: (window, _, { x, y }) => window.position = [x, y],
  resize: (window, _, { width, height }) => window.size = [width, height],
  place: (window, _, { x, y, width, height }) => {
    window.position = [x, y];
    window.size = [width, height];
  },
};

function change(job) {
  if (!trusted()) return { refused: "accessibility" };
  const known = serverWindows(0).find(({ number }) => number === job.number);
  if (!known) return { refused: "closed" };
  const same = sameWindow(known, toldWindows(known.pid));
  if (!same) return { refused: "untold" };
  const process = processOf(known.pid);
  CHANGES[job.do](process.windows[same.index], process, job);
  return { done: true };
}

function run([what, text]) {
  const job = JSON.parse(text);
  return JSON.stringify(job.do === "list" ? list() : change(job));
}
`;
