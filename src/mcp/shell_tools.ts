/** The shell as models are trained to use it: `bash`, and the output of what goes on running. */

import { z } from "zod";
import type { Limits } from "../config/limits.ts";
import { shorten } from "../core/texts.ts";
import { callOperation, namingFields } from "../features/agents/actions.ts";
import { gapLines, RedactionGap } from "../features/bash/execute_command.ts";
import { defineOperation, json, type Operation } from "../features/operation.ts";
import { toolBase } from "./tool.ts";

const DEFAULT_TIMEOUT_S = 60;
/** Longest text of a command; the operation itself counts bytes. */
const MAX_COMMAND = 131_072;

/** What `bash.command` gives, and `bash.process.output` with the offset for the next read. */
const RUN = z.object({
  output: z.string(),
  status: z.enum(["completed", "background"]),
  process_id: z.int().nullable(),
  exit_code: z.int().nullable(),
  truncated: z.boolean(),
  redaction_gap: RedactionGap,
});

const OUTPUT = RUN.extend({ next_offset: z.int().describe("The `offset` for the next read.") });

type Run = z.output<typeof RUN>;

export function shellTools(limits: Limits): readonly Operation[] {
  const maxTimeout = limits.maxCommandTimeoutMs / 1_000;
  return [
    defineOperation({
      ...toolBase("bash", "bash"),
      readOnly: false,
      long: true,
      summary: "Run a shell command",
      description:
        "Each call is a new shell in the home folder (or `cwd`). A command that takes longer than `timeout` continues in the background: read its output with `bash_output`. `restart` ends all commands.",
      body: z.object({
        command: z.string().max(MAX_COMMAND).optional(),
        restart: z.boolean().default(false),
        timeout: z.number().min(0).max(maxTimeout).default(Math.min(DEFAULT_TIMEOUT_S, maxTimeout))
          .describe("Seconds."),
        cwd: z.string().max(4_096).optional().describe("The folder that the command runs in."),
      }).superRefine(({ command, restart }, context) => {
        if (command !== undefined || restart) return;
        const issue = { code: "invalid_type", expected: "string", input: undefined } as const;
        context.addIssue({ ...issue, path: ["command"] });
      }),
      answer: json("The output and how it ended.", RUN),
      async run(context, { command, restart, timeout, cwd }) {
        if (restart) {
          await callOperation(context, "bash.restart", {});
          if (command === undefined) return RESTARTED;
        }
        const input = { command, timeout, cwd };
        return shortenOutput(RUN.parse(await callOperation(context, "bash.command", input)));
      },
    }),
    defineOperation({
      ...toolBase("bash_output", "bash"),
      readOnly: true,
      long: true,
      summary: "Read the output of a background command",
      body: z.object({
        process_id: z.int().min(0),
        wait_seconds: z.number().min(0).max(limits.maxDurationMs / 1_000).default(0)
          .describe("The time to wait for new output or the end of the command."),
        offset: z.int().min(0).optional().describe("The number of bytes of the output to skip."),
      }),
      answer: json("The output and how it ended.", OUTPUT),
      async run(context, { process_id, wait_seconds, offset }) {
        const input = { pid: process_id, wait_ms: Math.round(wait_seconds * 1_000), offset };
        const names = { pid: "process_id", wait_ms: "wait_seconds" };
        const run = await namingFields(
          names,
          () => callOperation(context, "bash.process.output", input),
        );
        return shortenOutput(OUTPUT.parse(run));
      },
    }),
  ];
}

const RESTARTED = {
  output: "All commands were ended.",
  status: "completed",
  process_id: null,
  exit_code: 0,
  truncated: false,
} as const;

/** The most characters of an output that a model's context can hold. */
const MAX_OUTPUT = 60_000;

function shortenOutput<R extends Run>(run: R): R {
  const output = shorten(run.output, MAX_OUTPUT, 1 / 3);
  return { ...run, output, truncated: run.truncated || output !== run.output };
}

/** The text for the model: the output as it came, then what is worth knowing. */
export function formatRun(value: unknown): string {
  const { output, status, process_id, exit_code, redaction_gap } = value as Run;
  const ended = status === "background"
    ? `[still running as process ${process_id}]`
    : exit_code === 0
    ? ""
    : `[exit code ${exit_code}]`;
  const parts = [output.trimEnd(), ended, ...gapLines(redaction_gap)].filter((part) => part !== "");
  return parts.length === 0 ? "[no output]" : parts.join("\n");
}
