/** The port for `doctor`: what is particular to a system when its parts are checked. */

import type { Config } from "../../config/config.ts";
import type { Examine } from "../diagnosis/verdict.ts";
import type { Host } from "../host.ts";
import type { OpenedKeychain } from "../keychain/open_keychain.ts";

/** Makes the checks of one area one after the other; changes nothing that lasts. */
export type ExamineArea = (examine: Examine, host: Host, config: Config) => Promise<void>;

export interface Diagnosis {
  readonly display: ExamineArea;
  readonly programs: ExamineArea;
  readonly permissions: ExamineArea;
  openKeychain(host: Host, config: Config): Promise<OpenedKeychain>;
  /** Names the process that listens on a TCP port of this computer, if this user may know. */
  findPortOwner(port: number): Promise<string | undefined>;
  /** The command that names it. */
  portCommand(port: number): string;
}
