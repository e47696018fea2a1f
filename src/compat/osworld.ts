/**
 * The interface of the server that OSWorld runs in its virtual machines. Sources:
 * `desktop_env/server/main.py` of xlang-ai/OSWorld, and the client of desktop-env 1.0.2.
 */

import { basename } from "node:path";
import { poll } from "../core/deadline.ts";
import { lastLine, quoteForShell } from "../core/texts.ts";
import {
  type CompatApp,
  type CompatContext,
  OperationFailure,
  type Operations,
  readFailure,
} from "./compat.ts";
import { openFile } from "./file_bytes.ts";
import { addCommands, homePath, quoteAtHome, runBesides } from "./osworld_commands.ts";
import { readElements, readTree, type TreeElement } from "./osworld_tree.ts";
import { describeSystem } from "./run_command.ts";

export function addRoutes(app: CompatApp): void {
  addScreen(app);
  addFiles(app);
  addWindows(app);
  addRecording(app);
  addCommands(app);
  app.onError((error, c) => {
    if (!(error instanceof OperationFailure)) throw error;
    return fail(c, error.status, error.message);
  });
  app.notFound((c) => fail(c, 404, `OSWorld's server has no ${c.req.method} at this path`));
}

/** The error of every route, in the fields that the client reads. */
function fail(c: CompatContext, status: number, message: string): Response {
  return c.json({ status: "error", message, error: message }, status as 400);
}

// The screen and the system.

const PLATFORMS = { linux: "Linux", macos: "Darwin", windows: "Windows" } as const;

function addScreen(app: CompatApp): void {
  app.get("/screenshot", async ({ env }) => {
    const picture = await env.operations.send("/api/display/screenshot?cursor=true");
    if (!picture.ok) throw await readFailure(picture);
    return picture;
  });
  app.get("/accessibility", async (c) => c.json({ AT: await readTree(c.env.operations) }));
  app.get("/terminal", async (c) => {
    const output = await readTerminal(c.env.operations);
    return c.json({ output, status: "success" });
  });
  app.post("/screen_size", async (c) => {
    const { width, height } = await c.env.operations.call("/api/display/screen_size");
    return c.json({ width, height });
  });
  app.get("/cursor_position", async (c) => {
    const { x, y } = await c.env.operations.call("/api/mouse/position");
    return c.json([x, y]);
  });
  app.get("/platform", async (c) => {
    const { system } = await describeSystem(c.env.operations);
    return c.text(PLATFORMS[system]);
  });
}

/** What the terminal that has the keyboard shows; `null` when no terminal has it. */
async function readTerminal(operations: Operations): Promise<string | null> {
  const terminals: TreeElement[] = [];
  collectTerminals(await readFocused(operations), terminals);
  const focused = terminals.filter(({ states }) => states.includes("focused"));
  const [terminal] = focused.length > 0 ? focused : terminals;
  if (terminal === undefined) return null;
  const wanted = { ref: terminal.ref, max_chars: 1_000_000 };
  const { value } = await operations.call("/api/accessibility/value", wanted);
  return (value ?? "").trimEnd();
}

/** Nothing where no window has the keyboard. */
async function readFocused(operations: Operations): Promise<readonly TreeElement[]> {
  try {
    return await readElements(operations, "focused");
  } catch (error) {
    if (error instanceof OperationFailure && error.code === "not_found") return [];
    throw error;
  }
}

function collectTerminals(elements: readonly TreeElement[], found: TreeElement[]): void {
  for (const element of elements) {
    if (element.role === "terminal") found.push(element);
    collectTerminals(element.children ?? [], found);
  }
}

// Files. Paths may begin with `~` or `$HOME`, as its server expands them.

/** More entries than any home of a task has; the rest of a tree is `truncated`. */
const TREE = { max_depth: 50, max_entries: 100_000, include_hidden: true };

function addFiles(app: CompatApp): void {
  app.post("/file", async (c) => {
    const path = readText(await readForm(c), "file_path");
    return await sendFile(c, homePath(path), "attachment");
  });
  app.post("/setup/upload", async (c) => {
    const form = await readForm(c);
    const path = homePath(readText(form, "file_path"));
    const file = form["file_data"];
    if (!(file instanceof File)) throw invalid("file_path and file_data are required");
    const bytes = new Uint8Array(await file.arrayBuffer());
    const content = { content: bytes.toBase64(), encoding: "base64", overwrite: true };
    await c.env.operations.call("/api/filesystem/write", { path, ...content });
    return c.text(`File Uploaded: ${bytes.length} bytes`);
  });
  app.post("/list_directory", async (c) => {
    const path = readText(await c.env.readJson(), "path");
    const wanted = { path: homePath(path), ...TREE };
    const tree = await c.env.operations.send("/api/filesystem/tree", { body: wanted });
    if (!tree.ok) throw await readFailure(tree);
    const headers = { "content-type": "application/json" };
    return new Response(wrapJson("directory_tree", tree.body!), { headers });
  });
  app.post("/desktop_path", async (c) => {
    const { path } = await c.env.operations.call("/api/filesystem/info/Desktop");
    return c.json({ desktop_path: path });
  });
  app.post("/setup/download_file", async (c) => c.text(await download(c)));
  app.post("/wallpaper", async (c) => {
    const path = await askForWallpaper(c, "get");
    return await sendFile(c, path.replace(/^'?(?:file:\/\/)?|'$/g, ""), "inline", "image/png");
  });
  app.post("/setup/change_wallpaper", async (c) => {
    const path = homePath(readText(await c.env.readJson(), "path"));
    const { path: full } = await c.env.operations.call(infoPath(path));
    await askForWallpaper(c, "set", `file://${full}`);
    return c.text("Wallpaper changed successfully");
  });
}

async function sendFile(
  c: CompatContext,
  path: string,
  disposition: "attachment" | "inline",
  mediaType = "application/octet-stream",
): Promise<Response> {
  const { size, stream } = await openFile(c.env.operations, path);
  const name = encodeURIComponent(basename(path)).replaceAll("'", "%27");
  const headers = {
    "content-type": mediaType,
    "x-content-type-options": "nosniff",
    "content-disposition": `${disposition}; filename*=UTF-8''${name}`,
    ...(size === undefined ? {} : { "content-length": String(size) }),
  };
  return new Response(stream, { headers });
}

/** A JSON object with one field, whose value is sent on as it comes. */
function wrapJson(
  field: string,
  json: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder();
  return json.pipeThrough(
    new TransformStream({
      start: (controller) => controller.enqueue(text.encode(`{${JSON.stringify(field)}:`)),
      flush: (controller) => controller.enqueue(text.encode("}")),
    }),
  );
}

const DOWNLOAD_SECONDS = 900;

/** With `curl`, so that it is a command like others, and ends with them. */
async function download(c: CompatContext): Promise<string> {
  const fields = await c.env.readJson();
  const url = URL.parse(readText(fields, "url"));
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalid("url should be http or https");
  const path = quoteAtHome(homePath(readText(fields, "path")));
  const line = `mkdir -p "$(dirname ${path})" && curl -fsSL --proto =http,https --retry 2 ` +
    `-o ${path} ${quoteForShell(url.href)} && wc -c <${path}`;
  const { stdout, stderr, exitCode } = await runBesides(c.env, line, DOWNLOAD_SECONDS);
  if (exitCode === 0) return `File downloaded successfully: ${stdout.trim()} bytes`;
  const reason = lastLine(stderr) || `curl ended with ${exitCode}`;
  throw new OperationFailure(500, "internal", `Failed to download: ${reason}`);
}

const BACKGROUND = "org.gnome.desktop.background picture-uri";

/** @throws OperationFailure `unsupported` (501) without GNOME's settings */
async function askForWallpaper(c: CompatContext, verb: "get" | "set", value = ""): Promise<string> {
  const line = `gsettings ${verb} ${BACKGROUND} ${value === "" ? "" : quoteForShell(value)}`;
  const { stdout, stderr, exitCode } = await runBesides(c.env, line, 15);
  const path = stdout.trim();
  if (exitCode === 0 && (verb === "set" || path !== "''")) return path;
  const reason = lastLine(stderr) || "it has none";
  throw new OperationFailure(
    501,
    "unsupported",
    `Only the wallpaper of a GNOME desktop is known: ${reason}`,
  );
}

// Windows, by a part of their title or their class.

interface Window {
  readonly id: string;
  readonly title: string;
  readonly app: string | null;
  readonly bounds: { readonly width: number; readonly height: number } | null;
}

interface Wanted {
  readonly window_name: string;
  /** Whether the whole name must be the same, with its case. */
  readonly strict?: boolean;
  readonly by_class?: boolean;
}

const OPEN_SECONDS = 300;
const POLL_INTERVAL_MS = 250;

function addWindows(app: CompatApp): void {
  app.post("/window_size", async (c) => {
    const name = readText(await readForm(c), "app_class_name");
    const wanted = { window_name: name, by_class: true };
    const { bounds } = await findWindow(c.env.operations, wanted);
    if (bounds === null) throw missing(`The size of "${name}" is unknown`);
    return c.json({ width: bounds.width, height: bounds.height });
  });
  app.post("/setup/activate_window", async (c) => {
    await changeWindow(c, "focus");
    return c.text("Window activated successfully");
  });
  app.post("/setup/close_window", async (c) => {
    await changeWindow(c, "close");
    return c.text("Window closed successfully.");
  });
  app.post("/setup/open_file", async (c) => c.text(await open(c)));
}

async function changeWindow(c: CompatContext, verb: "focus" | "close"): Promise<void> {
  const { strict, by_class, ...fields } = await c.env.readJson();
  const window_name = readText(fields, "window_name");
  const wanted = { window_name, strict: strict === true, by_class: by_class === true };
  const { id } = await findWindow(c.env.operations, wanted);
  await c.env.operations.call(`/api/window/${verb}`, { id });
}

async function findWindow({ call }: Operations, wanted: Wanted): Promise<Window> {
  const windows: readonly Window[] = await call("/api/window/list");
  const found = windows.find((window) => isWanted(window, wanted));
  if (found === undefined) throw missing(`Window ${wanted.window_name} not found`);
  return found;
}

/** A class may be given as wmctrl shows it, `instance.class`. */
function isWanted({ title, app }: Window, { window_name, strict, by_class }: Wanted): boolean {
  const text = by_class ? app ?? "" : title;
  if (strict) return text === window_name;
  const [name, known] = [window_name.toLowerCase(), text.toLowerCase()];
  return known.includes(name) || by_class === true && known !== "" && name.endsWith(`.${known}`);
}

/** Opens a file, or starts a program, and waits for a window with its name in the title. */
async function open(c: CompatContext): Promise<string> {
  const { operations, readJson } = c.env;
  const fields = await readJson();
  const path = homePath(readText(fields, "path"));
  const { window_name, timeout_seconds = OPEN_SECONDS } = fields;
  const timeoutMs = Math.min(Number(timeout_seconds), OPEN_SECONDS) * 1_000;
  if (!(timeoutMs >= 0)) throw invalid(`Invalid timeout_seconds: ${String(timeout_seconds)}`);
  const isFile = (await operations.send(infoPath(path))).ok;
  const what = isFile ? { path } : { program: readText(fields, "path") };
  const wait = { wait_for_window: window_name === undefined, timeout_ms: Math.floor(timeoutMs) };
  const { window } = await operations.call("/api/window/open", { ...what, ...wait });
  const name = basename(path);
  const names = window_name === undefined
    ? [name, name.replace(/(?<=.)\.[^.]*$/, "")]
    : [String(window_name)];
  const find = async () => {
    const windows: readonly Window[] = await operations.call("/api/window/list");
    return windows.find(({ title }) => names.some((each) => title.includes(each)));
  };
  const limits = { everyMs: POLL_INTERVAL_MS, timeoutMs: window === null ? timeoutMs : 0 };
  const found: Window | undefined = window ??
    await poll(find, { ...limits, signal: c.req.raw.signal });
  if (found === undefined) {
    const seconds = timeoutMs / 1_000;
    throw new OperationFailure(
      500,
      "timed_out",
      `Failed to find window for ${JSON.stringify(names)} within ${seconds} seconds.`,
    );
  }
  await operations.call("/api/window/focus", { id: found.id });
  return "File opened and window activated successfully";
}

// The recording: one at a time, whose file is kept until the next one starts.

function addRecording(app: CompatApp): void {
  let id: string | undefined;

  async function stateOf({ call }: Operations): Promise<string | undefined> {
    if (id === undefined) return undefined;
    const [recording] = await call(`/api/recording/list?id=${id}`).catch(() => []);
    return recording?.state;
  }

  app.post("/start_recording", async (c) => {
    const { operations } = c.env;
    const state = await stateOf(operations);
    if (state === "recording") return fail(c, 400, "Recording is already in progress.");
    if (state !== undefined) await operations.call("/api/recording/delete", { id });
    id = (await startRecording(operations)).id;
    return c.json({ status: "success", message: "Started recording successfully." });
  });
  app.post("/end_recording", async (c) => {
    const { operations } = c.env;
    if (await stateOf(operations) === undefined) {
      return fail(c, 400, "No recording in progress to stop.");
    }
    await operations.call("/api/recording/stop", { id });
    const file = await operations.send(`/api/recording/get?id=${id}`);
    if (!file.ok) throw await readFailure(file);
    return file;
  });
}

/** As MP4, which its client expects, where ffmpeg can make it. */
async function startRecording({ call }: Operations): Promise<{ readonly id: string }> {
  try {
    return await call("/api/recording/start", { format: "mp4" });
  } catch (error) {
    if (!(error instanceof OperationFailure) || error.code !== "unsupported") throw error;
    return await call("/api/recording/start", {});
  }
}

// What is read of a request.

type Form = Readonly<Record<string, string | File>>;

async function readForm(c: CompatContext): Promise<Form> {
  try {
    return await c.req.parseBody();
  } catch (cause) {
    throw invalid(`The form cannot be read: ${(cause as Error).message}`);
  }
}

function readText(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value === "string" && value !== "") return value;
  throw invalid(`${name} is required`);
}

function infoPath(path: string): string {
  return `/api/filesystem/info/${encodeURIComponent(path)}`;
}

function invalid(message: string): OperationFailure {
  return new OperationFailure(400, "invalid", message);
}

function missing(message: string): OperationFailure {
  return new OperationFailure(404, "not_found", message);
}
