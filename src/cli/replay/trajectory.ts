/** Reads the steps of an exported recording, and says which of them can be performed again. */

import { dirname, join } from "node:path";
import { z } from "zod";
import { ConfigError } from "../../config/option.ts";
import { InputError } from "../../core/errors.ts";
import { tryParseJson } from "../../core/texts.ts";
import { FlatInput, isObject } from "../../features/call/check_fields.ts";
import type { Operation } from "../../features/operation.ts";
import type { TreeNode } from "../../features/trail/locator.ts";
import { setField, TrailStep } from "../../features/trail/trajectory/step.ts";

const MAX_STEPS = 100_000;
const MAX_BYTES = 256 * 1024 * 1024;

const Step = TrailStep.pick({
  number: true,
  operation: true,
  fields: true,
  omitted: true,
  pause_ms: true,
  outcome: true,
  surface: true,
  display_num: true,
  targets: true,
  trees: true,
});

export type Step = z.output<typeof Step>;
export type Target = Step["targets"][string];

const Trajectory = z.object({
  steps: z.array(z.object({
    extra: z.object({ trail: z.unknown().optional() }).optional(),
  })).max(MAX_STEPS),
  extra: z.object({ trail: z.object({ format: z.literal(1) }) }),
});

export interface Recording {
  readonly folder: string;
  readonly steps: readonly Step[];
}

/**
 * @param path the exported folder, or the `trajectory.json` in it
 * @throws ConfigError when it is no recording that this version can perform
 */
export async function readRecording(path: string): Promise<Recording> {
  const info = await Deno.stat(path).catch(() => undefined); // reading it says why
  const file = info?.isDirectory ? join(path, "trajectory.json") : path;
  const parsed = Trajectory.safeParse(await readJson(file));
  if (!parsed.success) {
    throw new ConfigError(
      `"${file}" is no recording of this program: export one by trail/export with format atif`,
    );
  }
  const steps = parsed.data.steps.flatMap(({ extra }, index) => {
    const trail = extra?.trail;
    if (!isObject(trail) || trail["operation"] === undefined) return [];
    const step = Step.safeParse(trail);
    if (step.success) return [step.data];
    const why = z.prettifyError(step.error).replaceAll(/\s+/g, " ");
    throw new ConfigError(`"${file}": step ${index + 1} is damaged: ${why}`);
  });
  return { folder: dirname(file), steps };
}

/** @throws ConfigError */
export async function readJson(file: string): Promise<unknown> {
  let text: string;
  try {
    const { size } = await Deno.stat(file);
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
    text = await Deno.readTextFile(file);
  } catch (cause) {
    throw new ConfigError(`Cannot read "${file}": ${(cause as Error).message}`, { cause });
  }
  const value = tryParseJson(text);
  if (value === undefined) throw new ConfigError(`"${file}" is not valid JSON`);
  return value;
}

/** The elements that were there before a step; `undefined` where they were not recorded. */
export async function readTree(
  { folder }: Pick<Recording, "folder">,
  { trees: { before } }: Step,
): Promise<readonly TreeNode[] | undefined> {
  if (before === undefined || /(^|[\\/])\.\.?([\\/]|$)|^[\\/]|:/.test(before)) return undefined;
  const tree = await readJson(join(folder, before)).catch(() => undefined); // it need not be there
  return Array.isArray(tree) ? tree as TreeNode[] : undefined;
}

/** Values for what was not recorded: by the number of the step, then by the path of the field. */
const Values = z.record(z.string(), z.record(z.string(), z.unknown()));
export type Values = z.output<typeof Values>;

/** @throws ConfigError */
export async function readValuesFile(file: string, steps: readonly Step[]): Promise<Values> {
  const parsed = Values.safeParse(await readJson(file));
  if (!parsed.success) {
    throw new ConfigError(`"${file}" must be like {"3": {"text": "Hello"}}: fields by step`);
  }
  for (const [number, fields] of Object.entries(parsed.data)) {
    const step = steps.find((each) => String(each.number) === number);
    const unknown = Object.keys(fields).find((path) => !step?.omitted.includes(path));
    if (step === undefined) throw new ConfigError(`"${file}": there is no step ${number}`);
    if (unknown === undefined) continue;
    const known = step.omitted.map((path) => `"${path}"`).join(", ") || "nothing";
    throw new ConfigError(`"${file}": step ${number} lacks ${known}, not "${unknown}"`);
  }
  return parsed.data;
}

/** The fields of a step with the values for what was not recorded, and what is still missing. */
export function fillIn(
  { number, fields, omitted }: Step,
  values: Values,
): { readonly fields: Record<string, unknown>; readonly missing: readonly string[] } {
  const given = values[number] ?? {};
  const filled = structuredClone(fields);
  for (const [path, value] of Object.entries(given)) setField(filled, path, value);
  return { fields: filled, missing: omitted.filter((path) => !Object.hasOwn(given, path)) };
}

/** @throws ConfigError where a step has fields that its operation does not take */
export function checkFields(
  { number, operation: name }: Step,
  operation: Operation,
  fields: Readonly<Record<string, unknown>>,
): void {
  try {
    new FlatInput(operation).read(fields, []);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [first] = error.errors;
    const at = first!.loc.join(".");
    throw new ConfigError(`Step ${number}, ${name}: ${at}: ${first!.msg}`);
  }
}
