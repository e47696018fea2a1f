/** The environment variables of this process, for code that any thread runs; all else of the system is in `host.ts`. */

export type Environment = Readonly<Record<string, string | undefined>>;

export function environment(): Environment {
  return Deno.env.toObject();
}
