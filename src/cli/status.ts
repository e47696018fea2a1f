/** `status`: lists the services that run with a state folder, and whether they answer. */

import {
  chooseInstances,
  describeInstance,
  describeNone,
  findInstances,
  isHealthy,
  type RunningInstance,
} from "./instances.ts";
import { type Choice, type CommandLineResult, NONE_RUNS } from "./command.ts";

export interface StatusRequest extends Choice {
  readonly kind: "status";
  readonly json: boolean;
}

type State = "running" | "starting" | "not answering";

export async function showStatus(
  request: StatusRequest,
  { stateDir }: { readonly stateDir: string },
): Promise<CommandLineResult> {
  const { running, refused: errors } = await findInstances(stateDir);
  const chosen = chooseInstances(running, request);
  const code = chosen.length > 0 ? 0 : NONE_RUNS;
  const states = await Promise.all(chosen.map(askState));
  if (request.json) {
    const all = chosen.map((each, index) => describeStatus(each, states[index]!));
    return { code, lines: [JSON.stringify(all, undefined, 2)], errors };
  }
  if (chosen.length === 0) return { code, lines: [describeNone(request, stateDir)], errors };
  const width = Math.max(...states.map((state) => state.length));
  const lines = chosen.map((each, index) =>
    `${states[index]!.padEnd(width)}  ${describeInstance(each)}`
  );
  return { code, lines, errors };
}

/** One element of the output of `status --json`. */
function describeStatus(instance: RunningInstance, state: State) {
  const { pid, port, address, name, version, display, since } = instance;
  return { pid, port, address, name, version, display, since, state };
}

async function askState({ address, ready }: RunningInstance): Promise<State> {
  if (!ready) return "starting";
  return await isHealthy(address) ? "running" : "not answering";
}
