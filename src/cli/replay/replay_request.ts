/** Reads the command line of `computer-control replay`. */

import { readValues, type ValuesOf } from "../../config/config.ts";
import { readDeskName, readInteger } from "../../config/flag_values.ts";
import { ConfigError, option, toggle } from "../../config/option.ts";
import { OPTIONS } from "../../config/options.ts";
import type { GivenFlags } from "../arguments.ts";
import { CALL_OPTIONS, CHOICE } from "../command.ts";

const REPLAY_OPTIONS = {
  dryRun: toggle("dry-run", { sets: true, help: "" }),
  pixels: toggle("pixels", { sets: true, help: "" }),
  until: option("until", "<step>", {
    help: "",
    read: (text) => readInteger(text, { min: 1, max: 1_000_000 }),
  }),
  values: option("values", "<file>", { help: "", read: (text) => text }),
  desk: option("desk", "<name>", { help: "", read: readDeskName }),
  url: CALL_OPTIONS.url,
  tokenFile: OPTIONS.tokenFile,
  ...CHOICE,
};

/** Performs an exported recording by a running service. */
export interface ReplayRequest extends ValuesOf<typeof REPLAY_OPTIONS> {
  readonly kind: "replay";
  /** The exported folder, or the `trajectory.json` in it. */
  readonly path: string;
}

/**
 * @param words what follows `replay`
 * @throws ConfigError
 */
export function readReplay([path, ...more]: readonly string[], flags: GivenFlags): ReplayRequest {
  if (path === undefined) {
    throw new ConfigError("replay needs the folder that trail/export has written");
  }
  if (more.length > 0) {
    throw new ConfigError(`replay takes one folder, not also ${more.join(", ")}`);
  }
  return { kind: "replay", path, ...readValues(REPLAY_OPTIONS, flags as never) };
}
