/** Defines the operations on trajectories as data. */

import { z } from "zod";
import type { Context } from "../../context.ts";
import { Files } from "../../filesystem/files.ts";
import { PathField, resolvePath } from "../../filesystem/paths.ts";
import { definingWith, FILE_ERRORS, json, type Operation } from "../../operation.ts";
import { EXPORT_FORMATS, exportFiles, writeExport } from "./exports.ts";
import { ENDINGS, StartBody } from "./step.ts";
import { MAX_STEPS, Trajectories, type Trajectory } from "./trajectory.ts";

const Id = z.uuid().optional().describe("The `id` of the trajectory; by default the newest.");

const TrajectoryItem = z.object({
  id: z.string().describe("Names it for `trail/stop` and `trail/export`."),
  started_at: z.string().describe("The time of its start, in ISO 8601, in UTC."),
  ended_at: z.string().nullable().describe("`null` while it is recorded."),
  ended_by: z.enum(ENDINGS).nullable().describe(
    `It has been ended by this: \`stop\`, the time, ${MAX_STEPS} steps, or the end of the service.`,
  ),
  display_num: z.int(),
  texts: z.boolean().describe("If true, typed texts are kept."),
  steps: z.int().min(0).describe("The number of steps so far."),
  size: z.int().min(0).describe("The bytes that its pictures and trees take."),
  dropped: z.object({
    steps: z.int().min(0),
    pictures: z.int().min(0),
    trees: z.int().min(0),
  }).describe("For what there was no room, or no time."),
});

const ExportBody = z.object({
  id: Id,
  format: z.enum(EXPORT_FORMATS).describe(
    "`atif`: a folder with `trajectory.json` (ATIF 1.8) and the pictures and elements; `osworld`: a folder with `traj.jsonl` and the pictures; `html`: one page to open in a browser.",
  ),
  path: PathField("path of the new folder, or for `html` of the new file"),
});

const MISSING = { not_found: "There is no such trajectory, or it is not kept any more." };

export function trajectoryOperations(): readonly Operation[] {
  const define = definingWith({ group: "trail", method: "POST", readOnly: false });
  return [
    define({
      id: "startTrail",
      path: "/api/trail/start",
      summary: "Start recording operations as steps",
      description:
        "From now on the operations of all callers on the display, and waits, are kept as steps: with their fields, what they acted on, and a picture and the elements before and after each. " +
        "They are kept in memory, at most 128 MiB of pictures and 32 MiB of elements; export them. An operation waits until there is a picture from before it. " +
        "Stored secrets are replaced, and black in pictures where they were filled in; the contents of files and commands are never kept, and typed texts only with `texts`. Pictures show what the display shows.",
      body: StartBody,
      answer: json("The recording has started.", TrajectoryItem),
      errors: { unavailable: "The display is not available now, or 4 are already recorded." },
      uses: ({ pictures, trees }) => [
        ...(pictures ? ["display"] as const : []),
        ...(trees ? ["accessibility"] as const : []),
      ],
      run: async (context, input) =>
        describe(await context.session.use(Trajectories).start(context, input)),
    }),
    define({
      id: "stopTrail",
      path: "/api/trail/stop",
      summary: "Stop recording steps",
      description: "Does nothing if it has ended. The last 4 that have ended are kept in memory.",
      body: z.object({ id: Id }),
      answer: json("It has ended.", TrajectoryItem),
      errors: MISSING,
      run: async ({ session }, { id }) => {
        const trajectory = session.use(Trajectories).find(id);
        await trajectory.end("stop");
        return describe(trajectory);
      },
    }),
    define({
      id: "exportTrail",
      long: true,
      path: "/api/trail/export",
      summary: "Write recorded steps to files",
      description:
        "Also while it is recorded: what there is so far. The export is there completely or not at all, for this user only.",
      body: ExportBody,
      answer: json(
        "The files are written.",
        z.object({
          path: z.string().describe("The absolute path."),
          files: z.int().min(1).describe("The number of files."),
          bytes: z.int().min(1).describe("Their size together, in bytes."),
          steps: z.int().min(0).describe("The number of steps."),
        }),
      ),
      errors: {
        ...FILE_ERRORS,
        not_found: `${MISSING.not_found} Or there is no such folder.`,
        already_exists: "There is something at the path.",
      },
      uses: () => ["filesystem"],
      run: exportTrail,
    }),
  ];
}

async function exportTrail(
  { session, config, signal }: Context,
  { id, format, path: given }: z.output<typeof ExportBody>,
) {
  const path = resolvePath(given, config.home, "path");
  const kept = await session.use(Trajectories).find(id).kept();
  const files = session.use(Files);
  const written = await files.locks.run(path, signal, async () => {
    const writing = await files.writing();
    return await writeExport(path, exportFiles(kept, format, config.version), { writing, signal });
  });
  return { path, ...written, steps: kept.steps.length };
}

function describe(trajectory: Trajectory): z.output<typeof TrajectoryItem> {
  const { id, started_at, ended_at, ended_by, display_num, texts, dropped } = trajectory.info;
  return {
    id,
    started_at,
    ended_at: ended_by === null ? null : ended_at,
    ended_by,
    display_num,
    texts,
    steps: trajectory.stepCount,
    size: trajectory.size,
    dropped,
  };
}

const ITEM = {
  id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  started_at: "2026-03-09T14:05:11.123Z",
  ended_at: null,
  ended_by: null,
  display_num: 1,
  texts: true,
  steps: 0,
  size: 0,
  dropped: { steps: 0, pictures: 0, trees: 0 },
};

export const TRAJECTORY_EXAMPLES = {
  startTrail: { body: { texts: true }, answer: ITEM },
  stopTrail: {
    body: { id: ITEM.id },
    answer: {
      ...ITEM,
      ended_at: "2026-03-09T14:09:40.871Z",
      ended_by: "stop",
      steps: 12,
      size: 2_481_920,
    },
  },
  exportTrail: {
    body: { id: ITEM.id, format: "atif", path: "~/order-form" },
    answer: { path: "/home/ada/order-form", files: 37, bytes: 2_544_007, steps: 12 },
  },
};
