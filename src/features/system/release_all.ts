/** Releases every key and button, ahead of all waiting operations. */

import { ServiceError } from "../../core/errors.ts";
import type { Context } from "../context.ts";

const DEFAULT_DISPLAY = 1;

export async function releaseAll({ session, holder }: Context): Promise<void> {
  try {
    // so that keys left down by an earlier run are released too
    await session.displaySession(DEFAULT_DISPLAY);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  await session.releaseAll(holder);
}
