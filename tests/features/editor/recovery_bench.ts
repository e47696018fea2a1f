/** A state folder as a run that has died leaves it. */

import { recover } from "../../../src/features/filesystem/safe_write/recovery.ts";

export const OLD = "o".repeat(10_000);
export const NEW = "n".repeat(12_000);

export interface Bench extends AsyncDisposable {
  readonly folder: string;
  readonly stateDir: string;
  readonly said: string[];
  /** Writes a journal as a run that has died would have left it. */
  died(lines: readonly unknown[], torn?: string): Promise<void>;
  recover(): Promise<void>;
  /** Leaves a file written in place; gives its path, and those of the saved bytes. */
  diedInPlace(now: string | undefined, name?: string): Promise<{ path: string; before: string }>;
}

export async function openBench(): Promise<Bench> {
  const folder = await Deno.makeTempDir();
  const stateDir = `${folder}/state`;
  await Deno.mkdir(`${stateDir}/journal`, { recursive: true });
  const said: string[] = [];
  const say = (event: string, fields: object = {}) =>
    said.push(`${event} ${JSON.stringify(fields)}`);
  async function died(lines: readonly unknown[], torn = ""): Promise<void> {
    const text = lines.map((line) => JSON.stringify(line) + "\n").join("") + torn;
    await Deno.writeTextFile(`${stateDir}/journal/dead.journal`, text);
  }
  return {
    folder,
    stateDir,
    said,
    died,
    async diedInPlace(now, name = "x") {
      const path = `${folder}/${name}`;
      const [before, after] = [1, 2].map((side) => `${stateDir}/journal/dead.${side}.bytes`);
      await Deno.writeTextFile(before!, OLD);
      await Deno.writeTextFile(after!, NEW);
      if (now !== undefined) await Deno.writeTextFile(path, now);
      await died([{ begin: 1, record: { kind: "in_place", path, before, after } }]);
      return { path, before: before! };
    },
    recover: () => recover(stateDir, { info: say, warn: say }),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
