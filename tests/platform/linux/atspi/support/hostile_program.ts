/** A program on the accessibility bus of a session that lies about everything. */

import { fileURLToPath } from "node:url";
import { findSessionAccessibilityBus } from "../../../../../src/platform/linux/atspi/find_bus.ts";
import { thisHost } from "../../../../../src/platform/host.ts";
import type { AccessibleSession } from "../../../../real_programs/support/accessible_session.ts";
import { lineReader } from "../../../../support/lines.ts";

const PROGRAM = fileURLToPath(
  new URL("../../../../support/programs/hostile_program.py", import.meta.url),
);

export interface HostileProgram extends AsyncDisposable {
  readonly pid: number;
  /** Ends it; how many calls it has answered. */
  end(): Promise<number>;
}

/** @param numbers how many children, or characters, as the program says it */
export async function startHostileProgram(
  { env }: Pick<AccessibleSession, "env">,
  way: string,
  ...numbers: readonly number[]
): Promise<HostileProgram> {
  const address = await findSessionAccessibilityBus({ ...thisHost(), env });
  const program = new Deno.Command("/usr/bin/python3", {
    args: [PROGRAM, address, way, ...numbers.map(String)],
    stdin: "piped",
    stdout: "piped",
    stderr: "null", // GLib complains of what it is made to do
  }).spawn();
  const lines = lineReader(program.stdout);
  let answered: Promise<number> | undefined;
  const end = () =>
    answered ??= (async () => {
      await program.stdin.close();
      const [, count] = await lines.until(/^answered (\d+)$/);
      await program.status;
      return Number(count);
    })();
  await lines.until(/^ready$/);
  return {
    pid: program.pid,
    end,
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}
