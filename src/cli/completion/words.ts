/** What can stand where on our command line, from the tables of commands, options and operations. */

import { DEFAULT_LIMITS } from "../../config/limits.ts";
import type { CommandFlag, Option } from "../../config/option.ts";
import { OPTION_GROUPS } from "../../config/options.ts";
import type { Operation } from "../../features/operation.ts";
import { type Field, fieldsOf } from "../call/fields.ts";
import { operationsByName } from "../call/call.ts";
import { CALL_OPTIONS } from "../call/options.ts";
import { type CommandName, COMMANDS, takesFlag } from "../command.ts";
import { GRANTS } from "../grant/grant_request.ts";

export interface Word {
  readonly word: string;
  readonly help: string;
}

/** A flag as a shell completes it. */
export interface FlagWord {
  /** `--port` */
  readonly flag: string;
  readonly help: string;
  /** Whether the next word is its value; `perhaps` if that can be left out. */
  readonly value: "never" | "perhaps" | "always";
  /** The values that are known. */
  readonly values: readonly string[];
  /** Whether the value is the path of a file or a folder. */
  readonly isPath: boolean;
}

export interface Words {
  readonly commands: readonly Word[];
  readonly operations: readonly Word[];
  /** Command -> its flags; `call mouse.move` -> the flags of a call of that operation. */
  readonly flags: ReadonlyMap<string, readonly FlagWord[]>;
  /** Command -> the words that follow it. */
  readonly arguments: ReadonlyMap<string, readonly Word[]>;
}

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

/** Files are what these fields of operations name. */
const PATH_FIELDS: readonly string[] = [
  ...["path", "root_path", "image_path", "source", "destination", "cwd"],
];

const HELP: FlagWord = flagWord("help", "print the help");

export function allWords(): Words {
  const operations = operationsByName(DEFAULT_LIMITS);
  const ofCall = Object.values(CALL_OPTIONS).map(fromOption);
  const names = Object.keys(COMMANDS) as CommandName[];
  const flags = new Map<string, readonly FlagWord[]>(
    names.map((command) => [command, flagsOf(command)]),
  );
  flags.set("call", [...ofCall, HELP]);
  for (const [name, operation] of operations) {
    flags.set(`call ${name}`, [...flagsOfCall(operation), ...ofCall, HELP]);
  }
  const operationWords = [...operations].map(([word, { summary: help }]) => ({ word, help }));
  return {
    commands: Object.entries(COMMANDS).map(([word, help]) => ({ word, help })),
    operations: operationWords,
    flags,
    arguments: new Map([
      ["call", operationWords],
      ["grant", Object.entries(GRANTS).map(([word, help]) => ({ word, help }))],
      ["completion", SHELLS.map((word) => ({ word, help: `for ${word}` }))],
    ]),
  };
}

function flagsOf(command: CommandName): FlagWord[] {
  const taken = OPTION_GROUPS.flatMap(({ options }) => options)
    .filter(({ flag }) => flag !== "help" && takesFlag(command, flag));
  return [...taken.map(fromOption), HELP];
}

function flagsOfCall(operation: Operation): FlagWord[] {
  return fieldsOf(operation).map((field) => ({
    flag: field.flag,
    help: firstSentence(field.description),
    value: field.isBoolean ? "perhaps" : "always",
    values: field.values,
    isPath: isPathField(field),
  }));
}

/** `path` of a drag is a list of points. */
function isPathField({ name, takes }: Field): boolean {
  return PATH_FIELDS.includes(name) && takes === "<text>";
}

function fromOption(entry: CommandFlag & Partial<Option<string, never>>): FlagWord {
  const { flag, help, placeholder, values = [], isPath = false } = entry;
  const value = placeholder === undefined
    ? "never"
    : placeholder.startsWith("[")
    ? "perhaps"
    : "always";
  const isFile = isPath || flag === "output" || flag === "executable";
  return { ...flagWord(flag, help), value, values, isPath: isFile };
}

function flagWord(flag: string, help: string): FlagWord {
  return { flag: `--${flag}`, help, value: "never", values: [], isPath: false };
}

function firstSentence(text: string): string {
  return /^.*?[.;](?=\s|$)/s.exec(text)?.[0].slice(0, -1) ?? text;
}
