/** A last picture, for answers that are complete without one. */

import { ServiceError } from "../../core/errors.ts";
import type { AgentComputer } from "./agent_computer.ts";
import type { AgentPicture } from "./pictures.ts";

/** Nothing where the display cannot be seen: the results of the actions say what went wrong. */
export async function pictureIfThere(
  computer: AgentComputer,
): Promise<{ readonly picture?: AgentPicture }> {
  try {
    return { picture: await computer.screenshot() };
  } catch (error) {
    if (error instanceof ServiceError) return {};
    throw error;
  }
}
