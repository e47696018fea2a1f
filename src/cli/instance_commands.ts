/** The command lines of `stop` and `status`: which flags they take, and what these mean. */

import { readFolder, readName, readWholeNumber } from "../config/flag_values.ts";
import type { StatusRequest } from "./status.ts";
import type { StopRequest } from "./stop.ts";

interface Refusal {
  readonly kind: "refuse";
  readonly message: string;
}

/** Flag by commander's name, for each command. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  stop: ["port", "name", "stateDir", "all", "force"],
  status: ["port", "name", "stateDir", "json"],
};

export const INSTANCE_COMMANDS: readonly string[] = Object.keys(FLAGS);

const PORT = { min: 1, max: 65_535 };

export function readInstanceCommand(
  command: string,
  options: Readonly<Record<string, unknown>>,
): StopRequest | StatusRequest | Refusal {
  const other = Object.entries(options).find(([name, value]) =>
    !FLAGS[command]!.includes(name) && !isUnsaid(name, value)
  );
  if (other !== undefined) return refuse(`${command} takes no ${written(other[0])}`);
  const faults: string[] = [];
  function read<T>(name: string, parse: (text: string) => T): T | undefined {
    const text = options[name];
    if (typeof text !== "string") return undefined;
    try {
      return parse(text);
    } catch (error) {
      faults.push(`${written(name)} ${(error as Error).message}`);
      return undefined;
    }
  }
  const choice = {
    port: read("port", (text) => readWholeNumber(text, PORT)),
    name: read("name", readName),
    stateDir: read("stateDir", readFolder),
  };
  if (faults.length > 0) return refuse(faults.join("; "));
  const { all, force, json } = options;
  return command === "stop"
    ? { kind: "stop", ...choice, all: all === true, force: force === true }
    : { kind: "status", ...choice, json: json === true };
}

/** Commander gives `true` for a `--no-...` flag that is not there. */
function isUnsaid(name: string, value: unknown): boolean {
  return ["auth", "setup", "redact"].includes(name) && value === true;
}

function written(name: string): string {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return ["auth", "setup", "redact"].includes(name) ? `--no-${flag}` : `--${flag}`;
}

function refuse(message: string): Refusal {
  return { kind: "refuse", message };
}
