/** Defines the operations on commands and processes as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Context } from "../context.ts";
import { definingWith, json, noContent, type Operation } from "../operation.ts";
import { describeRedaction, EnvSecrets, executeCommand, RedactionGap } from "./execute_command.ts";
import { CommandText, MaxRuntime, Pid, Variables, WorkingFolder } from "./fields.ts";
import type { ManagedProcess } from "./managed_process.ts";
import { withoutMarks } from "./shell_session.ts";
import { Shell } from "./shell.ts";

const DEFAULT_TIMEOUT_S = 15;

const ExitCode = z.int().nullable()
  .describe(
    "0 to 255, or 128 + n if signal n ended the shell; on Windows any 32-bit number. `null` while the process runs.",
  );
const Truncated = z.boolean().describe(
  "If true, a part of `output` is missing, or output after it has not been read.",
);
const Status = z.enum(["completed", "background"]);

const UNKNOWN = {
  not_found: "This service has not started such a process, or its output has expired.",
};
const REFUSES = {
  permission_denied: "The process belongs to another user.",
  timed_out: "The process did not end, even after it was killed.",
};

export function bashOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({ group: "bash", method: "POST", readOnly: false });
  const defineReading = definingWith({ group: "bash", method: "GET", readOnly: true });
  const seconds = (ms: number) => `${ms / 1000} s`;
  return [
    define({
      id: "executeCommand",
      long: true,
      path: "/api/bash/command",
      summary: "Run a shell command",
      description:
        "A command that ends within `timeout` is `completed`, even if it failed: its `exit_code` says so. " +
        "Otherwise it is `background`: it goes on running, and `process_id` identifies it for reading its " +
        "output, writing to it and ending it. What the command leaves running (`xterm &`) delays the answer " +
        `by at most ${limits.drainMs} ms and is listed by \`processes/managed\`. At most ` +
        `${limits.maxCommands} run at once, background ones included; others are queued for at ` +
        `most ${seconds(limits.commandWaitMs)}. When the client disconnects, a command that is ` +
        "running continues in the background.",
      body: z.object({
        command: CommandText,
        timeout: z.number().min(0).max(limits.maxCommandTimeoutMs / 1000)
          .default(Math.min(DEFAULT_TIMEOUT_S, limits.maxCommandTimeoutMs / 1000))
          .describe(
            "The time to wait for the command to end, in seconds; with 0 it runs in the background at once.",
          ),
        max_runtime: MaxRuntime.optional(),
        cwd: WorkingFolder.optional(),
        env: Variables.optional(),
        env_secrets: EnvSecrets.optional(),
        stdin: z.string().max(limits.maxBodyBytes).optional()
          .describe("The standard input of the command; empty by default."),
        stdin_open: z.boolean().default(false)
          .describe("If true, its input stays open for `process/{pid}/input` after `stdin`."),
      }),
      answer: json(
        "The result, or the process that runs in the background.",
        z.object({
          output: z.string().describe(
            "Standard output and standard error, in the order of arrival; bytes that are not UTF-8 become U+FFFD.",
          ),
          status: Status,
          process_id: z.int().nullable().describe(
            "The process id; `null` if the command has completed.",
          ),
          exit_code: ExitCode,
          truncated: Truncated,
          redaction_gap: RedactionGap,
        }),
      ),
      errors: {
        not_a_directory: "`cwd` is not a folder.",
        permission_denied:
          "The user who runs the service may not enter `cwd`, or may not run commands.",
        forbidden: "The request has `env_secrets`, and the group keychain is disabled.",
        not_found: "`cwd` does not exist.",
        conflict: "`bash/restart` dropped the command before it was started.",
        too_large: "Command and environment together are larger than the system allows.",
        unsupported: "Commands cannot be run on this system.",
        unavailable:
          "Too many commands are running or waiting, the system cannot start more processes, or the " +
          "keychain is not available now.",
      },
      uses: ({ env_secrets }) => env_secrets === undefined ? [] : ["keychain"],
      run: executeCommand,
    }),
    defineReading({
      id: "getProcessOutput",
      long: true,
      path: "/api/bash/process/{pid}/output",
      summary: "Read the output of a process",
      description: "Can be read repeatedly, and after the process has ended for another " +
        `${seconds(limits.keepEndedMs)} (the last ${limits.maxEndedProcesses} that ended). ` +
        `When the output of all ended ones takes more than ${limits.maxEndedBytes} bytes, the oldest lose their ` +
        "output, which is then `truncated`, and are finally forgotten. " +
        `Of a long output the first ${limits.keptHeadBytes} and the last ${limits.keptTailBytes} ` +
        "bytes are kept.",
      params: z.object({ pid: Pid }),
      query: z.object({
        offset: z.int().min(0).optional().describe(
          "The position to start at, in bytes of the full output: 0, or the `next_offset` of an earlier answer. " +
            "If that part is no longer kept, reading starts at the next byte that is.",
        ),
        wait_ms: z.int().min(0).max(limits.maxDurationMs).default(0).describe(
          "The time to wait for output after `offset` (by default: for new output) " +
            "or the end of the process, in milliseconds; 0 answers at once.",
        ),
      }),
      answer: json(
        "The output, and the state of the process.",
        z.object({
          output: z.string(),
          process_id: z.int(),
          status: Status,
          exit_code: ExitCode,
          truncated: Truncated,
          redaction_gap: RedactionGap,
          next_offset: z.int().describe("The offset for the next read; never inside a character."),
        }),
      ),
      errors: UNKNOWN,
      run: getProcessOutput,
    }),
    define({
      id: "writeProcessInput",
      path: "/api/bash/process/{pid}/input",
      summary: "Write to the input of a process",
      description: "Texts are written in order, as fast as the process reads them.",
      params: z.object({ pid: Pid }),
      body: z.object({
        text: z.string().max(limits.maxBodyBytes).describe("The text to write."),
        eof: z.boolean().default(false).describe("If true, the input is closed after the text."),
      }),
      answer: noContent("The text will be read by the process when it is ready."),
      errors: {
        ...UNKNOWN,
        conflict: "The process has ended, or its input is closed.",
        unavailable: "The process does not read its input, and too much is already waiting.",
      },
      run: writeProcessInput,
    }),
    define({
      id: "terminateProcess",
      method: "DELETE",
      path: "/api/bash/process/{pid}",
      summary: "End a process and everything it has started",
      description:
        `Requests the process group to end, kills it after ${seconds(limits.killAfterMs)}, ` +
        "and answers when it is gone. Its output can still be read.",
      params: z.object({ pid: Pid }),
      answer: noContent("The process has ended, now or earlier."),
      errors: { ...UNKNOWN, ...REFUSES },
      run: terminateProcess,
    }),
    defineReading({
      id: "listManagedProcesses",
      path: "/api/bash/processes/managed",
      summary: "List the processes of this service",
      query: z.object({
        all: z.boolean().default(false)
          .describe(
            "If true, processes that have ended and whose output can still be read are included.",
          ),
      }),
      answer: json(
        "The processes: first those that have ended, then the running ones in the order of their start.",
        z.array(z.object({
          pid: z.int(),
          command: z.string().describe(
            `The command; one longer than ${LISTED_COMMAND_LENGTH} characters is cut and ends in "…".`,
          ),
          status: z.enum(["running", "completed"]),
          output: z.string().describe(
            `The last ${LISTED_OUTPUT_BYTES} bytes of its output; fewer if many processes ` +
              `are listed, ${LISTED_TOTAL_BYTES} bytes in all.`,
          ),
          started_at: z.iso.datetime().describe("When the process was started, in UTC."),
          exit_code: ExitCode,
          output_bytes: z.int().describe("The number of bytes that it has written."),
          truncated: z.boolean().describe("If true, `output` is only a part of the output."),
          redaction_gap: RedactionGap,
        })),
      ),
      run: listManagedProcesses,
    }),
    define({
      id: "restartShell",
      path: "/api/bash/restart",
      summary: "End and forget every process of this service",
      description: "Commands that are waiting to start are dropped (409). This does not " +
        "restart the computer.",
      body: z.object({}),
      answer: noContent("No process of this service is running."),
      errors: REFUSES,
      run: ({ session }) => session.use(Shell).restart(),
    }),
  ];
}

async function terminateProcess(
  { session }: Context,
  { pid }: { readonly pid: number },
): Promise<void> {
  const process = session.use(Shell).find(pid);
  process.remembered = true; // the caller may want to read its output
  await process.terminate();
}

interface ProcessInput {
  readonly pid: number;
  readonly text: string;
  readonly eof: boolean;
}

function writeProcessInput({ session }: Context, { pid, text, eof }: ProcessInput): void {
  const process = session.use(Shell).find(pid);
  if (process.status === "completed") {
    throw new ServiceError("conflict", `Cannot write to process ${pid}: it has ended`);
  }
  if (process.input === undefined) {
    throw new ServiceError(
      "conflict",
      `Cannot write to process ${pid}: it has no input; start it with "stdin_open": true`,
    );
  }
  if (text !== "") process.input.write(text);
  if (eof) process.input.close();
}

/**
 * The most output listed per process, and for all together, shared in equal parts. The operation
 * for one process returns all of its output.
 */
const LISTED_OUTPUT_BYTES = 16 * 1024;
const LISTED_TOTAL_BYTES = 1024 * 1024;
/** Per command, in UTF-16 code units; a command may be a script of 128 KiB. */
const LISTED_COMMAND_LENGTH = 1_024;

function listManagedProcesses({ session }: Context, { all }: { readonly all: boolean }) {
  const shell = session.use(Shell);
  const listed = [...(all ? shell.ended() : []), ...shell.running()];
  const share = Math.floor(LISTED_TOTAL_BYTES / Math.max(1, listed.length));
  const outputBytes = Math.min(LISTED_OUTPUT_BYTES, share);
  return listed.map((process) => describe(process, outputBytes));
}

function describe(process: ManagedProcess, outputBytes: number) {
  const { pid, command, status, startedAt, output, exitCode } = process;
  const { text, truncated } = output.readEnd(outputBytes);
  return {
    pid,
    command: shorten(command),
    status,
    output: withoutMarks(process, text),
    started_at: startedAt.toISOString(),
    exit_code: status === "completed" ? exitCode ?? null : null,
    output_bytes: output.total,
    truncated,
    ...describeRedaction(process),
  };
}

/** The start of the command, without half a character at its end. */
function shorten(command: string): string {
  if (command.length <= LISTED_COMMAND_LENGTH) return command;
  return `${command.slice(0, LISTED_COMMAND_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

// Returns the output of a process from any offset, immediately or as soon as there is more.

interface OutputQuery {
  readonly pid: number;
  /** In bytes of the whole output. */
  readonly offset?: number | undefined;
  readonly wait_ms: number;
}

async function getProcessOutput(context: Context, { pid, offset, wait_ms }: OutputQuery) {
  const process = context.session.use(Shell).find(pid);
  if (wait_ms > 0) {
    const seen = offset ?? process.output.readableEnd;
    await waitForMore(process, seen, { ms: wait_ms, signal: context.signal });
  }
  const reading = process.output.readYielding(offset ?? 0);
  const completed = process.status === "completed"; // captured now, before decoding takes time
  const state = {
    process_id: pid,
    status: completed ? "completed" as const : "background" as const,
    exit_code: completed ? process.exitCode ?? null : null,
    ...describeRedaction(process),
  };
  const { text, nextOffset, truncated } = await reading;
  return { output: withoutMarks(process, text), ...state, truncated, next_offset: nextOffset };
}

/**
 * Waits until there is output after `seen` or the process has ended, for at most `ms` milliseconds.
 */
async function waitForMore(
  process: ManagedProcess,
  seen: number,
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
): Promise<void> {
  const deadline = performance.now() + ms;
  while (process.status === "running" && process.output.readableEnd <= seen) {
    const changed = await within(process.change, deadline - performance.now(), signal);
    if (signal.aborted) throw new ServiceError("conflict", "The client disconnected");
    if (!changed) return;
  }
}
