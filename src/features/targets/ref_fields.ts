/** The field that names an element in place of a point, and which fields go together with it. */

import { z } from "zod";

const MAX_REF = 64;

const MEANING = "The ref of an element in a snapshot, such as `e12`";

/** In place of `x` and `y`. */
export const Ref = z.string().min(1).max(MAX_REF).optional().describe(
  `${MEANING}, in place of \`x\` and \`y\`: the middle of what shows of it, after it was scrolled into view. If it is gone or covered, nothing is done.`,
);

/** The element that gets the keyboard. */
export const FocusRef = z.string().min(1).max(MAX_REF).optional().describe(
  `${MEANING}: it gets the keyboard focus first. Nothing is done when it does not take that.`,
);

/** The field of a form. */
export const FieldRef = z.string().min(1).max(MAX_REF).optional().describe(
  `${MEANING}: the field that the stored value is typed into, which gets the keyboard focus first.`,
);

/** An element where a list or an object has another form for a point. */
export const RequiredRef = z.string().min(1).max(MAX_REF).describe(
  `${MEANING}: the middle of what shows of it, after it was scrolled into view.`,
);

/** In JSON schema terms: `x` and `y`, or neither; neither of them, nor a picture, beside `ref`. */
export const PLACE = {
  dependentRequired: { x: ["y"], y: ["x"] },
  not: { anyOf: ["x", "y", "frame"].map(bothGiven) },
};

/** The properties are named for linters. */
function bothGiven(name: string) {
  return { required: ["ref", name], properties: { ref: {}, [name]: {} } };
}

/** The same where there must be one. */
export const REQUIRED_PLACE = {
  ...PLACE,
  oneOf: [{ required: ["x", "y"] }, { required: ["ref"] }],
};

interface PlaceFields {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly ref?: string | undefined;
  readonly frame?: string | undefined;
}

/** Also where other fields are wrong: all faults are listed. */
export const ALWAYS = { when: () => true };

/** Refuses `ref` beside a point or a picture. */
export function checkPlace({ x, y, ref, frame }: PlaceFields, context: z.RefinementCtx): void {
  if (ref === undefined) return;
  const other = x !== undefined || y !== undefined
    ? "x and y"
    : frame !== undefined
    ? "frame"
    : undefined;
  if (other === undefined) return;
  const message = `Give either ref or ${other}, not both`;
  context.addIssue({ code: "custom", path: ["ref"], message });
}

/** {@link checkPlace} where there must be a point or an element; a missing one is a missing point. */
export function checkRequiredPlace(fields: PlaceFields, context: z.RefinementCtx): void {
  if (fields.ref !== undefined) return checkPlace(fields, context);
  for (const name of ["x", "y"] as const) {
    if (fields[name] !== undefined) continue;
    context.addIssue({ code: "invalid_type", expected: "number", input: undefined, path: [name] });
  }
}
