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
  /** Another workflow that it is. */
  readonly uses?: string;
  readonly needs?: string | readonly string[];
  readonly steps?: readonly Step[];
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const ROOT = new URL("../../", import.meta.url);
/** Action -> its version, and the commit that the version had when it was looked up: a tag can be moved. */
const ACTIONS: Readonly<Record<string, readonly [version: string, commit: string]>> = {
  "actions/attest-build-provenance": ["v2.4.0", "e8998f949152b193b063cb0ec769d69d929409be"],
  "actions/checkout": ["v4.2.2", "11bd71901bbe5b1630ceea73d27597364c9af683"],
  "actions/download-artifact": ["v4.3.0", "d3f86a106a0bac45b974a628896c90dbdf5c8093"],
  "actions/setup-node": ["v4.4.0", "49933ea5288caeca8642d1e84afbd3f7d6820020"],
  "actions/upload-artifact": ["v4.6.2", "ea165f8d65b6e75b540449e92b4886f43607fa02"],
  "denoland/setup-deno": ["v2.0.3", "e95548e56dfa95d4e1a28d6f422fafe75c4c26fb"],
  "docker/build-push-action": ["v6.18.0", "263435318d21b8e681c14492fe198d362a7d2c83"],
  "docker/login-action": ["v3.5.0", "184bdaa0721073962dff0199f1fb9940f07167d1"],
  "docker/setup-buildx-action": ["v3.11.1", "e468171a9de216ec08956ac3ada2f0791b6bd435"],
  "docker/setup-qemu-action": ["v3.6.0", "29109295f81e9208d7d86ff1c6c12d2833863392"],
};

/** Job -> what it may do besides reading; every other job may read the repository and nothing else. */
const RIGHTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  attest: { attestations: "write", contents: "read", "id-token": "write" },
  container: { contents: "read", packages: "write" },
  npm: { "id-token": "write" },
  publish: { contents: "write" },
};

for (const name of ["ci", "release"]) {
  const text = await Deno.readTextFile(new URL(`.github/workflows/${name}.yml`, ROOT));
  const workflow = parse(text) as Workflow;
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps ?? []);

  Deno.test(`${name}.yml runs tests that are there`, async () => {
    for (const [path] of text.matchAll(/\btests\/[\w./*-]+/g)) {
      await Deno.stat(new URL(path, ROOT));
    }
  });

  Deno.test(`${name}.yml takes actions by their commit, and says the version`, () => {
    const used = [...text.matchAll(/uses: +(?!\.\/)(\S+)(.*)/g)];
    expect(used.length).toBeGreaterThan(0);
    for (const [, action, comment] of used) {
      const [path, commit] = action!.split("@");
      expect([path, [comment!.replace(/^ # /, ""), commit]]).toEqual([path, ACTIONS[path!]]);
    }
  });

  Deno.test(`${name}.yml may only read, except the jobs that publish`, () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const more = jobs.flatMap(([job, { permissions }]) => permissions ? [[job, permissions]] : []);
    expect(Object.fromEntries(more)).toEqual(name === "release" ? RIGHTS : {});
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    for (const step of checkouts) expect(step.with?.["persist-credentials"]).toBe(false);
  });

  Deno.test(`${name}.yml ends every job in time and runs what this repository has`, async () => {
    const own = jobs.filter(([, { uses }]) => uses === undefined);
    for (const [, job] of own) expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
    const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
    const called = [...text.matchAll(/(?:deno|deno\)") task (?:--quiet )?([\w:-]+)/g)];
    expect(called.length).toBeGreaterThan(0);
    expect(called.map(([, task]) => task!).filter((task) => !(task in tasks))).toEqual([]);
    const paths = [...text.matchAll(/(?:tests|tools|deploy|\.github)\/[\w./]*\w(?!\*)\b/g)];
    for (const [path] of paths) {
      if (!text.includes(`${path}*`)) await Deno.stat(new URL(path, ROOT));
    }
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

  Deno.test(`${name}.yml needs only jobs that there are`, () => {
    const needed = jobs.flatMap(([, { needs }]) => needs ?? []);
    expect(needed.filter((job) => !(job in workflow.jobs))).toEqual([]);
  });
}

Deno.test("ci.yml runs all tests on every system, with nothing chosen by hand", async () => {
  const { jobs } = parse(
    await Deno.readTextFile(new URL(".github/workflows/ci.yml", ROOT)),
  ) as Workflow;
  const runs = (job: string) => jobs[job]!.steps!.flatMap(({ run }) => run ?? []);
  expect(runs("linux")).toEqual(["deno task verify", "deno task test:all"]);
  expect(runs("others")).toEqual(["deno task verify", "deno task test:all"]);
  expect(jobs["others"]!.strategy!.matrix["os"]).toEqual(["macos-15", "windows-2025"]);
  expect(runs("newcomer"))
    .toEqual(["deno task setup --for newcomer", "tools/newcomer.sh --all --both"]);
});

Deno.test("a release is published only after all tests, the starts and the provenance", async () => {
  const { jobs } = parse(
    await Deno.readTextFile(new URL(".github/workflows/release.yml", ROOT)),
  ) as Workflow;
  const before = (job: string): string[] =>
    [jobs[job]!.needs ?? []].flat().flatMap((each) => [each, ...before(each)]);
  for (const job of ["named", "test", "build", "start", "attest"]) {
    expect(before("publish")).toContain(job);
  }
  for (const job of ["named", "test", "start"]) expect(before("npm")).toContain(job);
});

Deno.test("dependabot follows the actions and the image", async () => {
  const { updates } = parse(await Deno.readTextFile(new URL(".github/dependabot.yml", ROOT)));
  for (const { directory } of updates) await Deno.stat(new URL(`.${directory}`, ROOT));
  const followed = updates.map((each: Record<string, unknown>) => each["package-ecosystem"]);
  expect(followed).toEqual(["github-actions", "docker"]);
});

Deno.test("Git gives every file the line ends that shells read, on Windows too", async () => {
  const text = await Deno.readTextFile(new URL(".gitattributes", ROOT));
  expect(text.split("\n")).toContain("* text=auto eol=lf");
});
