/** Checks display 1 through the ports, where nothing particular is known about the system. */

import type { Config } from "../../config/config.ts";
import { ServiceError } from "../../core/errors.ts";
import { openScreen } from "../screens.ts";
import type { Display, Displays } from "../types/mod.ts";
import { takeTestPicture } from "./screen.ts";
import { type Examine, failed, ok, sinceText, type Verdict } from "./verdict.ts";
import { findWanted } from "./wanted.ts";

export interface DisplayPortOptions {
  readonly config: Config;
  /** What mends a display that cannot be used. */
  readonly mend: string;
  /** How long it may take to open, where that is longer than other checks. */
  readonly limitMs?: number;
}

export async function examineDisplayPort(
  examine: Examine,
  displays: Pick<Displays, "open" | "readiness">,
  { config, mend, limitMs }: DisplayPortOptions,
): Promise<void> {
  const wanted = findWanted(config);
  const { status } = await examine("display", async () => {
    const { ready, reason } = await displays.readiness();
    return ready ? ok(reason) : failed(reason, mend);
  }, { asked: wanted.screen, mend, ...limitMs !== undefined && { limitMs } });
  if (status !== "ok") return;
  const display = await displays.open(1);
  await examine("test picture", async () => {
    const screen = "capture" in display.screen ? display.screen : await openScreen(display.screen);
    try {
      return await takeTestPicture(screen, display.size);
    } finally {
      if (screen !== display.screen) screen.close();
    }
  }, { asked: wanted.pictures, mend });
  await examine("test input", () => checkInput(display, mend), { asked: wanted.input, mend });
}

/** Moves the cursor to where it is, where that can be known. */
async function checkInput({ input }: Display, mend: string): Promise<Verdict> {
  if (!input.ready) return failed(input.reason, mend);
  const { mouse } = input.use;
  const at = await mouse.position().catch((error) => {
    if (error instanceof ServiceError && error.code === "unsupported") return undefined;
    throw error;
  });
  const start = performance.now();
  if (at === undefined) {
    await input.use.confirm();
    return ok(`the devices answered in ${sinceText(start)}; where the cursor is cannot be known`);
  }
  mouse.move(at);
  await input.use.confirm();
  return ok(`the cursor was moved to where it is in ${sinceText(start)}, nothing was clicked`);
}
