/** Records what is done in a program, and replays it where that looks different. */

import { expect } from "expect";
import { join } from "node:path";
import { describeLocator, type Locator } from "../../../../src/features/trail/locator.ts";
import { runCommand } from "../../../support/command.ts";
import { testFolder } from "../../../support/folder.ts";
import { type ElementDesktop, openElementDesktop } from "../../elements/support/element_desktop.ts";
import { Driver } from "./driver.ts";
import { type Look, PLAIN } from "./looks.ts";
import type { Scenario } from "./scenarios.ts";

/** Gives the end state. */
export async function record(desktop: ElementDesktop, scenario: Scenario, folder: string) {
  await using program = await scenario.open(desktop.session, PLAIN);
  const driver = await Driver.start(desktop.call, "desktop");
  await scenario.perform(driver);
  await driver.export(folder);
  return await program.result();
}

export interface Replayed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What the program wrote, once it has ended if the replay did all. */
  readonly result: string;
  /** The inputs that had another target than the recorded ones. */
  readonly wrong: readonly string[];
  readonly inputs: number;
}

type End = "done" | "stopped" | "had to stop";

interface Replaying {
  readonly scenario: Scenario;
  readonly look: Look;
  readonly folder: string;
}

export async function replay(
  desktop: ElementDesktop,
  { scenario, look, folder }: Replaying,
): Promise<Replayed> {
  await using program = await scenario.open(desktop.session, look);
  const ended = await replayWatched(desktop, folder);
  const result = ended.code === 0 ? await program.result() : await program.soFar();
  return { ...ended, result };
}

/** Replays while the service records that, too: which tells what each input went to. */
export async function replayWatched(
  { call, service }: Pick<ElementDesktop, "call" | "service">,
  folder: string,
): Promise<Omit<Replayed, "result">> {
  await using made = await testFolder();
  const path = join(made.path, "replayed");
  const { id } = await call<{ id: string }>("trail/start", { texts: true, pictures: false });
  const ended = await runCommand(["replay", folder, "--url", service.address]);
  await call("trail/stop", { id });
  await call("trail/export", { id, format: "atif", path });
  const [recorded, done] = [await readTargets(folder), await readTargets(path)];
  const wrong = done.flatMap((each, at) =>
    isSame(each, recorded[at]) ? [] : [`${describe(recorded[at])} was ${describe(each)}`]
  );
  return { ...ended, inputs: done.length, wrong };
}

interface RecordedTarget {
  readonly locator?: Locator;
  readonly window?: { readonly title: string };
}

interface RecordedStep {
  readonly operation: string;
  readonly targets: Readonly<Record<string, RecordedTarget>>;
}

interface Aimed extends RecordedTarget {
  readonly operation: string;
}

/** What each step of an export went to. */
async function readTargets(folder: string): Promise<Aimed[]> {
  const { steps } = JSON.parse(await Deno.readTextFile(join(folder, "trajectory.json"))) as {
    readonly steps: readonly { readonly extra: { readonly trail: Partial<RecordedStep> } }[];
  };
  return steps.flatMap(({ extra: { trail: { operation, targets = {} } } }) =>
    operation === undefined ? [] : [{ operation, ...Object.values(targets)[0] }]
  );
}

/** As far as both are known. A list that opens is named by what is chosen in it; a table can have lost columns. */
function isSame(one: Aimed, other: Aimed | undefined): boolean {
  if (one.operation !== other?.operation) return false;
  if (one.window !== undefined && one.window.title !== other.window?.title) return false;
  const [a, b] = [one.locator, other.locator];
  if (a === undefined || b === undefined) return true;
  const [row, otherRow] = [a.row ?? [], b.row ?? []];
  const [less, more] = row.length < otherRow.length ? [row, otherRow] : [otherRow, row];
  return a.role === b.role && a.label === b.label && less.every((text) => more.includes(text)) &&
    (a.role === "combobox" || a.name === b.name);
}

function describe(aimed: Aimed | undefined): string {
  const { operation, locator, window } = aimed ?? {};
  return `${operation} ${locator && describeLocator(locator)} in ${window?.title}`;
}

/**
 * Each scenario is recorded, and replayed in each look: none to another end, and at most 5 of 100 stop but where they
 * may have to.
 */
export async function expectAllReplayed(
  t: Deno.TestContext,
  scenarios: readonly Scenario[],
  looks: readonly Look[],
): Promise<void> {
  await using desktop = await openElementDesktop();
  const ends: End[] = [];
  let inputs = 0;
  for (const scenario of scenarios) {
    await t.step(scenario.name, async () => {
      await using made = await testFolder();
      const folder = `${made.path}/export`;
      const wanted = await record(desktop, scenario, folder);
      for (const look of looks) {
        const done = await expectReplayed(desktop, { scenario, look, folder, wanted });
        ends.push(done.end);
        inputs += done.inputs;
      }
    });
  }
  const [done, stopped] = ["done", "stopped"].map((what) =>
    ends.filter((end) => end === what).length
  );
  console.log(
    `${done} of ${ends.length} replays were done, the others stopped; ${inputs} inputs, none to another element`,
  );
  expect(stopped).toBeLessThanOrEqual(Math.floor(ends.length / 20));
}

/** The replay does all of it, with the same end state, or stops with a reason, and never acts on anything else. */
async function expectReplayed(
  desktop: ElementDesktop,
  { wanted, ...replaying }: Replaying & { readonly wanted: string },
): Promise<{ readonly end: End; readonly inputs: number }> {
  const { code, stderr, result, wrong, inputs } = await replay(desktop, replaying);
  const { scenario: { name, mayStop, isPart }, look } = replaying;
  expect({ name, look, wrong }).toEqual({ name, look, wrong: [] });
  if (code !== 0) {
    console.log(`${name}, ${look.theme}: ${stderr}`);
    expect({ name, look, stderr }).toMatchObject({ stderr: expect.stringContaining("Stopped at") });
    expect({ name, look, result, isPart: isPart(result, wanted) }).toMatchObject({ isPart: true });
    return { end: mayStop?.test(stderr) ? "had to stop" : "stopped", inputs };
  }
  expect({ name, look, result }).toEqual({ name, look, result: wanted });
  return { end: "done", inputs };
}
