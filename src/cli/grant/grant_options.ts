/** What a grant is carried out with. */

import type { Host, Started } from "../../platform/host.ts";
import type { Launch } from "../launch.ts";

export interface GrantOptions {
  readonly host: Host;
  readonly launch: Launch;
  readonly started: Started;
  /** The folder for relative paths. */
  readonly cwd: string;
}
