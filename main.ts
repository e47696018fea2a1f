/** Starts the service: command line -> Config -> the service, until a signal ends it. */

import { fileURLToPath } from "node:url";
import { readCommandLine } from "./src/command_line.ts";
import { type Config, readConfig } from "./src/config.ts";
import type { Flags } from "./src/flags.ts";
import { checkBinding } from "./src/http/bind_guard.ts";
import { environmentChanges, readLaunch, type Started } from "./src/launch.ts";
import { log } from "./src/log.ts";
import { thisHost } from "./src/platform/host.ts";
import { protectMemory } from "./src/platform/mod.ts";
import { serve, StartError } from "./src/serve.ts";
import type { TokenFile } from "./src/token.ts";

if (import.meta.main) Deno.exit(await main(Deno.args));

/** Runs the program and returns its exit code. */
async function main(args: readonly string[]): Promise<number> {
  const launch = readLaunch(started());
  const request = readCommandLine(args, launch.version);
  if (request.kind === "print") {
    console.log(request.text.trimEnd());
    return 0;
  }
  if (request.kind === "refuse") return refuse(request.message, 2);
  let config: Config;
  try {
    config = configOf(request.flags);
  } catch (error) {
    return refuse((error as Error).message, 2);
  }
  try {
    const host = thisHost();
    await protectMemory(host); // before anything is started that could look
    return await serve(config, host);
  } catch (error) {
    if (error instanceof StartError) return refuse(error.message, 1);
    log.error("crashed", { error: (error as Error).stack ?? String(error) });
    return 1;
  }
}

function configOf(flags: Flags): Config {
  const env = Deno.env.toObject();
  const config = readConfig(flags, env, readTokenFile, Deno.build.os);
  checkBinding(config);
  hideFromChildren(env);
  return config;
}

/** Programs that we start inherit the environment, and the token is none of their business. */
function hideFromChildren(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of environmentChanges(env)) {
    if (value === undefined) Deno.env.delete(name);
    else Deno.env.set(name, value);
  }
}

function started(): Started {
  return {
    env: Deno.env.toObject(),
    standalone: Deno.build.standalone,
    program: Deno.execPath(),
    script: fileURLToPath(Deno.mainModule),
    deno: Deno.version.deno,
  };
}

function readTokenFile(path: string): TokenFile {
  const { mode } = Deno.statSync(path);
  return { text: Deno.readTextFileSync(path), mode };
}

function refuse(message: string, code: number): number {
  console.error(`computer-control: ${message}`);
  return code;
}
