/** Finds the service that is called: by `--url`, else by the records, as `status` and `stop` do. */

import { ConfigError } from "../../config/config_error.ts";
import { chooseInstances, describeInstance, describeNone } from "../choose_instances.ts";
import { findInstances } from "../instance_records.ts";
import type { CallOptions } from "./arguments.ts";

/** The base address of the service; a `URL` without a slash at its end, or why there is none. */
export type Target = { readonly url: URL } | { readonly none: readonly string[] };

/** @throws ConfigError when several run and none was chosen */
export async function findTarget(options: CallOptions, stateDir: string): Promise<Target> {
  if (options.url !== undefined) return { url: options.url };
  const { running, refused } = await findInstances(stateDir);
  const chosen = chooseInstances(running, options);
  const [first] = chosen;
  if (first === undefined) {
    return { none: [...refused, `${describeNone(options, stateDir)}: start it, or give --url`] };
  }
  if (chosen.length > 1) {
    const lines = chosen.map((each) => `  ${describeInstance(each)}`);
    const advice = "Several services run: choose one with --port, --name or --url:";
    throw new ConfigError([advice, ...lines].join("\n"));
  }
  if (!await first.isThere()) {
    return { none: [`The service at ${first.address} has ended: start it, or give --url`] };
  }
  const url = new URL(first.address);
  if (first.name !== null) url.pathname = first.name;
  return { url };
}
