/** The workflows: pinned actions, least rights, every target, and no command that this repository does not have. */

import { expect } from "expect";
import { parse } from "yaml";
import { TARGETS } from "../../tools/compile/targets.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly "timeout-minutes"?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const ROOT = new URL("../../", import.meta.url);
/** The actions, with the version that is used everywhere. */
const ACTIONS = [
  "actions/checkout@v4",
  "actions/download-artifact@v4",
  "actions/upload-artifact@v4",
  "denoland/setup-deno@v2",
];

for (const name of ["ci", "release"]) {
  const text = await Deno.readTextFile(new URL(`.github/workflows/${name}.yml`, ROOT));
  const workflow = parse(text) as Workflow;
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps);

  Deno.test(`${name}.yml uses known actions in known versions`, () => {
    const used = new Set(steps.flatMap(({ uses }) => uses === undefined ? [] : [uses]));
    expect([...used].filter((each) => !ACTIONS.includes(each))).toEqual([]);
  });

  Deno.test(`${name}.yml may only read, except the job that publishes`, () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const more = jobs.filter(([, { permissions }]) => permissions !== undefined);
    expect(more.map(([job]) => job)).toEqual(name === "release" ? ["publish"] : []);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    for (const step of checkouts) expect(step.with?.["persist-credentials"]).toBe(false);
  });

  Deno.test(`${name}.yml ends every job in time and runs what this repository has`, async () => {
    for (const [, job] of jobs) expect(job["timeout-minutes"]).toBeLessThanOrEqual(30);
    const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
    const called = [...text.matchAll(/deno task ([\w-]+)/g)].map(([, task]) => task!);
    expect(called.filter((task) => !(task in tasks))).toEqual([]);
    const paths = [...text.matchAll(/(?:tests|tools|\.github)\/[\w./]*\w/g)].map(([path]) => path);
    for (const path of paths) await Deno.stat(new URL(path, ROOT));
  });

  Deno.test(`${name}.yml compiles all targets, and starts each on its own system`, () => {
    expect(text).toContain("deno task compile --target all");
    const matrix = JSON.stringify(workflow.jobs["start"]!.strategy!.matrix);
    for (const target of TARGETS) expect(matrix).toContain(`"${target.name}`);
  });

  Deno.test(`${name}.yml takes the pinned version of Deno`, () => {
    const uses = steps.filter((step) => step.uses?.startsWith("denoland/setup-deno@"));
    expect(uses.length).toBeGreaterThan(0);
    for (const step of uses) expect(step.with).toEqual({ "deno-version-file": ".dvmrc" });
  });
}

Deno.test("Git gives every file the line ends that shells read, on Windows too", async () => {
  const text = await Deno.readTextFile(new URL(".gitattributes", ROOT));
  expect(text.split("\n")).toContain("* text=auto eol=lf");
});
