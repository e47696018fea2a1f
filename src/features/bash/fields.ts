/** Fields of the commands: their bounds are those of the system. */

import { z } from "zod";

/** What the system takes for one argument or one variable, its final zero byte included. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;
const MAX_PATH_LENGTH = 4_096;
/** Seven days, in seconds. */
const MAX_RUNTIME_S = 7 * 24 * 3_600;
const MAX_PID = 2 ** 32 - 1;

const encoder = new TextEncoder();

export const CommandText = z.string().min(1).max(MAX_ARGUMENT_BYTES)
  .refine(hasNoNul, "Command should not hold a NUL character")
  .refine(fits, `Command should be less than 128 KiB of UTF-8`)
  .describe("What the shell is to run; less than 128 KiB of UTF-8.");

export const WorkingFolder = z.string().min(1).max(MAX_PATH_LENGTH)
  .refine(hasNoNul, "Path should not hold a NUL character")
  .describe("Folder to run in: absolute, `~/...` or relative to the home, which is the default.");

const VariableName = z.string().min(1).max(MAX_ARGUMENT_BYTES)
  .refine(hasNoNul, "Name of a variable should not hold a NUL character")
  .refine((name) => !name.includes("="), 'Name of a variable should not hold a "="');

const VariableValue = z.string().max(MAX_ARGUMENT_BYTES)
  .refine(hasNoNul, "Value of a variable should not hold a NUL character");

export const Variables = z.record(VariableName, VariableValue)
  .superRefine((variables, context) => {
    for (const [name, value] of Object.entries(variables)) {
      if (fits(`${name}=${value}`)) continue;
      const message = "Variable should be less than 128 KiB of UTF-8 with its name";
      context.addIssue({ code: "custom", path: [name], message, input: value });
    }
  })
  .describe("Variables that are added to the environment, each less than 128 KiB of UTF-8.");

export const MaxRuntime = z.number().positive().max(MAX_RUNTIME_S)
  .describe("Seconds after which the command is ended, wherever it runs; none without it.");

export const Pid = z.int().min(1).max(MAX_PID).describe("Number of the process.");

function hasNoNul(text: string): boolean {
  return !text.includes("\0");
}

function fits(text: string): boolean {
  if (text.length * 3 <= MAX_ARGUMENT_BYTES) return true;
  return encoder.encode(text).length <= MAX_ARGUMENT_BYTES;
}
