/** Which command takes which flag. */

import { findOwners } from "./arguments.ts";
import { CHOICE } from "./choice_options.ts";
import type { CommandName } from "./commands.ts";

/** Commands that take the flags of the service. */
const OF_SERVICE: readonly CommandName[] = ["serve", "install-service", "doctor", "mcp"];
const CHOICE_FLAGS: readonly string[] = Object.values(CHOICE).map(({ flag }) => flag);

/** Commands take their own flags, and `stop` and `status` those that choose a service. */
export function takesFlag(command: CommandName, flag: string): boolean {
  const owners = findOwners(flag);
  if (owners !== undefined) return owners.includes(command);
  if (command === "stop" || command === "status") return CHOICE_FLAGS.includes(flag);
  if (command === "grant") return flag === CHOICE.stateDir.flag;
  return OF_SERVICE.includes(command);
}
