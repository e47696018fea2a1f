/** Real commands on Windows, without the service around them. */

import { thisHost } from "../../../src/platform/host.ts";
import type { Command, CommandLine, Processes } from "../../../src/platform/types/mod.ts";
import { openWindowsProcesses } from "../../../src/platform/windows/processes.ts";

export interface FinishedCommand {
  /** With `\n` between the lines. */
  readonly output: string;
  readonly code: number;
}

/** Waits for input for ever, and says nothing. */
export const QUIET = "set /p x=";

/** Opens what runs commands. */
export function openProcesses(more: { shell?: string; token?: string } = {}): Processes {
  return openWindowsProcesses(thisHost(), more);
}

/** Runs a command from its start to its end. */
export async function runCommand(
  command: string,
  more: Partial<CommandLine> = {},
): Promise<FinishedCommand> {
  await using processes = openProcesses();
  return await finish(processes.start({ command, input: false, ...more }));
}

/** Reads all that it writes, waits until nothing of it lives, and lets go of it. */
export async function finish(command: Command): Promise<FinishedCommand> {
  const decoder = new TextDecoder();
  let output = "";
  for (let bytes = await command.read(); bytes; bytes = await command.read()) {
    output += decoder.decode(bytes, { stream: true });
  }
  const code = await command.ended;
  await command.gone();
  await command.close();
  return { output: output.replaceAll("\r\n", "\n"), code };
}

/** Reads until the output holds the text. */
export async function readUntil(command: Command, text: string): Promise<void> {
  const decoder = new TextDecoder();
  for (let output = ""; !output.includes(text);) {
    const bytes = await command.read();
    if (bytes === undefined) throw new Error(`"${text}" is not in "${output}"`);
    output += decoder.decode(bytes, { stream: true });
  }
}

/** Writes a line to its input. */
export async function writeLine(command: Command, line: string): Promise<void> {
  await command.input!.write(new TextEncoder().encode(`${line}\r\n`));
}
