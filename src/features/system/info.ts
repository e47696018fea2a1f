/** What this service is: version, system, chosen backends, limits. */

import { z } from "zod";
import { DEFAULT_LIMITS } from "../../limits.ts";
import { type Context, GROUPS } from "../operation.ts";

const limitNames = Object.keys(DEFAULT_LIMITS) as (keyof typeof DEFAULT_LIMITS)[];

export const SystemInfo = z.object({
  version: z.string(),
  name: z.string().nullable().describe("The computer's name in the base address, if it has one."),
  system: z.enum(["linux", "macos", "windows"]),
  backends: z.array(z.object({
    job: z.enum(["display", "input", "keychain"]),
    chosen: z.string().nullable().describe("The backend in use."),
    reason: z.string().describe("Why this one, and why not the others."),
  })),
  disabled_groups: z.array(z.enum(GROUPS)),
  read_only: z.boolean(),
  limits: z.object(
    Object.fromEntries(limitNames.map((name) => [snakeCase(name), z.number()])),
  ).describe("Every limit; each has a flag."),
});

export function getSystemInfo({ platform, config }: Context): z.output<typeof SystemInfo> {
  return {
    version: config.version,
    name: config.name ?? null,
    system: platform.system,
    backends: platform.backends().map((choice) => ({ ...choice })),
    disabled_groups: [...config.disabled],
    read_only: config.readOnly,
    limits: Object.fromEntries(
      limitNames.map((name) => [snakeCase(name), config.limits[name]]),
    ),
  };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
