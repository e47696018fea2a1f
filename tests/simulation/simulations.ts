/** The simulated worlds by name, and the scenarios that have failed once. */

import { fileURLToPath } from "node:url";
import "../../src/features/recording/recordings.ts";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { allOperations } from "../../src/features/mod.ts";
import "../../src/mcp/server.ts";
import { simulateBrowser } from "./browser_world.ts";
import { simulateClipboard } from "./clipboard_world.ts";
import { simulateCommands } from "./commands_world.ts";
import { simulateDisplay } from "./display_world.ts";
import { simulateElements } from "./elements_world.ts";
import { simulateInput } from "./input_world.ts";
import { simulateKeychain } from "./keychain_world.ts";
import { simulateRecording } from "./recording_world.ts";
import { simulateLog } from "./log_world.ts";
import { simulateWindows } from "./windows_world.ts";
import type { Scenario } from "./world.ts";

// What the service loads when it is first asked for is there: while it loads, virtual time would pass.
await allOperations(DEFAULT_LIMITS);

export const SIMULATIONS = {
  input: simulateInput,
  clipboard: simulateClipboard,
  keychain: simulateKeychain,
  browser: simulateBrowser,
  commands: simulateCommands,
  windows: simulateWindows,
  elements: simulateElements,
  log: simulateLog,
  recording: simulateRecording,
  display: simulateDisplay,
} satisfies Record<string, (scenario: Scenario) => Promise<void>>;

export interface NamedScenario extends Scenario {
  readonly world: keyof typeof SIMULATIONS;
}

/** Scenarios that have failed once, which the tests try first. */
export const SEEDS = fileURLToPath(new URL("./seeds.json", import.meta.url));

export const WORLDS = Object.keys(SIMULATIONS) as (keyof typeof SIMULATIONS)[];
/** Of each seed: how likely each answer of the system is a failure. */
export const FAILURES = [0, 0.05];
export const CALLS = 40;
