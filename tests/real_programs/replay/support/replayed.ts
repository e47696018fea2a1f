/** Records what is done in a program, and replays it where that looks different. */

import { expect } from "expect";
import { runCommand } from "../../../support/command.ts";
import type { ElementDesktop } from "../../elements/support/element_desktop.ts";
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

/** The replay does all of it, with the same end state, or stops with a reason; gives which. */
export async function expectReplayed(
  desktop: ElementDesktop,
  { wanted, ...replaying }: Replaying & { readonly wanted: string },
): Promise<"done" | "stopped"> {
  const { code, stderr, result } = await replay(desktop, replaying);
  const { scenario: { name }, look } = replaying;
  if (code !== 0) {
    console.log(`${name}, ${look.theme}: ${stderr}`);
    expect({ name, look, stderr }).toMatchObject({ stderr: expect.stringContaining("Stopped at") });
    return "stopped";
  }
  expect({ name, look, result }).toEqual({ name, look, result: wanted });
  return "done";
}

/** At least 95 of 100 have been done. */
export function expectMostDone(ends: readonly ("done" | "stopped")[]): void {
  const done = ends.filter((end) => end === "done").length;
  console.log(`${done} of ${ends.length} replays were done, the others stopped`);
  expect(ends.length - done).toBeLessThanOrEqual(Math.ceil(ends.length / 20));
}
