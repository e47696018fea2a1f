/** What a person sees of a call that waits: all of it that others may see, with nothing hidden in it. */

import { cutRawText, showHidden } from "../../core/texts.ts";
import { cutMargin, type Redacting, redactTexts } from "../secrets/redact_texts.ts";
import { shownValue } from "../shown_fields.ts";

/** Characters that are shown of a value, and of all values together. */
const MAX_SHOWN = 4_096;
const MAX_SHOWN_IN_ALL = 16_384;
const MAX_ADDRESS = 200;
const MAX_FIELDS = 50;
/** What is run, and which stored value is used. */
const DECISIVE: ReadonlySet<string> = new Set(["args", "expression", "field"]);
/** Names below these are anybody's. */
const FREE_NAMES: ReadonlySet<string> = new Set(["env", "item"]);

export interface DecidedField {
  /** `until.file.path` */
  readonly name: string;
  /** Absent where others may not see it. */
  readonly value?: string;
  /** How many characters of it are not shown, if any are. */
  readonly more?: number;
}

/** Never what is typed, stored or written. */
export async function describeFields(
  context: Redacting,
  group: string,
  input: unknown,
): Promise<readonly DecidedField[]> {
  const margin = await cutMargin(context);
  const leaves = eachLeaf(input, "", "").take(MAX_FIELDS + 1).toArray();
  const given = leaves.slice(0, MAX_FIELDS).map(({ path, name, value }) => {
    const shown = DECISIVE.has(name) && typeof value === "string"
      ? value
      : shownValue(group, name, value);
    return { path, text: shown?.toString(), length: String(value).length };
  });
  const texts = given.map(({ text = "" }) => cutRawText(text, MAX_SHOWN + margin));
  const { redacted } = await redactTexts(context, texts);
  let room = MAX_SHOWN_IN_ALL;
  const fields = given.map(({ path, text, length }, index): DecidedField => {
    const name = showHidden(path);
    const readable = redacted[index]!;
    if (text === undefined) return { name };
    const max = Math.min(room, path.endsWith("url") ? MAX_ADDRESS : MAX_SHOWN);
    const start = readable.slice(0, max);
    const value = showHidden(start);
    room = Math.max(0, room - value.length);
    const more = Math.max(length, readable.length) - start.length;
    return { name, value, ...(more > 0 && { more }) };
  });
  return leaves.length > MAX_FIELDS ? [...fields, { name: "..." }] : fields;
}

/** Whether nothing of a call is left for the person to guess. */
export function areAllShown(fields: readonly DecidedField[]): boolean {
  return fields.every(({ value, more }) => value !== undefined && more === undefined);
}

interface Leaf {
  readonly path: string;
  /** Of the field, or of the list that it is in. */
  readonly name: string;
  readonly value: unknown;
}

function* eachLeaf(value: unknown, path: string, name: string): Generator<Leaf> {
  if (value === undefined || value === null) return;
  if (typeof value !== "object") {
    yield { path, name, value };
    return;
  }
  const isNamed = !Array.isArray(value) && !FREE_NAMES.has(name);
  for (const [key, each] of Object.entries(value)) {
    yield* eachLeaf(each, path === "" ? key : `${path}.${key}`, isNamed ? key : name);
  }
}
