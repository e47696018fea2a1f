/**
 * A trajectory as files: ATIF 1.8 of Harbor, `traj.jsonl` of OSWorld, or one page to open in a browser.
 * Each is a generator of files, so that only one is in memory at a time.
 */

import { dirname, join } from "node:path";
import { writeAll } from "../../../core/bytes.ts";
import { isThere, syncFolder } from "../../../core/files.ts";
import { fileError, translating } from "../../filesystem/file_errors.ts";
import { moveExclusively } from "../../filesystem/transfer.ts";
import type { Writing } from "../../filesystem/safe_write/exchange.ts";
import { trySyncFolder, withTemporary } from "../../filesystem/safe_write/temporary.ts";
import { jsonWithSteps, writePage } from "./page.ts";
import {
  describePlace,
  type KeptStep,
  type KeptTrajectory,
  type Seen,
  type TrailStep,
} from "./step.ts";

export const EXPORT_FORMATS = ["atif", "osworld", "html"] as const;
export type ExportFormat = typeof EXPORT_FORMATS[number];

/** A file of an export. */
export interface ExportFile {
  /** Below the folder of the export; empty where the export is this one file. */
  readonly name: string;
  /** Written one after the other. */
  readonly parts: Iterable<string | Uint8Array>;
}

const AGENT = "computer-control";

/** All files; those that others name come before them. */
export function exportFiles(
  trajectory: KeptTrajectory,
  format: ExportFormat,
  version: string,
): Iterable<ExportFile> {
  switch (format) {
    case "atif":
      return atifFiles(trajectory, version);
    case "osworld":
      return osworldFiles(trajectory);
    case "html":
      return [{ name: "", parts: writePage(trajectory) }];
  }
}

/** Pictures and trees by the names of their files; what is the same has one. */
type SeenFiles = Map<Uint8Array | string, string>;

function filesOf(seen: SeenFiles): Iterable<ExportFile> {
  return seen.entries().map(([content, name]) => ({ name, parts: [content] }));
}

// ATIF 1.8: https://harborframework.com/docs/trajectory-format

function* atifFiles({ info, steps }: KeptTrajectory, version: string): Iterable<ExportFile> {
  const seen: SeenFiles = new Map();
  const named = steps.map((step) => nameSeen(step, seen));
  const first = named.find(({ pictures }) => pictures.before !== undefined)?.pictures.before;
  const document = {
    schema_version: "ATIF-v1.8",
    session_id: info.id,
    trajectory_id: info.id,
    agent: { name: AGENT, version },
    final_metrics: { total_steps: named.length + 1 },
    extra: { trail: info },
  };
  yield* filesOf(seen);
  const start = {
    step_id: 1,
    timestamp: info.started_at,
    source: "system",
    message: `Operations on display ${info.display_num}, as they were performed.`,
    ...(first && { observation: { results: [{ content: [image(first)] }] } }),
    extra: { trail: {} },
  };
  yield { name: "trajectory.json", parts: jsonWithSteps(document, [start, ...named.map(toAtif)]) };
}

/** A step with the names of its files. */
function nameSeen({ before, after, ...step }: KeptStep, seen: SeenFiles): TrailStep {
  const number = String(step.number).padStart(4, "0");
  const named = (kind: keyof Seen, toName: (name: string) => string) => {
    const contents = Object.entries({ before: before[kind], after: after[kind] });
    return Object.fromEntries(contents.flatMap(([when, content]) => {
      if (content === undefined) return [];
      return [[when, seen.getOrInsert(content, toName(`${number}-${when}`))]];
    }));
  };
  return {
    ...step,
    pictures: named("picture", (name) => `images/${name}.jpg`),
    trees: named("tree", (name) => `trees/${name}.json`),
  };
}

function toAtif(step: TrailStep): object {
  const { number, operation, fields, outcome, effect, pictures } = step;
  const id = `call-${number}`;
  const said = effect === undefined ? outcome : `${outcome}, ${effect.effect}`;
  const text = { type: "text", text: effect?.reason ? `${said}: ${effect.reason}` : said };
  const after = pictures.after === undefined ? [] : [image(pictures.after)];
  return {
    step_id: number + 1,
    timestamp: step.started_at,
    source: "agent",
    message: describeStep(step),
    llm_call_count: 0,
    tool_calls: [{ tool_call_id: id, function_name: operation, arguments: fields }],
    observation: { results: [{ source_call_id: id, content: [text, ...after] }] },
    extra: { trail: step },
  };
}

function image(path: string): object {
  return { type: "image", source: { media_type: "image/jpeg", path } };
}

/** `mouse.left-click button "Save" in "Editor"` */
function describeStep(step: Pick<TrailStep, "operation" | "targets">): string {
  const [target] = Object.values(step.targets);
  const within = target?.window && `in ${JSON.stringify(target.window.title)}`;
  return [step.operation, describePlace(step), within].filter((part) => part !== undefined)
    .join(" ");
}

// OSWorld: https://github.com/xlang-ai/OSWorld, one line for each step, with the picture after it.

function* osworldFiles({ steps }: KeptTrajectory): Iterable<ExportFile> {
  const seen: SeenFiles = new Map();
  const first = steps.find(({ before }) => before.picture !== undefined)?.before.picture;
  if (first !== undefined) seen.set(first, "step_0.jpg");
  const lines = steps.map((step, index) => {
    const stamp = osworldTime(step.started_at);
    const { before, after, ...extra } = step;
    const picture = after.picture ?? before.picture;
    const file = picture && seen.getOrInsert(picture, `step_${step.number}_${stamp}.jpg`);
    return {
      step_num: step.number,
      action_timestamp: stamp,
      action: { action_type: step.operation.toUpperCase().replace(/\W/g, "_"), ...step.fields },
      response: describeStep(step),
      reward: 0,
      done: index === steps.length - 1,
      info: extra,
      screenshot_file: file ?? null,
    };
  });
  yield* filesOf(seen);
  yield { name: "traj.jsonl", parts: lines.map((line) => `${JSON.stringify(line)}\n`) };
}

/** `20260309@140511123000` */
function osworldTime(iso: string): string {
  return `${iso.replace("T", "@").replaceAll(/[-:.Z]/g, "")}000`;
}

// Writes an export: beside its place first, and there at once when all of it is on the disk.

/** What others do and what a display shows are nobody else's business. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

interface Written {
  readonly files: number;
  readonly bytes: number;
}

/**
 * @param files one with an empty name is the file at `path`; else `path` is a folder with them
 * @throws ServiceError `already_exists`, and what the disk says; the signal's reason
 */
export async function writeExport(
  path: string,
  files: Iterable<ExportFile>,
  { writing, signal }: { readonly writing: Writing; readonly signal: AbortSignal },
): Promise<Written> {
  const attempt = { action: "Cannot export to", path, field: "path" };
  return await translating(attempt, async () => {
    if (await isThere(path)) {
      const state = "it already exists: choose another path, or delete it";
      throw fileError(attempt, "already_exists", state);
    }
    return await withTemporary(writing.journal, path, async (from) => {
      const written = await writeFiles(from, files, signal);
      const isFolder = (await Deno.lstat(from)).isDirectory;
      await moveExclusively(writing.files, { from, to: path, isFolder });
      await trySyncFolder(dirname(path));
      return written;
    });
  });
}

async function writeFiles(
  to: string,
  files: Iterable<ExportFile>,
  signal: AbortSignal,
): Promise<Written> {
  let [count, bytes] = [0, 0];
  const folders = new Set<string>();
  for (const { name, parts } of files) {
    const path = name === "" ? to : join(to, name);
    for (const folder of name === "" ? [] : [to, dirname(path)]) {
      if (!folders.has(folder)) await Deno.mkdir(folder, { mode: FOLDER_MODE });
      folders.add(folder);
    }
    using file = await Deno.open(path, { write: true, createNew: true, mode: FILE_MODE });
    for (const part of parts) {
      signal.throwIfAborted();
      const data = typeof part === "string" ? new TextEncoder().encode(part) : part;
      await writeAll(file, data);
      bytes += data.length;
    }
    await file.syncData();
    count++;
  }
  for (const folder of folders) await syncFolder(folder);
  return { files: count, bytes };
}
