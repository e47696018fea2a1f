/**
 * The commands of cua's computer server, each made of operations of this service. Source:
 * `computer_server/handlers/{base,generic,linux}.py`.
 */

import { OperationFailure, type Operations, readFailure } from "./compat.ts";
import { appendBytes } from "./file_bytes.ts";
import { describeSystem, runCommand } from "./run_command.ts";

// deno-lint-ignore no-explicit-any -- the operations check what the client has sent
type Values = Readonly<Record<string, any>>;

/** Stands for the default of a parameter that has none. */
export const REQUIRED: unique symbol = Symbol("required");

export interface Command {
  /** The parameters with their defaults. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Gives what the answer has besides its success. @throws OperationFailure */
  readonly run: (values: Values, operations: Operations) => Promise<object | void>;
}

type Commands = Readonly<Record<string, Command>>;

const PLACE = { x: null, y: null };
const PATH = { path: REQUIRED };

/** A command that is one operation, whose answer says nothing more. */
function act(path: string, params: Command["params"], body: (values: Values) => object): Command {
  return { params, run: async (values, { call }) => void await call(path, body(values)) };
}

function refuse(params: Command["params"], reason: string): Command {
  return { params, run: () => Promise.reject(new OperationFailure(501, "unsupported", reason)) };
}

function fail(message: string): OperationFailure {
  return new OperationFailure(400, "invalid", message);
}

// Mouse and keyboard.

const INPUT: Commands = {
  mouse_down: act("/api/mouse/down", { ...PLACE, button: "left" }, withButton),
  mouse_up: act("/api/mouse/up", { ...PLACE, button: "left" }, withButton),
  left_click: act("/api/mouse/left-click", PLACE, placeOf),
  right_click: act("/api/mouse/right-click", PLACE, placeOf),
  middle_click: act("/api/mouse/middle-click", PLACE, placeOf),
  double_click: act("/api/mouse/double-click", PLACE, placeOf),
  move_cursor: act("/api/mouse/move", { x: REQUIRED, y: REQUIRED }, placeOf),
  drag_to: act(
    "/api/mouse/drag",
    { x: REQUIRED, y: REQUIRED, button: "left", duration: 0.5 },
    ({ button, duration, ...place }) => ({ ...placeOf(place), button, ...durationOf(duration) }),
  ),
  drag: { params: { path: REQUIRED, button: "left", duration: 0.5 }, run: dragAlong },
  scroll: act("/api/mouse/scroll", { x: REQUIRED, y: REQUIRED }, ({ x, y }) => ({
    clicks: whole(y),
    horizontal_clicks: whole(x),
  })),
  scroll_down: act("/api/mouse/scroll", { clicks: 1 }, ({ clicks }) => ({ clicks: -clicks })),
  scroll_up: act("/api/mouse/scroll", { clicks: 1 }, ({ clicks }) => ({ clicks })),
  scroll_direction: act(
    "/api/mouse/scroll",
    { direction: REQUIRED, clicks: 1 },
    ({ direction, clicks }) => scrolling(String(direction).toLowerCase(), clicks),
  ),
  type_text: act("/api/keyboard/type", { text: REQUIRED }, ({ text }) => ({ text })),
  key_down: { params: { key: REQUIRED }, run: pressing("/api/keyboard/hold") },
  key_up: { params: { key: REQUIRED }, run: pressing("/api/keyboard/release") },
  press_key: { params: { key: REQUIRED }, run: pressing("/api/keyboard/key") },
  hotkey: {
    params: { keys: REQUIRED },
    async run({ keys }, operations) {
      if (!Array.isArray(keys)) throw fail("keys should be a list of names");
      const names = await Promise.all(keys.map((key) => keyName(key, operations)));
      await operations.call("/api/keyboard/hotkey", { keys: names });
    },
  },
};

/** A point needs both coordinates: without one of them it is where the cursor is. */
function placeOf({ x, y }: Values): object {
  return x === null || y === null ? {} : { x: whole(x), y: whole(y) };
}

function withButton({ x, y, button }: Values): object {
  return { ...placeOf({ x, y }), button };
}

/** Pixels and notches are whole numbers; what is no number the operation refuses. */
function whole(value: unknown): unknown {
  return typeof value === "number" ? Math.round(value) : value;
}

function durationOf(seconds: unknown): object {
  return { duration_ms: typeof seconds === "number" ? Math.round(seconds * 1_000) : seconds };
}

/** Begins at the first point; a path of one point only moves there. */
async function dragAlong({ path, button, duration }: Values, { call }: Operations): Promise<void> {
  if (!Array.isArray(path) || path.length === 0) throw fail("path should be a list of points");
  const points = path.map((point) => placeOf(Array.isArray(point) ? pair(point) : { ...point }));
  const last = points.at(-1)!;
  if (points.length === 1) return void await call("/api/mouse/move", last);
  const way = { from: points[0], path: points.slice(1, -1), ...last };
  await call("/api/mouse/drag", { ...way, button, ...durationOf(duration) });
}

function pair([x, y]: readonly unknown[]): Values {
  return { x, y };
}

function scrolling(direction: string, clicks: number): object {
  const known: Readonly<Record<string, object>> = {
    up: { clicks },
    down: { clicks: -clicks },
    left: { clicks: 0, horizontal_clicks: -clicks },
    right: { clicks: 0, horizontal_clicks: clicks },
  };
  if (Object.hasOwn(known, direction)) return known[direction]!;
  throw fail("direction should be up, down, left or right");
}

function pressing(path: string): Command["run"] {
  return async ({ key }, operations) => {
    await operations.call(path, { key: await keyName(key, operations) });
  };
}

/** The names of pynput that our operations do not know. */
const KEY_NAMES: Readonly<Record<string, string>> = {
  " ": "space",
  ...{ ctrl_l: "ctrl", ctrl_r: "ctrlright", cmd_l: "super", cmd_r: "winright", alt_gr: "altgr" },
  ...{ media_play_pause: "playpause", media_next: "nexttrack", media_previous: "prevtrack" },
  ...{
    media_volume_up: "volumeup",
    media_volume_down: "volumedown",
    media_volume_mute: "volumemute",
  },
};

/**
 * The client pastes what is not ASCII with Command+V on every system: where there is no such key,
 * the one that pastes is Ctrl.
 */
async function keyName(name: unknown, operations: Operations): Promise<unknown> {
  if (name === "command" && (await describeSystem(operations)).system !== "macos") return "ctrl";
  return typeof name === "string" && Object.hasOwn(KEY_NAMES, name) ? KEY_NAMES[name] : name;
}

// Screen, clipboard and commands.

const SCREEN: Commands = {
  screenshot: { params: { format: "png", quality: 95 }, run: takeScreenshot },
  get_screen_size: {
    params: {},
    run: async (_, { call }) => ({ size: await call("/api/display/screen_size") }),
  },
  get_cursor_position: {
    params: {},
    run: async (_, { call }) => ({ position: await call("/api/mouse/position") }),
  },
  copy_to_clipboard: {
    params: {},
    async run(_, { call }) {
      const { text = "" } = await call("/api/clipboard/get", { formats: ["text"] });
      return { content: text };
    },
  },
  set_clipboard: act("/api/clipboard/set", { text: REQUIRED }, ({ text }) => ({ text })),
  run_command: { params: { command: REQUIRED, timeout: null }, run: runShellCommand },
  get_accessibility_tree: { params: {}, run: readTree },
  find_element: { params: { role: null, title: null, value: null }, run: findElement },
  version: {
    params: {},
    run: async (_, operations) => ({
      protocol: 1,
      package: (await describeSystem(operations)).version,
    }),
  },
  get_desktop_environment: refuse({}, "The desktop environment is unknown to this service"),
  set_wallpaper: refuse(PATH, "This service changes no wallpaper"),
  diorama_cmd: refuse({ action: REQUIRED, arguments: null }, "Diorama is not supported"),
};

async function takeScreenshot({ format, quality }: Values, { send }: Operations): Promise<object> {
  const wanted = format === "jpg" ? "jpeg" : String(format);
  const query = new URLSearchParams({ format: wanted });
  if (wanted === "jpeg") query.set("quality", String(quality));
  const answer = await send(`/api/display/screenshot?${query}`);
  if (!answer.ok) throw await readFailure(answer);
  const picture = new Uint8Array(await answer.arrayBuffer());
  return { image_data: picture.toBase64(), format: wanted };
}

async function runShellCommand({ command, timeout }: Values, operations: Operations) {
  if (typeof command !== "string") throw fail("command should be a text");
  const result = await runCommand(operations, command, timeout ?? undefined);
  const { stdout, stderr, exitCode, processId, timedOut, truncated } = result;
  if (timedOut) {
    const error = `Command timed out after ${timeout}s`;
    return { success: false, error, stdout: "", stderr: error, return_code: -1 };
  }
  if (exitCode === null) throw fail(`The command still runs, as process ${processId}`);
  const note = truncated ? { truncated } : {};
  return { stdout, stderr, return_code: exitCode, ...note };
}

/** More than the operation has by default: clients cannot ask for the rest. */
const MAX_TREE_CHARS = 1_000_000;

async function readTree(_: Values, { call }: Operations): Promise<object> {
  const wanted = { window: "focused", format: "json", max_chars: MAX_TREE_CHARS };
  const { elements, truncated } = await call("/api/accessibility/snapshot", wanted);
  const children: readonly object[] = elements.map(describeElement);
  const desktop = { ...describeElement({ role: "Window", name: "" }), children };
  const tree = children.length === 1 ? children[0] : desktop;
  return { tree, ...(truncated.length > 0 ? { truncated } : {}) };
}

async function findElement({ role, title, value }: Values, { call }: Operations): Promise<object> {
  const conditions = {
    ...(role === null ? {} : { role: String(role).replace(/^AX/, "").toLowerCase() }),
    ...(title === null ? {} : { name: title }),
    ...(value === null ? {} : { text: value }),
  };
  const { elements } = await call("/api/accessibility/find", { ...conditions, max_results: 1 });
  if (elements.length === 0) throw fail("Element not found");
  return { element: describeElement(elements[0]) };
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

// Windows. Their ids are those of our operations; numbers, as the client's own server has, are found.

const WINDOW = { window_id: REQUIRED };

const WINDOWS: Commands = {
  open: act("/api/window/open", { target: REQUIRED }, ({ target }) => ({
    ...(/^https?:\/\//i.test(String(target)) ? { url: target } : { path: target }),
    wait_for_window: false,
  })),
  launch: { params: { app: REQUIRED, args: null }, run: launch },
  get_current_window_id: {
    params: {},
    async run(_, { call }) {
      const active = await call("/api/window/active");
      if (active === null) throw fail("No window has the keyboard focus");
      return { window_id: active.id };
    },
  },
  get_application_windows: {
    params: { app: REQUIRED },
    async run({ app }, { call }) {
      const wanted = String(app).toLowerCase();
      const windows: readonly Window[] = await call("/api/window/list");
      const found = windows.filter(({ title, app }) =>
        title.toLowerCase().includes(wanted) || app?.toLowerCase().includes(wanted)
      );
      return { windows: found.map(({ id }) => id) };
    },
  },
  get_window_name: readWindow(({ title }) => ({ name: title })),
  get_window_size: readWindow((window) => {
    const { width, height } = boundsOf(window);
    return { width, height };
  }),
  get_window_position: readWindow((window) => {
    const { x, y } = boundsOf(window);
    return { x, y };
  }),
  get_active_window_bounds: {
    params: {},
    async run(_, { call }) {
      const active = await call("/api/window/active");
      if (active === null) throw fail("No window has the keyboard focus");
      return { bounds: boundsOf(active) };
    },
  },
  set_window_size: actOnWindow(
    "/api/window/resize",
    { width: REQUIRED, height: REQUIRED },
    ({ width, height }) => ({ width: whole(width), height: whole(height) }),
  ),
  set_window_position: actOnWindow("/api/window/move", { x: REQUIRED, y: REQUIRED }, placeOf),
  maximize_window: actOnWindow("/api/window/maximize"),
  minimize_window: actOnWindow("/api/window/minimize"),
  activate_window: actOnWindow("/api/window/focus"),
  close_window: actOnWindow("/api/window/close"),
};

interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is read of an entry of `window/list`. */
interface Window {
  readonly id: string;
  readonly title: string;
  readonly app: string | null;
  readonly frame: Bounds | null;
}

/** Without arguments it is a command for the shell, as `libreoffice --writer`. */
async function launch({ app, args }: Values, { call }: Operations): Promise<object> {
  const isProgram = Array.isArray(args) && args.length > 0;
  const started = isProgram
    ? await call("/api/window/open", { program: app, args, wait_for_window: false })
    : await call("/api/bash/command", { command: app, timeout: 0 });
  return { pid: started.process_id };
}

function readWindow(read: (window: Window) => object): Command {
  return {
    params: WINDOW,
    run: async ({ window_id }, operations) => read(await findWindow(operations, window_id)),
  };
}

function actOnWindow(
  path: string,
  params: Command["params"] = {},
  body: (values: Values) => object = () => ({}),
): Command {
  return {
    params: { ...WINDOW, ...params },
    async run({ window_id, ...values }, operations) {
      const { id } = await findWindow(operations, window_id);
      await operations.call(path, { id, ...body(values) });
    },
  };
}

async function findWindow({ call }: Operations, id: unknown): Promise<Window> {
  const windows: readonly Window[] = await call("/api/window/list");
  const found = windows.find((each) => each.id === id || Number(each.id) === Number(id));
  if (found === undefined) throw fail("Window not found");
  return found;
}

function boundsOf({ frame }: Window): Bounds {
  if (frame === null) throw fail("The system does not report where the window is");
  return frame;
}

// Files.

/** Most that one read gives, in bytes: clients read larger files in parts. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

const FILES: Commands = {
  file_exists: {
    params: PATH,
    run: async (values, to) => exists(await infoOf(values, to), "file"),
  },
  directory_exists: {
    params: PATH,
    run: async (values, to) => exists(await infoOf(values, to), "directory"),
  },
  list_dir: {
    params: PATH,
    async run({ path }, { call }) {
      const entries = await call("/api/filesystem/list", { path, include_hidden: true });
      return { files: entries.map(({ name }: { readonly name: string }) => name) };
    },
  },
  read_text: {
    params: PATH,
    async run({ path }, to) {
      return { content: await readRest({ path, offset: 0, length: null }, "text", to) };
    },
  },
  read_bytes: {
    params: { ...PATH, offset: 0, length: null },
    run: async (values, to) => ({ content_b64: await readRest(values, "base64", to) }),
  },
  write_text: act(
    "/api/filesystem/write",
    { ...PATH, content: REQUIRED },
    ({ path, content }) => ({ path, content, overwrite: true }),
  ),
  write_bytes: { params: { ...PATH, content_b64: REQUIRED, append: false }, run: writeBytes },
  get_file_size: {
    params: PATH,
    async run(values, to) {
      const info = await infoOf(values, to);
      if (info === undefined) throw fail(`No such file: ${JSON.stringify(values["path"])}`);
      return { size: info.size };
    },
  },
  create_dir: act("/api/filesystem/mkdir", PATH, ({ path }) => ({ path })),
  delete_file: { params: PATH, run: (values, to) => deleteEntry(values, "file", to) },
  delete_dir: { params: PATH, run: (values, to) => deleteEntry(values, "directory", to) },
};

interface Info {
  readonly type: "file" | "directory";
  readonly size: number;
}

/** Of what is there; `undefined` if nothing is. */
async function infoOf({ path }: Values, { call }: Operations): Promise<Info | undefined> {
  if (typeof path !== "string" || path === "") throw fail("path should be the path of a file");
  // an address has no dots
  const named = /^\.\.?$/.test(path) ? `~/${path}` : path;
  try {
    return await call(`/api/filesystem/info/${encodeURIComponent(named.toWellFormed())}`);
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
    if (error.code === "not_found" || error.code === "not_a_directory") return undefined;
    throw error;
  }
}

function exists(info: Info | undefined, type: Info["type"]): object {
  return { exists: info?.type === type };
}

/**
 * The text or the Base64 of a file from `offset`, all of it without `length`.
 * @throws OperationFailure when that is too much for one answer
 */
async function readRest(
  { path, offset, length }: Values,
  encoding: "text" | "base64",
  { call }: Operations,
): Promise<string> {
  if (length === 0) return "";
  const isAll = length === null || length < 0;
  const wanted = isAll ? MAX_READ_BYTES : Math.min(length, MAX_READ_BYTES);
  const part = { path, encoding, offset: offset < 0 ? 0 : offset, length: wanted };
  const { content, size, next_offset } = await call("/api/filesystem/read", part);
  if (next_offset >= size || (!isAll && length <= MAX_READ_BYTES)) return content;
  throw fail(`More than ${MAX_READ_BYTES} bytes at a time: read them by offset and length`);
}

async function writeBytes(
  { path, content_b64: content, append }: Values,
  operations: Operations,
): Promise<void> {
  if (!append) {
    const body = { path, content, encoding: "base64", overwrite: true };
    return void await operations.call("/api/filesystem/write", body);
  }
  if (typeof path !== "string" || typeof content !== "string") {
    throw fail("path and content_b64 should be texts");
  }
  await appendBytes(operations, path, content);
}

async function deleteEntry(values: Values, type: Info["type"], to: Operations): Promise<void> {
  const { path } = values;
  const info = await infoOf(values, to);
  if (info !== undefined && info.type !== type) {
    throw fail(`Cannot delete ${JSON.stringify(path)}: it is a ${info.type}`);
  }
  await to.call("/api/filesystem/delete", { path });
}

export const COMMANDS: Commands = { ...INPUT, ...SCREEN, ...WINDOWS, ...FILES };

/** Other names of commands, which later versions of the server have. */
export const ALIASES: Readonly<Record<string, string>> = {
  ...{ type: "type_text", key: "press_key", tap: "left_click", click: "left_click" },
  ...{ shell: "run_command", exec: "run_command" },
  ...{ read_file: "read_text", write_file: "write_text", ls: "list_dir", mkdir: "create_dir" },
  ...{ rm: "delete_file", rmdir: "delete_dir" },
};
