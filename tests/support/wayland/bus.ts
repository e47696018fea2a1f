/** Message buses of a desktop's own: nothing on the buses of the person who runs the tests is touched. */

import { waitFor } from "../wait.ts";
import type { StartProgram } from "./programs.ts";

/** Root may use it too, because tests that root runs have the service in their own process. */
function configOf(path: string, services: string): string {
  return `<busconfig>
<type>session</type>
<keep_umask/>
<listen>unix:path=${path}</listen>
<auth>EXTERNAL</auth>
${services}
<policy context="default">
<allow user="*"/>
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy>
</busconfig>`;
}

export interface BusOptions {
  /** Whether programs that the system installed as services of a session are started when called. */
  readonly startsServices: boolean;
}

/** The file of a socket is there before anybody listens: a program that connects then gives up. */
export async function listensAt(path: string): Promise<true> {
  (await Deno.connect({ transport: "unix", path })).close();
  return true;
}

/** Gives the address of the bus. */
export async function startBus(
  start: StartProgram,
  path: string,
  { startsServices }: BusOptions,
): Promise<string> {
  const config = `${path}.conf`;
  const services = startsServices ? "<standard_session_servicedirs/>" : "";
  await Deno.writeTextFile(config, configOf(path, services));
  const bus = start("dbus-daemon", [`--config-file=${config}`, "--nofork", "--nosyslog"]);
  await waitFor(() => bus.running() && listensAt(path), { what: "a message bus" })
    .catch(async (cause) => {
      throw new Error(`No message bus: ${await bus.errors()}`, { cause });
    });
  return `unix:path=${path}`;
}
