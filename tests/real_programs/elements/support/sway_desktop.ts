/** The service on its own sway, as its users have it, asked for elements. */

import { startCommand } from "../../../support/command.ts";
import { succeeds } from "../../../support/test_if.ts";
import { missingFor } from "../../../support/wayland/desktop.ts";
import { type ElementCalls, elementCalls } from "./element_desktop.ts";

/** Why it cannot be opened here with these programs, or `undefined`. */
export async function missingForSway(programs: readonly string[]): Promise<string | undefined> {
  const missing = missingFor("sway", programs);
  if (missing !== undefined || Deno.uid() !== 0) return missing;
  const mayRun = await succeeds("unshare", ["--user", "true"]);
  return mayRun ? undefined : "root may not make a user namespace";
}

export async function openSwayDesktop(): Promise<ElementCalls & AsyncDisposable> {
  const service = await startCommand(["--virtual-display", "wayland"]);
  return {
    ...elementCalls(service),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
