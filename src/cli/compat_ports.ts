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
import type { OtherRoutes, WordRefusal } from "../http/other_interface.ts";
import type { System } from "../platform/types/mod.ts";

export interface CompatPort {
  readonly name: CompatName;
  readonly server: Pick<RunningServer, "port" | "busy" | "answerWith" | "shutdown">;
}

interface CompatParts {
  /** Answers by other routes, behind the checks of every request. */
  answerBy(routes: OtherRoutes, word: WordRefusal): Answer;
  /** Where the service itself listens: `http://127.0.0.1:4242`. */
  readonly address: string;
  readonly system: System;
  /** @throws CommandError that names the flag */
  listen(port: number, answer: Answer, flag: string): RunningServer;
}

/** Listens on the port of each interface that was asked for. */
export function listenForCompat(
  { compat, stateDir, version, limits }: Config,
  { answerBy, address, system, listen }: CompatParts,
): readonly CompatPort[] {
  const load = once(() => importModules(() => import("../compat/open_compat.ts")));
  const maxCommandSeconds = limits.maxCommandTimeoutMs / 1_000;
  const service = { address, stateDir, system, version, maxCommandSeconds };
  return Array.from(compat, ([name, port]) => {
    const open = once(async () => (await load()).openCompat(name, service));
    const answer = answerBy(
      async (request, client) => (await open()).answer(request, client),
      async (request, refusal) => (await open()).fail(request, refusal),
    );
    return { name, server: listen(port, answer, `--compat ${name}:<port>`) };
  });
}
