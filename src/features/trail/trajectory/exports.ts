/**
 * A trajectory as files: ATIF 1.8 of Harbor, `traj.jsonl` of OSWorld, or one page to open in a browser.
 * Each is a generator of files, so that only one is in memory at a time.
 */

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
