/** `__complete -- words`: prints what the last word of a command line can become. */

import { OPTION_GROUPS } from "../../config/options.ts";
import { type Entry, takesValue } from "../arguments.ts";
import {
  CALL_OPTIONS,
  type CommandLineResult,
  type CommandName,
  COMMANDS,
  takesFlag,
} from "../command.ts";
import { GRANTS, TOKEN_ACTIONS } from "../command_line.ts";

/** The line that leaves it to the shell to complete a path. */
export const FILES = ":files";
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

interface Word {
  readonly word: string;
  readonly help: string;
}

/**
 * Prints a line for each candidate: the word, a tab, and what it means.
 * @param args the words behind the name of the program, up to the one at the cursor, as they were
 * typed; bash gives an equals sign as a word of its own
 */
export async function printCandidates(args: readonly string[]): Promise<CommandLineResult> {
  const candidates = await findCandidates(args[0] === "--" ? args.slice(1) : args);
  if (candidates === FILES) return { code: 0, lines: [FILES] };
  return {
    code: 0,
    lines: candidates.map(({ word, help }) => `${word}\t${help.replaceAll(/\s+/g, " ")}`),
  };
}

export async function findCandidates(
  words: readonly string[],
): Promise<readonly Word[] | typeof FILES> {
  const { before, typed, assigned, replaced } = readPosition(words);
  const flags = await flagsAfter(before);
  const flag = flags.find(({ word }) => word === (assigned ?? before.at(-1)));
  if (flag?.isPath) return FILES;
  const values = (flag?.values ?? []).map((word) => ({ word: replaced + word, help: flag!.help }));
  const isValue = assigned !== undefined || flag?.value === "always";
  const isRecording = before.length === 1 && before[0] === "replay" && !typed.startsWith("-");
  if (isRecording) return FILES;
  const following = isValue || typed.startsWith("-") ? [] : await argumentsAfter(before);
  const others = isValue ? [] : following.length > 0 ? following : flags;
  return [...values, ...others].filter(({ word }) => word.startsWith(replaced + typed));
}

interface Position {
  readonly before: readonly string[];
  /** What a candidate must begin with. */
  readonly typed: string;
  /** The flag whose value is typed after an equals sign. */
  readonly assigned?: string;
  /** What stands before the value in the same word of the shell: `--format=`. */
  readonly replaced: string;
}

function readPosition(given: readonly string[]): Position {
  const words = given.map((word) => word.replaceAll(/["']/g, ""));
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  const typed = last === "=" ? "" : last;
  const equals = last === "=" ? before.length : before.length - 1;
  if (equals > 0 && words[equals] === "=") {
    return {
      before: words.slice(0, equals - 1),
      typed,
      assigned: words[equals - 1]!,
      replaced: "",
    };
  }
  const [replaced, assigned] = /^(--[^=]+)=/.exec(last) ?? [];
  if (replaced === undefined) return { before, typed, replaced: "" };
  return { before, typed: last.slice(replaced.length), assigned: assigned!, replaced };
}

/** The words that can follow a command; commands where there is none. */
async function argumentsAfter([command, ...more]: readonly string[]): Promise<Word[]> {
  if (more.length > 0) return [];
  switch (command) {
    case undefined:
      return wordsOf(COMMANDS);
    case "grant":
      return wordsOf(GRANTS);
    case "token":
      return wordsOf(TOKEN_ACTIONS);
    case "completion":
      return SHELLS.map((word) => ({ word, help: `for ${word}` }));
    case "call":
      return [...(await loadOperations()).operations]
        .map(([word, { summary: help }]) => ({ word, help }));
    default:
      return [];
  }
}

function wordsOf(table: Readonly<Record<string, string>>): Word[] {
  return Object.entries(table).map(([word, help]) => ({ word, help }));
}

// The flags that can stand behind the words, from the tables of options and operations.

/** A flag as a shell completes it: `--port`. */
interface FlagWord extends Word {
  readonly value: ReturnType<typeof takesValue>;
  readonly values: readonly string[];
  readonly isPath: boolean;
}

const HELP: FlagWord = fromOption({ flag: "help", help: "print the help" });

/** Files are what these fields of operations name. */
const PATH_FIELDS: readonly string[] = [
  ...["path", "root_path", "image_path", "source", "destination", "cwd"],
];

async function flagsAfter([first, second]: readonly string[]): Promise<FlagWord[]> {
  if (first === "call") {
    const ofFields = second === undefined ? [] : await flagsOfOperation(second);
    const options = Object.values(CALL_OPTIONS).map(fromOption)
      .filter(({ word }) => !ofFields.some((field) => field.word === word));
    return [...ofFields, ...options, HELP];
  }
  const isCommand = first !== undefined && Object.hasOwn(COMMANDS, first);
  const command = isCommand ? first as CommandName : "serve";
  const taken = OPTION_GROUPS.flatMap(({ options }) => options)
    .filter(({ flag }) => flag !== "help" && takesFlag(command, flag));
  return [...taken.map(fromOption), HELP];
}

function fromOption(entry: Entry): FlagWord {
  const { flag, help, values = [], isPath = false } = entry;
  const isFile = isPath || flag === "output" || flag === "executable";
  return { word: `--${flag}`, help, value: takesValue(entry), values, isPath: isFile };
}

async function flagsOfOperation(name: string): Promise<FlagWord[]> {
  const { operations, findOperation, fieldsOf } = await loadOperations();
  const operation = findOperation(operations, name);
  if (operation === undefined) return [];
  return fieldsOf(operation).map((field) => ({
    word: field.flag,
    help: firstSentence(field.description),
    value: field.isBoolean ? "perhaps" : "always",
    values: field.values,
    isPath: PATH_FIELDS.includes(field.name) && field.takes === "<text>", // a drag's is a list
  }));
}

/** Loaded for `call` only: all other words are known without the modules of the service. */
async function loadOperations() {
  const { DEFAULT_LIMITS } = await import("../../config/limits.ts");
  const { findOperation, operationsByName } = await import("../call/call.ts");
  const { fieldsOf } = await import("../call/arguments.ts");
  return { operations: await operationsByName(DEFAULT_LIMITS), findOperation, fieldsOf };
}

function firstSentence(text: string): string {
  return /^.*?[.;](?=\s|$)/s.exec(text)?.[0].slice(0, -1) ?? text;
}
