/**
 * The interface of cua's computer server: one address that takes commands, and answers each with one
 * event of a text stream. It has the commands that cua-computer 0.4.10 sends. Source:
 * `computer_server/main.py` and `computer_server/handlers` of cua-computer-server 0.1.25.
 */

import { nameValue } from "../core/texts.ts";
import { type CompatApp, type CompatBindings, invalid, OperationFailure } from "./compat.ts";
import { appendBytes, encodeJson, type Entry, infoOf } from "./files.ts";
import { runCommand } from "./run_command.ts";

const SHOWN_NAME_LENGTH = 100;

export function addRoutes(app: CompatApp): void {
  app.get("/status", ({ env }) => {
    return Response.json({ status: "ok", os_type: env.service.system, features: [] });
  });
  app.get("/commands", () => Response.json({ commands: Object.keys(COMMANDS) }));
  app.post("/cmd", async ({ env }) => {
    const { command, params } = await env.readJson();
    if (typeof command === "string" && Object.hasOwn(COMMANDS, command)) {
      return await run(COMMANDS[command]!, params ?? {}, env);
    }
    const shown = nameValue(command).slice(0, SHOWN_NAME_LENGTH);
    return eventOf(400, { success: false, error: `Unknown command: ${shown}` });
  });
}

export function fail({ status, message }: OperationFailure): Response {
  return eventOf(status, { success: false, error: message });
}

/**
 * The client reads whatever status an answer has, as long as it is an event. An answer that is none
 * it takes for a damaged connection, and tries a WebSocket for 18 seconds.
 */
function eventOf(status: number, answer: object): Response {
  return new Response(`data: ${JSON.stringify(answer)}\n\n`, { status, headers: HEADERS });
}

const HEADERS = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" };

async function* encodePicture(picture: Uint8Array): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder();
  yield text.encode("data: ");
  yield* encodeJson({ success: true }, "image_data", picture);
  yield text.encode("\n\n");
}

// deno-lint-ignore no-explicit-any -- the operations check what the client has sent
type Values = Readonly<Record<string, any>>;

/** Gives what the answer has besides its success, or a picture. @throws OperationFailure */
type Command = (params: Values, env: CompatBindings) => Promise<object | Uint8Array | void>;

/** As that server does: parameters that it does not know are ignored, and a failure is an answer. */
async function run(command: Command, params: unknown, env: CompatBindings): Promise<Response> {
  try {
    if (typeof params !== "object" || params === null || Array.isArray(params)) {
      throw invalid("params should be an object");
    }
    const result = await command(params, env);
    return result instanceof Uint8Array
      ? new Response(ReadableStream.from(encodePicture(result)), { headers: HEADERS })
      : eventOf(200, { success: true, ...result });
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
    return eventOf(200, { success: false, error: error.message });
  }
}

const COMMANDS: Readonly<Record<string, Command>> = {
  version: (_, { service }) => Promise.resolve({ protocol: 1, package: service.version }),
  mouse_down: act("/api/mouse/down", ({ button, ...at }) => ({ ...placeOf(at), button })),
  mouse_up: act("/api/mouse/up", ({ button, ...at }) => ({ ...placeOf(at), button })),
  left_click: act("/api/mouse/left-click", placeOf),
  right_click: act("/api/mouse/right-click", placeOf),
  double_click: act("/api/mouse/double-click", placeOf),
  move_cursor: act("/api/mouse/move", ({ x, y }) => ({ x: whole(x), y: whole(y) })),
  drag,
  drag_to: act("/api/mouse/drag", (values) => ({ ...placeOf(values), ...howToDrag(values) })),
  scroll: act("/api/mouse/scroll", ({ x, y }) => ({
    clicks: whole(y),
    horizontal_clicks: whole(x),
  })),
  scroll_down: act("/api/mouse/scroll", ({ clicks = 1 }) => ({
    clicks: typeof clicks === "number" ? -clicks : clicks,
  })),
  scroll_up: act("/api/mouse/scroll", ({ clicks = 1 }) => ({ clicks })),
  type_text: act("/api/keyboard/type", ({ text }) => ({ text })),
  key_down: act("/api/keyboard/hold", ({ key }, system) => ({ key: keyName(key, system) })),
  key_up: act("/api/keyboard/release", ({ key }, system) => ({ key: keyName(key, system) })),
  press_key: act("/api/keyboard/key", ({ key }, system) => ({ key: keyName(key, system) })),
  hotkey: act("/api/keyboard/hotkey", ({ keys }, system) => ({
    keys: Array.isArray(keys) ? keys.map((key) => keyName(key, system)) : keys,
  })),
  async screenshot(_, { operations }) {
    const answer = await operations.send("/api/display/screenshot");
    return new Uint8Array(await answer.arrayBuffer());
  },
  async get_screen_size(_, { operations }) {
    return { size: await operations.call("/api/display/screen_size") };
  },
  async get_cursor_position(_, { operations }) {
    return { position: await operations.call("/api/mouse/position") };
  },
  async copy_to_clipboard(_, { operations }) {
    const { text = "" } = await operations.call("/api/clipboard/get", { formats: ["text"] });
    return { content: text };
  },
  set_clipboard: act("/api/clipboard/set", ({ text }) => ({ text })),
  run_command: runShellCommand,
  get_accessibility_tree: readTree,
  get_active_window_bounds: readActiveBounds,
  async file_exists({ path }, { operations }) {
    return { exists: (await infoOf(operations, path))?.type === "file" };
  },
  async directory_exists({ path }, { operations }) {
    return { exists: (await infoOf(operations, path))?.type === "directory" };
  },
  async get_file_size({ path }, { operations }) {
    const info = await infoOf(operations, path);
    if (info === undefined) throw invalid(`No such file: ${JSON.stringify(path)}`);
    return { size: info.size };
  },
  async list_dir({ path }, { operations }) {
    const wanted = { path, include_hidden: true };
    const entries: readonly Entry[] = await operations.call("/api/filesystem/list", wanted);
    return { files: entries.map(({ name }) => name) };
  },
  create_dir: act("/api/filesystem/mkdir", ({ path }) => ({ path })),
  delete_file: deleting("file"),
  delete_dir: deleting("directory"),
  read_bytes: readBytes,
  write_bytes: writeBytes,
};

type System = CompatBindings["service"]["system"];

/** A command that is one operation, whose answer says nothing more. */
function act(path: string, body: (values: Values, system: System) => object): Command {
  return async (values, { operations, service }) =>
    void await operations.call(path, body(values, service.system));
}

// Mouse and keyboard.

/** A point needs both coordinates: without one of them it is where the cursor is. */
function placeOf({ x = null, y = null }: Values): object {
  return x === null || y === null ? {} : { x: whole(x), y: whole(y) };
}

/** Pixels and notches are whole numbers; what is no number the operation refuses. */
function whole(value: unknown): unknown {
  return typeof value === "number" ? Math.round(value) : value;
}

/** @param values the duration in seconds */
function howToDrag({ button, duration = 0.5 }: Values): object {
  const ms = typeof duration === "number" ? Math.round(duration * 1_000) : duration;
  return { button, duration_ms: ms };
}

/** Begins at the first point; a path of one point only moves there. */
async function drag(values: Values, { operations }: CompatBindings): Promise<void> {
  const { path } = values;
  if (!Array.isArray(path) || path.length === 0) throw invalid("path should be a list of points");
  const points = path.map((point) =>
    Array.isArray(point) ? placeOf({ x: point[0], y: point[1] }) : {}
  );
  const last = points.at(-1)!;
  if (points.length === 1) return void await operations.call("/api/mouse/move", last);
  const way = { from: points[0], path: points.slice(1, -1), ...last };
  await operations.call("/api/mouse/drag", { ...way, ...howToDrag(values) });
}

/**
 * The client pastes what is not ASCII with Command+V on every system: where there is no such key,
 * the one that pastes is Ctrl.
 */
function keyName(name: unknown, system: System): unknown {
  return name === "command" && system !== "macos" ? "ctrl" : name;
}

// Commands, elements and windows.

async function runShellCommand({ command }: Values, env: CompatBindings): Promise<object> {
  if (typeof command !== "string") throw invalid("command should be a text");
  const { stdout, stderr, exitCode, seconds, truncated } = await runCommand(env, command);
  if (exitCode === undefined) {
    const error = `Command timed out after ${seconds}s`;
    return { success: false, error, stdout: "", stderr: error, return_code: -1 };
  }
  return { stdout, stderr, return_code: exitCode, ...(truncated ? { truncated } : {}) };
}

/** More than the operation has by default: clients cannot ask for the rest. */
const MAX_TREE_CHARS = 1_000_000;

async function readTree(_: Values, { operations }: CompatBindings): Promise<object> {
  const wanted = { window: "focused", format: "json", max_chars: MAX_TREE_CHARS };
  const { elements, truncated } = await operations.call("/api/accessibility/snapshot", wanted);
  const children: readonly object[] = elements.map(describeElement);
  const desktop = { ...describeElement({ role: "Window", name: "" }), children };
  const tree = children.length === 1 ? children[0] : desktop;
  return { tree, ...(truncated.length > 0 ? { truncated } : {}) };
}

function describeElement({ role, name, value, bounds, children = [] }: Values): object {
  const { x, y, width, height } = bounds ?? { x: 0, y: 0, width: 0, height: 0 };
  return {
    role,
    title: name,
    ...(value === undefined ? {} : { value }),
    position: { x, y },
    size: { width, height },
    children: children.map(describeElement),
  };
}

async function readActiveBounds(_: Values, { operations }: CompatBindings): Promise<object> {
  const active = await operations.call("/api/window/active");
  if (active === null) throw invalid("No window has the keyboard focus");
  if (active.frame === null) throw invalid("The system does not report where the window is");
  return { bounds: active.frame };
}

// Files.

/** Most that one read gives, in bytes: the client reads larger files in parts. */
const MAX_READ_BYTES = 5 * 1024 * 1024;

/** The Base64 of a file from `offset`, all of it without `length`. */
async function readBytes(
  { path, offset = 0, length = null }: Values,
  { operations }: CompatBindings,
): Promise<object> {
  if (length === 0) return { content_b64: "" };
  if (typeof length !== "number" || length <= MAX_READ_BYTES) {
    const wanted = { path, encoding: "base64", offset, length: length ?? MAX_READ_BYTES };
    const { content, size, next_offset } = await operations.call("/api/filesystem/read", wanted);
    if (length !== null || next_offset >= size) return { content_b64: content };
  }
  throw invalid(`More than ${MAX_READ_BYTES} bytes at a time: read them by offset and length`);
}

async function writeBytes(
  { path, content_b64: content, append }: Values,
  env: CompatBindings,
): Promise<void> {
  if (append === true) {
    if (typeof content !== "string") throw invalid("content_b64 should be a text");
    return await appendBytes(env, path, content);
  }
  const body = { path, content, encoding: "base64", overwrite: true };
  await env.operations.call("/api/filesystem/write", body);
}

function deleting(type: Entry["type"]): Command {
  return async ({ path }, { operations }) => {
    const info = await infoOf(operations, path);
    if (info !== undefined && info.type !== type) {
      throw invalid(`Cannot delete ${JSON.stringify(path)}: it is a ${info.type}`);
    }
    await operations.call("/api/filesystem/delete", { path });
  };
}
