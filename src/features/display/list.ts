/** Lists the displays that are reachable now. */

import type { Context } from "../context.ts";

export async function listDisplays({ platform }: Context) {
  const displays = await platform.displays.list();
  return displays.map(({ displayNum, ...rest }) => ({ display_num: displayNum, ...rest }));
}
