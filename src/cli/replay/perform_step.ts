/** Performs one recorded step: on the element that it acted on, as that is now. */

import { locateFocused } from "../../features/trail/locator.ts";
import {
  describePlace,
  findPlaces,
  type Place,
  setField,
} from "../../features/trail/trajectory/step.ts";
import { findElement, findWindow, known, Uncertain, type Where } from "./find_target.ts";
import { Refusal, type ServiceCalls } from "./service_calls.ts";
import { readTree, type Recording, type Step, type Target } from "./trajectory.ts";

export interface StepContext {
  readonly service: ServiceCalls;
  readonly recording: Recording;
  /** Whether points are used where there is no element. */
  readonly pixels: boolean;
}

type Fields = Record<string, unknown>;

/** `3  mouse.left-click button "Save" in ...` */
export function describeStep(step: Step): string {
  const window = Object.values(step.targets)[0]?.window;
  const what = describePlace(step) ?? (window ? `window ${JSON.stringify(window.title)}` : "");
  return `${step.number}  ${step.operation} ${what}`.trimEnd();
}

/** Why a step cannot be performed, as far as the recording tells; `undefined` if it can. */
export function whatIsMissing(
  step: Step,
  { missing, pixels, before }: {
    readonly missing: readonly string[];
    /** The step before. */
    readonly before: Step | undefined;
  } & Pick<StepContext, "pixels">,
): string | undefined {
  const { operation, outcome, fields, targets } = step;
  if (isLeftOut(step)) return undefined;
  if (UNKNOWN_ENDS[outcome] !== undefined) return UNKNOWN_ENDS[outcome];
  if (missing.length > 0) {
    return `${missing.map((path) => `"${path}"`).join(", ")} was not recorded: ` +
      "give it by --values, or record with texts";
  }
  if (fields["tab_id"] !== undefined) return "it acts on a tab of the recorded run";
  if (fields["pid"] !== undefined && !operation.startsWith("display.")) {
    return "it acts on a process of the recorded run";
  }
  const places = findPlaces(fields);
  const unknown = places.find(({ name, ref }) => ref && targets[name]?.locator === undefined);
  if (unknown) return `the element that "${unknown.name}" named was not recorded`;
  if (isOfWindow(step) && targets["id"]?.window === undefined) {
    return "the window that it acts on was not recorded";
  }
  if (pixels) return undefined;
  if (isAtCursor(step) && !before?.operation.startsWith("mouse.")) {
    return "it acts wherever the cursor is: give --pixels if that is right";
  }
  if (!POINTING.test(operation)) return undefined;
  const pointed = places.find(({ name, point }) => point && !isWholeTarget(name, targets[name]));
  if (pointed?.point === undefined) return undefined;
  const { name, point: { x, y } } = pointed;
  const locator = targets[name]?.locator;
  const why = locator === undefined
    ? "no element was recorded there"
    : `it matters where in the ${locator.role} it is`;
  return `it acts at the point ${x}, ${y}, and ${why}: give --pixels to use points`;
}

function isOfWindow({ operation, fields }: Step): boolean {
  return operation.startsWith("window.") && fields["id"] !== undefined;
}

/** How far such a step has come is not known: half of a text may have been typed. */
const UNKNOWN_ENDS: Readonly<Partial<Record<string, string>>> = {
  cancelled: "its caller left before it ended",
  running: "it had not ended when this was exported",
};

/**
 * What has failed had no effect, but for a window that has asked before it closes. Pixels and regions
 * that were waited for lie elsewhere now; what follows waits for its own element.
 */
function isLeftOut({ operation, outcome, fields }: Step): boolean {
  if (UNKNOWN_ENDS[outcome] !== undefined) return false;
  if (outcome !== "done") return !(operation === "window.close" && outcome === "conflict");
  return operation === "display.wait" && JSON.stringify(fields["until"] ?? "").includes('"pixel"');
}

/**
 * @returns what became of it, for a person
 * @throws Uncertain when its target is not certain, and nothing was done; Refusal
 */
export async function performStep(
  step: Step,
  fields: Fields,
  context: StepContext,
): Promise<"done" | "left out: it failed when it was recorded" | "left out"> {
  const { operation, outcome, surface, display_num, targets } = step;
  if (isLeftOut(step)) {
    return outcome === "done" ? "left out" : "left out: it failed when it was recorded";
  }
  const { service } = context;
  const { modifiers } = fields;
  const mustShow = surface === "desktop" && Array.isArray(modifiers) && modifiers.length > 0;
  const where = { surface, display_num, mustShow, timeoutMs: patience(step) };
  if (TYPING.test(operation) && fields["ref"] === undefined) {
    await checkFocus(step, where, context);
  }
  for (const place of findPlaces(fields)) {
    const target = targets[place.name];
    if (target === undefined) continue;
    if (place.ref !== undefined) {
      setField(fields, place.name, (await findElement(service, target, where)).ref);
    } else if (POINTING.test(operation)) {
      await aim(fields, { place, target, where, context });
    }
  }
  if (isOfWindow(step)) {
    fields["id"] = (await findWindow(service, known(targets["id"]?.window), where)).id;
  }
  delete fields["frame"];
  try {
    await service.call(operation, fields);
  } catch (error) {
    // the window asks first, as it did when this was recorded
    if (!(error instanceof Refusal) || error.code !== outcome) throw error;
  }
  return "done";
}

/** Who recorded it may have waited as long for what it acted on, in milliseconds. */
function patience({ pause_ms }: Step): number {
  return Math.min(MAX_PATIENCE_MS, Math.max(MIN_PATIENCE_MS, 2 * pause_ms));
}

const MIN_PATIENCE_MS = 10_000;
const MAX_PATIENCE_MS = 60_000;

// Points: the element that was there gets the input, wherever it is now.

/** Those whose points are places that they act on. */
const POINTING = /^(mouse|browser|keychain)\./;

/**
 * Elements of which any part does the same. A click into a field puts the cursor somewhere else, and
 * what is typed goes into that field all the same.
 */
const WHOLE =
  /^(button|link|checkbox|radio|switch|tab|option|menuitem.*|menu|cell|gridcell|columnheader|rowheader|treeitem|listitem|textbox|searchbox|combobox|spinbutton|text|label|heading|icon)$/;

/** The path of a drag has points alone. */
function isWholeTarget(name: string, target: Target | undefined): boolean {
  const role = target?.locator?.role;
  return role !== undefined && WHOLE.test(role) && !name.startsWith("path.");
}

/** Whether it clicks, or begins a drag, without saying where. */
function isAtCursor({ operation, fields }: Step): boolean {
  if (!operation.startsWith("mouse.") || operation === "mouse.move") return false;
  if (operation === "mouse.drag") return fields["from"] === undefined;
  return fields["x"] === undefined && fields["ref"] === undefined;
}

interface Aiming {
  readonly place: Place;
  readonly target: Target;
  readonly where: Where;
  readonly context: StepContext;
}

/** Puts the element's ref in place of a point, or with `pixels` the point as it is now. */
async function aim(
  fields: Fields,
  { place: { name }, target, where, context: { service, pixels } }: Aiming,
): Promise<void> {
  const { locator, at, window } = target;
  const inside = name === "point" ? "" : `${name}.`;
  const setPoint = (x: number | undefined, y: number | undefined) => {
    setField(fields, `${inside}x`, x);
    setField(fields, `${inside}y`, y);
  };
  if (isWholeTarget(name, target)) {
    const { ref } = await findElement(service, target, where);
    if (!name.endsWith(".coordinates")) {
      setPoint(undefined, undefined);
      return setField(fields, `${inside}ref`, ref);
    }
    setField(fields, name, undefined); // an element of `authElements` has either
    return setField(fields, name.replace(/coordinates$/, "ref"), ref);
  }
  if (!pixels) throw new Uncertain("it acts at a point: give --pixels to use points");
  const recorded = known(target.point);
  if (locator !== undefined && at !== undefined) {
    const { bounds } = await findElement(service, target, where);
    const { x, y, width, height } = known(bounds);
    setPoint(Math.round(x + at.x * width), Math.round(y + at.y * height));
  } else if (window?.bounds !== undefined) {
    const { bounds } = await findWindow(service, window, where);
    const { x, y } = bounds ?? window.bounds;
    setPoint(recorded.x + x - window.bounds.x, recorded.y + y - window.bounds.y);
  } else setPoint(recorded.x, recorded.y);
}

// The keyboard: what is typed without a ref goes to whatever has the focus.

const TYPING = /^(keyboard\.(type|key|hotkey|hold)|browser\.(type|key))$/;

/** @throws Uncertain when something else has the keyboard than when it was recorded */
async function checkFocus(
  step: Step,
  where: Where,
  { service, recording, pixels }: StepContext,
): Promise<void> {
  const { window, ...focus } = step.targets["focus"] ?? {};
  const locator = focus.locator ?? await locateFocused(await readTree(recording, step) ?? []);
  if (locator === undefined && window === undefined && !pixels) {
    throw new Uncertain("What had the keyboard was not recorded: give --pixels if that is right");
  }
  if (locator !== undefined) {
    await findElement(
      service,
      { locator, window },
      where,
      ({ states }) => states.includes("focused") ? undefined : "something else has the keyboard",
    );
  }
  if (window !== undefined) {
    await findWindow(service, window, where, ({ states }) => states.includes("active"));
  }
}
