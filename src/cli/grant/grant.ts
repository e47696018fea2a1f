/** Carries out `computer-control grant`. */

import { CommandError } from "../command.ts";
import type { GrantName, GrantOptions, GrantRequest } from "./grant_request.ts";
import { grantKde } from "./kde.ts";
import { grantPortal } from "./portal.ts";

type Grant = (request: GrantRequest, options: GrantOptions) => Promise<readonly string[]>;

const GRANT_BY_NAME = { kde: grantKde, portal: grantPortal } satisfies Record<GrantName, Grant>;

/**
 * Returns the lines to print.
 * @throws CommandError with one line for the terminal
 */
export async function runGrant(
  request: GrantRequest,
  options: GrantOptions,
): Promise<readonly string[]> {
  const { os } = options.host;
  if (os !== "linux") {
    throw new CommandError(`grant is for Wayland desktops on Linux, and this is "${os}"`);
  }
  return await GRANT_BY_NAME[request.grant](request, options);
}
