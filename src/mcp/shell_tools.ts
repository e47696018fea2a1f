/** The shell as models are trained to use it: `bash`, and the output of what goes on running. */

import { z } from "zod";
import type { Limits } from "../config/limits.ts";
import { omissionMark } from "../core/texts.ts";
import { gapLines, RedactionGap } from "../features/bash/redact_output.ts";
import { defineOperation, type Operation } from "../features/operation.ts";
import { json } from "../features/outcomes.ts";
import { callInside, INSIDE_ERRORS, valueInside } from "./tool.ts";

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

const common = { group: "bash", method: "POST", long: true, errors: INSIDE_ERRORS } as const;

export function shellTools(limits: Limits): readonly Operation[] {
  const maxTimeout = limits.maxCommandTimeoutMs / 1_000;
  return [
    defineOperation({
      ...common,
      id: "bash",
      readOnly: false,
      path: "/mcp/bash",
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
          await callInside(context, { operation: "bash.restart", input: {} });
          if (command === undefined) return { ...NOTHING, output: "All commands were ended." };
        }
        const input = { command, timeout, ...(cwd === undefined ? {} : { cwd }) };
        const call = { operation: "bash.command", input };
        return shownRun(await valueInside(context, call) as Run);
      },
    }),
    defineOperation({
      ...common,
      id: "bash_output",
      readOnly: true,
      path: "/mcp/bash_output",
      summary: "Read the output of a background command",
      body: z.object({
        process_id: z.int().min(0),
        wait_seconds: z.number().min(0).max(limits.maxDurationMs / 1_000).default(0)
          .describe("The time to wait for new output or the end of the command."),
        offset: z.int().min(0).optional().describe("The number of bytes of the output to skip."),
      }),
      answer: json("The output and how it ended.", OUTPUT),
      async run(context, { process_id, wait_seconds, offset }) {
        const input = {
          pid: process_id,
          wait_ms: Math.round(wait_seconds * 1_000),
          ...(offset === undefined ? {} : { offset }),
        };
        const run = await valueInside(context, {
          operation: "bash.process.output",
          input,
          names: { pid: "process_id", wait_ms: "wait_seconds" },
        }) as z.output<typeof OUTPUT>;
        return { ...shownRun(run), next_offset: run.next_offset };
      },
    }),
  ];
}

const NOTHING = {
  status: "completed",
  process_id: null,
  exit_code: 0,
  truncated: false,
} as const;

/** Without what a model's context cannot hold. */
function shownRun({ output, status, process_id, exit_code, truncated, redaction_gap }: Run) {
  const shown = shorten(output);
  return {
    output: shown,
    status,
    process_id,
    exit_code,
    truncated: truncated || shown !== output,
    ...(redaction_gap === undefined ? {} : { redaction_gap }),
  };
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

// Shortens texts to what a model's context can hold.

const HEAD = 20_000;
const TAIL = 40_000;

/** Leaves out the middle of a long text, and says how much. */
function shorten(text: string): string {
  if (text.length <= HEAD + TAIL) return text;
  const head = text.slice(0, HEAD);
  const tail = text.slice(-TAIL);
  const left = text.length - HEAD - TAIL;
  return `${head}\n${omissionMark(left)}\n${tail}`.toWellFormed();
}
