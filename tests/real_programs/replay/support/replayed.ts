/** Records what is done in a program, and replays it where that looks different. */

import { expect } from "expect";
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
  const ended = await runCommand(["replay", folder, "--url", desktop.service.address]);
  const result = ended.code === 0 ? await program.result() : await program.soFar();
  return { ...ended, result };
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
  for (const scenario of scenarios) {
    await t.step(scenario.name, async () => {
      await using made = await testFolder();
      const folder = `${made.path}/export`;
      const wanted = await record(desktop, scenario, folder);
      for (const look of looks) {
        ends.push(await expectReplayed(desktop, { scenario, look, folder, wanted }));
      }
    });
  }
  const [done, stopped] = ["done", "stopped"].map((what) =>
    ends.filter((end) => end === what).length
  );
  console.log(`${done} of ${ends.length} replays were done, the others stopped`);
  expect(stopped).toBeLessThanOrEqual(Math.floor(ends.length / 20));
}

/** The replay does all of it, with the same end state, or stops with a reason; gives which. */
async function expectReplayed(
  desktop: ElementDesktop,
  { wanted, ...replaying }: Replaying & { readonly wanted: string },
): Promise<End> {
  const { code, stderr, result } = await replay(desktop, replaying);
  const { scenario: { name, mayStop }, look } = replaying;
  if (code !== 0) {
    console.log(`${name}, ${look.theme}: ${stderr}`);
    expect({ name, look, stderr }).toMatchObject({ stderr: expect.stringContaining("Stopped at") });
    return mayStop?.test(stderr) ? "had to stop" : "stopped";
  }
  expect({ name, look, result }).toEqual({ name, look, result: wanted });
  return "done";
}
