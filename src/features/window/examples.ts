/** Examples of the window operations. */

const WINDOW = {
  id: "0x3a00007",
  title: "report.txt - Mousepad",
  app: "Mousepad",
  pid: 4_711,
  bounds: { x: 101, y: 72, width: 640, height: 480 },
  frame: { x: 100, y: 50, width: 642, height: 507 },
  desktop: 0,
  states: ["active"],
};
const CHANGED = { body: { id: WINDOW.id }, answer: { result: "confirmed", window: WINDOW } };
const MINIMIZED = { ...WINDOW, states: ["minimized"] };
const MAXIMIZED = {
  ...WINDOW,
  bounds: { x: 0, y: 21, width: 1_280, height: 779 },
  frame: { x: 0, y: 0, width: 1_280, height: 800 },
  states: ["active", "maximized"],
};

export const WINDOW_EXAMPLES = {
  listWindows: { query: { display_num: 1 }, answer: [WINDOW] },
  getActiveWindow: { query: { display_num: 1 }, answer: WINDOW },
  focusWindow: CHANGED,
  moveWindow: { ...CHANGED, body: { id: WINDOW.id, x: 100, y: 50 } },
  resizeWindow: { ...CHANGED, body: { id: WINDOW.id, width: 642, height: 507 } },
  minimizeWindow: { ...CHANGED, answer: { result: "confirmed", window: MINIMIZED } },
  maximizeWindow: { ...CHANGED, answer: { result: "confirmed", window: MAXIMIZED } },
  restoreWindow: CHANGED,
  takeWindowScreenshot: { query: { id: WINDOW.id, format: "jpeg", max_width: 800 } },
  openWindow: {
    body: { program: "mousepad", args: ["/home/ada/report.txt"] },
    answer: { process_id: 4_711, window: WINDOW, active: true },
  },
  closeWindow: { ...CHANGED, answer: { result: "confirmed", window: null } },
};
