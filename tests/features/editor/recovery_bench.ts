/** A state folder as a run that has died leaves it. */

import { recover } from "../../../src/features/filesystem/safe_write/recovery.ts";

export const OLD = "o".repeat(10_000);
export const NEW = "n".repeat(12_000);

interface InPlace {
  readonly name?: string;
  readonly record?: string;
  readonly old?: string;
  readonly fresh?: string;
}

export interface Bench extends AsyncDisposable {
  readonly folder: string;
  readonly stateDir: string;
  readonly said: string[];
  /** Writes a record of this name as a run that has died would have left it; the last line counts. */
  died(name: string, lines: readonly unknown[], torn?: string): Promise<void>;
  recover(): Promise<void>;
  /** Leaves a file written in place; gives its path, and that of the saved bytes. */
  diedInPlace(
    now: string | undefined,
    options?: InPlace,
  ): Promise<{ path: string; before: string }>;
}

export async function openBench(): Promise<Bench> {
  const folder = await Deno.makeTempDir();
  const stateDir = `${folder}/state`;
  await Deno.mkdir(`${stateDir}/journal`, { recursive: true });
  const said: string[] = [];
  const say = (event: string, fields: object = {}) =>
    said.push(`${event} ${JSON.stringify(fields)}`);
  async function died(name: string, lines: readonly unknown[], torn = ""): Promise<void> {
    const text = lines.map((line) => JSON.stringify(line) + "\n").join("") + torn;
    await Deno.writeTextFile(`${stateDir}/journal/${name}.journal`, text);
  }
  return {
    folder,
    stateDir,
    said,
    died,
    async diedInPlace(now, { name = "x", record = "dead", old = OLD, fresh = NEW } = {}) {
      const path = `${folder}/${name}`;
      const before = `${stateDir}/journal/${record}.before.bytes`;
      await Deno.writeTextFile(before, old);
      await Deno.writeTextFile(`${stateDir}/journal/${record}.after.bytes`, fresh);
      if (now !== undefined) await Deno.writeTextFile(path, now);
      await died(record, [{ kind: "in_place", path }]);
      return { path, before };
    },
    recover: () => recover(stateDir, { info: say, warn: say }),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
