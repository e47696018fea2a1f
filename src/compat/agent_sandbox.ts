/**
 * The two interfaces that the client of agent-sandbox speaks: that of its Python runtime, and the
 * files of `sandboxd`. Paths are below the home of the service's user. Sources:
 * `examples/python-runtime-sandbox/main.py` and `packages/sandboxd/pkg/server` of
 * kubernetes-sigs/agent-sandbox; k8s-agent-sandbox 1.0.8.
 */

import { posix } from "node:path";
import { type CompatApp, type CompatContext, OperationFailure, type Operations } from "./compat.ts";
import { openFile } from "./file_bytes.ts";
import { findFile } from "./multipart.ts";
import { runCommand } from "./run_command.ts";
import { splitWords } from "./split_words.ts";
import { quoteForShell } from "../core/texts.ts";

export function addRoutes(app: CompatApp): void {
  addRuntime(app);
  addSandboxd(app);
  app.onError((error, c) => {
    if (!(error instanceof OperationFailure)) throw error;
    return isSandboxd(c) ? sandboxdError(c, error) : runtimeError(c, error);
  });
}

// The Python runtime.

const DEFAULT_TIMEOUT_S = 300;
const TIMED_OUT = 124;

function addRuntime(app: CompatApp): void {
  app.get("/", (c) => c.json({ status: "ok", message: "Sandbox Runtime is active." }));
  app.post(
    "/execute",
    async (c) => c.json(await execute(await c.env.readJson(), c.env.operations)),
  );
  app.post("/upload", async (c) => {
    const body = new Uint8Array(await c.req.raw.arrayBuffer());
    const { name, content } = findFile(body, c.req.header("content-type") ?? "", "file");
    await writeFile(c.env.operations, confine(name), content);
    return c.json({ message: `File '${name}' uploaded successfully.` });
  });
  app.get("/download/*", async (c) => {
    const path = confine(pathAfter(c, "/download/"));
    const name = encodeURIComponent(posix.basename(path)).replaceAll("'", "%27");
    const disposition = `attachment; filename*=utf-8''${name}`;
    return await sendFile(c, path, { "content-disposition": disposition });
  });
  app.get("/list/*", async (c) => {
    const entries = await listFolder(c.env.operations, confine(pathAfter(c, "/list/")));
    return c.json(entries.map(({ name, size, type, modified }) => {
      return { name, size, type, mod_time: modified.getTime() / 1_000 };
    }));
  });
  app.get("/exists/*", async (c) => {
    const path = pathAfter(c, "/exists/");
    return c.json({ path, exists: await infoOf(c.env.operations, confine(path)) !== undefined });
  });
}

// deno-lint-ignore no-explicit-any -- the client's own form
async function execute(body: Record<string, any>, operations: Operations): Promise<object> {
  const { command, timeout_seconds = null } = body;
  const seconds = timeout_seconds ?? DEFAULT_TIMEOUT_S;
  if (typeof command !== "string") throw invalid("command should be a text");
  if (typeof seconds !== "number" || !(seconds > 0)) {
    throw invalid("timeout_seconds should be a number greater than 0");
  }
  let words: readonly string[];
  try {
    words = splitWords(command);
    if (words.length === 0) throw invalid("it is empty");
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
    return { stdout: "", stderr: `Failed to execute command: ${error.message}`, exit_code: 1 };
  }
  // `exec` takes no built-in command of the shell
  const line = `exec ${words.map(quoteForShell).join(" ")}`;
  const result = await runCommand(operations, line, seconds);
  const note = result.truncated ? { truncated: true } : {};
  if (result.timedOut || result.exitCode === null) {
    const stderr = `Command timed out after ${seconds} seconds`;
    return { stdout: result.stdout, stderr, exit_code: TIMED_OUT, timed_out: true, ...note };
  }
  return { stdout: result.stdout, stderr: result.stderr, exit_code: result.exitCode, ...note };
}

/** What the runtime answers with 404 when a file or folder is asked for. */
const NO_SUCH: ReadonlySet<string> = new Set([
  ...["not_found", "not_a_directory", "is_a_directory", "not_a_file"],
]);

function runtimeError(c: CompatContext, { status, code, message }: OperationFailure): Response {
  const isMissing = c.req.method === "GET" && NO_SUCH.has(code);
  return c.json({ message }, (isMissing ? 404 : status) as 400);
}

// The files of `sandboxd`.

const SANDBOXD = "/v1/";
const FILES = "/v1/files/";

function addSandboxd(app: CompatApp): void {
  app.get("/v1/health", (c) => {
    return c.json({ status: "ok", uptime_seconds: Math.floor(performance.now() / 1_000) });
  });
  // its own server gives variables of the environment that an orchestrator has set for that
  app.get("/v1/metadata", (c) => c.json({ env: {} }));
  app.get(`${FILES}*`, readEntry);
  app.put(`${FILES}*`, async (c) => {
    if (c.req.query("mode")) throw invalid("mode is not supported");
    const path = confine(pathAfter(c, FILES));
    const sent = new Uint8Array(await c.req.raw.arrayBuffer());
    const type = c.req.header("content-type") ?? "";
    const isForm = /^multipart\/form-data\b/i.test(type);
    await writeFile(c.env.operations, path, isForm ? findFile(sent, type, "file").content : sent);
    return c.body(null, 204);
  });
  app.delete(`${FILES}*`, async (c) => {
    const recursive = readBoolean(c.req.query("recursive") || "false");
    const path = confine(pathAfter(c, FILES));
    await c.env.operations.call("/api/filesystem/delete", { path, recursive });
    return c.body(null, 204);
  });
}

/** A file, or the list of a folder; HEAD asks only whether it is there. */
async function readEntry(c: CompatContext): Promise<Response> {
  const { operations } = c.env;
  const sent = pathAfter(c, FILES);
  const path = confine(sent);
  const info = await infoOf(operations, path);
  if (info === undefined) throw new OperationFailure(404, "not_found", "There is no such path");
  if (info.type === "file") return await sendFile(c, path);
  const entries = (await listFolder(operations, path)).map(({ name, size, type, modified }) => {
    return { name, size, type, modified_at: modified.toISOString() };
  });
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  return c.json({ path: sent.startsWith("/") ? sent : `/${sent}`, entries });
}

/** As Go's `strconv.ParseBool`. */
function readBoolean(text: string): boolean {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  if (/^(0|f|F|FALSE|false|False)$/.test(text)) return false;
  throw invalid("recursive should be true or false");
}

function isSandboxd({ req }: CompatContext): boolean {
  return req.path.startsWith(SANDBOXD);
}

/** Our code -> theirs, with the status that their server gives it. */
const SANDBOXD_CODES: Readonly<Record<string, readonly [status: number, code: string]>> = {
  not_found: [404, "NOT_FOUND"],
  not_a_directory: [404, "NOT_FOUND"],
  forbidden: [403, "PERMISSION_DENIED"],
  permission_denied: [403, "PERMISSION_DENIED"],
  not_empty: [409, "CONFLICT"],
  conflict: [409, "CONFLICT"],
  invalid: [400, "INVALID_ARGUMENT"],
  is_a_directory: [400, "INVALID_ARGUMENT"],
  not_a_file: [400, "INVALID_ARGUMENT"],
  too_large: [413, "INVALID_ARGUMENT"],
  unavailable: [503, "UNAVAILABLE"],
};

function sandboxdError(c: CompatContext, { status, code, message }: OperationFailure): Response {
  const [theirs, name] = SANDBOXD_CODES[code] ?? [status, "INTERNAL"];
  return c.json({ code: name, message }, theirs as 400);
}

// What both have.

/** The rest of the path of a request, decoded once. */
function pathAfter({ req }: CompatContext, prefix: string): string {
  const { pathname } = new URL(req.url);
  try {
    return decodeURIComponent(pathname.slice(prefix.length));
  } catch {
    throw invalid("The path has a % that is no escape of UTF-8");
  }
}

/**
 * The path below the home, wherever it begins.
 * @throws OperationFailure `forbidden` when it leads out
 */
function confine(path: string): string {
  const below = posix.normalize(path.replace(/^\/+/, "") || ".").replace(/\/$/, "");
  if (/^\.\.(\/|$)/.test(below)) {
    throw new OperationFailure(403, "forbidden", "Access denied: the path leads out of the folder");
  }
  return below === "." ? "~" : `~/${below}`;
}

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly type: "file" | "directory";
  readonly modified: Date;
}

interface SentEntry extends Omit<Entry, "modified"> {
  /** In local time, without a zone. */
  readonly modified_time: string;
}

async function listFolder({ call }: Operations, path: string): Promise<Entry[]> {
  const entries: SentEntry[] = await call("/api/filesystem/list", { path, include_hidden: true });
  return entries.map(({ name, size, type, modified_time }) => {
    return { name, size, type, modified: new Date(modified_time) };
  });
}

/** `undefined` if nothing is there. */
async function infoOf({ call }: Operations, path: string): Promise<SentEntry | undefined> {
  try {
    return await call(`/api/filesystem/info/${encodeURIComponent(path.toWellFormed())}`);
  } catch (error) {
    if (error instanceof OperationFailure && NO_SUCH.has(error.code)) return undefined;
    throw error;
  }
}

async function writeFile(
  { call }: Operations,
  path: string,
  content: Uint8Array,
): Promise<void> {
  const body = { path, content: content.toBase64(), encoding: "base64", overwrite: true };
  await call("/api/filesystem/write", body);
}

/** Sends a file while it is read. Of the answer to HEAD only the headers are sent. */
async function sendFile(
  c: CompatContext,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { size, stream } = await openFile(c.env.operations, path);
  return new Response(stream, {
    headers: {
      "content-type": "application/octet-stream",
      "x-content-type-options": "nosniff",
      ...(size === undefined ? {} : { "content-length": String(size) }),
      ...headers,
    },
  });
}

function invalid(message: string): OperationFailure {
  return new OperationFailure(422, "invalid", message);
}
