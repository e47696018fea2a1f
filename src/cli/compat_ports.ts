/**
 * The ports of `--compat`: each offers the interface of another project, whose modules are loaded by
 * the first request to its port.
 */

import type { Config } from "../config/config.ts";
import type { CompatName } from "../config/flag_values.ts";
import { importModules } from "../core/errors.ts";
import { once } from "../core/shared_run.ts";
import type { Answer } from "../http/connections/connections.ts";
import type { RunningServer } from "../http/connections/server.ts";
import type { OtherRoutes } from "../http/other_interface.ts";

export interface CompatPort {
  readonly name: CompatName;
  readonly server: Pick<RunningServer, "port" | "shutdown">;
}

interface CompatParts {
  /** Answers by other routes, behind the checks of every request. */
  answerBy(routes: OtherRoutes): Answer;
  /** Where the service itself listens: `http://127.0.0.1:4242`. */
  readonly address: string;
  /** @throws CommandError that names the flag */
  listen(port: number, answer: Answer, flag: string): RunningServer;
}

/** Listens on the port of each interface that was asked for. */
export function listenForCompat(
  { compat, token, stateDir }: Config,
  { answerBy, address, listen }: CompatParts,
): readonly CompatPort[] {
  const load = once(() => importModules(() => import("../compat/open_compat.ts")));
  const service = { address, token, stateDir };
  return Array.from(compat, ([name, port]) => {
    const open = once(async () => (await load()).openCompat(name, service));
    const answer = answerBy(async (request, client) => (await open())(request, client));
    return { name, server: listen(port, answer, `--compat ${name}:<port>`) };
  });
}
