/** What `call --help` and `call <operation> --help` print, from the list of operations. */

import type { Operation } from "../../features/operation.ts";
import type { Option } from "../../config/option.ts";
import { wrap } from "../wrap.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { CALL_OPTIONS } from "./options.ts";

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
  return [
    `Usage: computer-control call ${name}${
      fields.length > 0 ? " [--field value ...]" : ""
    } [options]`,
    "",
    ...wrap(`${summary}.${description === undefined ? "" : ` ${description}`}`, WIDTH),
    "",
    fields.length === 0 ? "It takes no fields." : "Fields:",
    ...fields.flatMap(fieldLines),
    "",
    ...optionLines(),
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

function optionLines(): string[] {
  const options: readonly Option<string, never>[] = Object.values(CALL_OPTIONS);
  return [
    "Options:",
    ...options.flatMap(({ flag, placeholder, help }) => [
      `  --${flag} ${placeholder}`,
      ...wrap(help, WIDTH - INDENT.length).map((line) => INDENT + line),
    ]),
  ];
}
