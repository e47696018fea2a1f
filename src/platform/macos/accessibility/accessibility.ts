/** The elements of programs on macOS, as System Events tells them to a script, in pixels of one display. */

import { z } from "zod";
import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type {
  Accessibility,
  Element,
  ElementAbility,
  ElementAction,
  ElementId,
  ElementState,
  ReadTree,
  Role,
  TreeReading,
} from "../../types/mod.ts";
import type { Placement } from "../placement.ts";
import type { Programs } from "../programs.ts";
import { needsAccessibility } from "../refusals.ts";
import { runScript } from "../script.ts";
import { toPixels } from "../windows/scale.ts";
import { ELEMENT_SCRIPT } from "./element_script.ts";

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
};

/** A role that is not known is named as macOS does: `AXLevelIndicator` is "level-indicator". */
function roleOf(role: string, subrole: string | null): Role {
  const known = (subrole === null ? undefined : SUBROLES[subrole]) ?? ROLES[role];
  return known ?? role.replace(/^AX/, "").replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}

// Describes what the script has told of an element.

const Bounds = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const ToldElement = z.object({
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
    return z.array(ToldElement);
  },
});
export type ToldElement = z.output<typeof ToldElement>;

const EDITED: ReadonlySet<Role> = new Set(["textbox", "searchbox", "combobox"]);
const CHECKED: ReadonlySet<Role> = new Set(["checkbox", "radio", "switch"]);
const VALUED: ReadonlySet<Role> = new Set([...EDITED, "slider", "spinbutton"]);

function describeTold(told: ToldElement, placement: Placement): Element {
  const role = roleOf(told.role, told.subrole);
  const [pid, window, places] = told.id.split(":") as [string, string, string];
  const isTop = places === "" && window !== "0";
  const help = told.help?.trim() ?? "";
  // what a text shows is what it is called
  const isText = role === "text" && told.name === "";
  const hasValue = told.value !== null && !isText && !CHECKED.has(role);
  return {
    id: told.id,
    role,
    name: (isText ? told.value ?? "" : told.name).trim(),
    ...(help === "" ? {} : { description: help }),
    ...(hasValue ? { value: told.value! } : {}),
    states: listStates(told, role),
    abilities: listAbilities(told, role),
    ...(told.bounds && { bounds: toPixels(told.bounds, placement) }),
    pid: Number(pid),
    ...(isTop ? { window } : {}),
    childCount: told.children.length,
    children: told.children.map((child) => describeTold(child, placement)),
  };
}

function listStates(told: ToldElement, role: Role): ReadonlySet<ElementState> {
  const isEdited = EDITED.has(role) && told.role !== "AXPopUpButton";
  return new Set<ElementState>([
    ...(told.enabled ? [] : ["disabled" as const]),
    ...(told.focused ? ["focused" as const] : []),
    ...(told.selected === true ? ["selected" as const] : []),
    ...(told.subrole === "AXSecureTextField" ? ["protected" as const] : []),
    ...(CHECKED.has(role) && told.value === "1" ? ["checked" as const] : []),
    ...(CHECKED.has(role) && told.value === "2" ? ["mixed" as const] : []),
    ...(isEdited && told.enabled ? ["editable" as const, "focusable" as const] : []),
    ...(told.role === "AXTextArea" ? ["multiline" as const] : []),
  ]);
}

function listAbilities(told: ToldElement, role: Role): ReadonlySet<ElementAbility> {
  if (!told.enabled) return new Set();
  const does = (...names: string[]) => names.some((name) => told.actions.includes(name));
  return new Set<ElementAbility>([
    ...(does("AXPress", "AXConfirm", "AXPick", "AXOpen") ? ["click" as const] : []),
    ...(EDITED.has(role) ? ["focus" as const] : []),
    ...(VALUED.has(role) && told.role !== "AXPopUpButton" ? ["set value" as const] : []),
    ...(told.selected === null ? [] : ["select" as const]),
    ...(does("AXScrollToVisible") ? ["scroll to" as const] : []),
  ]);
}

/** The script ends a reading itself; a program that hangs, or its start, takes this much longer. */
const MORE_MS = 3_000;
/** The longest time of the other questions, each of which starts a process. */
const QUESTION_MS = 5_000;
/** A program that has opened a dialog may answer when that is closed. */
const ACTION_MS = 3_000;
const LOOK_MS = 250;

const Answer = z.object({
  refused: z.enum(["accessibility", "closed"]).optional(),
  roots: z.array(ToldElement).default([]),
  truncated: z.partialRecord(z.enum(["elements", "depth", "time"]), z.boolean()).default({}),
  elements: z.array(ToldElement.nullable()).default([]),
  answer: z.boolean().optional(),
});
type Answer = z.output<typeof Answer>;

export class MacosAccessibility implements Accessibility {
  /** @param placement of the display, now */
  constructor(
    private readonly programs: Programs,
    private readonly placement: () => Placement,
  ) {}

  async read({ signal, ...reading }: TreeReading): Promise<ReadTree> {
    const timeoutMs = reading.timeMs + MORE_MS;
    const answer = await this.#ask({ do: "read", ...reading }, { signal, timeoutMs });
    if (answer.refused === "closed") {
      throw new ServiceError("not_found", "The window is not there any more, or does not show");
    }
    const reasons = ["elements", "depth", "time"] as const;
    return {
      roots: answer.roots.map((root) => describeTold(root, this.placement())),
      truncated: reasons.filter((reason) => answer.truncated[reason]),
      silent: [],
    };
  }

  async refresh(
    ids: readonly ElementId[],
    signal: AbortSignal,
  ): Promise<readonly (Element | undefined)[]> {
    const job = { do: "refresh", ids };
    const { elements } = await this.#ask(job, { signal, timeoutMs: QUESTION_MS });
    return ids.map((_, index) => {
      const told = elements[index];
      return told ? describeTold(told, this.placement()) : undefined;
    });
  }

  async perform(
    id: ElementId,
    action: ElementAction,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    try {
      const job = { do: "perform", id, action };
      const { refused, answer } = await this.#ask(job, { signal, timeoutMs: ACTION_MS });
      if (refused === "closed") throw new ServiceError("conflict", "The element is gone");
      return answer;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "timed_out") return undefined;
      throw error;
    }
  }

  /** System Events does not tell it. */
  elementAt(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  contains(outer: ElementId, inner: ElementId): Promise<boolean> {
    const below = outer.endsWith(":") ? outer : `${outer}.`;
    return Promise.resolve(inner === outer || inner.startsWith(below));
  }

  async changed(signal: AbortSignal): Promise<void> {
    await pause(LOOK_MS, signal);
  }

  async #ask(
    job: Readonly<Record<string, unknown>>,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<Answer> {
    const told = await runScript(this.programs, {
      script: ELEMENT_SCRIPT,
      args: ["elements"],
      stdin: JSON.stringify(job),
      what: "read the elements of programs",
      ...{ signal, timeoutMs },
    });
    const answer = Answer.parse(told);
    if (answer.refused === "accessibility") throw needsAccessibility();
    return answer;
  }
}
