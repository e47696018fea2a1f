/** The fields of the command operations; their bounds are those of the system. */

import { z } from "zod";

/**
 * The longest argument or variable that the system accepts, including the terminating zero byte.
 */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;
const MAX_PATH_LENGTH = 4_096;
/** Seven days, in seconds. */
const MAX_RUNTIME_S = 7 * 24 * 3_600;
/** More than any real environment has; passing on this many takes the service about 10 ms. */
const MAX_VARIABLES = 1_000;
const MAX_PID = 2 ** 32 - 1;

/** The same check as a JSON schema pattern. */
const WITHOUT_NUL = "^[^\\u0000]*$";

const encoder = new TextEncoder();

export const CommandText = z.string().min(1).max(MAX_ARGUMENT_BYTES)
  .refine(hasNoNul, "Command should not contain a NUL character")
  .meta({ pattern: WITHOUT_NUL })
  .refine(fitsInArgument, `Command should be less than 128 KiB of UTF-8`)
  .describe("The command line for the shell, at most 128 KiB of UTF-8.");

export const WorkingFolder = z.string().min(1).max(MAX_PATH_LENGTH)
  .refine(hasNoNul, "Path should not contain a NUL character")
  .meta({ pattern: WITHOUT_NUL })
  .describe(
    "The folder that the command runs in: absolute, `~/...`, or relative to the home folder, which is the default.",
  );

const VariableName = z.string().min(1).max(MAX_ARGUMENT_BYTES)
  .refine(hasNoNul, "Name of a variable should not contain a NUL character")
  .refine((name) => !name.includes("="), 'Name of a variable should not contain a "="')
  .meta({ pattern: "^[^\\u0000=]*$" });

/**
 * Variables that bash and other shells set, change or unset when they start, so that callers cannot
 * set them.
 */
const SHELL_VARIABLES = new Set([
  ...["BASH", "BASHOPTS", "BASHPID", "BASH_ARGV0", "BASH_EXECUTION_STRING", "BASH_VERSINFO"],
  ...["BASH_VERSION", "COMP_WORDBREAKS", "EPOCHREALTIME", "EPOCHSECONDS", "HISTCMD", "IFS"],
  ...["LINENO", "OPTERR", "OPTIND", "PPID", "PS1", "PS2", "PS4", "RANDOM", "SHELLOPTS", "SRANDOM"],
]);
/**
 * Shell variables that every environment contains: a caller who passes on a whole environment means
 * no harm.
 */
const USUAL_VARIABLES = new Set(["OLDPWD", "PWD", "SHLVL", "_"]);

/** Why a variable with this name would not reach the command; `undefined` if it would. */
export function refusalOfName(name: string): string | undefined {
  if (!SHELL_VARIABLES.has(name) && !USUAL_VARIABLES.has(name)) return undefined;
  return `Variable "${name}" is set by the shell itself: set it inside the command`;
}

const VariableValue = z.string().max(MAX_ARGUMENT_BYTES)
  .refine(hasNoNul, "Value of a variable should not contain a NUL character")
  .meta({ pattern: WITHOUT_NUL });

/**
 * Counts the variables before validating each one, which would be slow for many. Also reports
 * `__proto__`, the name that a record drops silently and that no plain object holds safely.
 */
export function boundedVariables<T extends z.ZodType>(record: T, maximum: number) {
  return z.preprocess((value, context) => {
    if (typeof value !== "object" || value === null) return value;
    if (Object.keys(value).length > maximum) {
      context.addIssue({
        code: "too_big",
        origin: "object",
        maximum,
        inclusive: true,
        input: value,
      });
    } else if (Object.hasOwn(value, PROTOTYPE)) {
      const message = `Variable "${PROTOTYPE}" cannot be set: choose another name`;
      context.addIssue({ code: "custom", path: [PROTOTYPE], message, input: value });
    }
    return value;
  }, record).meta({ maxProperties: maximum });
}

const PROTOTYPE = "__proto__";

export const Variables = boundedVariables(
  z.record(VariableName, VariableValue)
    .superRefine((variables, context) => {
      for (const [name, value] of Object.entries(variables)) {
        const refusal = USUAL_VARIABLES.has(name) ? undefined : refusalOfName(name);
        if (refusal) {
          context.addIssue({ code: "custom", path: [name], message: refusal, input: value });
        }
        if (fitsInArgument(`${name}=${value}`)) continue;
        const message = "Variable should be less than 128 KiB of UTF-8 with its name";
        context.addIssue({ code: "custom", path: [name], message, input: value });
      }
    }),
  MAX_VARIABLES,
).describe(
  "Variables to add to the environment, each at most 128 KiB of UTF-8. Those that the shell " +
    "sets itself (`IFS`, `PPID`, `LINENO` and others) are refused, except `PWD`, `OLDPWD`, `SHLVL` " +
    "and `_`, for which it uses its own values: set the folder with `cwd`.",
);

export const MaxRuntime = z.number().positive().max(MAX_RUNTIME_S)
  .describe(
    "The time after which the command is ended, in seconds, whether or not it runs in the background; no limit by default.",
  );

export const Pid = z.int().min(1).max(MAX_PID).describe("The process id.");

function hasNoNul(text: string): boolean {
  return !text.includes("\0");
}

function fitsInArgument(text: string): boolean {
  if (text.length * 3 <= MAX_ARGUMENT_BYTES) return true;
  return encoder.encode(text).length <= MAX_ARGUMENT_BYTES;
}
