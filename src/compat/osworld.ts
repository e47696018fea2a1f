/**
 * The interface of the server that OSWorld runs in its virtual machines: what desktop-env 1.0.2
 * calls. Source: `desktop_env/server/main.py` of xlang-ai/OSWorld.
 */

import { basename } from "node:path";
import { poll } from "../core/deadline.ts";
import { Semaphore } from "../core/locks.ts";
import { lastLine, quoteForShell } from "../core/texts.ts";
import {
  type CompatApp,
  type CompatBindings,
  type CompatContext,
  invalid,
  OperationFailure,
  type Operations,
} from "./compat.ts";
import { infoOf, readFile, readForm, sendFile, writeFile } from "./files.ts";
import { addCommands, type Fields, readText, runInTime } from "./osworld_commands.ts";
import { readTerminal, readTree } from "./osworld_tree.ts";

export function addRoutes(app: CompatApp): void {
  addScreen(app);
  addFiles(app);
  addWallpaper(app);
  addWindows(app);
  addRecording(app);
  addCommands(app);
}

/** The fields that the client reads, which wants 400 for what is wrong in a request. */
export function fail({ status, code, message }: OperationFailure): Response {
  const body = { status: "error", message, error: message };
  return Response.json(body, { status: code === "invalid" ? 400 : status });
}

// The screen.

function addScreen(app: CompatApp): void {
  app.get("/screenshot", ({ env }) => env.operations.send("/api/display/screenshot?cursor=true"));
  app.get("/accessibility", async (c) => c.json({ AT: await readTree(c.env) }));
  app.get("/terminal", async (c) => {
    return c.json({ output: await readTerminal(c.env.operations), status: "success" });
  });
  app.post("/screen_size", async (c) => {
    const { width, height } = await c.env.operations.call("/api/display/screen_size");
    return c.json({ width, height });
  });
}

// Files. Paths may begin with `~` or `$HOME`, as its server expands them.

/** More entries than any home of a task has; the rest of a tree is `truncated`. */
const TREE = { max_depth: 50, max_entries: 100_000, include_hidden: true };

function addFiles(app: CompatApp): void {
  app.post("/file", async (c) => {
    const path = readPath(Object.fromEntries(await readForm(c)), "file_path");
    return await sendFile(c.env.operations, path);
  });
  app.post("/setup/upload", async (c) => {
    const form = await readForm(c);
    const path = readPath(Object.fromEntries(form), "file_path");
    const { content } = readFile(form, "file_data");
    await writeFile(c.env.operations, path, content);
    return c.text(`File Uploaded: ${content.length} bytes`);
  });
  app.post("/list_directory", async (c) => {
    const path = readPath(await c.env.readJson(), "path");
    const tree = await c.env.operations.send("/api/filesystem/tree", { path, ...TREE });
    const headers = { "content-type": "application/json" };
    return new Response(ReadableStream.from(wrapTree(tree.body!)), { headers });
  });
  app.post("/desktop_path", async (c) => {
    const info = await infoOf(c.env.operations, "Desktop");
    if (info === undefined) throw missing("There is no folder ~/Desktop");
    return c.json({ desktop_path: info.path });
  });
}

/** A tree, which may be long, is sent on as it comes. */
async function* wrapTree(
  json: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder();
  yield text.encode('{"directory_tree":');
  yield* json;
  yield text.encode("}");
}

/** The path with `~` in place of `$HOME`. */
function readPath(fields: Fields, name: string): string {
  return readText(fields, name).replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, "~");
}

function missing(message: string): OperationFailure {
  return new OperationFailure(404, "not_found", message);
}

// The wallpaper, where the desktop has GNOME's settings.

const SETTING = "org.gnome.desktop.background picture-uri";
const SETTING_SECONDS = 15;

function addWallpaper(app: CompatApp): void {
  app.post("/wallpaper", async (c) => {
    const path = await askForWallpaper(c, "get");
    const type = { "content-type": "image/png", "content-disposition": "inline" };
    return await sendFile(c.env.operations, path.replace(/^'?(?:file:\/\/)?|'$/g, ""), type);
  });
  app.post("/setup/change_wallpaper", async (c) => {
    const info = await infoOf(c.env.operations, readPath(await c.env.readJson(), "path"));
    if (info === undefined) throw missing("There is no such picture");
    await askForWallpaper(c, "set", `file://${info.path}`);
    return c.text("Wallpaper changed successfully");
  });
}

/** @throws OperationFailure `unsupported` (501) without GNOME's settings */
async function askForWallpaper(c: CompatContext, verb: "get" | "set", value = ""): Promise<string> {
  const line = `gsettings ${verb} ${SETTING} ${value && quoteForShell(value)}`;
  const { stdout, stderr, exitCode } = await runInTime(c.env, line, SETTING_SECONDS);
  const path = stdout.trim();
  if (exitCode === 0 && (verb === "set" || path !== "''")) return path;
  const reason = lastLine(stderr) || "it has none";
  const message = `Only the wallpaper of a GNOME desktop is known: ${reason}`;
  throw new OperationFailure(501, "unsupported", message);
}

// Windows, by a part of their title or their class.

interface Window {
  readonly id: string;
  readonly title: string;
  readonly app: string | null;
  readonly bounds: { readonly width: number; readonly height: number } | null;
}

/** How long a program gets for a window of its own, before a title says which one it is. */
const OWN_WINDOW_MS = 3_000;
const OPEN_SECONDS = 300;
const POLL_INTERVAL_MS = 250;

function addWindows(app: CompatApp): void {
  app.post("/window_size", async (c) => {
    const name = readText(Object.fromEntries(await readForm(c)), "app_class_name");
    const { bounds } = await findWindow(c, { window_name: name, by_class: true });
    if (bounds === null) throw missing("The size of the window is unknown");
    return c.json({ width: bounds.width, height: bounds.height });
  });
  for (const [path, verb] of [["activate", "focus"], ["close", "close"]]) {
    app.post(`/setup/${path}_window`, async (c) => {
      const { id } = await findWindow(c, await c.env.readJson());
      await c.env.operations.call(`/api/window/${verb}`, { id });
      return c.text("Done");
    });
  }
  app.post("/setup/open_file", async (c) => c.text(await open(c)));
}

async function listWindows({ call }: Operations): Promise<readonly Window[]> {
  return await call("/api/window/list");
}

/** A class may be given as wmctrl shows it, `instance.class`. */
async function findWindow({ env }: CompatContext, fields: Fields): Promise<Window> {
  const wanted = readText(fields, "window_name");
  const byClass = fields["by_class"] === true;
  const isWanted = ({ title, app }: Window) => {
    const text = byClass ? app ?? "" : title;
    if (fields["strict"] === true) return text === wanted;
    const [name, known] = [wanted.toLowerCase(), text.toLowerCase()];
    return known.includes(name) || byClass && known !== "" && name.endsWith(`.${known}`);
  };
  const found = (await listWindows(env.operations)).find(isWanted);
  if (found === undefined) throw missing(`Window ${wanted} not found`);
  return found;
}

/**
 * Opens a file, or starts a program, and waits for a window of its own, or one with its name in the
 * title: a program that runs already may show the file.
 */
async function open(c: CompatContext): Promise<string> {
  const { operations, readJson } = c.env;
  const end = performance.now() + OPEN_SECONDS * 1_000;
  const fields = await readJson();
  const path = readPath(fields, "path");
  const isThere = await infoOf(operations, path) !== undefined;
  const what = isThere ? { path } : { program: readText(fields, "path") };
  const opening = { ...what, timeout_ms: OWN_WINDOW_MS };
  const opened: { window: Window | null } = await operations.call("/api/window/open", opening);
  const name = basename(path);
  const names = [name, name.replace(/(?<=.)\.[^.]*$/, "")];
  const find = async () =>
    (await listWindows(operations)).find(({ title }) => names.some((each) => title.includes(each)));
  const limits = { everyMs: POLL_INTERVAL_MS, timeoutMs: end - performance.now() };
  const found = opened.window ?? await poll(find, { ...limits, signal: c.req.raw.signal });
  if (found === undefined) {
    const wanted = JSON.stringify(names);
    const message = `Failed to find window for ${wanted} within ${OPEN_SECONDS} seconds.`;
    throw new OperationFailure(500, "timed_out", message);
  }
  await operations.call("/api/window/focus", { id: found.id });
  return "File opened and window activated successfully";
}

// The recording: one at a time, whose file is kept until the next one starts.

function addRecording(app: CompatApp): void {
  const one = new Semaphore({ capacity: 1 });
  /** By the token of the client: those of one desk know of no other one. */
  const ids = new Map<string | undefined, string>();

  async function stateOf(
    { call }: Operations,
    id: string | undefined,
  ): Promise<string | undefined> {
    if (id === undefined) return undefined;
    const [recording] = await call(`/api/recording/list?id=${id}`).catch(() => []);
    return recording?.state;
  }

  async function start({ operations, service: { token } }: CompatBindings): Promise<void> {
    const id = ids.get(token);
    const state = await stateOf(operations, id);
    if (state === "recording") throw invalid("Recording is already in progress.");
    if (state !== undefined) await operations.call("/api/recording/delete", { id });
    ids.set(token, (await begin(operations)).id);
  }

  /** As MP4, which its client expects, where ffmpeg can make it. */
  async function begin({ call }: Operations): Promise<{ readonly id: string }> {
    return await call("/api/recording/start", { format: "mp4" }).catch(async (error) => {
      if (!(error instanceof OperationFailure) || error.code !== "unsupported") throw error;
      return await call("/api/recording/start", {});
    });
  }

  async function end({ operations, service: { token } }: CompatBindings): Promise<Response> {
    const id = ids.get(token);
    const state = await stateOf(operations, id);
    if (state === undefined) throw invalid("No recording in progress to stop.");
    await operations.call("/api/recording/stop", { id });
    return await operations.send(`/api/recording/get?id=${id}`);
  }

  app.post("/start_recording", async (c) => {
    await one.run(() => start(c.env), c.req.raw.signal);
    return c.json({ status: "success", message: "Started recording successfully." });
  });
  app.post("/end_recording", (c) => one.run(() => end(c.env), c.req.raw.signal));
}
