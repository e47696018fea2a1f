/** Chooses the tools: the few that models are trained on, and with `--mcp-tools all` the rest. */

import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Config } from "../config/config.ts";
import { EventLoopYielder } from "../core/event_loop_yielder.ts";
import { callOperation, namingFields } from "../features/agents/actions.ts";
import { runTextEditor } from "../features/agents/text_editor/text_editor.ts";
import { callName } from "../features/call_names.ts";
import { HelpAnswer, HelpReason } from "../features/control/operations.ts";
import { isOpenTo, withDesk } from "../features/on_desk.ts";
import { Control } from "../features/control/control.ts";
import { Callables, type OperationSource } from "../features/call/callables.ts";
import { PathField } from "../features/filesystem/paths.ts";
import { defineOperation, json, type Operation } from "../features/operation.ts";
import type { Session } from "../features/session.ts";
import { findSwitch, hasScopeFor } from "../features/permissions.ts";
import { displayTools, elementTools } from "./screen_tools.ts";
import { keyboardTools, mouseTools } from "./input_tools.ts";
import { formatRun, shellTools } from "./shell_tools.ts";
import {
  actorOf,
  failedResult,
  type FormatAnswer,
  type McpTool,
  requestIdOf,
  textResult,
  toolBase,
  toToolResult,
  withNotice,
} from "./tool.ts";

/** By id: JSON is not what a model reads best. */
const FORMATS: Readonly<Record<string, FormatAnswer>> = { bash: formatRun, bash_output: formatRun };

/**
 * The tools in the order in which they are listed, without what is switched off. Their schemas take
 * tens of milliseconds: other work goes on between them.
 */
export async function makeTools(source: OperationSource): Promise<readonly McpTool[]> {
  const yielder = new EventLoopYielder();
  const tools: McpTool[] = [];
  for (const tool of eachTool(source)) {
    tools.push(tool);
    await yielder.yieldIfDue();
  }
  return tools;
}

function* eachTool({ services, operations }: OperationSource): Generator<McpTool> {
  const calls = new Callables(services, operations);
  const trained = trainedTools(services.config);
  const own = new Callables(services, [...operations, ...trained]);
  const { config, session } = services;
  const isOn = (operation: Operation) => findSwitch(operation, config) === undefined;
  for (const operation of trained.filter(isOn)) {
    const { id } = operation;
    yield operationTool(operation, { name: id, calls: own, session, format: FORMATS[id] });
  }
  if (config.mcpTools !== "all") return;
  const taken = new Set(trained.map(({ id }) => id));
  const rest = operations.filter((operation) =>
    isOn(operation) && !operation.unnamed &&
    operation.group !== "agents" && // vendors' endpoints, which take full turns of a model
    !taken.has(toolName(operation)) // the one that models know
  );
  for (const operation of rest) {
    yield operationTool(operation, { name: toolName(operation), calls, session });
  }
}

/** `mouse.left-click` becomes `mouse_left_click`: some models take neither dots nor dashes. */
function toolName(operation: Operation): string {
  return callName(operation).replaceAll(/[.-]/g, "_");
}

/** The tools that models are trained on, as operations of their own. */
function trainedTools({ limits, readOnly }: Config): readonly Operation[] {
  return [
    ...displayTools(limits),
    ...elementTools(),
    ...mouseTools(),
    ...keyboardTools(limits),
    ...shellTools(limits),
    helpTool(),
    editTool({ readOnly }),
  ].map(withDesk);
}

// What a tool does to its surroundings, as hints by which a host asks its user or does not.

/** What changes something without destroying anything, by id. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...["openTab", "activateTab", "scrollPage", "movePagePointer", "waitForPage"],
  ...["mouse_move", "moveMouse", "scroll", "scrollMouse", "left_mouse_up", "mouseUp"],
  ...["holdKey", "releaseKey", "releaseAll"],
  ...["createFile", "undoEdit", "createDirectory", "setItem", "authenticate"],
  ...["startRecording", "stopRecording", "startTrail", "stopTrail", "exportTrail"],
  ...["pauseControl", "resumeControl", "takeLease", "releaseLease"],
  ...["createLink", "revokeLink", "createDesk", "saveLogin", "loadLogin"],
]);

/** What can be done again without any further effect, by id. */
const IDEMPOTENT: ReadonlySet<string> = new Set([
  ...["activateTab", "fillField", "uploadFiles", "waitForPage"],
  ...["mouse_move", "moveMouse", "left_mouse_up", "mouseUp", "left_mouse_down", "mouseDown"],
  ...["holdKey", "releaseKey", "releaseAll"],
  ...["setClipboard", "clearClipboard"],
  ...["stopRecording", "deleteRecording"],
  ...["createDirectory", "setItem", "deleteItem", "terminateProcess", "restartShell"],
  ...["pauseControl", "resumeControl"],
]);

/** Groups whose operations may reach anything, for example a web site in a browser. */
const OPEN_WORLD: ReadonlySet<string> = new Set([
  ...["mouse", "keyboard", "accessibility", "bash", "browser", "batch", "agents"],
]);

function annotate({ id, group, readOnly, summary }: Operation): ToolAnnotations {
  if (readOnly) return { title: summary, readOnlyHint: true, openWorldHint: false };
  return {
    title: summary,
    readOnlyHint: false,
    destructiveHint: !HARMLESS.has(id),
    idempotentHint: IDEMPOTENT.has(id),
    openWorldHint: OPEN_WORLD.has(group),
  };
}

interface OperationToolOptions {
  readonly name: string;
  /** What has the operation. */
  readonly calls: Callables;
  readonly session: Session;
  readonly format?: FormatAnswer | undefined;
}

function operationTool(
  operation: Operation,
  { name, calls, session, format }: OperationToolOptions,
): McpTool {
  const output = outputSchema(operation);
  const structured = output !== undefined;
  return {
    definition: {
      name,
      title: operation.summary,
      description: describe(operation),
      inputSchema: inputSchema(operation),
      ...(structured ? { outputSchema: output } : {}),
      annotations: annotate(operation),
    },
    long: operation.long ?? false,
    isFor: (actor) => hasScopeFor(operation, actor) && isOpenTo(operation, actor),
    async call(args, context) {
      const { signal } = context.mcpReq;
      try {
        const prepared = calls.prepare(operation.id, args, { lenient: true, at: ["body"] });
        const actor = actorOf(context);
        const result = await prepared.run({ actor, signal, requestId: requestIdOf(context) });
        return withNotice(
          toToolResult(result, { operation, structured, format }),
          session.use(Control).takeNotice(operation, actor),
        );
      } catch (error) {
        if (signal.aborted) return { ...textResult("Stopped"), isError: true }; // nobody reads it
        return failedResult(error);
      }
    },
  };
}

function describe({ summary, description }: Operation): string {
  return description === undefined ? `${summary}.` : `${summary}. ${description}`;
}

// JSON schemas of tools, from the schemas of their operation.

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * All fields of an operation (path, query, body) as one object that takes no others; never a union
 * at the top, which some models do not take.
 */
function inputSchema({ params, query, body }: Operation): Tool["inputSchema"] {
  const parts = [params, query, body].filter((part) => part !== undefined)
    .map((part) => convert(part, "input"));
  const required = parts.flatMap((part) => part.required ?? []);
  return {
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/**
 * What `structuredContent` fits; `undefined` for an operation whose answer is no JSON, or a text or
 * nothing, which a model reads as text.
 */
function outputSchema({ answer }: Operation): Record<string, unknown> | undefined {
  if (!("schema" in answer) || answer.schema instanceof z.ZodString) return undefined;
  if (answer.schema instanceof z.ZodNull) return undefined;
  return convert(answer.schema, "output") as Record<string, unknown>;
}

function convert(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => tidy(jsonSchema, io),
  });
  return rest;
}

/** Removes what says nothing new, such as the bounds of safe integers. */
function tidy(schema: JsonSchema, io: "input" | "output"): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // an answer may get further fields in a later version
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}

// The text editor as models are trained to use it: `str_replace_based_edit_tool`.

const MAX_LINE = 2 ** 31 - 2;
/** Characters shown of a file. */
const EDITOR = { version: "2025-07-28", maxCharacters: 60_000 } as const;
/** The fields of the operations inside, by the names that the tool has for them. */
const NAMES = { text: "insert_text" };

const VIEW = ["view"] as const;
const ALL = ["view", "create", "str_replace", "insert"] as const;

/** @param readOnly whether it can only view */
function editTool({ readOnly }: Pick<Config, "readOnly">): Operation {
  return defineOperation({
    ...toolBase("str_replace_based_edit_tool", "editor"),
    readOnly,
    summary: readOnly ? "View text files and folders" : "View, create and edit text files",
    description: readOnly
      ? "Shows a file with line numbers, or the content of a folder."
      : "`view` shows a file with line numbers, or the content of a folder; `create` creates a new file; `str_replace` replaces `old_str`, which must occur exactly once; `insert` puts `insert_text` after line `insert_line` (0: at the top).",
    body: z.object({
      command: z.enum(readOnly ? VIEW : ALL),
      path: PathField("path of the file or folder"),
      view_range: z.array(z.int().min(-1).max(MAX_LINE)).min(2).max(2).optional()
        .describe("The first and the last line, from 1; a last line of -1 is the end."),
      ...(readOnly ? {} : {
        file_text: z.string().optional().describe("For `create`."),
        old_str: z.string().optional().describe(
          "For `str_replace`: the text to replace, exactly as in the file.",
        ),
        new_str: z.string().optional().describe(
          "For `str_replace`: the new text; by default, `old_str` is deleted.",
        ),
        insert_line: z.int().min(0).max(MAX_LINE).optional().describe("For `insert`."),
        insert_text: z.string().optional().describe("For `insert`."),
      }),
    }),
    answer: json("The text, or a confirmation.", z.string()),
    run: (context, input) => namingFields(NAMES, () => runTextEditor(context, input, EDITOR)),
  });
}

// The tool by which a model asks for a person.

const MAX_SECONDS = 86_400;
const DEFAULT_SECONDS = 600;

function helpTool(): Operation {
  return defineOperation({
    ...toolBase("request_help", "control"),
    readOnly: true,
    long: true,
    summary: "Ask a person for help, and wait",
    description:
      "For what you cannot or must not do yourself, such as a captcha, a login or a payment. Waits until a person has used the computer and handed it back, has declined, or `timeout` has passed. Take a new screenshot after that.",
    body: z.object({
      reason: HelpReason,
      timeout: z.number().min(0).max(MAX_SECONDS).default(DEFAULT_SECONDS).describe("Seconds."),
    }),
    answer: json("How it ended.", HelpAnswer),
    async run(context, { reason, timeout }) {
      const input = { reason, timeout_ms: Math.round(timeout * 1_000) };
      const answer = await namingFields(
        { timeout_ms: "timeout" },
        () => callOperation(context, "control.request-help", input),
      );
      return HelpAnswer.parse(answer);
    },
  });
}
