/** Checks the address that the service would listen on, and the services that run already. */

import type { Config } from "../../config/config.ts";
import { checkBinding } from "../../http/bind_guard.ts";
import { type Examine, failed, note, ok, type Verdict } from "../../platform/diagnosis/verdict.ts";
import type { Diagnosis } from "../../platform/types/diagnosis.ts";
import { formatAddress } from "../banner.ts";
import { isHealthy } from "../health.ts";
import { findInstances, type RunningInstance } from "../instance_records.ts";

export async function examineNetwork(
  examine: Examine,
  config: Config,
  system: Diagnosis,
): Promise<void> {
  let running: readonly RunningInstance[] = [];
  let refused: readonly string[] = [];
  await examine("services", async () => {
    ({ running, refused } = await findInstances(config.stateDir));
    if (refused.length > 0) return note(`a record is not followed: ${refused.join("; ")}`);
    if (running.length === 0) return ok("none runs with this state folder");
    return ok(`${running.length} with this state folder`);
  }, { asked: false, mend: "--state-dir <folder>" });
  for (const each of running) {
    const asked = each.port === config.port;
    await examine(`service ${each.port}`, () => checkService(each, config.version), { asked });
  }
  await examine("address", () => {
    checkBinding(config);
    const token = config.token === undefined ? "without a token" : "with a token";
    return ok(`${config.host}, ${token}`);
  }, { mend: "--token-file <path>" });
  const late = { detail: `"${config.host}" cannot be looked up`, mend: "--host 127.0.0.1" };
  await examine("port", () => checkPort(config, running, system), { late });
}

async function checkService(instance: RunningInstance, version: string): Promise<Verdict> {
  const { address, pid, port, display, ready } = instance;
  const text = `${address}, process ${pid}, version ${instance.version}, ` +
    `display ${display ?? "none"}`;
  const stop = `computer-control stop --port ${port}`;
  if (!ready) return ok(`${text}, starting`);
  if (!await isHealthy(address)) return failed(`${text}: does not answer`, `${stop} --force`);
  if (instance.version === version) return ok(`${text}, answers`);
  return note(`${text}, answers; this program is ${version}`, `${stop}, then start it again`);
}

async function checkPort(
  { host, port }: Config,
  running: readonly RunningInstance[],
  system: Diagnosis,
): Promise<Verdict> {
  if (port === 0) return ok("any free one");
  try {
    Deno.listen({ hostname: host, port }).close();
    return ok(`${port} is free`);
  } catch (error) {
    return await explain(error, { host, port, running, system });
  }
}

interface Listening extends Pick<Config, "host" | "port"> {
  readonly running: readonly RunningInstance[];
  readonly system: Diagnosis;
}

async function explain(
  error: unknown,
  { host, port, running, system }: Listening,
): Promise<Verdict> {
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return failed(`${host} is no address of this computer`, "--host 127.0.0.1");
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return failed(`this user may not use port ${port}`, "--port <number above 1023>");
  }
  if (!(error instanceof Deno.errors.AddrInUse)) {
    return failed(`${host}:${port}: ${(error as Error).message}`, "--host 127.0.0.1");
  }
  const own = running.find((each) => each.port === port);
  if (own !== undefined) return ok(`${port} is taken by the service, process ${own.pid}`);
  const owner = await system.findPortOwner(port) ?? "a program of another user";
  if (await isHealthy(formatAddress(host, port).address)) {
    const detail = `${port} is taken by a service with another state folder: ${owner}`;
    return note(detail, "--state-dir <its folder>, or --port 0 for one more service");
  }
  return failed(
    `${port} is taken by ${owner}`,
    `--port 0, or ${system.portCommand(port)} to see it`,
  );
}
