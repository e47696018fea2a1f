/** `deno task flags`: writes `docs/limits-and-flags.md` from the table of options. */

import type { Bounds, CommandFlag, Option } from "../src/config/option.ts";
import { OPTION_GROUPS, OPTIONS } from "../src/config/options.ts";
import { nameInSystemInfo } from "../src/features/system/info.ts";

export const FLAGS_FILE = new URL("../docs/limits-and-flags.md", import.meta.url);

/** The text of the file. */
export function flagsPage(): string {
  const sections = OPTION_GROUPS.flatMap(({ heading, options }) => [
    `## ${heading}`,
    "",
    "| flag | default | bounds | what it is |",
    "| ---- | ------- | ------ | ---------- |",
    ...options.map(row),
    "",
  ]);
  return [...OPENING, ...sections, ...variables()].join("\n");
}

const OPENING = [
  "<!-- Made by `deno task flags` from src/config/options.ts: change it there. -->",
  "",
  "# Limits and flags",
  "",
  "All flags of `computer-control`, as `computer-control --help` lists them. A limit is shown by",
  "`GET /api/system/info` under the name in brackets, times in milliseconds there.",
  "",
];

type Entry = CommandFlag & Partial<Option<string, never>>;

function row(entry: Entry): string {
  const { flag, alias, short, placeholder, help, defaultText, bounds } = entry;
  const written = placeholder === undefined ? `--${flag}` : `--${flag} ${placeholder}`;
  const names = [
    ...short === undefined ? [] : [`-${short}`],
    written,
    ...alias === undefined ? [] : [`--${alias}`],
  ];
  const term = names.map((name) => `\`${name}\``).join(", ");
  const shown = bounds === undefined ? "" : ` (\`${nameInSystemInfo(nameOf(flag))}\`)`;
  const standard = defaultText === undefined ? "" : readable(defaultText, bounds);
  const range = bounds === undefined
    ? ""
    : `${readable(bounds.min, bounds)} to ${readable(bounds.max, bounds)}`;
  return `| ${[term, standard, range, help + shown].map(escape).join(" | ")} |`;
}

function nameOf(flag: string): string {
  return Object.entries(OPTIONS).find(([, option]) => option.flag === flag)![0];
}

/** `16777216 (16 MiB)`: what is to be written, and what it is. */
function readable(value: number | string, bounds: Bounds | undefined): string {
  const number = Number(value);
  if (bounds?.unit !== "bytes" || number < 1_024) return String(value);
  const power = Math.min(3, Math.floor(Math.log2(number) / 10));
  return `${value} (${number / 1_024 ** power} ${["", "KiB", "MiB", "GiB"][power]})`;
}

function variables(): string[] {
  const all = Object.values(OPTIONS).flatMap(({ variable }: Option<string, never>) =>
    variable === undefined ? [] : [variable]
  );
  return [
    "## Environment",
    "",
    "| variable | what it is |",
    "| -------- | ---------- |",
    ...all.map(({ name, help }) => `| \`${name}\` | ${escape(help)} |`),
    "",
    ...EVERY_FLAG,
  ];
}

const EVERY_FLAG = [
  "Every flag of the service has a variable: `COMPUTER_CONTROL_` and its name in capitals, with `_` for",
  "`-`, as in `COMPUTER_CONTROL_PORT=5000`. A flag that is given counts instead, and an empty variable is",
  "none. `1` turns on a flag without a value, and `0` does not; several values are separated by lines or",
  "commas (those of `--open` by lines). A variable that is nearly one of these is refused, so that no",
  "`COMPUTER_CONTROL_READONLY` is overlooked. What Kubernetes puts into pods beside a Service named",
  "`computer-control`, such as `COMPUTER_CONTROL_PORT=tcp://10.0.0.1:4242`, is ignored.",
  "",
];

/** A bar would end the cell. */
function escape(text: string): string {
  return text.replaceAll("|", "\\|");
}

if (import.meta.main) await Deno.writeTextFile(FLAGS_FILE, flagsPage());
