/** The elements of programs on macOS, as System Events reports them to a script, in pixels of one display. */

import { z } from "zod";
import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type {
  Accessibility,
  Element,
  ElementAbility,
  ElementId,
  ElementState,
  ReadTree,
  Role,
  TreeReading,
} from "../../types/mod.ts";
import type { Placement } from "../screen.ts";
import { needsAccessibility, type Programs, runScript } from "../programs.ts";
import { toPixels } from "../../listed_windows.ts";
import { WINDOW_PARTS } from "../windows/windows.ts";

// The roles of macOS as roles of WAI-ARIA.

const ROLES: Readonly<Record<string, Role>> = {
  AXApplication: "application",
  AXBusyIndicator: "progressbar",
  AXButton: "button",
  AXCell: "cell",
  AXCheckBox: "checkbox",
  AXColumn: "generic",
  AXComboBox: "combobox",
  AXDisclosureTriangle: "button",
  AXGrid: "grid",
  AXGroup: "group",
  AXHeading: "heading",
  AXImage: "img",
  AXIncrementor: "spinbutton",
  AXLink: "link",
  AXList: "list",
  AXMenu: "menu",
  AXMenuBar: "menubar",
  AXMenuBarItem: "menuitem",
  AXMenuButton: "button",
  AXMenuItem: "menuitem",
  AXOutline: "tree",
  AXPopUpButton: "combobox",
  AXProgressIndicator: "progressbar",
  AXRadioButton: "radio",
  AXRadioGroup: "radiogroup",
  AXRow: "row",
  AXScrollArea: "generic",
  AXScrollBar: "scrollbar",
  AXSheet: "dialog",
  AXSlider: "slider",
  AXSplitGroup: "generic",
  AXSplitter: "separator",
  AXStaticText: "text",
  AXTabGroup: "tablist",
  AXTable: "table",
  AXTextArea: "textbox",
  AXTextField: "textbox",
  AXToolbar: "toolbar",
  AXUnknown: "generic",
  AXWebArea: "document",
  AXWindow: "window",
};

const SUBROLES: Readonly<Record<string, Role>> = {
  AXDialog: "dialog",
  AXOutlineRow: "treeitem",
  AXSearchField: "searchbox",
  AXSwitch: "switch",
  AXSystemDialog: "dialog",
  AXTabButton: "tab",
  AXToggle: "button",
};

/** A role that is not known is named as macOS does: `AXLevelIndicator` is "level-indicator". */
function roleOf(role: string, subrole: string | null): Role {
  const known = (subrole === null ? undefined : SUBROLES[subrole]) ?? ROLES[role];
  return known ?? role.replace(/^AX/, "").replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}

// Describes what the script has reported of an element.

const Bounds = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const ReportedElement = z.object({
  id: z.string(),
  role: z.string(),
  subrole: z.string().nullable(),
  name: z.string(),
  help: z.string().nullable(),
  value: z.string().nullable(),
  enabled: z.boolean(),
  focused: z.boolean(),
  selected: z.boolean().nullable(),
  bounds: Bounds.nullable(),
  actions: z.array(z.string()),
  get children() {
    return z.array(ReportedElement);
  },
});
export type ReportedElement = z.output<typeof ReportedElement>;

const EDITED: ReadonlySet<Role> = new Set(["textbox", "searchbox", "combobox"]);
const CHECKED: ReadonlySet<Role> = new Set(["checkbox", "radio", "switch"]);
const VALUED: ReadonlySet<Role> = new Set([...EDITED, "slider", "spinbutton"]);

/** What the values of elements that are on or off mean. */
const CHECK_STATES: Readonly<Record<string, ElementState>> = { "1": "checked", "2": "mixed" };
const TOGGLE_STATES: Readonly<Record<string, ElementState>> = {
  ...{ "0": "unpressed", "1": "pressed", "2": "mixed" },
};

function switchStates({ subrole }: ReportedElement, role: Role): typeof CHECK_STATES | undefined {
  if (subrole === "AXToggle") return TOGGLE_STATES;
  return CHECKED.has(role) ? CHECK_STATES : undefined;
}

function describeReported(reported: ReportedElement, placement: Placement): Element {
  const role = roleOf(reported.role, reported.subrole);
  const [pid, window, places] = reported.id.split(":") as [string, string, string];
  const isTop = places === "" && window !== "0";
  const help = reported.help?.trim() ?? "";
  // what a text shows is what it is called
  const isText = role === "text" && reported.name === "";
  const hasValue = reported.value !== null && !isText && !switchStates(reported, role);
  return {
    id: reported.id,
    role,
    name: (isText ? reported.value ?? "" : reported.name).trim(),
    ...(help === "" ? {} : { description: help }),
    ...(hasValue ? { value: reported.value! } : {}),
    states: listStates(reported, role),
    abilities: listAbilities(reported, role),
    ...(reported.bounds && { bounds: toPixels(reported.bounds, placement) }),
    pid: Number(pid),
    ...(isTop ? { window } : {}),
    childCount: reported.children.length,
    children: reported.children.map((child) => describeReported(child, placement)),
  };
}

function listStates(reported: ReportedElement, role: Role): ReadonlySet<ElementState> {
  const isEdited = EDITED.has(role) && reported.role !== "AXPopUpButton";
  const switched = switchStates(reported, role)?.[reported.value ?? ""];
  return new Set<ElementState>([
    ...(reported.enabled ? [] : ["disabled" as const]),
    ...(reported.focused ? ["focused" as const] : []),
    ...(reported.selected === true ? ["selected" as const] : []),
    ...(reported.subrole === "AXSecureTextField" ? ["protected" as const] : []),
    ...(switched === undefined ? [] : [switched]),
    ...(isEdited && reported.enabled ? ["editable" as const, "focusable" as const] : []),
    ...(reported.role === "AXTextArea" ? ["multiline" as const] : []),
  ]);
}

function listAbilities(reported: ReportedElement, role: Role): ReadonlySet<ElementAbility> {
  if (!reported.enabled) return new Set();
  const does = (...names: string[]) => names.some((name) => reported.actions.includes(name));
  return new Set<ElementAbility>([
    ...(does("AXPress", "AXConfirm", "AXPick", "AXOpen") ? ["click" as const] : []),
    ...(EDITED.has(role) ? ["focus" as const] : []),
    ...(VALUED.has(role) && reported.role !== "AXPopUpButton" ? ["set value" as const] : []),
    ...(reported.selected === null ? [] : ["select" as const]),
    ...(does("AXScrollToVisible") ? ["scroll to" as const] : []),
  ]);
}

/** The script ends a reading itself; a program that hangs, or its start, takes this much longer. */
const READ_GRACE_MS = 3_000;
/** The longest time of the other questions, each of which starts a process. */
const QUERY_TIMEOUT_MS = 5_000;
/** A program that has opened a dialog may answer when that is closed. */
const ACTION_TIMEOUT_MS = 3_000;
const POLL_INTERVAL_MS = 250;

const Answer = z.object({
  refused: z.enum(["accessibility", "closed"]).optional(),
  roots: z.array(ReportedElement).default([]),
  truncated: z.partialRecord(z.enum(["elements", "depth", "time"]), z.boolean()).default({}),
  elements: z.array(ReportedElement.nullable()).default([]),
  answer: z.boolean().optional(),
});
type Answer = z.output<typeof Answer>;

export class MacosAccessibility implements Accessibility {
  /** @param placement of the display, now */
  constructor(private readonly programs: Programs, private readonly placement: () => Placement) {}

  async read({ signal, ...reading }: TreeReading): Promise<ReadTree> {
    const timeoutMs = reading.timeMs + READ_GRACE_MS;
    const answer = await this.#ask({ do: "read", ...reading }, { signal, timeoutMs });
    if (answer.refused === "closed") {
      throw new ServiceError("not_found", "The window no longer exists, or is not visible");
    }
    const reasons = ["elements", "depth", "time"] as const;
    return {
      roots: answer.roots.map((root) => describeReported(root, this.placement())),
      truncated: reasons.filter((reason) => answer.truncated[reason]),
      unresponsive: [],
    };
  }

  readonly refresh: Accessibility["refresh"] = async (ids, signal) => {
    const job = { do: "refresh", ids };
    const { elements } = await this.#ask(job, { signal, timeoutMs: QUERY_TIMEOUT_MS });
    return ids.map((_, index) => {
      const reported = elements[index];
      return reported ? describeReported(reported, this.placement()) : undefined;
    });
  };

  readonly perform: Accessibility["perform"] = async (id, action, signal) => {
    try {
      const job = { do: "perform", id, action };
      const { refused, answer } = await this.#ask(job, { signal, timeoutMs: ACTION_TIMEOUT_MS });
      if (refused === "closed") throw new ServiceError("conflict", "The element is gone");
      return answer;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "timed_out") return undefined;
      throw error;
    }
  };

  /** System Events does not report it. */
  elementAt(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  contains(outer: ElementId, inner: ElementId): Promise<boolean> {
    const below = outer.endsWith(":") ? outer : `${outer}.`;
    return Promise.resolve(inner === outer || inner.startsWith(below));
  }

  async changed(signal: AbortSignal): Promise<void> {
    await pause(POLL_INTERVAL_MS, signal);
  }

  async #ask(
    job: Readonly<Record<string, unknown>>,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<Answer> {
    const reported = await runScript(this.programs, {
      script: ELEMENT_SCRIPT,
      args: ["elements"],
      stdin: JSON.stringify(job),
      what: "read the elements of programs",
      signal,
      timeoutMs,
    });
    const answer = Answer.parse(reported);
    if (answer.refused === "accessibility") throw needsAccessibility();
    return answer;
  }
}

// The script for `osascript -l JavaScript` that reads the elements of programs from System Events, and
// asks them to do something. Its job comes through standard input, because it can hold typed text.

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
  const same = known && sameWindow(known, reportedWindows(pid));
  return same && process.windows[same.index];
}

function find(id) {
  const [pid, number, places] = id.split(":");
  const top = topOf(Number(pid), Number(number));
  if (!top || places === "") return top;
  return places.split(".").reduce((element, place) => element.uiElements[Number(place)], top);
}

function describe(id, reported, actions) {
  const secret = reported.subrole === "AXSecureTextField";
  const text = (value) => value === null || value === undefined ? null : String(value);
  const [place, size] = [reported.position || null, reported.size || null];
  return {
    id,
    role: text(reported.role) || "AXUnknown",
    subrole: text(reported.subrole),
    name: text(reported.title) || text(reported.accessibilityDescription) || text(reported.name) || "",
    help: text(reported.help),
    value: secret ? null : text(reported.value),
    enabled: reported.enabled !== false,
    focused: reported.focused === true,
    selected: typeof reported.selected === "boolean" ? reported.selected : null,
    bounds: place && size && { x: place[0], y: place[1], width: size[0], height: size[1] },
    actions: actions || [],
    children: [],
  };
}

function readElement(element, id) {
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

  function addParts(element, parent, view, depth) {
    if (LEAVES.includes(parent.role)) return parent;
    if (depth > maxDepth) {
      truncated.depth = true;
      return parent;
    }
    if (Date.now() > end) {
      truncated.time = true;
      return parent;
    }
    const parts = element.uiElements;
    const reported = attempt(() => parts.properties(), []);
    const actions = reported.length === 0 ? [] : attempt(() => parts.actions.name(), []);
    const separator = parent.id.endsWith(":") ? "" : ".";
    reported.forEach((one, index) => {
      const part = describe(parent.id + separator + index, one, actions[index]);
      if (!hidden && !shows(part, view)) return;
      if (take()) parent.children.push(addParts(parts[index], part, view, depth + 1));
    });
    return parent;
  }

  function readTop(pid, number) {
    const top = attempt(() => topOf(pid, number), null);
    if (!top || !take()) return [];
    const parent = attempt(() => readElement(top, pid + ":" + number + ":"), null);
    return parent ? [addParts(top, parent, number === 0 ? null : parent.bounds, 1)] : [];
  }

  if (scope.element) {
    const element = attempt(() => find(scope.element), null);
    const parent = element && take() && attempt(() => readElement(element, scope.element), null);
    return { roots: parent ? [addParts(element, parent, null, 1)] : [], truncated };
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
    const reported = element.value();
    element.value = typeof reported === "number" ? Number(value) : value;
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
  return { elements: ids.map((id) => attempt(() => readElement(find(id), id), null)) };
}

function run() {
  const input = $.NSFileHandle.fileHandleWithStandardInput.readDataToEndOfFile;
  const job = JSON.parse(ObjC.unwrap($.NSString.alloc.initWithDataEncoding(input, UTF8)));
  if (!trusted()) return JSON.stringify({ refused: "accessibility" });
  return JSON.stringify({ read, refresh, perform }[job.do](job));
}
`;
