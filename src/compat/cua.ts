/**
 * The interface of cua's computer server: one address that takes commands, and answers each with one
 * event of a text stream. Source: `computer_server/main.py` of cua-computer-server 0.1.25, with the
 * list of commands and the windows of its later versions.
 */

import { type CompatApp, OperationFailure, type Operations } from "./compat.ts";
import { ALIASES, type Command, COMMANDS, REQUIRED } from "./cua_commands.ts";
import { describeSystem } from "./run_command.ts";

const STREAM_HEADERS = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" };
const SHOWN_NAME_LENGTH = 100;

export function addRoutes(app: CompatApp): void {
  app.get("/status", async (c) => {
    const { system } = await describeSystem(c.env.operations);
    return c.json({ status: "ok", os_type: system, features: [] });
  });
  app.get("/commands", (c) => c.json(listCommands()));
  app.post("/cmd", async (c) => {
    const { operations, readJson } = c.env;
    try {
      const { command, params } = await readJson();
      const known = findCommand(command);
      if (known === undefined) {
        const shown = String(command).slice(0, SHOWN_NAME_LENGTH);
        return streamed(400, { success: false, error: `Unknown command: ${shown}` });
      }
      return streamed(200, await run(known, params ?? {}, operations));
    } catch (error) {
      if (!(error instanceof OperationFailure)) throw error;
      return streamed(400, { success: false, error: error.message });
    }
  });
}

/**
 * The client reads whatever status an answer has, as long as it is an event. An answer that is none
 * it takes for a damaged connection, and tries a WebSocket for 18 seconds.
 */
function streamed(status: number, answer: object): Response {
  return new Response(`data: ${JSON.stringify(answer)}\n\n`, { status, headers: STREAM_HEADERS });
}

function findCommand(name: unknown): Command | undefined {
  if (typeof name !== "string") return undefined;
  const known = Object.hasOwn(ALIASES, name) ? ALIASES[name]! : name;
  return Object.hasOwn(COMMANDS, known) ? COMMANDS[known] : undefined;
}

/** As that server does: parameters that it does not know are ignored, and a failure is an answer. */
async function run(command: Command, sent: unknown, operations: Operations): Promise<object> {
  try {
    const result = await command.run(readValues(command, sent), operations);
    return { success: true, ...result };
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
    return { success: false, error: error.message };
  }
}

/** Each parameter with its value or its default; the operations check them. */
function readValues({ params }: Command, sent: unknown): Readonly<Record<string, unknown>> {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) {
    throw new OperationFailure(422, "invalid", "params should be an object");
  }
  const values = sent as Readonly<Record<string, unknown>>;
  const entries = Object.entries(params).map(([name, fallback]) => {
    const value = Object.hasOwn(values, name) ? values[name] ?? fallback : fallback;
    if (value !== REQUIRED) return [name, value];
    throw new OperationFailure(422, "invalid", `${name}: Field required`);
  });
  return Object.fromEntries(entries);
}

function listCommands(): object {
  const commands = Object.entries(COMMANDS).map(([name, { params }]) => {
    const aliases = Object.keys(ALIASES).filter((alias) => ALIASES[alias] === name);
    const described = Object.entries(params).map(([name, value]) => {
      const required = value === REQUIRED;
      return { name, required, default: required ? null : value };
    });
    return [name, { params: described, ...(aliases.length === 0 ? {} : { aliases }) }];
  });
  return { commands: Object.fromEntries(commands), aliases: ALIASES };
}
