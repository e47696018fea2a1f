/** Turns objects of programs into elements of the port. */

import type { Region } from "../../../core/geometry.ts";
import { overlap } from "../../../imaging/boxes.ts";
import type { ElementAbility, Role, WindowId } from "../../types/mod.ts";
import { type AtspiClient, ROOT } from "./client.ts";
import type { SentElement } from "./element_id.ts";
import { type Details, isProtected, type Node, offers } from "./node.ts";
import { hasState, roleName, roleOf, statesOf, statesOfToggle } from "./states.ts";

interface ElementContext {
  readonly id: string;
  readonly depth: number;
  /** How many children were read. */
  readonly children: number;
  readonly pid: number | undefined;
  readonly window?: WindowId | undefined;
  readonly popup?: WindowId | undefined;
  readonly toolkit: Toolkit;
  /** Whether it is in a list that opens. */
  readonly isOption: boolean;
  /** What shows of the elements around it; `undefined` where that is not known. */
  readonly clip: Region | undefined;
  /** Whether its program says that it is on the screen. */
  readonly showing: boolean;
  /** On the display. */
  readonly bounds: Region | undefined;
}

export function describe(node: Node, details: Details, context: ElementContext): SentElement {
  const { id, depth, pid, window, popup, bounds } = context;
  const own = CLASS_NAME.test(node.name) ? "" : node.name.trim();
  const name = own || (details.label ?? "").trim();
  const description = node.description.trim();
  const role = readRole(node, context.toolkit);
  const reported = statesOf(node.states, context.toolkit.isChromium);
  const states: string[] = isToggle(node) && role === "button"
    ? statesOfToggle(reported)
    : reported;
  if (isProtected(node)) states.push("protected");
  const isClipped = bounds && context.clip && !overlap(bounds, context.clip);
  const isDialog = context.toolkit.isGtk4 && window !== undefined; // some do not say that they show
  if (!context.showing && !isDialog || isClipped) states.push("offscreen");
  return {
    depth,
    id,
    role,
    name,
    ...(description !== "" && { description }),
    ...(details.value !== undefined && { value: details.value }),
    ...(details.length !== undefined && { length: details.length }),
    states: states.join(","),
    abilities: listAbilities(node).join(","),
    ...(bounds && { bounds }),
    childCount: Math.max(node.childCount, context.children), // -1 where the program does not know it
    ...(pid !== undefined && { pid }),
    ...(window !== undefined && { window }),
    ...(popup !== undefined && { popup }),
    ...(needsInput(node, context) && { needsInput: true }),
  };
}

/** How GTK 4 says that an object is not on the screen: it has no size. */
export function isEmpty(node: Node, extents: Region | undefined): boolean {
  return extents === undefined && offers(node, "Component");
}

function isToggle({ role }: Pick<Node, "role">): boolean {
  return roleName(role) === "toggle-button";
}

/** Browsers call a switch a toggle button that can be checked, which these toolkits can say of any toggle button. */
function readRole(node: Node, { isQt, isGtk3, isLibreOffice }: Toolkit): Role {
  const isSwitch = isToggle(node) && hasState(node.states, "checkable") &&
    !isQt && !isGtk3 && !isLibreOffice;
  return isSwitch ? "switch" : roleOf(node.role, node.states);
}

/** GTK 4 gives objects without a label the name of their class. */
const CLASS_NAME = /^(Gtk|Adw)[A-Z][A-Za-z]+$/;

/** Objects that hide what lies beyond their edges. */
const CLIPPING =
  "frame window dialog alert file-chooser viewport scroll-pane document-web document-frame internal-frame"
    .split(" ");

/** In Qt every widget does, but for those whose menus and lists are in windows of their own: areas consist of these. */
const CLIPPING_IN_QT = ["filler", "layered-pane", "split-pane"];

export function clips({ role }: Pick<Node, "role">, { isQt }: Pick<Toolkit, "isQt">): boolean {
  const name = roleName(role);
  return CLIPPING.includes(name) || isQt && CLIPPING_IN_QT.includes(name);
}

/** Objects that open dialogs. */
const OPENING = ["push-button", "menu-item", "menu"];
/** In LibreOffice: buttons open dialogs inside the call, and a number is shown and not kept. */
const OF_LIBREOFFICE = ["push-button", "spin-button"];
/** Rows of lists and trees: the call selects them, and the program is not notified of a click. */
const ROWS = ["table-cell", "tree-item", "list-item"];

/** In Qt: the call changes what they show, and the program is not notified of a click. */
const OF_QT = ["toggle-button", "check-box", "radio-button", ...ROWS];

/** Whether real input is surer than the call; an option opens no dialog, and often does not show. */
function needsInput(node: Node, { toolkit, isOption, showing, bounds }: ElementContext): boolean {
  const role = roleName(node.role);
  const canBeClicked = showing && bounds !== undefined;
  if (toolkit.isQt) return canBeClicked && OF_QT.includes(role);
  if (toolkit.isLibreOffice) {
    // a cell of a sheet, which offers no action, keeps what the call sets
    const isRow = ROWS.includes(role) && offers(node, "Action");
    return OF_LIBREOFFICE.includes(role) || canBeClicked && isRow;
  }
  return toolkit.isGtk3 && OPENING.includes(role) && !isOption;
}

/** Objects that take clicks; Chromium offers actions for everything else, too. */
const CLICKED = (
  "push-button push-button-menu toggle-button check-box radio-button combo-box menu menu-item check-menu-item " +
  "radio-menu-item tearoff-menu-item link page-tab list-item tree-item table-cell icon switch spin-button " +
  "column-header table-column-header"
).split(" ");
const SET = ["slider", "spin-button", "scroll-bar", "dial", "split-pane"];

function listAbilities(node: Node): ElementAbility[] {
  const { states } = node;
  const role = roleName(node.role);
  const isFocusable = hasState(states, "focusable");
  const isText = hasState(states, "editable") &&
    (offers(node, "EditableText") || offers(node, "Text"));
  const able: Readonly<Record<ElementAbility, boolean>> = {
    "click": offers(node, "Action") && (isFocusable || CLICKED.includes(role)),
    "focus": offers(node, "Component") && isFocusable,
    "set value": !hasState(states, "readOnly") &&
      (isText || offers(node, "Value") && SET.includes(role)),
    "select": hasState(states, "selectable"),
    "scroll to": offers(node, "Component") && !CLIPPING.includes(role),
    "expand": hasState(states, "expandable"),
  };
  return Object.entries(able).flatMap(([ability, is]) => is ? [ability as ElementAbility] : []);
}

// What is particular about the library by which a program shows its windows.

export interface Toolkit {
  /** It says `showing` of its windows only, and counts coordinates from the corner of a window. */
  readonly isGtk4: boolean;
  /** It runs a dialog inside the call that opens it, and answers nothing until that ends, if then. */
  readonly isGtk3: boolean;
  readonly isLibreOffice: boolean;
  readonly isQt: boolean;
  readonly isChromium: boolean;
}

/** The toolkits of programs that run, which stay what they are. */
export class Toolkits {
  readonly #known = new Map<string, Toolkit>();

  constructor(private readonly client: AtspiClient) {}

  /**
   * @param bus the name of the program on the bus
   * @throws BusError when it has ended; ServiceError `timed_out`
   */
  async find(bus: string, timeoutMs: number): Promise<Toolkit> {
    const known = this.#known.get(bus);
    if (known !== undefined) return known;
    const root = { bus, path: ROOT };
    const [toolkit, name] = await Promise.all([
      this.client.get(root, "Application.ToolkitName", timeoutMs),
      this.client.get(root, "Accessible.Name", timeoutMs),
    ]);
    const isLibreOffice = name === "soffice";
    const isGtk3 = toolkit === "gtk" && !isLibreOffice; // it acts after it has answered
    const found = {
      isGtk4: toolkit === "GTK",
      isGtk3,
      isLibreOffice,
      isQt: toolkit === "Qt",
      isChromium: toolkit === "Chromium",
    };
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(bus, found);
    return found;
  }
}

const MAX_KNOWN = 1_000;
