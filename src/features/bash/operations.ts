/** Defines the operations on commands and processes as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { EnvSecrets } from "./env_secrets.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { json, noContent } from "../outcomes.ts";
import { executeCommand } from "./execute_command.ts";
import { CommandText, MaxRuntime, Pid, Variables, WorkingFolder } from "./fields.ts";
import {
  LISTED_COMMAND_LENGTH,
  LISTED_OUTPUT_BYTES,
  LISTED_TOTAL_BYTES,
  listManagedProcesses,
} from "./list_processes.ts";
import { getProcessOutput } from "./process_output.ts";
import { writeProcessInput } from "./process_input.ts";
import { RedactionGap } from "./redaction.ts";
import { restartShell } from "./restart_shell.ts";
import { terminateProcess } from "./terminate_process.ts";

const DEFAULT_TIMEOUT_S = 15;

const ExitCode = z.int().nullable()
  .describe(
    "It is 0 to 255, or 128 + n when signal n ended the shell; on Windows it is any 32-bit number. It is `null` while the process runs.",
  );
const Truncated = z.boolean().describe(
  "It is true when something inside `output` is gone, or something after it was not read.",
);
const Status = z.enum(["completed", "background"]);

const UNKNOWN = { not_found: "This service has started no such process, or has forgotten it." };
const REFUSES = {
  permission_denied: "The process belongs to another user.",
  timed_out: "The process does not end, not even when killed.",
};

/** All operations on commands. */
export function bashOperations(limits: Limits): readonly Operation[] {
  const writing = { group: "bash", readOnly: false } as const;
  const reading = { group: "bash", readOnly: true } as const;
  const seconds = (ms: number) => `${ms / 1000} s`;
  return [
    defineOperation({
      ...writing,
      id: "executeCommand",
      long: true,
      method: "POST",
      path: "/api/bash/command",
      summary: "Run a shell command",
      description:
        "A command that ends within `timeout` is `completed`; a failing one is a result " +
        "like any other. One that does not is `background`: it goes on, and `process_id` reads, " +
        "feeds and ends it. What the command leaves running (`xterm &`) does not hold up the answer " +
        `for more than ${limits.drainMs} ms and is listed by \`processes/managed\`. At most ` +
        `${limits.maxCommands} run at once, background ones included; others wait for a place, at ` +
        `most ${seconds(limits.commandWaitMs)}. When the client leaves, a command that runs goes ` +
        "on in the background.",
      body: z.object({
        command: CommandText,
        timeout: z.number().min(0).max(limits.maxCommandTimeoutMs / 1000)
          .default(Math.min(DEFAULT_TIMEOUT_S, limits.maxCommandTimeoutMs / 1000))
          .describe("It waits this many seconds for the end; 0 means background at once."),
        max_runtime: MaxRuntime.optional(),
        cwd: WorkingFolder.optional(),
        env: Variables.optional(),
        env_secrets: EnvSecrets.optional(),
        stdin: z.string().max(limits.maxBodyBytes).optional()
          .describe("The command reads this; without it there is nothing to read."),
        stdin_open: z.boolean().default(false)
          .describe("When true, its input stays open for `process/{pid}/input` after `stdin`."),
      }),
      answer: json(
        "This is the result, or the process in the background.",
        z.object({
          output: z.string().describe(
            "Output and errors are as they came; bytes that are not UTF-8 become U+FFFD.",
          ),
          status: Status,
          process_id: z.int().nullable().describe("It is `null` when the command has completed."),
          exit_code: ExitCode,
          truncated: Truncated,
          redaction_gap: RedactionGap,
        }),
      ),
      errors: {
        not_a_directory: "`cwd` is no folder.",
        permission_denied:
          "`cwd` may not be entered, or the system lets the service run no command.",
        forbidden: "There is `env_secrets`, and the group keychain is switched off.",
        not_found: "`cwd` does not exist.",
        conflict: "`restart` dropped the command before it was started.",
        too_large: "Command and environment together are larger than the system takes.",
        unsupported: "Commands cannot be run on this system.",
        unavailable: "Too many commands run or wait, the system starts no more processes, or the " +
          "keychain cannot be used now.",
      },
      run: executeCommand,
    }),
    defineOperation({
      ...reading,
      id: "getProcessOutput",
      long: true,
      method: "GET",
      path: "/api/bash/process/{pid}/output",
      summary: "Read what a process has written",
      description: "It can be read as often as you like, and after the end of the process for " +
        `${seconds(limits.keepEndedMs)} (the last ${limits.maxEndedProcesses} that ended). ` +
        `When all ended ones take more than ${limits.maxEndedBytes} bytes, the oldest lose their ` +
        "output, which is `truncated` then, and are forgotten at last. " +
        `Of a long output the first ${limits.keptHeadBytes} and the last ${limits.keptTailBytes} ` +
        "bytes are kept.",
      params: z.object({ pid: Pid }),
      query: z.object({
        offset: z.int().min(0).optional().describe(
          "It starts here, in bytes of the whole output: at the `next_offset` of an earlier answer. " +
            "In a part that is gone it means the next byte that is kept.",
        ),
        wait_ms: z.int().min(0).max(limits.maxDurationMs).default(0).describe(
          "It waits this many milliseconds for output after `offset` (without it: after what there is now) " +
            "or the end of the process; 0 answers at once.",
        ),
      }),
      answer: json(
        "This is the output, and the state of the process.",
        z.object({
          output: z.string(),
          process_id: z.int(),
          status: Status,
          exit_code: ExitCode,
          truncated: Truncated,
          redaction_gap: RedactionGap,
          next_offset: z.int().describe("Read on here; it is never inside a character."),
        }),
      ),
      errors: UNKNOWN,
      run: getProcessOutput,
    }),
    defineOperation({
      ...writing,
      id: "writeProcessInput",
      method: "POST",
      path: "/api/bash/process/{pid}/input",
      summary: "Write to the input of a process",
      description: "Texts are handed over in order, as fast as the process reads.",
      params: z.object({ pid: Pid }),
      body: z.object({
        text: z.string().max(limits.maxBodyBytes).describe("The process reads this."),
        eof: z.boolean().default(false).describe("When true, its input ends after the text."),
      }),
      answer: noContent("The text waits for the process to read it."),
      errors: {
        ...UNKNOWN,
        conflict: "The process has ended, or its input is closed.",
        unavailable: "The process does not read, and too much waits for it.",
      },
      run: writeProcessInput,
    }),
    defineOperation({
      ...writing,
      id: "terminateProcess",
      method: "DELETE",
      path: "/api/bash/process/{pid}",
      summary: "End a process and all that it started",
      description:
        `It asks the whole group to end, kills it after ${seconds(limits.killAfterMs)}, ` +
        "and answers when it is gone. The output stays readable.",
      params: z.object({ pid: Pid }),
      answer: noContent("The process has ended, now or before."),
      errors: { ...UNKNOWN, ...REFUSES },
      run: terminateProcess,
    }),
    defineOperation({
      ...reading,
      id: "listManagedProcesses",
      method: "GET",
      path: "/api/bash/processes/managed",
      summary: "The processes of this service",
      query: z.object({
        all: z.boolean().default(false)
          .describe("When true, those are listed too that have ended and can still be read."),
      }),
      answer: json(
        "Running processes come in the order of their start, after those that have ended.",
        z.array(z.object({
          pid: z.int(),
          command: z.string().describe(
            `One that is longer than ${LISTED_COMMAND_LENGTH} characters ends in "…".`,
          ),
          status: z.enum(["running", "completed"]),
          output: z.string().describe(
            `These are the last ${LISTED_OUTPUT_BYTES} bytes of its output; there are less when many ` +
              `are listed, ${LISTED_TOTAL_BYTES} bytes in all.`,
          ),
          started_at: z.iso.datetime().describe("The time of its start is in UTC."),
          exit_code: ExitCode,
          output_bytes: z.int().describe("It has written this many bytes."),
          truncated: z.boolean().describe("It is true when `output` is not all of it."),
          redaction_gap: RedactionGap,
        })),
      ),
      run: listManagedProcesses,
    }),
    defineOperation({
      ...writing,
      id: "restartShell",
      method: "POST",
      path: "/api/bash/restart",
      summary: "End every process of this service and forget it",
      description: "Commands that wait for a place are dropped (they answer 409). It does not " +
        "restart the computer.",
      body: z.object({}),
      answer: noContent("No process of this service runs any more."),
      errors: REFUSES,
      run: restartShell,
    }),
  ];
}
