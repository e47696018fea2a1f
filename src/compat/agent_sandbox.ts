/**
 * The two interfaces that the client of agent-sandbox speaks: that of its Python runtime, and the
 * files of `sandboxd`. Paths are below the home of the service's user. Sources:
 * `examples/python-runtime-sandbox/main.py` and `packages/sandboxd/pkg/server` of
 * kubernetes-sigs/agent-sandbox; k8s-agent-sandbox 1.0.8.
 */

import { posix } from "node:path";
import { quoteForShell } from "../core/texts.ts";
import {
  type CompatApp,
  type CompatBindings,
  type CompatContext,
  invalid,
  OperationFailure,
  type Operations,
} from "./compat.ts";
import {
  type Entry as SentEntry,
  infoOf,
  readFile,
  readForm,
  sendFile,
  writeFile,
} from "./files.ts";
import { runCommand, splitCommand } from "./run_command.ts";

export function addRoutes(app: CompatApp): void {
  addRuntime(app);
  addSandboxd(app);
}

export function fail(failure: OperationFailure, request: Request): Response {
  const isSandboxd = readPath(request.url).startsWith(SANDBOXD);
  return isSandboxd ? sandboxdError(failure) : runtimeError(failure, request.method);
}

// The Python runtime.

const DEFAULT_TIMEOUT_S = 300;
const TIMED_OUT = 124;

function addRuntime(app: CompatApp): void {
  app.get("/", (c) => c.json({ status: "ok", message: "Sandbox Runtime is active." }));
  app.post("/execute", async ({ env }) => Response.json(await execute(env)));
  app.post("/upload", async (c) => {
    const { name, content } = readFile(await readForm(c), "file");
    await writeFile(c.env.operations, confine(name, c), content);
    return c.json({ message: `File '${name}' uploaded successfully.` });
  });
  app.get("/download/*", async (c) => {
    return await sendFile(c.env.operations, confine(pathAfter(c, "/download/"), c));
  });
  app.get("/list/*", async (c) => {
    const entries = await listFolder(c.env.operations, confine(pathAfter(c, "/list/"), c));
    return c.json(entries.map(({ name, size, type, modified }) => {
      return { name, size, type, mod_time: modified.getTime() / 1_000 };
    }));
  });
  app.get("/exists/*", async (c) => {
    const path = pathAfter(c, "/exists/");
    return c.json({ path, exists: await infoOf(c.env.operations, confine(path, c)) !== undefined });
  });
}

async function execute(env: CompatBindings): Promise<object> {
  const { command, timeout_seconds } = await env.readJson();
  const wanted = timeout_seconds ?? DEFAULT_TIMEOUT_S;
  if (typeof command !== "string") throw invalid("command should be a text");
  if (typeof wanted !== "number" || !(wanted > 0)) {
    throw invalid("timeout_seconds should be a number greater than 0");
  }
  let words: readonly string[];
  try {
    words = splitCommand(command);
    if (words.length === 0) throw invalid("it is empty");
  } catch (error) {
    const stderr = `Failed to execute command: ${(error as Error).message}`;
    return { stdout: "", stderr, exit_code: 1 };
  }
  // `exec` takes no built-in command of the shell
  const line = `exec ${words.map(quoteForShell).join(" ")}`;
  const { stdout, stderr, exitCode, seconds, truncated } = await runCommand(env, line, wanted);
  const note = truncated ? { truncated } : {};
  if (exitCode !== undefined) return { stdout, stderr, exit_code: exitCode, ...note };
  const late = `Command timed out after ${seconds} seconds`;
  return { stdout, stderr: late, exit_code: TIMED_OUT, timed_out: true, ...note };
}

/** What the runtime answers with 404 when a file or folder is asked for. */
const NO_SUCH: ReadonlySet<string> = new Set([
  ...["not_found", "not_a_directory", "is_a_directory", "not_a_file"],
]);

function runtimeError({ status, code, message }: OperationFailure, method: string): Response {
  const isMissing = method === "GET" && NO_SUCH.has(code);
  return Response.json({ message }, { status: isMissing ? 404 : status });
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
    const path = confine(pathAfter(c, FILES), c);
    const isForm = /^multipart\/form-data\b/i.test(c.req.header("content-type") ?? "");
    const content = isForm
      ? readFile(await readForm(c), "file").content
      : new Uint8Array(await c.req.raw.arrayBuffer());
    await writeFile(c.env.operations, path, content);
    return c.body(null, 204);
  });
  app.delete(`${FILES}*`, async (c) => {
    const recursive = readBoolean(c.req.query("recursive") || "false");
    const path = confine(pathAfter(c, FILES), c);
    await c.env.operations.call("/api/filesystem/delete", { path, recursive });
    return c.body(null, 204);
  });
}

/** A file, or the list of a folder; HEAD asks only whether it is there. */
async function readEntry(c: CompatContext): Promise<Response> {
  const { operations } = c.env;
  const sent = pathAfter(c, FILES);
  const path = confine(sent, c);
  const info = await infoOf(operations, path);
  if (info === undefined) throw new OperationFailure(404, "not_found", "There is no such path");
  if (info.type === "file") return await sendFile(operations, path);
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

/** Our code -> theirs, with the status that their server gives it. */
const SANDBOXD_CODES: Readonly<Record<string, readonly [status: number, code: string]>> = {
  not_found: [404, "NOT_FOUND"],
  not_a_directory: [404, "NOT_FOUND"],
  forbidden: [403, "PERMISSION_DENIED"],
  permission_denied: [403, "PERMISSION_DENIED"],
  unauthorized: [401, "PERMISSION_DENIED"],
  not_empty: [409, "CONFLICT"],
  conflict: [409, "CONFLICT"],
  invalid: [400, "INVALID_ARGUMENT"],
  is_a_directory: [400, "INVALID_ARGUMENT"],
  not_a_file: [400, "INVALID_ARGUMENT"],
  too_large: [413, "INVALID_ARGUMENT"],
  unavailable: [503, "UNAVAILABLE"],
};

function sandboxdError({ status, code, message }: OperationFailure): Response {
  const [theirs, name] = SANDBOXD_CODES[code] ?? [status, "INTERNAL"];
  return Response.json({ code: name, message }, { status: theirs });
}

// What both have.

/** The path of an address as it was sent: it may be one that no URL can have. */
function readPath(url: string): string {
  return /^\w+:\/\/[^/]*([^?]*)/.exec(url)?.[1] ?? "";
}

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
function confine(path: string, { env }: CompatContext): string {
  const below = posix.normalize(path.replace(/^\/+/, "") || ".").replace(/\/$/, "");
  // on Windows also another separator, and the name of a drive or a stream
  const isForeign = env.service.system === "windows" && /[\\:]/.test(below);
  if (isForeign || /^\.\.(\/|$)/.test(below)) {
    throw new OperationFailure(403, "forbidden", "Access denied: the path leads out of the folder");
  }
  return below === "." ? "~" : `~/${below}`;
}

interface Entry extends Pick<SentEntry, "name" | "size" | "type"> {
  readonly modified: Date;
}

async function listFolder({ call }: Operations, path: string): Promise<Entry[]> {
  const entries: SentEntry[] = await call("/api/filesystem/list", { path, include_hidden: true });
  return entries.map(({ name, size, type, modified_time }) => {
    return { name, size, type, modified: new Date(modified_time) };
  });
}
