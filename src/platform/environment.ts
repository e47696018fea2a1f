/** The environment variables of this process, for code that any thread runs; all else of the system is in `host.ts`. */

export type Environment = Readonly<Record<string, string | undefined>>;

export function environment(): Environment {
  return Deno.env.toObject();
}

/** `undefined` takes a variable away; programs that are started from now on have the others. */
export function changeEnvironment(changes: ReadonlyMap<string, string | undefined>): void {
  for (const [name, value] of changes) {
    if (value === undefined) Deno.env.delete(name);
    else Deno.env.set(name, value);
  }
}
