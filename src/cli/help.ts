/** What `--help` prints, from the table of options. */

import type { CommandFlag, Option } from "../config/option.ts";
import { OPTION_GROUPS, OPTIONS } from "../config/options.ts";
import { COMMANDS } from "./commands.ts";
import { wrap } from "./wrap.ts";

const WIDTH = 80;
/** The second column; a longer flag gets its own line. */
const COLUMN = 32;

export function helpText(): string {
  return [
    "Usage: computer-control [command] [flags]",
    "",
    "Lets programs see this computer's screen and use its mouse, keyboard, files and",
    "shell.",
    "",
    "Commands:",
    ...Object.entries(COMMANDS).map(([name, does]) => `  ${name.padEnd(18)}  ${does}`),
    "",
    ...OPTION_GROUPS.flatMap(({ heading, options }) => [
      `${heading}:`,
      ...options.flatMap((entry) => twoColumns(formatTerm(entry), describe(entry))),
      "",
    ]),
    "Environment:",
    ...Object.values(OPTIONS).flatMap((option: Option<string, never>) =>
      option.variable === undefined ? [] : [`  ${option.variable.name}    ${option.variable.help}`]
    ),
    "",
    "Examples:",
    "  computer-control --port 5000 --name desk-1",
    "  computer-control --virtual-display 1920x1080",
    "  computer-control --host 0.0.0.0 --token-file ~/.computer-control-token",
    "  computer-control install-service --port 5000",
  ].join("\n");
}

type Entry = CommandFlag & Partial<Option<string, never>>;

function formatTerm({ flag, short, placeholder }: Entry): string {
  const long = placeholder === undefined ? `--${flag}` : `--${flag} ${placeholder}`;
  return short === undefined ? `  ${long}` : `  -${short}, ${long}`;
}

function describe({ help, defaultText }: Entry): string {
  return defaultText === undefined ? help : `${help} (default: ${defaultText})`;
}

function twoColumns(term: string, text: string): string[] {
  const lines = wrap(text, WIDTH - COLUMN).map((line) => " ".repeat(COLUMN) + line);
  if (term.length > COLUMN - 2) return [term, ...lines];
  return [term.padEnd(COLUMN) + lines[0]!.slice(COLUMN), ...lines.slice(1)];
}
