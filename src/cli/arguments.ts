/** Splits the arguments of the program into words and flags, and reports errors in one sentence. */

import { parseArgs } from "node:util";
import { type CommandFlag, ConfigError, type Option } from "../config/option.ts";
import { OPTION_GROUPS } from "../config/options.ts";
import { editDistance } from "../core/texts.ts";

interface Arguments {
  readonly words: readonly string[];
  readonly flags: GivenFlags;
}

/** The value of each given flag: a text, texts for a repeatable one, `true` without a value. */
export type GivenFlags = Readonly<Record<string, string | true | readonly string[]>>;

type Token = ReturnType<typeof tokenize>[number];

/** An option of the service, or a flag of a command. */
export type Entry = CommandFlag & Partial<Option<string, never>>;

/** The entry of each flag, under its name and its alias. */
const ENTRIES: ReadonlyMap<string, Entry> = new Map(
  OPTION_GROUPS.flatMap(({ options }) => options).flatMap((entry: Entry) =>
    [entry.flag, ...entry.alias === undefined ? [] : [entry.alias]].map((name) => [name, entry])
  ),
);

/** @throws ConfigError for an unknown flag, a missing value, or a value for a flag without one. */
export function readArguments(args: readonly string[]): Arguments {
  const tokens = tokenize(args);
  const first = tokens.find((token) => token.kind === "option" && OVERRIDING.includes(token.name));
  if (first?.kind === "option") return { words: [], flags: { [first.name]: true } };
  const words: string[] = [];
  const flags: Record<string, string | true | readonly string[]> = {};
  for (const [at, token] of tokens.entries()) {
    const isTaken = optionalValue(tokens[at - 1], token) !== undefined;
    if (token.kind === "positional" && !isTaken) words.push(token.value);
    if (token.kind !== "option") continue;
    const entry = ENTRIES.get(token.name);
    if (entry === undefined) throw new ConfigError(explainUnknown(args[token.index]!));
    const value = token.value ?? optionalValue(token, tokens[at + 1]);
    checkValue(entry, value);
    const before = flags[entry.flag] as readonly string[] | undefined;
    flags[entry.flag] = entry.repeatable ? [...before ?? [], value!] : value ?? true;
  }
  return { words, flags };
}

function tokenize(args: readonly string[]) {
  return parseArgs({ args: [...args], options: SYNTAX, strict: false, tokens: true }).tokens;
}

/** A word after a flag with an optional value is that value. */
function optionalValue(token: Token | undefined, next: Token | undefined): string | undefined {
  if (token?.kind !== "option" || next?.kind !== "positional") return undefined;
  const entry = ENTRIES.get(token.name);
  if (entry === undefined || takesValue(entry) !== "perhaps") return undefined;
  return token.value === undefined && next.index === token.index + 1 ? next.value : undefined;
}

/** Returns the commands that accept the flag, if not all do. */
export function findOwners(flag: string): readonly string[] | undefined {
  return ENTRIES.get(flag)?.commands;
}

/** Flags that override all others. */
const OVERRIDING = ["help", "version"];

const SYNTAX = Object.fromEntries(
  [...ENTRIES].map(([name, entry]) => [name, {
    type: takesValue(entry) === "always" ? "string" as const : "boolean" as const,
    ...entry.short === undefined ? {} : { short: entry.short },
  }]),
);

/** Whether the next word is the value of a flag; `perhaps` if that can be left out. */
export function takesValue({ placeholder }: Entry): "always" | "perhaps" | "never" {
  if (placeholder === undefined) return "never";
  return placeholder.startsWith("[") ? "perhaps" : "always";
}

function checkValue(entry: Entry, value: string | undefined): void {
  const { flag, placeholder } = entry;
  const takes = takesValue(entry);
  if (takes === "never" && value !== undefined) throw new ConfigError(`--${flag} takes no value`);
  if (takes !== "always" || value !== undefined) return;
  throw new ConfigError(`--${flag} needs a value: --${flag} ${placeholder}`);
}

function explainUnknown(given: string): string {
  const flags = [...ENTRIES.keys()].map((flag) => `--${flag}`);
  const nearest = suggest(given.split("=", 1)[0]!, flags);
  return `There is no flag "${given}": ${nearest}"computer-control --help" lists all`;
}

/** Suggests what a mistyped word was meant to be as a question, if a name is similar enough. */
export function suggest(word: string, names: readonly string[]): string {
  const far = Math.ceil(word.replace(/^-+/, "").length / 2);
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(word.slice(0, 40).toLowerCase(), name) }))
    .filter(({ distance }) => distance <= far)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest === undefined ? "" : `did you mean "${nearest.name}"? `;
}
