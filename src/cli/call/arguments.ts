/** Reads the arguments of `call`: the operation, its fields, and the options. */

import { z } from "zod";
import { readValues, type ValuesOf } from "../../config/config.ts";
import { ConfigError, type Option } from "../../config/option.ts";
import { tryParseJson } from "../../core/texts.ts";
import { asMeant, isWrapper } from "../../features/call/unknown_fields.ts";
import type { Operation } from "../../features/operation.ts";
import { suggest } from "../arguments.ts";
import { CALL_OPTIONS, OPTION_FLAGS } from "../command.ts";
import { wrap } from "../command_line.ts";

export type CallOptions = ValuesOf<typeof CALL_OPTIONS>;

export interface CallArguments {
  readonly options: CallOptions;
  /** The texts of each given field, by its name. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

const BY_FLAG: ReadonlyMap<string, Option<string, never>> = new Map(
  Object.values(CALL_OPTIONS).map((option) => [`--${option.flag}`, option]),
);

/** The operation's name and the rest; `--help` is found wherever a flag can be. */
export function splitCall(args: readonly string[]): {
  readonly name: string | undefined;
  readonly rest: readonly string[];
  /** How many of the rest come before the name: they are options. */
  readonly before: number;
  readonly wantsHelp: boolean;
} {
  const at = findName(args);
  const name = args[at];
  const rest = name === undefined ? args : args.toSpliced(at, 1);
  const wantsHelp = rest.some((arg, index) =>
    (arg === "--help" || arg === "-h") && !takesNext(rest[index - 1])
  );
  return { name, rest, before: Math.max(0, at), wantsHelp };
}

/** Options with their values may come first: `--port 5000 mouse.move`; -1 if there is no name. */
function findName(args: readonly string[]): number {
  let at = 0;
  while (takesNext(args[at])) at += 2;
  const word = args[at];
  return word === undefined || word.startsWith("-") ? -1 : at;
}

/** Whether a word after this one is its value, for the flags that are known of every operation. */
function takesNext(arg: string | undefined): boolean {
  return arg !== undefined && BY_FLAG.has(arg);
}

/**
 * A flag behind the operation that is both its field's and an option's is the field's.
 * @param before as {@link splitCall} gives it
 * @throws ConfigError for what is no flag of the operation, or lacks its value
 */
export function readCallArguments(
  args: readonly string[],
  { name, fields, before }: {
    readonly name: string;
    readonly fields: readonly Field[];
    readonly before: number;
  },
): CallArguments {
  const byFlag = new Map(
    fields.flatMap((field) => [[field.flag, field], [`--${field.name}`, field]]),
  );
  const given = new Map<string, string[]>();
  const options: Record<string, string> = {};
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    const [, flag, , attached] = /^(--[^=]+)(=(.*))?$/s.exec(arg) ?? [];
    if (flag === undefined) throw new ConfigError(explainWord(arg, name));
    const field = at < before ? undefined : byFlag.get(flag);
    const option = field === undefined ? BY_FLAG.get(flag) : undefined;
    if (option === undefined && field === undefined) {
      throw new ConfigError(explainUnknown(flag, name, fields));
    }
    const next = attached === undefined ? args[at + 1] : undefined;
    const isFlag = next !== undefined && (byFlag.has(next) || BY_FLAG.has(next));
    const value = attached ?? (!isFlag && isValue(next, field) ? next : undefined);
    if (attached === undefined && value !== undefined) at++;
    if (option !== undefined) options[option.flag] = required(value, flag, option.placeholder!);
    else give(given, field!, value);
  }
  return { fields: given, options: readValues(CALL_OPTIONS, options as never) };
}

/** A switch takes the next word only if that is one of its values. */
function isValue(word: string | undefined, field: Field | undefined): word is string {
  if (word === undefined) return false;
  return !field?.isBoolean || field.values.includes(word);
}

function give(given: Map<string, string[]>, field: Field, value: string | undefined): void {
  const text = field.isBoolean ? value ?? "true" : required(value, field.flag, field.takes);
  given.set(field.name, [...given.get(field.name) ?? [], text]);
}

function required(value: string | undefined, flag: string, takes: string): string {
  if (value !== undefined) return value;
  throw new ConfigError(`${flag} needs a value: ${flag} ${takes}`);
}

function explainWord(word: string, name: string): string {
  const quoted = JSON.stringify(word.slice(0, 100));
  return `${name}: ${quoted} does not belong to a flag: give fields as --field value`;
}

function explainUnknown(flag: string, name: string, fields: readonly Field[]): string {
  const shortened = flag.slice(0, 100);
  const nearest = suggest(flagOf(shortened.slice(2)), [
    ...fields.map((field) => field.flag),
    ...OPTION_FLAGS,
  ]);
  const takes = fields.length === 0 ? "no fields" : fields.map((field) => field.flag).join(", ");
  return `${name} has no field "${shortened}": ${nearest}it takes ${takes}`;
}

// What `call --help` and `call <operation> --help` print, from the list of operations.

const WIDTH = 80;
const INDENT = " ".repeat(6);

export function listHelp(operations: ReadonlyMap<string, Operation>): string {
  const width = Math.max(...[...operations.keys()].map((name) => name.length));
  const indent = " ".repeat(width + 4);
  return [
    "Usage: computer-control call <operation> [--field value ...] [options]",
    "",
    "Calls an operation of a running service, and prints its answer.",
    "",
    "Operations (computer-control call <operation> --help lists the fields of one):",
    ...[...operations].map(([name, { summary }]) =>
      `  ${name.padEnd(width)}  ${wrap(summary, WIDTH - indent.length).join(`\n${indent}`)}`
    ),
    "",
    ...optionLines(),
    "",
    "Examples:",
    "  computer-control call mouse.move --x 10 --y 20",
    "  computer-control call bash.command --command ls",
    "  computer-control call display.screenshot --output screen.png",
    `  computer-control call keyboard.hotkey --keys ctrl --keys a`,
    `  echo '{"text": "Hello"}' | computer-control call keyboard.type --json -`,
  ].join("\n");
}

export function operationHelp(name: string, operation: Operation): string {
  const fields = fieldsOf(operation);
  const { summary, description } = operation;
  const given = fields.length > 0 ? " [--field value ...]" : "";
  return [
    `Usage: computer-control call ${name}${given} [options]`,
    "",
    ...wrap(`${summary}.${description === undefined ? "" : ` ${description}`}`, WIDTH),
    "",
    fields.length === 0 ? "It takes no fields." : "Fields:",
    ...fields.flatMap(fieldLines),
    "",
    ...optionLines(fields),
  ].join("\n");
}

function fieldLines(field: Field): string[] {
  const { flag, takes, isRequired, isList, description } = field;
  const kind = isRequired
    ? " (required)"
    : field.default === undefined
    ? ""
    : ` (default: ${JSON.stringify(field.default)})`;
  const repeat = isList ? " Repeat it for each item, or give a JSON list." : "";
  const text = wrap(`${description}${repeat}`.trim(), WIDTH - INDENT.length);
  return [`  ${flag} ${takes}${kind}`, ...text.map((line) => INDENT + line)];
}

/** @param fields of the operation, whose flags take precedence behind its name */
function optionLines(fields: readonly Field[] = []): string[] {
  const options: readonly Option<string, never>[] = Object.values(CALL_OPTIONS);
  const isTaken = (flag: string) => fields.some((field) => field.flag === `--${flag}`);
  return [
    "Options:",
    ...options.flatMap(({ flag, placeholder, help }) => [
      `  --${flag} ${placeholder}${isTaken(flag) ? " (before the operation)" : ""}`,
      ...wrap(help, WIDTH - INDENT.length).map((line) => INDENT + line),
    ]),
  ];
}

// The fields of an operation as flags: their names, what they take, and their values from text.

export interface Field {
  /** `duration_ms` */
  readonly name: string;
  /** `--duration-ms` */
  readonly flag: string;
  readonly isRequired: boolean;
  /** Whether its flag alone means `true`. */
  readonly isBoolean: boolean;
  /** Whether its flag may be repeated, once for each item. */
  readonly isList: boolean;
  /** `<integer>`, `png|jpeg|webp`, `<json>` */
  readonly takes: string;
  /** The values that it can have, where they are few words. */
  readonly values: readonly string[];
  readonly description: string;
  readonly default: unknown;
  /** The value that the texts of its flag mean; one that means none stays a text. */
  read(texts: readonly string[]): unknown;
}

/** The fields of an operation, those of its path first. */
export function fieldsOf({ params, query, body }: Operation): readonly Field[] {
  return [params, query, body].flatMap((schema) => schema === undefined ? [] : listFields(schema));
}

/** `duration_ms` -> `--duration-ms` */
export function flagOf(name: string): string {
  return `--${name.replaceAll("_", "-")}`;
}

interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly description?: string;
  readonly default?: unknown;
}

function listFields(schema: z.ZodObject): readonly Field[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    reused: "inline",
  }) as { properties?: Record<string, Shape>; required?: readonly string[] };
  return Object.entries(schema.shape).map(([name, own]) => {
    const shape = properties[name] ?? {};
    return {
      name,
      flag: flagOf(name),
      isRequired: required.includes(name),
      isBoolean: shape.type === "boolean",
      isList: shape.type === "array",
      takes: describeShape(shape),
      values: valuesOf(shape),
      description: shape.description ?? "",
      default: shape.default,
      read: (texts) => readTexts(own as z.ZodType, shape, texts),
    };
  });
}

function describeShape(shape: Shape): string {
  const options = shape.anyOf ?? shape.oneOf;
  if (options !== undefined) return [...new Set(options.map(describeShape))].join("|");
  if (shape.enum !== undefined) return shape.enum.map(String).join("|");
  if (shape.const !== undefined) return String(shape.const);
  switch (shape.type) {
    case "integer":
    case "number":
    case "null":
      return `<${shape.type}>`;
    case "boolean":
      return "true|false";
    case "string":
      return "<text>";
    case "array":
      return shape.items === undefined ? "<json>" : `${describeShape(shape.items)}...`;
    default:
      return "<json>";
  }
}

function valuesOf(shape: Shape): readonly string[] {
  if (shape.type === "boolean") return ["true", "false"];
  if (shape.enum !== undefined) return shape.enum.map(String);
  if (shape.items !== undefined) return valuesOf(shape.items);
  return (shape.anyOf ?? shape.oneOf ?? []).flatMap(valuesOf);
}

function readTexts(schema: z.ZodType, shape: Shape, texts: readonly string[]): unknown {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodArray)) {
    // of a list among other things, each flag is an item
    return texts.length === 1 ? readText(schema, shape, texts[0]!) : texts.map(fromJson);
  }
  const [only] = texts;
  const whole = texts.length === 1 && only!.trim().startsWith("[") ? fromJson(only!) : undefined;
  if (Array.isArray(whole)) return asMeant(schema, whole);
  return texts.map((text) => readText(inner.element, shape.items ?? {}, text));
}

/** What is no text stays none if the schema refuses it: the error then says why. */
function readText(schema: z.core.$ZodType, shape: Shape, text: string): unknown {
  const value = asMeant(schema, text);
  return value === text && shape.type !== "string" ? fromJson(text) : value;
}

function fromJson(text: string): unknown {
  const value = tryParseJson(text);
  return value === undefined ? text : value;
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return isWrapper(schema) ? unwrap(schema.unwrap()) : schema;
}
