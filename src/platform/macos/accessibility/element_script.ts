/**
 * The script for `osascript -l JavaScript` that reads the elements of programs from System Events, and
 * asks them to do something. Its job comes through standard input, because it can hold typed text.
 */

import { WINDOW_PARTS } from "../windows/window_script.ts";

/**
 * Prints one JSON object: `roots`, `elements` or `answer` for the jobs `read`, `refresh` and `perform`,
 * or `refused`. An element is named by its process, the number of its window (0: the menu bar), and its
 * place among the parts of each part: `"77:1203:0.3.1"`.
 * - One question gives the properties of all parts of an element, a second one their actions.
 * - Nothing is read of a secure text field.
 */
export const ELEMENT_SCRIPT = `${WINDOW_PARTS}
const UTF8 = 4;
const LEAVES = [
  "AXButton", "AXCheckBox", "AXDisclosureTriangle", "AXImage", "AXLink", "AXMenuButton", "AXRadioButton",
  "AXSlider", "AXStaticText", "AXTextArea", "AXTextField", "AXValueIndicator",
];
const CLICKS = ["AXPress", "AXConfirm", "AXPick", "AXOpen"];

function topOf(pid, number) {
  const process = processOf(pid);
  if (number === 0) return process.menuBars[0];
  const known = serverWindows(0).find((one) => one.number === number && one.pid === pid);
  const same = known && sameWindow(known, toldWindows(pid));
  return same && process.windows[same.index];
}

function find(id) {
  const [pid, number, places] = id.split(":");
  const top = topOf(Number(pid), Number(number));
  if (!top || places === "") return top;
  return places.split(".").reduce((element, place) => element.uiElements[Number(place)], top);
}

function describe(id, told, actions) {
  const secret = told.subrole === "AXSecureTextField";
  const text = (value) => value === null || value === undefined ? null : String(value);
  const [place, size] = [told.position || null, told.size || null];
  return {
    id,
    role: text(told.role) || "AXUnknown",
    subrole: text(told.subrole),
    name: text(told.title) || text(told.accessibilityDescription) || text(told.name) || "",
    help: text(told.help),
    value: secret ? null : text(told.value),
    enabled: told.enabled !== false,
    focused: told.focused === true,
    selected: typeof told.selected === "boolean" ? told.selected : null,
    bounds: place && size && { x: place[0], y: place[1], width: size[0], height: size[1] },
    actions: actions || [],
    children: [],
  };
}

function lookAt(element, id) {
  return describe(id, element.properties(), attempt(() => element.actions.name(), []));
}

function shows(part, view) {
  if (!part.bounds || !view) return true;
  const { x, y, width, height } = part.bounds;
  return width > 0 && height > 0 && x < view.x + view.width && x + width > view.x &&
    y < view.y + view.height && y + height > view.y;
}

function read({ scope, hidden, maxElements, maxDepth, timeMs }) {
  const end = Date.now() + timeMs;
  const truncated = {};
  let left = maxElements;

  function take() {
    if (Date.now() > end) truncated.time = true;
    else if (left === 0) truncated.elements = true;
    else return left-- > 0;
    return false;
  }

  function addParts(element, whole, view, depth) {
    if (LEAVES.includes(whole.role)) return whole;
    if (depth > maxDepth) {
      truncated.depth = true;
      return whole;
    }
    if (Date.now() > end) {
      truncated.time = true;
      return whole;
    }
    const parts = element.uiElements;
    const told = attempt(() => parts.properties(), []);
    const actions = told.length === 0 ? [] : attempt(() => parts.actions.name(), []);
    const separator = whole.id.endsWith(":") ? "" : ".";
    told.forEach((one, index) => {
      const part = describe(whole.id + separator + index, one, actions[index]);
      if (!hidden && !shows(part, view)) return;
      if (take()) whole.children.push(addParts(parts[index], part, view, depth + 1));
    });
    return whole;
  }

  function readTop(pid, number) {
    const top = attempt(() => topOf(pid, number), null);
    if (!top || !take()) return [];
    const whole = attempt(() => lookAt(top, pid + ":" + number + ":"), null);
    return whole ? [addParts(top, whole, number === 0 ? null : whole.bounds, 1)] : [];
  }

  if (scope.element) {
    const element = attempt(() => find(scope.element), null);
    const whole = element && take() && attempt(() => lookAt(element, scope.element), null);
    return { roots: whole ? [addParts(element, whole, null, 1)] : [], truncated };
  }
  const shown = serverWindows(ON_SCREEN);
  const front = frontPid();
  if (scope.window) {
    const one = shown.find(({ number }) => String(number) === scope.window);
    return one ? { roots: readTop(one.pid, one.number), truncated } : { refused: "closed" };
  }
  const active = shown.find(({ pid }) => pid === front);
  const wanted = scope === "all windows" ? shown : shown.filter((one) => one === active);
  const roots = wanted.map(({ pid, number }) => readTop(pid, number));
  return { roots: [...roots.flat(), ...(active ? readTop(front, 0) : [])], truncated };
}

const ACTIONS = {
  click: (element) => {
    const has = element.actions.name();
    const action = CLICKS.find((name) => has.includes(name));
    if (!action) return false;
    element.actions.byName(action).perform();
  },
  focus: (element) => element.focused = true,
  "set value": (element, { value }) => {
    const told = element.value();
    element.value = typeof told === "number" ? Number(value) : value;
  },
  select: (element, { selected }) => element.selected = selected,
  "scroll to": (element) => element.actions.byName("AXScrollToVisible").perform(),
  expand: (element, { expanded }) => element.attributes.byName("AXExpanded").value = expanded,
};

function perform({ id, action }) {
  const element = attempt(() => find(id), null);
  if (!element || !attempt(() => element.exists(), false)) return { refused: "closed" };
  try {
    return { answer: ACTIONS[action.kind](element, action) !== false };
  } catch (_) {
    return { answer: false };
  }
}

function refresh({ ids }) {
  return {
    elements: ids.map((id) => attempt(() => lookAt(find(id), id), null)),
  };
}

function run() {
  const input = $.NSFileHandle.fileHandleWithStandardInput.readDataToEndOfFile;
  const job = JSON.parse(ObjC.unwrap($.NSString.alloc.initWithDataEncoding(input, UTF8)));
  if (!trusted()) return JSON.stringify({ refused: "accessibility" });
  return JSON.stringify({ read, refresh, perform }[job.do](job));
}
`;
